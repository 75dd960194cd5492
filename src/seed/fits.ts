// Whether a value fits a schema, and nothing else: what most files are asked, at a small part of the cost of saying why not.
import { codePoints } from '../validation/formats.ts';
import type { Keywords } from './shape.ts';
import { readInstant, type TimeReader } from './times.ts';

const TEXT = 1;
const NUMBER = 2;
const TRUTH = 4;
const LIST = 8;
const OBJECT = 16;
const NULL = 32;
const BITS: Readonly<Record<string, number>> = {
  string: TEXT,
  integer: NUMBER,
  boolean: TRUTH,
  array: LIST,
  object: OBJECT,
  null: NULL,
};

/** A schema made ready: every rule has the same fields, and what lies under it is made ready when it is first met. */
class Rule {
  readonly types: number;
  readonly listed: ReadonlySet<unknown> | undefined;
  readonly least: number;
  readonly most: number;
  readonly time: Keywords['x-time'];
  readonly required: readonly string[];
  readonly anyOf: readonly Rule[] | undefined;
  /** Whether it is text of which only the length matters. */
  readonly plain: boolean;
  readonly #schema: Keywords;
  #properties: ReadonlyMap<string, Rule> | undefined;
  #items: Rule | undefined;

  constructor(schema: Keywords) {
    this.#schema = schema;
    this.types = [schema.type ?? []].flat().reduce((bits, type) => bits | BITS[type]!, 0);
    this.listed = schema.enum && new Set(schema.enum);
    this.least = schema.minLength ?? schema.minimum ?? schema.minItems ?? Number.NEGATIVE_INFINITY;
    this.most = schema.maxLength ?? schema.maximum ?? Number.POSITIVE_INFINITY;
    this.time = schema['x-time'];
    this.required = schema.required ?? [];
    this.anyOf = schema.anyOf?.map(ruleOf);
    this.plain = (this.types & TEXT) !== 0 && !this.listed && !this.time;
  }

  get items(): Rule | undefined {
    this.#items ??= this.#schema.items && ruleOf(this.#schema.items);
    return this.#items;
  }

  get properties(): ReadonlyMap<string, Rule> {
    this.#properties ??= new Map(Object.entries(this.#schema.properties ?? {}).map(([name, one]) => [name, ruleOf(one)]));
    return this.#properties;
  }
}

const RULES = new WeakMap<Keywords, Rule>();

const ruleOf = (schema: Keywords): Rule => {
  const known = RULES.get(schema);
  if (known) return known;
  const rule = new Rule(schema);
  RULES.set(schema, rule);
  return rule;
};

type Fields = Readonly<Record<string, unknown>>;

/** What is answered of values that do not fit, in place of a count. */
const UNFIT = -1;

/** How many records have a field, which is to be text of some length. */
const textColumn = (records: readonly Fields[], name: string, { types, least, most }: Rule): number => {
  let found = 0;
  for (let i = 0; i < records.length; i++) {
    const value = records[i]![name];
    if (value === undefined) continue;
    found++;
    if (typeof value === 'string') {
      if (value.length < least || (value.length > most && codePoints(value) > most)) return UNFIT;
    } else if (value !== null || (types & NULL) === 0) return UNFIT;
  }
  return found;
};

const wordColumn = (records: readonly Fields[], name: string, rule: Rule, words: ReadonlySet<unknown>): number => {
  let found = 0;
  for (let i = 0; i < records.length; i++) {
    const value = records[i]![name];
    if (value === undefined) continue;
    found++;
    if (typeof value === 'string' ? !words.has(value) : value !== null || (rule.types & NULL) === 0) return UNFIT;
  }
  return found;
};

const timeColumn = (records: readonly Fields[], name: string, rule: Rule, times: TimeReader): number => {
  let found = 0;
  for (let i = 0; i < records.length; i++) {
    const value = records[i]![name];
    if (value === undefined) continue;
    found++;
    if (typeof value === 'string' ? times.read(value) === undefined : value !== null || (rule.types & NULL) === 0) return UNFIT;
  }
  return found;
};

class Fitting {
  /** How many keys the objects had so far. */
  keys = 0;
  readonly #times: TimeReader;

  constructor(times: TimeReader) {
    this.#times = times;
  }

  value(value: unknown, rule: Rule): boolean {
    const bit = bitOf(value);
    if ((rule.types & bit) === 0) {
      const other = rule.anyOf?.find(({ types }) => (types & bit) !== 0);
      return other !== undefined && this.value(value, other);
    }
    if (rule.listed && bit !== NULL && !rule.listed.has(value)) return false;
    if (bit === TEXT) return textFits(value as string, rule, this.#times);
    if (bit === NUMBER) return (value as number) >= rule.least && (value as number) <= rule.most;
    if (bit === LIST) return this.#list(value as readonly unknown[], rule);
    return bit !== OBJECT || this.#records([value], rule);
  }

  #list(values: readonly unknown[], rule: Rule): boolean {
    if (values.length < rule.least) return false;
    const { items } = rule;
    if (!items) return true;
    if (items.types !== OBJECT) {
      for (let i = 0; i < values.length; i++) if (!this.value(values[i], items)) return false;
      return true;
    }
    for (let from = 0; from < values.length; from += BLOCK) {
      if (!this.#records(values.slice(from, from + BLOCK), items)) return false;
    }
    return true;
  }

  /** Records fit when each field does, in all of them, and they have no other: small loops, which cost a cold machine little. */
  #records(records: readonly unknown[], rule: Rule): boolean {
    let left = 0;
    for (let i = 0; i < records.length; i++) {
      if (bitOf(records[i]) !== OBJECT) return false;
      left += Object.keys(records[i] as Fields).length;
    }
    this.keys += left;
    for (const [name, under] of rule.properties) {
      const needed = rule.required.includes(name);
      if (left === 0 && !needed) continue;
      const found = this.#column(records as readonly Fields[], name, under);
      if (found === UNFIT || (needed && found < records.length)) return false;
      left -= found;
    }
    return left === 0;
  }

  #column(records: readonly Fields[], name: string, rule: Rule): number {
    if (rule.plain) return textColumn(records, name, rule);
    if (rule.listed && (rule.types & ~NULL) === TEXT) return wordColumn(records, name, rule, rule.listed);
    if (rule.time === 'any') return timeColumn(records, name, rule, this.#times);
    let found = 0;
    for (let i = 0; i < records.length; i++) {
      const value = records[i]![name];
      if (value === undefined) continue;
      found++;
      if (!this.value(value, rule)) return UNFIT;
    }
    return found;
  }
}

/** So many records are looked at together: they stay in the cache from field to field. */
const BLOCK = 256;

const textFits = (text: string, rule: Rule, times: TimeReader): boolean => {
  if (text.length < rule.least || (text.length > rule.most && codePoints(text) > rule.most)) return false;
  if (rule.time === undefined) return true;
  return (rule.time === 'any' ? times.read(text) : readInstant(text)) !== undefined;
};

const bitOf = (value: unknown): number => {
  if (typeof value === 'string') return TEXT;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? NUMBER : 0;
  if (typeof value === 'boolean') return TRUTH;
  if (typeof value !== 'object') return 0;
  if (value === null) return NULL;
  return Array.isArray(value) ? LIST : OBJECT;
};

/**
 * How many keys all objects of a value have together, when it fits the schema; undefined when it does not, or might not:
 * then `shapeFaults` tells.
 */
export const keysIfFits = (value: unknown, schema: Keywords, times: TimeReader): number | undefined => {
  const fitting = new Fitting(times);
  return fitting.value(value, ruleOf(schema)) ? fitting.keys : undefined;
};
