// Whether a request body fits its operation's schema; says of every field that does not what was expected.
import type { OperationId } from '../contract/operations.ts';
import { LATEST, type Release } from '../contract/releases.ts';
import { formFor } from './forms.ts';
import * as generated from './validators.generated.ts';

export { isDateOnly, toUtc } from './times.ts';

/** One failing field; `body` when the body itself is no object. */
export interface Fault {
  readonly field: string;
  /** `structure`: missing, or of the wrong JSON type; `length`: too long; `value`: any other broken rule. */
  readonly kind: 'structure' | 'length' | 'value';
  /** Reads on after the field's name. */
  readonly issue: string;
}

/** What ajv says about one broken keyword. */
export interface Finding {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A generated validator. */
export interface Validate {
  (value: unknown): boolean;
  readonly errors?: readonly Finding[] | null;
}

const validatorOf = formFor(generated as unknown as Readonly<Record<string, Validate>>);

/** Every failing field of a body, once each: the first structural fault of a field stands before its others. */
export const checkBody = (id: OperationId, body: unknown, release: Release = LATEST): Fault[] => {
  const validate = validatorOf(id, release);
  if (!validate || validate(body)) return [];
  const worst = new Map<string, Fault>();
  for (const fault of (validate.errors ?? []).map(faultOf)) {
    const known = worst.get(fault.field);
    if (!known || (fault.kind === 'structure' && known.kind !== 'structure')) worst.set(fault.field, fault);
  }
  return [...worst.values()];
};

const faultOf = (finding: Finding): Fault => {
  const { keyword, params, instancePath } = finding;
  const kind = keyword === 'required' || keyword === 'type' ? 'structure' : keyword === 'maxLength' ? 'length' : 'value';
  if (keyword === 'required') return { field: String(params.missingProperty), kind, issue: 'is required' };
  const [, field, item] = instancePath.split('/');
  if (field === undefined) return { field: 'body', kind, issue: 'must be a JSON object' };
  return { field, kind, issue: `${item === undefined ? '' : `item ${Number(item) + 1} `}${expectation(finding)}` };
};

/** What a keyword expects, in plain English. */
export const expectation = ({ keyword, params }: Finding): string => {
  switch (keyword) {
    case 'type':
      return `must be ${[params.type]
        .flat()
        .map((type) => TYPES[String(type)] ?? type)
        .join(' or ')}`;
    case 'enum':
      return `must be one of ${(params.allowedValues as readonly unknown[]).join(', ')}`;
    case 'maxLength':
      return `must be at most ${params.limit} characters`;
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must be at least ${params.limit} characters`;
    case 'minItems':
      return params.limit === 1 ? 'must not be empty' : `must hold at least ${params.limit} items`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'format':
      return FORMATS[String(params.format)] ?? `must be a valid ${params.format}`;
    default:
      return `breaks the rule "${keyword}"`;
  }
};

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'must be an ISO 8601 datetime with its time zone, such as 2025-01-20T09:00:00Z',
  uri: 'must be an absolute URL',
};
