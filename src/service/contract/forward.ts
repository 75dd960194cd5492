// Tomorrow's service: changes that v1 allows at any time (spec: Versioning 4), made today so that clients meet them in tests.
import { array, boolean, oneOf, type Schema, string } from './schema.ts';

export const FORWARD_KINDS = {
  fields: 'responses and events hold fields that nobody knows, at every level',
  enums: 'role, priority, status, visibility and event names have values that nobody knows',
  messages: 'errors say the same in other words, with the same codes',
  endpoints: 'there are more endpoints',
  headers: 'responses and deliveries carry more headers',
  order: 'the keys of objects come in another order',
} as const;
export type ForwardKind = keyof typeof FORWARD_KINDS;

/** Which of the changes are made, in the order of the table; none: today's service. */
export type Forward = readonly ForwardKind[];

const NAMES = Object.keys(FORWARD_KINDS) as ForwardKind[];

/** Reads which changes are meant: true or `all`, names with commas, a list of names. @throws RangeError naming what is unknown. */
export const forwardNamed = (value: unknown): Forward => {
  if (value === undefined || value === false || value === null) return [];
  const names = value === true ? ['all'] : Array.isArray(value) ? value.map(String) : String(value).split(',');
  const bare = names.map((name) => name.trim()).filter((name) => name !== '' && name !== 'none');
  const unknown = bare.filter((name) => name !== 'all' && !NAMES.includes(name as ForwardKind));
  if (unknown.length > 0)
    throw new RangeError(`forward-compat: expected all, none or any of ${NAMES.join(', ')}, got "${unknown.join(', ')}"`);
  return NAMES.filter((name) => bare.includes('all') || bare.includes(name));
};

/** Which changes are meant, as it is written: yes or no, names with commas, a list of names. */
export const ForwardCompat: Schema<boolean | string | readonly string[]> = {
  anyOf: [
    boolean(),
    string({
      pattern: `^ *((all|none|${NAMES.join('|')}) *(, *(all|none|${NAMES.join('|')}) *)*)?$`,
      'x-says': `all, none or any of ${NAMES.join(', ')}`,
    }),
    array(oneOf(['all', ...NAMES])),
  ],
  description: 'Makes the changes that v1 allows at any time: all, or these.',
};

/** Values that a later release might name; one for each list that the spec calls open. */
export const LATER_VALUES = { status: 'blocked', priority: 'critical', visibility: 'organization', role: 'guest' } as const;
export type LaterField = keyof typeof LATER_VALUES;

/** Whether a value of a field is one of a later release. */
export const isLaterValue = (field: string, value: unknown): boolean =>
  Object.hasOwn(LATER_VALUES, field) && LATER_VALUES[field as LaterField] === value;

/** Whether a service of these terms takes a value of a field that its contract does not name: it takes what it shows. */
export const takesLater = ({ forward }: { readonly forward: Forward }, field: string, value: unknown): boolean =>
  forward.includes('enums') && isLaterValue(field, value);
