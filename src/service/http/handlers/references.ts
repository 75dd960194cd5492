// The rule of fields that hold ids: each names a record of the same workspace.
import type { FieldIssue } from '../../contract/errors.ts';
import type { Referred } from '../../contract/fields.ts';
import { FIELDS, type RecordName } from '../../world/records.ts';
import type { View } from '../../world/view.ts';

const refersToRecord = (view: View, refers: Referred, id: string): boolean =>
  (refers === 'users' ? view.member(id) : view.find(refers, id)) !== undefined;

const referenceIssue = (view: View, refers: Referred, value: unknown): string | undefined => {
  const kind = refers.slice(0, -1);
  if (!Array.isArray(value))
    return refersToRecord(view, refers, value as string) ? undefined : `must be the id of a ${kind} of this workspace`;
  const unknown = new Set(value.filter((id) => !refersToRecord(view, refers, id)));
  if (unknown.size === 0) return undefined;
  return `must be ids of ${refers} of this workspace; unknown: ${[...unknown].slice(0, 5).join(', ')}`;
};

/** The rule that each id in a body names a record of the workspace. */
export const referenceRule = (name: RecordName) => {
  const fields = FIELDS[name].flatMap(({ name: field, refers }) => (refers ? [{ field, refers }] : []));
  return (view: View, body: Readonly<Record<string, unknown>>): readonly FieldIssue[] =>
    fields.flatMap(({ field, refers }) => {
      const issue = body[field] == null ? undefined : referenceIssue(view, refers, body[field]);
      return issue ? [{ field, issue }] : [];
    });
};
