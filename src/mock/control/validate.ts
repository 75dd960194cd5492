// Checks the arguments of a program by generated validators, and words refusals.
import { Problem } from '../../service/contract/errors.ts';
import { isObject } from '../../service/contract/schema.ts';
import { check, type Finding, issueWithGot, type Validate } from '../../service/validation/check.ts';
import { pathText } from '../../service/validation/show.ts';
import { MAX_PROBLEMS, moreLine } from '../seed/seed-error.ts';
import { refusal } from './call.ts';
import type { PROGRAM_SCHEMAS } from './operations.ts';
import * as generated from './program-validators.generated.ts';

export type ProgramSchema = keyof typeof PROGRAM_SCHEMAS;

export const findingsOf = (name: ProgramSchema, value: unknown): readonly Finding[] =>
  check((generated as unknown as Readonly<Record<ProgramSchema, Validate>>)[name], value);

export const fieldsOf = (findings: readonly Finding[]) =>
  findings.map((finding) => ({ field: pathText(finding.path) || 'body', issue: issueWithGot(finding) }));

/** Does nothing without findings; names the first of them. @throws Problem by default 400 for structure, 422 for a rule */
export const refuseFindings = (findings: readonly Finding[], always?: 400 | 409 | 422): void => {
  if (findings.length === 0) return;
  const fields = fieldsOf(findings.slice(0, MAX_PROBLEMS));
  const more = moreLine(findings.length - fields.length).map((issue) => ({ field: 'body', issue }));
  throw refusal([...fields, ...more], always ?? (findings.some(({ kind }) => kind === 'structure') ? 400 : 422));
};

/** As JSON has it: without undefined fields. */
export const withoutUndefined = (value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, inner]) => (inner === undefined ? [] : [[name, withoutUndefined(inner)] as const])),
      )
    : value;

export const validate = (name: ProgramSchema, value: unknown): void => refuseFindings(findingsOf(name, value), 422);

/** A refusal that names the member instead of the call. */
export const refusalOfMember = (member: string, error: unknown): unknown => {
  if (!(error instanceof Problem)) return error;
  const { status, code, fields, message } = error;
  const [, what, list = ''] = /^No (.*)\. GET \/_mock\/(\S+) lists them/.exec(message) ?? [];
  if (what !== undefined) {
    const hint = list === 'faults' ? ' faults.list() lists those there are. docs/faults.md of wm-mock says more.' : '';
    return new Problem(status, code, `${member} is refused: no ${what}; it may have been removed.${hint}`, { fields });
  }
  if (!message.startsWith('The call is refused')) return error;
  const issues = fields.map(({ field, issue }) => (field === 'body' ? `what it is given ${issue}` : `${field}: ${issue}`));
  const says = `${issues.join('; ')}.`;
  return new Problem(status, code, `${member} is refused: ${says} The types of wm-mock say what it takes.`, { fields });
};
