// What is wrong with a request body, field by field, and how a body is mended so that a target takes it.
import type { Loose } from './exchange.ts';
import { isCreate, type Part } from './tables.ts';

export type FaultKind =
  | 'missing'
  | 'null'
  | 'number'
  | 'boolean'
  | 'array'
  | 'object'
  | 'string'
  | 'empty'
  | 'too-long'
  | 'unlisted'
  | 'wrong-case'
  | 'no-date'
  | 'unknown'
  | 'no-url'
  | 'bad-item'
  | 'unknown-item';

export interface Fault {
  readonly field: string;
  readonly kind: FaultKind;
}

/** What the spec says of a fault: 400 for structure, 422 for length, either for the rest. */
export const STATUS_OF = (kind: FaultKind): 400 | 422 | undefined => {
  if (kind === 'too-long') return 422;
  return ['missing', 'number', 'boolean', 'array', 'object', 'string', 'bad-item'].includes(kind) ? 400 : undefined;
};

const isList = ({ kind }: Part): boolean => kind === 'references' || kind === 'events';

/** The faults that a field of that kind can have. */
export const kindsOf = (part: Part, op: string): readonly FaultKind[] => {
  const types: FaultKind[] = isList(part)
    ? ['string', 'number', 'boolean', 'object', 'bad-item']
    : ['number', 'boolean', 'array', 'object'];
  const own: Readonly<Record<string, readonly FaultKind[]>> = {
    text: ['too-long', ...(part.needed ? (['empty', 'null'] as const) : [])],
    enum: ['unlisted', 'wrong-case', 'empty'],
    date: ['no-date', 'empty'],
    reference: ['unknown', 'empty'],
    references: ['unknown-item'],
    url: ['no-url', 'empty', 'null'],
  };
  return [...types, ...(own[part.kind] ?? []), ...(part.needed && isCreate(op) ? (['missing'] as const) : [])];
};

const length = (text: string): number => [...text].length;

const ofText = (part: Part, value: string, people: readonly string[]): FaultKind | undefined => {
  if (part.kind === 'text') {
    if (value === '' && part.needed) return 'empty';
    return part.max !== undefined && length(value) > part.max ? 'too-long' : undefined;
  }
  if (value === '') return 'empty';
  if (part.kind === 'enum') {
    if (part.values!.includes(value)) return undefined;
    return part.values!.includes(value.toLowerCase()) ? 'wrong-case' : 'unlisted';
  }
  if (part.kind === 'date') return Number.isNaN(Date.parse(value)) ? 'no-date' : undefined;
  if (part.kind === 'url') return URL.canParse(value) ? undefined : 'no-url';
  if (part.kind === 'reference' && people.length > 0 && !people.includes(value)) return 'unknown';
  return undefined;
};

const faultOf = (part: Part, value: Loose, people: readonly string[]): FaultKind | undefined => {
  if (value === null) return part.needed ? 'null' : undefined;
  if (Array.isArray(value)) {
    if (!isList(part)) return 'array';
    if (value.some((item) => typeof item !== 'string')) return 'bad-item';
    const strange = part.kind === 'references' && people.length > 0 && value.some((item) => !people.includes(item));
    return strange ? 'unknown-item' : undefined;
  }
  if (typeof value === 'object') return 'object';
  if (typeof value !== 'string') return typeof value === 'number' ? 'number' : 'boolean';
  return isList(part) ? 'string' : ofText(part, value, people);
};

/** Every fault of a body that is an object; without people references are not looked up. */
export const faultsOf = (body: Loose, parts: readonly Part[], patch: boolean, people: readonly string[]): Fault[] => {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return [{ field: '', kind: 'object' }];
  return parts.flatMap((part): Fault[] => {
    const value = body[part.name];
    if (value === undefined) return part.needed && !patch ? [{ field: part.name, kind: 'missing' }] : [];
    const kind = faultOf(part, value, people);
    return kind ? [{ field: part.name, kind }] : [];
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
