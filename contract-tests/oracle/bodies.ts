// Whether a request body keeps the rules of its fields, and if not, what is wrong with which field.
import { isRecord, type Json } from '../engine/exchange.ts';
import type { FieldRule, Refers } from './rules.ts';

export type FaultKind = 'missing' | 'type' | 'item' | 'long' | 'empty' | 'value' | 'date' | 'reference';

export interface Fault {
  readonly field: string;
  readonly kind: FaultKind;
}

export interface Reading {
  readonly shape: 'object' | 'broken' | 'other' | 'none';
  readonly body: Json;
  readonly faults: readonly Fault[];
  /** True when the specification leaves open whether the body is accepted. */
  readonly open: boolean;
  /** Texts that are right, whatever is open beside them. */
  readonly right: readonly string[];
}

/** The statuses that a fault may get: structure is 400, an over-long text 422, the rest either. */
export const statusesOf = (kind: FaultKind): readonly number[] => {
  if (kind === 'missing' || kind === 'type' || kind === 'item') return [400];
  if (kind === 'long') return [422];
  // "id unknown" is what a 404 says.
  if (kind === 'reference') return [400, 404, 422];
  return [400, 422];
};

/** Faults of one kind are reported together: `details.fields` lists each of them. */
export const reportOf = (kind: FaultKind): string => (['missing', 'type', 'item'].includes(kind) ? 'structure' : kind);
/** Faults of one group get the same response, whichever of them a service sees first. */
export const groupOf = (kind: FaultKind): string => (['value', 'date', 'empty'].includes(kind) ? 'value' : reportOf(kind));

/** Whether an id is that of a user, or of another record, that a body may name; undefined: not known. */
export type Known = (id: string, refers: Refers) => boolean | undefined;

const DATETIME = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?Z$/;
const SURELY_NO_DATE = /^[^\d]|^\d\d?\/|^\d{4}-(1[3-9]|[2-9]\d)|^\d{1,3}$/;

/** Whether a month has no such day. */
const lacksDay = (value: string): boolean => {
  const [, year, month, day] = /^(\d{4})-(0[1-9]|1[0-2])-(\d\d)T/.exec(value) ?? [];
  return day !== undefined && Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
};

type Verdict = FaultKind | 'open' | undefined;

const lengthVerdict = (value: string, { min, max }: FieldRule): Verdict => {
  if (value.length < min) return 'empty';
  if (max === undefined || value.length <= max) return undefined;
  return [...value].length <= max ? 'open' : 'long';
};

const textVerdict = (value: string, rule: FieldRule, known: Known): Verdict => {
  if (rule.kind === 'word') return rule.values.includes(value) ? undefined : 'value';
  if (rule.kind === 'time')
    return lacksDay(value) || SURELY_NO_DATE.test(value) || value === '' ? 'date' : DATETIME.test(value) ? undefined : 'open';
  if (rule.kind === 'id') {
    const found = known(value, rule.refers);
    // The document says of an id only what it refers to.
    return found === undefined || (!found && !rule.named) ? 'open' : found ? undefined : 'reference';
  }
  if (rule.kind === 'url' && !rule.named) return /^https:\/\/\S+$/.test(value) && URL.canParse(value) ? undefined : 'open';
  if (rule.kind === 'url') {
    if (!URL.canParse(value) || /^(ftp|file|javascript|mailto):/.test(value)) return 'value';
    return value.startsWith('https:') ? 'open' : /^http:\/\/(127\.|localhost|\[::1\])/.test(value) ? 'open' : 'value';
  }
  return lengthVerdict(value, rule);
};

const listVerdict = (value: readonly unknown[], rule: FieldRule, known: Known): Verdict => {
  const { items, min, max = value.length } = rule;
  if (rule.kind === 'list') {
    const found = value.map((entry) => (items === undefined || entry === null ? 'open' : verdict(entry, items, known)));
    if (found.includes('type')) return 'item';
    return found.every((one) => one === undefined) && value.length >= min && value.length <= max ? undefined : 'open';
  }
  if (value.some((entry) => typeof entry !== 'string')) return 'item';
  if (rule.kind === 'words') {
    const listed = value.every((entry) => rule.values.includes(String(entry)));
    return listed && (value.length > 0 || !rule.named) && value.length >= min && value.length <= max ? undefined : 'open';
  }
  const all = value.every((entry) => known(String(entry), rule.refers) === true);
  return all && new Set(value).size === value.length ? undefined : 'open';
};

const TYPES = { integer: Number.isInteger, number: Number.isFinite, boolean: (value: unknown) => typeof value === 'boolean' };

const verdict = (value: unknown, rule: FieldRule, known: Known): Verdict => {
  if (value === null) return !rule.nullable && (rule.required || (rule.kind === 'text' && rule.min > 0)) ? 'type' : 'open';
  if (rule.kind === 'ids' || rule.kind === 'words' || rule.kind === 'list')
    return Array.isArray(value) ? listVerdict(value, rule, known) : 'type';
  if (rule.kind === 'other') return 'open';
  if (rule.kind === 'integer' || rule.kind === 'number' || rule.kind === 'boolean') {
    if (!TYPES[rule.kind](value)) return 'type';
    return Number(value) < rule.minimum || Number(value) > rule.maximum ? 'open' : undefined;
  }
  return typeof value === 'string' ? textVerdict(value, rule, known) : 'type';
};

/** Reads a body as the rules of its fields have it. */
export const readBody = (text: string | undefined, rules: readonly FieldRule[], creates: boolean, known: Known): Reading => {
  const none = { body: {}, faults: [], open: false, right: [] };
  if (text === undefined || text === '') return { shape: 'none', ...none };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { shape: 'broken', ...none };
  }
  if (!isRecord(json)) return { shape: 'other', ...none };
  const faults: Fault[] = [];
  const right: string[] = [];
  let open = false;
  for (const rule of rules) {
    const value = json[rule.name];
    const found = value === undefined ? (rule.required && creates ? 'missing' : undefined) : verdict(value, rule, known);
    if (found === 'open') open = true;
    else if (found) faults.push({ field: rule.name, kind: found });
    else if (rule.kind === 'text' && value !== undefined) right.push(rule.name);
  }
  if (Object.keys(json).some((name) => !rules.some((rule) => rule.name === name))) open = true;
  return { shape: 'object', body: json, faults, open, right };
};
