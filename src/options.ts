// What the options of a mock may be: a misspelt or impossible one is refused by name before anything starts.
import { PLANS } from './contract/limits.ts';
import type { MockOptions } from './mock.ts';

interface Option {
  readonly expected: string;
  fits(value: unknown): boolean;
}

/** Milliseconds; what the command line takes as well. */
export const MOST_LATENCY = 999_999;

const isText = (value: unknown): value is string => typeof value === 'string';
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isDelay = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= MOST_LATENCY;
const isRange = (value: unknown): boolean =>
  isRecord(value) &&
  Object.keys(value).every((name) => name === 'min' || name === 'max') &&
  isDelay(value.min) &&
  isDelay(value.max) &&
  value.min <= value.max;

/** The name of a host or an address, without a path. */
export const isHostName = (value: unknown): boolean => isText(value) && /^[^\s/]+$/.test(value);

const text: Option = { expected: 'a text', fits: isText };
const yesOrNo: Option = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
const call: Option = { expected: 'a function', fits: (value) => typeof value === 'function' };
/** Those that are checked where they are read. */
const readElsewhere: Option = { expected: '', fits: () => true };

const OPTIONS: { readonly [Name in keyof Required<MockOptions>]: Option } = {
  seed: { expected: 'a seed as text, or parsed', fits: (value) => isText(value) || isRecord(value) },
  seedName: text,
  now: {
    expected: 'an ISO 8601 time, milliseconds since 1970, or a Date',
    fits: (value) => isText(value) || typeof value === 'number' || value instanceof Date,
  },
  randomSeed: { expected: 'a whole number', fits: Number.isSafeInteger },
  plan: {
    expected: `one of ${Object.keys(PLANS).join(', ')}`,
    fits: (value) => isText(value) && Object.hasOwn(PLANS, value),
  },
  release: readElsewhere,
  forwardCompat: readElsewhere,
  choices: { expected: 'answers by the names of `wm-mock choices`', fits: isRecord },
  latency: {
    expected: `milliseconds from 0 to ${MOST_LATENCY}, or { min, max } with a min that is not above its max`,
    fits: (value) => isDelay(value) || isRange(value),
  },
  deliverPublic: yesOrNo,
  worldIdleMs: { expected: 'milliseconds, 0 or more', fits: (value) => typeof value === 'number' && value >= 0 },
  controlToken: { expected: 'a text that is not empty', fits: (value) => isText(value) && value !== '' },
  allowHosts: {
    expected: 'a list of host names such as mock.local',
    fits: (value) => Array.isArray(value) && value.every(isHostName),
  },
  sender: call,
  docsScript: call,
};

const shown = (value: unknown): string => {
  if (isText(value)) return `"${value}"`;
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** @param seed what a seed is at this door. @throws TypeError when it is no object, RangeError naming each option that is unknown or impossible. */
export const checkOptions = (options: unknown, seed = OPTIONS.seed.expected): void => {
  if (!isRecord(options))
    throw new TypeError(`createMock: expected an object of options such as { plan: 'free' }, or nothing, got ${shown(options)}`);
  const wrong = Object.entries(options).flatMap(([name, value]) => {
    if (!Object.hasOwn(OPTIONS, name))
      return [`${name}: expected one of the options ${Object.keys(OPTIONS).join(', ')}, got "${name}"`];
    const { expected, fits } = OPTIONS[name as keyof MockOptions];
    const secret = name === 'controlToken' && isText(value) ? 'another text' : shown(value);
    return value === undefined || fits(value) ? [] : [`${name}: expected ${name === 'seed' ? seed : expected}, got ${secret}`];
  });
  if (wrong.length > 0) throw new RangeError(wrong.join('; '));
};
