// Where a parsed file departs from its schema: a walk over both. Knows the few keywords that the seed's schema uses.
import { isLaterValue } from '../ahead/values.ts';
import type { Schema } from '../contract/schema.ts';
import { codePoints } from '../validation/formats.ts';
import { didYouMean } from './nearest.ts';
import { type Fault, type Path, show } from './seed-error.ts';
import { EXPECTED_TIME, readInstant, type TimeReader } from './times.ts';

/** The keywords that the seed's schema uses. */
export interface Keywords {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly items?: Keywords;
  readonly properties?: Readonly<Record<string, Keywords>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Keywords[];
  readonly 'x-time'?: 'absolute' | 'any';
}

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** A longer list of known words helps nobody. */
const MOST_WORDS = 16;

const typeOf = (value: unknown): string => {
  if (typeof value === 'string') return 'string';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isSafeInteger(value) ? 'integer' : typeof value;
};
const typesOf = ({ type, anyOf }: Keywords): readonly string[] =>
  anyOf ? anyOf.flatMap(typesOf) : typeof type === 'string' ? [type] : (type ?? []);
const wantOf = (schema: Keywords): string =>
  typesOf(schema)
    .map((type) => NAMES[type])
    .join(' or ');
const oneOf = (words: readonly string[]): string =>
  `one of ${words.slice(0, MOST_WORDS).join(', ')}${words.length > MOST_WORDS ? ', …' : ''}`;
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

class Walk {
  readonly faults: Fault[] = [];
  readonly #times: TimeReader;
  readonly #later: boolean;
  readonly #path: (string | number)[] = [];

  constructor(times: TimeReader, later: boolean) {
    this.#times = times;
    this.#later = later;
  }

  visit(value: unknown, schema: Keywords): void {
    const type = typeOf(value);
    const rules = schema.anyOf?.find((one) => typesOf(one).includes(type)) ?? schema;
    if (rules.type !== type && !typesOf(rules).includes(type)) this.#wrongType(value, rules);
    else if (rules.enum && value !== null && !rules.enum.includes(value) && !this.#isLater(value))
      this.#notListed(value, rules.enum);
    else if (type === 'string') this.#text(value as string, rules);
    else if (type === 'integer') this.#number(value as number, rules);
    else if (type === 'array') this.#list(value as readonly unknown[], rules);
    else if (type === 'object') this.#object(value as Readonly<Record<string, unknown>>, rules);
  }

  #say(what: string, expected: string, got: string, more: { under?: string; atKey?: boolean } = {}): void {
    const path: Path = more.under === undefined ? [...this.#path] : [...this.#path, more.under];
    this.faults.push({ path, what, expected, got, ...(more.atKey ? { atKey: true } : {}) });
  }

  /** Whether it is the value of a later release of the field that the walk is at. */
  #isLater(value: unknown): boolean {
    return this.#later && isLaterValue(String(this.#path.at(-1)), value);
  }

  #wrongType(value: unknown, rules: Keywords): void {
    const unquoted = ['number', 'boolean'].includes(typeof value) && typesOf(rules).includes('string');
    this.#say('wrong type', `${wantOf(rules)}${unquoted ? ' (quote it)' : ''}`, show(value));
  }

  #notListed(value: unknown, known: readonly unknown[]): void {
    const words = known.filter((one) => typeof one === 'string');
    this.#say(`unknown value${didYouMean(String(value), words)}`, oneOf(words), show(value));
  }

  #text(text: string, { minLength = 0, maxLength = Number.POSITIVE_INFINITY, 'x-time': time }: Keywords): void {
    if (text.length < minLength) this.#say('too short', `at least ${plural(minLength, 'character')}`, show(text));
    const length = text.length > maxLength ? codePoints(text) : 0;
    if (length > maxLength) this.#say('too long', `at most ${plural(maxLength, 'character')}`, plural(length, 'character'));
    if (!time) return;
    const read = time === 'any' ? this.#times.read(text) : readInstant(text);
    if (read === undefined) this.#say('not a time', EXPECTED_TIME[time], show(text));
  }

  #number(value: number, { minimum = value, maximum = value }: Keywords): void {
    if (value < minimum) this.#say('too small', `at least ${minimum}`, String(value));
    if (value > maximum) this.#say('too large', `at most ${maximum}`, String(value));
  }

  #list(values: readonly unknown[], { minItems = 0, items }: Keywords): void {
    if (values.length < minItems)
      this.#say('too few', `at least ${minItems}`, values.length === 0 ? 'none' : String(values.length));
    if (items) for (const [i, one] of values.entries()) this.#under(i, one, items);
  }

  #object(value: Readonly<Record<string, unknown>>, { properties = {}, required = [] }: Keywords): void {
    for (const name of required) {
      if (value[name] === undefined) this.#say('missing', wantOf(properties[name]!), 'nothing', { under: name });
    }
    for (const name of Object.keys(value)) {
      if (value[name] === undefined) continue;
      if (Object.hasOwn(properties, name)) this.#under(name, value[name], properties[name]!);
      else this.#unknown(name, Object.keys(properties));
    }
  }

  #unknown(name: string, known: readonly string[]): void {
    this.#say(`unknown key${didYouMean(name, known)}`, oneOf(known), show(name), { under: name, atKey: true });
  }

  #under(step: string | number, value: unknown, schema: Keywords): void {
    this.#path.push(step);
    this.visit(value, schema);
    this.#path.pop();
  }
}

/** Every place where a value departs from a schema. @param later whether it may hold values of later releases. */
export const shapeFaults = (value: unknown, schema: Schema<unknown>, times: TimeReader, later = false): readonly Fault[] => {
  const walk = new Walk(times, later);
  walk.visit(value, schema as Keywords);
  return walk.faults;
};
