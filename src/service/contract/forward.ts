// Forward-compat changes: those that v1 allows at any time (spec: Versioning 4), so that clients can be tested with them.
import { array, boolean, oneOf, type Schema, string } from './schema.ts';

export const FORWARD_KINDS = {
  fields: 'responses and events hold fields that no client knows, at every level',
  enums: 'role, priority, status, visibility and event names have values that no client knows',
  messages: 'errors say the same in other words, with the same codes',
  endpoints: 'there are more endpoints',
  headers: 'responses and deliveries carry more headers',
  order: 'the keys of objects come in another order',
} as const;
export type ForwardKind = keyof typeof FORWARD_KINDS;

/** Changes that are on, in the order of the table. */
export type Forward = readonly ForwardKind[];

export const FORWARD_NAMES = Object.keys(FORWARD_KINDS) as [ForwardKind, ...ForwardKind[]];

/** Parses kinds of changes: true or `all`, names with commas, a list of names. @throws RangeError naming unknown kinds. */
export const forwardNamed = (value: unknown): Forward => {
  if (value === undefined || value === false || value === null) return [];
  const names = value === true ? ['all'] : Array.isArray(value) ? value.map(String) : String(value).split(',');
  const bare = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'none');
  const unknown = bare.filter((name) => name !== 'all' && !FORWARD_NAMES.includes(name as ForwardKind));
  if (unknown.length > 0)
    throw new RangeError(`forward-compat: expected all, none or any of ${FORWARD_NAMES.join(', ')}, got "${unknown.join(', ')}"`);
  return FORWARD_NAMES.filter((name) => bare.includes('all') || bare.includes(name));
};

/** Schema of kinds of changes: a boolean, names with commas, or a list of names. */
export const ForwardCompat: Schema<boolean | string | readonly string[]> = {
  anyOf: [
    boolean(),
    string({
      pattern: `^ *((all|none|${FORWARD_NAMES.join('|')}) *(, *(all|none|${FORWARD_NAMES.join('|')}) *)*)?$`,
      'x-says': `all, none or any of ${FORWARD_NAMES.join(', ')}`,
    }),
    array(oneOf(['all', ...FORWARD_NAMES])),
  ],
  description: 'Makes the changes that v1 allows at any time: all, or these.',
};

/** Values that a later release might add, one for each open enumeration of the spec. */
export const LATER_VALUES = { status: 'blocked', priority: 'critical', visibility: 'organization', role: 'guest' } as const;
export type LaterField = keyof typeof LATER_VALUES;

/** Whether a later release might add this value to the field. */
export const isLaterValue = (field: string, value: unknown): boolean =>
  Object.hasOwn(LATER_VALUES, field) && LATER_VALUES[field as LaterField] === value;

/** Whether the field accepts this value beyond its contract: a service accepts every value that it shows. */
export const takesLater = ({ forward }: { readonly forward: Forward }, field: string, value: unknown): boolean =>
  forward.includes('enums') && isLaterValue(field, value);
