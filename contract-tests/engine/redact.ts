// Keys and secrets never reach an artefact: each value that is known is replaced by its name.
import { decoded } from './paths.ts';

/** Shorter values are no secrets: a guess finds them. */
const MIN_LENGTH = 4;
/** Shorter values are replaced as whole words alone, for they may be part of others. */
const DISTINCT = 8;

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A value of which any characters are written as JSON may write them, as \u006b for k. */
const escapable = (value: string): string =>
  [...value]
    .map((character) => {
      const digits = character.charCodeAt(0).toString(16).padStart(4, '0');
      const either = digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
      return character.length === 1 ? `(?:${escaped(character)}|\\\\u${either})` : escaped(character);
    })
    .join('');

/** Whatever a value looks like in a URL, in JSON, and as it is. */
const patternOf = (value: string): RegExp => {
  const written = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)].map(escaped);
  const forms = [...new Set([escapable(value), ...written])].join('|');
  return new RegExp(value.length >= DISTINCT ? forms : `(?<![A-Za-z0-9])(?:${forms})(?![A-Za-z0-9])`, 'g');
};

/** The name of what a URL holds beside its address. */
const HIDDEN_IN_URL = '[hidden]';

/** The variable that a header's value is shown as. */
const variableOf = (header: string): string => `$WM_HEADER_${header.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;

export class Redactor {
  /** By value: its name, longest value first. */
  #names = new Map<string, string>();
  readonly #keys = new Set<string>();
  readonly #headers = new Map<string, string>();
  #patterns: readonly (readonly [RegExp, string])[] = [];

  /** A key or a secret, which no response may show either. */
  know(value: string | undefined, name: string): void {
    if (!value || value.length < MIN_LENGTH) return;
    this.#keys.add(value);
    this.#hide(value, name);
  }

  /** A header that every request carries: a response may repeat its value, an artefact may not. */
  knowHeader(header: string, value: string): void {
    const name = variableOf(header);
    this.#headers.set(header.toLowerCase(), name);
    this.knowOwn(value, name);
  }

  /** A value of the run for others than the service: a response may repeat it, an artefact may not. */
  knowOwn(value: string | undefined, name: string): void {
    if (value && value.length >= MIN_LENGTH && !this.#names.has(value)) this.#hide(value, name);
  }

  /** A URL of the run, or a text in its place: a response may repeat its secrets, an artefact may not. */
  knowUrl(url = ''): void {
    const [, userinfo = ''] = /\/\/([^/?#]*)@/.exec(url) ?? [];
    const [, ...password] = userinfo.split(':');
    const values = [...url.matchAll(/[?&#][^=&#]*=([^&#]*)/g)].map((match) => match[1]!);
    for (const value of [userinfo, password.join(':'), ...values])
      for (const one of [value, decoded(value)]) this.knowOwn(one, HIDDEN_IN_URL);
  }

  /** The values that must not be seen in a response. */
  secrets(): IterableIterator<string> {
    return this.#keys.values();
  }

  /** The variable in place of the value of a header of --header, whatever its value is. */
  headerName(header: string): string | undefined {
    return this.#headers.get(header.toLowerCase());
  }

  /** Values and their names, longest value first. */
  get names(): ReadonlyMap<string, string> {
    return this.#names;
  }

  clean(text: string): string {
    return this.#patterns.reduce((clean, [pattern, name]) => clean.replace(pattern, () => name), text);
  }

  /** A value with every text in it cleaned. */
  cleanAll<T>(value: T): T {
    if (typeof value === 'string') return this.clean(value) as T;
    if (Array.isArray(value)) return value.map((item) => this.cleanAll(item)) as T;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.clean(key), this.cleanAll(item)])) as T;
  }

  #hide(value: string, name: string): void {
    this.#names = new Map([...this.#names.set(value, name)].sort(([a], [b]) => b.length - a.length));
    this.#patterns = [...this.#names].map(([one, shown]) => [patternOf(one), shown]);
  }
}
