// The options of a mock, and what each may be: a misspelt or impossible one is refused by name before anything starts.
import { PLANS, type Plan } from '../contract/limits.ts';
import type { Release } from '../contract/releases.ts';
import type { ScriptSource } from '../describe/routes.ts';
import type { Sender } from '../webhooks/sender.ts';

export interface MockOptions {
  /** Seed: the text of a file, a parsed file, or a checked seed; absent: an empty workspace with a key of each scope. */
  readonly seed?: string | object;
  /** How problems name the seed. */
  readonly seedName?: string;
  /** Where the clock starts, frozen; wins over the seed's `now`. */
  readonly now?: string | number | Date;
  /** Wins over the seed's `random_seed`. */
  readonly randomSeed?: number;
  /** Overrides every workspace's plan. */
  readonly plan?: Plan;
  /** The release of the service, such as `1.1`; wins over the seed's. */
  readonly release?: Release;
  /** Makes the changes that v1 allows at any time: all of them, or those named, such as `fields,enums`; wins over the seed's. */
  readonly forwardCompat?: boolean | string | readonly string[];
  /** Answers to the spec's open points; win over the seed's. */
  readonly choices?: Readonly<Record<string, unknown>>;
  /** Delay of every `/v1` answer in milliseconds, or its range. */
  readonly latency?: number | { readonly min: number; readonly max: number };
  /** Really sends events to receivers that are not on this machine. */
  readonly deliverPublic?: boolean;
  /** Real milliseconds after which a world that nobody asks is deleted; 0: never. An hour unless told otherwise. */
  readonly worldIdleMs?: number;
  /** The control API and the dashboard ask for it. */
  readonly controlToken?: string;
  /** Names by which the control API may be reached, besides loopback and what it is bound to. */
  readonly allowHosts?: readonly string[];
  /** How events are sent, in place of real HTTP. */
  readonly sender?: Sender;
  /** Where the script of the page at `/docs` comes from; the Node door knows. */
  readonly docsScript?: ScriptSource;
}

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
