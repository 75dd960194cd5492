// What the calls of the control API take, checked by the validators that are generated from its table.
import { Problem } from '../contract/errors.ts';
import { check, type Finding, issueWithGot, type Validate } from '../validation/check.ts';
import { showPath } from '../validation/show.ts';
import type { BESIDE } from './checked.ts';
import type { ControlId } from './operations.ts';
import * as generated from './validators.generated.ts';

export type Checked = ControlId | keyof typeof BESIDE;

const validators = generated as unknown as Readonly<Record<string, Validate>>;

/** What is wrong with a body, or with what a program gives. */
export const findingsOf = (name: Checked, value: unknown): readonly Finding[] => check(validators[name]!, value);

/** What is wrong with the query of a call. */
export const queryFindings = (id: ControlId, query: unknown): readonly Finding[] =>
  check(validators[`${id}Query`] ?? validators.noQuery!, query);

/** The findings as the error envelope lists them. */
export const fieldsOf = (findings: readonly Finding[]) =>
  findings.map((finding) => ({ field: showPath(finding.path) || 'body', issue: issueWithGot(finding) }));

/** What is wrong with a call: 400 for its structure, 422 for a rule, unless one of them is asked for. */
export const refusal = (findings: readonly Finding[], always?: 400): Problem => {
  const fields = fieldsOf(findings);
  const said = fields.map(({ field, issue }) => `${field} ${issue}`).join('; ');
  const status = always ?? (findings.some(({ kind }) => kind === 'structure') ? 400 : 422);
  return new Problem(status, 'validation_error', `The call is refused: ${said}. GET /_mock/openapi.json says what it takes.`, {
    fields,
  });
};
