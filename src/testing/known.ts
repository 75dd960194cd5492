// Words of a matcher that there are not: under `.not` a misspelt one would pass whatever happened.
import { LATER_EVENTS } from '../ahead/changes.ts';
import { OPERATION_IDS } from '../contract/operations.ts';
import { EVENT_NAMES } from '../contract/resources.ts';
import { DELIVERY_STATES } from '../contract/states.ts';
import { WARNING_CODES } from '../http/warning.ts';
import { shown } from './fits.ts';
import type { DeliveryPattern, RequestPattern } from './pattern.ts';

interface Word {
  readonly expected: string;
  fits(value: unknown): boolean;
}

const oneOf = (words: readonly string[]): Word => ({
  expected: `one of ${words.join(', ')}`,
  fits: (value) => typeof value === 'string' && words.includes(value),
});
const METHODS = ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS'];
const count: Word = { expected: 'a whole number, 0 or more', fits: (value) => Number.isInteger(value) && (value as number) >= 0 };
const any: Word = { expected: '', fits: () => true };

const PARTS = {
  toHaveReceived: {
    operation: oneOf(OPERATION_IDS),
    method: {
      expected: `one of ${METHODS.join(', ')}`,
      fits: (value: unknown) => typeof value === 'string' && METHODS.includes(value.toUpperCase()),
    },
    path: any,
    query: any,
    status: {
      expected: "a status such as 404, a class such as '4xx', or 0",
      fits: (value: unknown) => /^(0|[1-5]\d\d|[0-5]xx)$/.test(String(value)),
    },
    body: any,
    answer: any,
    headers: any,
    key: any,
  } satisfies Record<keyof RequestPattern, Word>,
  toHaveDelivered: {
    state: oneOf(DELIVERY_STATES),
    webhook: any,
    url: any,
    attempts: count,
    data: any,
    times: count,
  } satisfies Record<keyof DeliveryPattern, Word>,
  toHaveNoClientWarnings: { except: any },
  toHaveSurvivedForwardCompat: { except: any },
};

type Matcher = keyof typeof PARTS;

const mistake = (matcher: Matcher, expected: string, got: unknown, part?: string): TypeError =>
  new TypeError(`${matcher}: ${part === undefined ? '' : `${part}: `}expected ${expected}, got ${shown(got)}.`);

/** @throws TypeError naming a part of a pattern that there is not, or a value that it cannot have. */
export const checkPattern = (matcher: Matcher, pattern: object): void => {
  const parts: Readonly<Record<string, Word>> = PARTS[matcher];
  if (typeof pattern !== 'object' || pattern === null) throw mistake(matcher, 'an object', pattern);
  for (const [name, value] of Object.entries(pattern)) {
    if (!Object.hasOwn(parts, name)) throw mistake(matcher, `any of ${Object.keys(parts).join(', ')}`, name);
    const { expected, fits } = parts[name]!;
    if (value !== undefined && !fits(value)) throw mistake(matcher, expected, value, name);
  }
};

/** @throws TypeError when it is no number of times. */
export const checkTimes = (matcher: Matcher, times: unknown): void => checkWord(matcher, count, times, 'times');

/** @throws TypeError when there is no such event, today or in a later release. */
export const checkEvent = (matcher: Matcher, event: unknown): void =>
  checkWord(matcher, oneOf([...EVENT_NAMES, ...Object.keys(LATER_EVENTS)]), event ?? null, 'event');

/** @throws TypeError naming a warning that there is not. */
export const checkExcept = (matcher: Matcher, { except }: { readonly except?: readonly unknown[] }): void => {
  if (except !== undefined && !Array.isArray(except)) throw mistake(matcher, 'a list of codes of warnings', except, 'except');
  for (const code of except ?? []) checkWord(matcher, oneOf(WARNING_CODES), code ?? null, 'except');
};

const checkWord = (matcher: Matcher, { expected, fits }: Word, value: unknown, part: string): void => {
  if (value !== undefined && !fits(value)) throw mistake(matcher, expected, value, part);
};
