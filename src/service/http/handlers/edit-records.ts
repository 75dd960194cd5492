// How records are shown, changed and removed; what named a removed one names it no longer.
import { COMPONENTS, RESOURCES } from '../../contract/resources.ts';
import type { Is } from '../../contract/schema.ts';
import type { Row } from '../../world/collection.ts';
import { FIELDS, NAMES, ofEach, type RecordName, type Records } from '../../world/records.ts';
import type { View } from '../../world/view.ts';

/** Whether two values of a field say the same; lists do when their items do. */
const isSameValue = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** @returns the record as it stands afterwards; the old one when the patch changes nothing. */
export const applyPatch = <N extends RecordName>(view: View, name: N, row: Row<Records[N]>, patch: Partial<Records[N]>) => {
  const changes = Object.entries(patch).some(([field, value]) => !isSameValue(row.value[field as keyof Records[N]], value));
  if (!changes && view.choices['noop-patch'] === 'unchanged') return row.value;
  const { updated_at: before } = row.value as { readonly updated_at?: string };
  const now = view.now();
  // A clock may be set back; what was updated later stays so.
  const stamp = before === undefined ? {} : { updated_at: now > before ? now : before };
  return view.update(name, row, { ...row.value, ...stamp, ...patch });
};

export const ALL_BY_AGE = { equal: [], by: 'created_at', descending: false, nulls: 'last' } as const;

const fieldsNaming = (refers: RecordName, isWithin: boolean) =>
  NAMES.flatMap((kind) =>
    FIELDS[kind].flatMap((field) =>
      field.refers === refers && (field.within ?? false) === isWithin ? [[kind, field.name]] : [],
    ),
  ) as unknown as readonly (readonly [RecordName, never])[];
const CONTAINED_FIELDS = ofEach((name) => fieldsNaming(name, true));
const REFERRING_FIELDS = ofEach((name) => fieldsNaming(name, false));

const withoutIds = (held: unknown, ids: ReadonlySet<string>): unknown => {
  if (Array.isArray(held)) return held.some((id) => ids.has(id)) ? held.filter((id) => !ids.has(id)) : held;
  return ids.has(held as string) ? null : held;
};

const clearReferences = (view: View, name: RecordName, ids: ReadonlySet<string>): void => {
  for (const [kind, field] of REFERRING_FIELDS[name]) {
    for (const row of view.list(kind, ALL_BY_AGE, []).rows()) {
      const reference = (row.value as unknown as ShownFields)[field];
      const left = withoutIds(reference, ids);
      if (left !== reference) applyPatch(view, kind, row as Row<Records[typeof kind]>, { [field]: left });
    }
  }
};

/** Removes records, those within them first. @param quietly without telling observers of these themselves */
export const removeRecords = <N extends RecordName>(
  view: View,
  name: N,
  rows: readonly Row<Records[N]>[],
  quietly = false,
): undefined => {
  // The events of a project's tasks are an open point; comments have none.
  const within = name !== 'projects' || view.choices['project-delete-events'] === 'project';
  for (const row of rows) {
    for (const [kind, field] of CONTAINED_FIELDS[name]) removeRecords(view, kind, view.findBy(kind, field, row.value.id), within);
    view.remove(name, row, quietly);
  }
  if (REFERRING_FIELDS[name].length > 0) clearReferences(view, name, new Set(rows.map(({ value }) => value.id)));
};

type ShownFields = Readonly<Record<string, unknown>>;
type DerivedFields<T, R> = { readonly [F in Exclude<keyof T, keyof R>]: (record: R) => T[F] };

/** Makes what shows the fields of a component; what no record holds is made of the record. */
const createShow = <N extends RecordName, C extends keyof typeof COMPONENTS>(
  name: N,
  component: C,
  made: DerivedFields<Is<(typeof COMPONENTS)[C]>, Records[N]>,
) => {
  type T = Is<(typeof COMPONENTS)[C]>;
  const { properties } = COMPONENTS[component];
  const table = Object.entries(RESOURCES[name]);
  const shown = table.filter(
    ([field, about]) => Object.hasOwn(properties as ShownFields, field) || about.shown === 'owner-field',
  );
  if (shown.length === table.length) return (record: Records[N]) => record as T;
  const parts = shown.map(([field]) => [field, (made as Record<string, (record: Records[N]) => unknown>)[field]] as const);
  return (record: Records[N]) =>
    Object.fromEntries(parts.map(([field, make]) => [field, make ? make(record) : (record as ShownFields)[field]])) as T;
};

/** With its owner, which the http room leaves out unless the open point `owner-field` says otherwise. */
export const showProject = createShow('projects', 'Project', {});
export const showTask = createShow('tasks', 'Task', {});
export const showMember = createShow('users', 'Member', {});
export const showProfile = createShow('users', 'Profile', {});
const showTeamMember = createShow('users', 'TeamMember', {});
export const showTeam = createShow('teams', 'Team', { member_count: ({ member_ids }) => member_ids.length });
export const showTeamDetail = (view: View) =>
  createShow('teams', 'TeamDetail', {
    members: ({ member_ids }) =>
      member_ids.flatMap((id) => {
        const user = view.find('users', id)?.value;
        return user ? [showTeamMember(user)] : [];
      }),
  });
export const showComment = createShow('comments', 'Comment', {});
export const showWebhook = createShow('webhooks', 'Webhook', {});
