// Whether a request body fits its operation's schema; says of every field that does not what was expected.
import type { OperationId } from '../contract/operations.ts';
import { LATEST, type Release } from '../contract/releases.ts';
import { check, type Finding, issueOf, type Validate } from './check.ts';
import { formFor } from './forms.ts';
import * as generated from './validators.generated.ts';

export { isDateOnly, toUtc } from './times.ts';

/** One failing field; `body` when the body itself is no object. */
export interface Fault {
  readonly field: string;
  readonly kind: Finding['kind'];
  /** Reads on after the field's name. */
  readonly issue: string;
}

const validatorOf = formFor(generated as unknown as Readonly<Record<string, Validate>>);

/** Every failing field of a body, once each: the first structural fault of a field stands before its others. */
export const checkBody = (id: OperationId, body: unknown, release: Release = LATEST): Fault[] => {
  const validate = validatorOf(id, release);
  const worst = new Map<string, Fault>();
  for (const fault of validate ? check(validate, body).map(faultOf) : []) {
    const known = worst.get(fault.field);
    if (!known || (fault.kind === 'structure' && known.kind !== 'structure')) worst.set(fault.field, fault);
  }
  return [...worst.values()];
};

const faultOf = (finding: Finding): Fault => {
  const [field, item] = finding.path;
  if (field === undefined) return { field: 'body', kind: finding.kind, issue: 'must be a JSON object' };
  const where = item === undefined ? '' : `item ${Number(item) + 1} `;
  return { field: String(field), kind: finding.kind, issue: where + issueOf(finding) };
};
