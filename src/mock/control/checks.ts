// What programs give to a mock, checked by generated validators, and how it is refused.
import type { Problem } from '../../service/contract/errors.ts';
import { check, type Finding, issueWithGot, type Validate } from '../../service/validation/check.ts';
import { showPath } from '../../service/validation/show.ts';
import { MAX_PROBLEMS, moreLine } from '../seed/seed-error.ts';
import { refusal } from './call.ts';
import type { GIVEN } from './checked.ts';
import * as generated from './given.generated.ts';

export type GivenKind = keyof typeof GIVEN;

/** What is wrong with what a program gives. */
export const findingsOf = (name: GivenKind, value: unknown): readonly Finding[] =>
  check((generated as unknown as Readonly<Record<GivenKind, Validate>>)[name], value);

/** The findings as the error envelope lists them. */
export const fieldsOf = (findings: readonly Finding[]) =>
  findings.map((finding) => ({ field: showPath(finding.path) || 'body', issue: issueWithGot(finding) }));

/** The refusal of a call: 400 for its structure, 422 for a rule, unless one of them is asked for. Of many findings it names the first. */
export const refusalOf = (findings: readonly Finding[], always?: 400 | 409 | 422): Problem => {
  const fields = fieldsOf(findings.slice(0, MAX_PROBLEMS));
  const more = moreLine(findings.length - fields.length).map((issue) => ({ field: 'body', issue }));
  return refusal([...fields, ...more], always ?? (findings.some(({ kind }) => kind === 'structure') ? 400 : 422));
};
