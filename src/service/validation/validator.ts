// Whether a request body fits its operation's schema; says of every field that does not what was expected.
import { getOrMake } from '../contract/keyed.ts';
import type { OperationId } from '../contract/operations.ts';
import { ALL_RELEASES, LATEST, type Release } from '../contract/releases.ts';
import { check, type Finding, issueOf, type Validate } from './check.ts';
import * as generated from './validators.generated.ts';

/** The name of the form of a schema that a release was the last to have. */
export const formName = (name: string, release: Release): string => `${name}_${release.replace('.', '_')}`;

/** Finds the form that a release has: that of the first release from it on which was the last of its form, else today's. */
export const formFor = <V>(validators: Readonly<Record<string, V>>) => {
  const found = new Map<string, V | undefined>();
  return (name: string, release: Release): V | undefined => {
    const from = () => ALL_RELEASES.slice(ALL_RELEASES.indexOf(release)).map((one) => formName(name, one));
    return getOrMake(found, `${name} ${release}`, () => validators[from().find((form) => form in validators) ?? name]);
  };
};

/** One failing field; `body` when the body itself is no object. */
export interface BodyFault {
  readonly field: string;
  readonly kind: Finding['kind'];
  readonly issue: string;
}

const validatorOf = formFor(generated as unknown as Readonly<Record<string, Validate>>);

/** Every failing field of a body, once each: the first structural fault of a field precedes its others. */
export const checkBody = (id: OperationId, body: unknown, release: Release = LATEST): BodyFault[] => {
  const validate = validatorOf(id, release);
  return validate ? check(validate, body, undefined, ([field]) => String(field)).map(bodyFault) : [];
};

const bodyFault = (finding: Finding): BodyFault => {
  const [field, item] = finding.path;
  if (field === undefined) return { field: 'body', kind: finding.kind, issue: 'must be a JSON object' };
  const where = item === undefined ? '' : `item ${Number(item) + 1} `;
  return { field: String(field), kind: finding.kind, issue: where + issueOf(finding) };
};
