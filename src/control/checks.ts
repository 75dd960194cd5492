// What the calls of the control API take, checked by the validators that are generated from its table.
import type { Problem } from '../contract/errors.ts';
import { MOST_LISTED, moreLine } from '../seed/seed-error.ts';
import { check, type Finding, issueWithGot, type Validate } from '../validation/check.ts';
import { showPath } from '../validation/show.ts';
import { refusal } from './call.ts';
import type { BESIDE } from './checked.ts';
import type { ControlId } from './operations.ts';
import * as generated from './validators.generated.ts';

export type Checked = ControlId | keyof typeof BESIDE;

const validators = generated as unknown as Readonly<Record<string, Validate>>;

/** What is wrong with a body, or with what a program gives. */
export const findingsOf = (name: Checked, value: unknown): readonly Finding[] =>
  check(validators[name] ?? validators.anObject!, value);

/** @param takes whether the call takes a query that its own function checks, where no schema does */
export const queryFindings = (id: ControlId, query: unknown, takes: boolean): readonly Finding[] =>
  check(validators[`${id}Query`] ?? (takes ? validators.anObject! : validators.noQuery!), query);

/** The findings as the error envelope lists them. */
export const fieldsOf = (findings: readonly Finding[]) =>
  findings.map((finding) => ({ field: showPath(finding.path) || 'body', issue: issueWithGot(finding) }));

/** The refusal of a call: 400 for its structure, 422 for a rule, unless one of them is asked for. Of many findings it names the first. */
export const refusalOf = (findings: readonly Finding[], always?: 400 | 409 | 422): Problem => {
  const fields = fieldsOf(findings.slice(0, MOST_LISTED));
  const more = moreLine(findings.length - fields.length).map((issue) => ({ field: 'body', issue }));
  return refusal([...fields, ...more], always ?? (findings.some(({ kind }) => kind === 'structure') ? 400 : 422));
};
