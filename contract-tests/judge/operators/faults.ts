// Faults of a request body, field by field, and how a body is mended so that a target takes it.
import type { Loose } from './exchange.ts';
import { isCreate, type Part } from './tables.ts';

const isList = ({ kind }: Part): boolean => kind === 'references' || kind === 'events';
const any = (): boolean => true;
const of =
  (...kinds: readonly Part['kind'][]) =>
  ({ kind }: Part): boolean =>
    kinds.includes(kind);
const isText = (value: Loose): boolean => typeof value === 'string' && value !== '';
const isOutside = (people: readonly string[], id: Loose): boolean => people.length > 0 && !people.includes(id);

type Fits = (part: Part) => boolean;
type Is = (value: Loose, part: Part, people: readonly string[]) => boolean;

/** Statuses of a fault, 400 for structure, 422 for length, else either; which fields can have it; and a test. */
const KINDS = {
  string: [400, isList, (value) => typeof value === 'string'],
  number: [400, any, (value) => typeof value === 'number'],
  boolean: [400, any, (value) => typeof value === 'boolean'],
  array: [400, (part) => !isList(part), Array.isArray],
  object: [400, any, (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
  'bad-item': [400, isList, (value) => Array.isArray(value) && value.some((item) => typeof item !== 'string')],
  'too-long': [422, of('text'), (value, { max }) => isText(value) && max !== undefined && [...value].length > max],
  unlisted: [0, of('enum'), (value, { values = [] }) => isText(value) && !values.includes(value.toLowerCase())],
  'wrong-case': [0, of('enum'), (value, { values = [] }) => isText(value) && !values.includes(value)],
  'no-date': [0, of('date'), (value) => isText(value) && Number.isNaN(Date.parse(value))],
  unknown: [0, of('reference'), (value, _part, people) => isText(value) && isOutside(people, value)],
  'unknown-item': [
    0,
    of('references'),
    (value, _part, people) => Array.isArray(value) && value.some((item) => isOutside(people, item)),
  ],
  'no-url': [0, of('url'), (value) => isText(value) && !URL.canParse(value)],
  empty: [0, (part) => (part.kind === 'text' ? part.needed : !isList(part)), (value) => value === ''],
  null: [0, (part) => part.needed, (value) => value === null],
  missing: [400, (part) => part.needed, (value) => value === undefined],
} as const satisfies Readonly<Record<string, readonly [status: 0 | 400 | 422, Fits, Is]>>;

export type FaultKind = keyof typeof KINDS;
const ALL = Object.entries(KINDS) as [FaultKind, readonly [status: 0 | 400 | 422, Fits, Is]][];

export interface Fault {
  readonly field: string;
  readonly kind: FaultKind;
}

export const STATUS_OF = (kind: FaultKind): 0 | 400 | 422 => KINDS[kind][0];

/** The faults that a field of that kind can have. */
export const kindsOf = (part: Part, op: string): readonly FaultKind[] =>
  ALL.filter(([kind, [, fits]]) => fits(part) && (kind !== 'missing' || isCreate(op))).map(([kind]) => kind);

/** Every fault of a body that is an object; without people references are not looked up. */
export const faultsOf = (body: Loose, parts: readonly Part[], patch: boolean, people: readonly string[]): Fault[] => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [{ field: '', kind: 'object' }];
  return parts.flatMap((part): Fault[] => {
    const value = body[part.name];
    const found = ALL.find(([, [, fits, is]]) => fits(part) && is(value, part, people))?.[0];
    return found && !(found === 'missing' && patch) ? [{ field: part.name, kind: found }] : [];
  });
};

/** The value with which a field is taken, or undefined when it is best left out. */
export const mended = (part: Part, value: Loose, create: boolean, people: readonly string[]): Loose => {
  if (typeof value === 'string' && part.max !== undefined && value !== '') return [...value].slice(0, part.max).join('');
  if (part.kind === 'enum' && typeof value === 'string' && part.values!.includes(value.toLowerCase())) return value.toLowerCase();
  if (isList(part) && Array.isArray(value))
    return value.filter((item) => (part.kind === 'events' ? typeof item === 'string' : people.includes(item)));
  if (!part.needed) return undefined;
  if (part.kind === 'url') return 'https://hooks.example.test/taken';
  return create ? `Taken ${Math.random().toString(36).slice(2)}` : undefined;
};
