// Faults for people: presets, and a fault in words. For the dashboard and the panel.
import type { FaultDraft } from '../../service/world/fault-draft.ts';
import type { Fault } from '../../service/world/faults.ts';

/** A text of at most so many characters. */
export const clipped = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}… (${text.length.toLocaleString('en')} characters)` : text;

export interface Preset {
  readonly label: string;
  readonly says: string;
  readonly draft: FaultDraft;
}

/** What goes wrong most often, one click away. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  flaky: {
    label: 'Flaky',
    says: 'Three in ten requests get 503.',
    draft: { effect: { status: 503 }, probability: 0.3 },
  },
  slow: {
    label: 'Slow',
    says: 'Every response takes one to three seconds.',
    draft: { effect: { delay_ms: { min: 1000, max: 3000 } } },
  },
  offline: { label: 'Offline', says: 'Every connection is closed instead of a response.', draft: { effect: { abort: true } } },
  storm: { label: '429 storm', says: 'The next fifty requests get 429.', draft: { effect: { status: 429 }, times: 50 } },
};

type Telling<T> = { readonly [K in keyof T]?: (value: NonNullable<T[K]>) => string };

/** What a fault has, in words, in the order of a table. */
const told = <T extends object>(telling: Telling<T>, of: T): string =>
  Object.entries(telling as Readonly<Record<string, (value: unknown) => string>>)
    .map(([name, says]) => {
      const value = (of as Readonly<Record<string, unknown>>)[name];
      return value === undefined || value === false ? '' : says(value);
    })
    .filter(Boolean)
    .join(', ');

const pairsIn = (given: object, is: string): string => {
  const pairs = Object.entries(given).map(([name, value]) => `${name}${is}${value}`);
  return clipped(pairs.join(', '), 200);
};

/** A match, whose predicate over HTTP is its text. */
type Match = Omit<Fault['match'], 'when'> & { readonly when?: unknown };

/** Which requests a fault is for. */
export const matchSays = (match: Match, keyName: (id: string) => string): string => {
  const path = [match.method, match.path && clipped(match.path, 200)].filter(Boolean).join(' ');
  const telling: Telling<Match> = {
    operation: (id) => id,
    path: (text) => text,
    key: (id) => `with the key ${clipped(keyName(id), 60)}`,
    query: (query) => `with ${pairsIn(query, '=')}`,
    header: (header) => `with ${pairsIn(header, ': ')}`,
    body: (body) => `with a body that holds ${clipped(JSON.stringify(body), 200)}`,
    when: (when) => `when ${clipped(String(when), 200)}`,
    event: (event) => (event === '*' ? 'every event' : `the event ${event}`),
  };
  return told(telling, { ...match, path }) || 'every request';
};

const EFFECTS: Telling<Fault['effect']> = {
  status: (status) => `answered ${status}`,
  error: ({ code }) => (code === undefined ? '' : clipped(code, 60)),
  raw: (raw) => `with ${raw.length.toLocaleString('en')} characters of its own`,
  content_type: (type) => `as ${clipped(type, 60)}`,
  headers: (headers) => `headers ${clipped(Object.keys(headers).join(', '), 100)}`,
  retry_after: (seconds) => `Retry-After ${seconds}`,
  abort: () => 'connection closed',
  delay_ms: (delay) => `late by ${typeof delay === 'number' ? delay : `${delay.min}–${delay.max}`} ms`,
  latency: ({ p50_ms, p99_ms }) => `late by ${p50_ms} ms in the middle, ${p99_ms} ms at the 99th percentile`,
  body: (body) => `body ${body}`,
  hold: () => 'held until released',
  duplicate: () => 'delivered twice',
  reorder: () => 'behind the next one',
  bad_signature: () => 'wrong signature',
};

/** What happens to them. */
export const effectSays = (effect: Fault['effect']): string => told(EFFECTS, effect);

const OFTEN: Telling<Fault> = {
  after: (after) => (after > 0 ? `after ${after}` : ''),
  times: (times) => (times === 1 ? 'once' : `${times} times`),
  probability: (probability) => `${Math.round(probability * 1000) / 10} %`,
};

/** How often. */
export const oftenSays = (fault: Pick<Fault, 'times' | 'after' | 'probability'>): string => told(OFTEN, fault) || 'always';
