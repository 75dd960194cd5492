// Whether a value fits a schema, and nothing else: what most files are asked, at a tenth of the cost of saying why not.
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

const objectFits = (value: Readonly<Record<string, unknown>>, rule: Rule, times: TimeReader): boolean => {
  const { required, properties } = rule;
  for (let i = 0; i < required.length; i++) if (value[required[i]!] === undefined) return false;
  for (const name in value) {
    const one = value[name];
    const under = properties.get(name);
    if (under === undefined) {
      if (one !== undefined) return false;
    } else if (typeof one === 'string' && under.plain) {
      if (one.length < under.least || (one.length > under.most && codePoints(one) > under.most)) return false;
    } else if (one !== undefined && !valueFits(one, under, times)) return false;
  }
  return true;
};

const listFits = (values: readonly unknown[], rule: Rule, times: TimeReader): boolean => {
  if (values.length < rule.least) return false;
  const { items } = rule;
  if (items) for (let i = 0; i < values.length; i++) if (!valueFits(values[i], items, times)) return false;
  return true;
};

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

const valueFits = (value: unknown, rule: Rule, times: TimeReader): boolean => {
  const bit = bitOf(value);
  if ((rule.types & bit) === 0) {
    const other = rule.anyOf?.find(({ types }) => (types & bit) !== 0);
    return other !== undefined && valueFits(value, other, times);
  }
  if (rule.listed && bit !== NULL && !rule.listed.has(value)) return false;
  if (bit === TEXT) return textFits(value as string, rule, times);
  if (bit === NUMBER) return (value as number) >= rule.least && (value as number) <= rule.most;
  if (bit === LIST) return listFits(value as readonly unknown[], rule, times);
  return bit !== OBJECT || objectFits(value as Readonly<Record<string, unknown>>, rule, times);
};

/** False when the value departs from the schema, or might: then `shapeFaults` tells. */
export const fits = (value: unknown, schema: Keywords, times: TimeReader): boolean => valueFits(value, ruleOf(schema), times);
