// Faults for people: presets, and a fault in words. For the dashboard and the panel.
import type { FaultDraft } from '../../service/world/fault-draft.ts';
import type { Fault } from '../../service/world/faults.ts';

export const clipText = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}… (${text.length.toLocaleString('en')} characters)` : text;

export interface Preset {
  readonly label: string;
  readonly says: string;
  readonly draft: FaultDraft;
}

/** Common faults, for one click. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  flaky: { label: 'Flaky', says: 'Three in ten requests get 503.', draft: { effect: { status: 503 }, probability: 0.3 } },
  slow: {
    label: 'Slow',
    says: 'Every response takes one to three seconds.',
    draft: { effect: { delay_ms: { min: 1000, max: 3000 } } },
  },
  offline: { label: 'Offline', says: 'Every connection is closed instead of a response.', draft: { effect: { abort: true } } },
  storm: { label: '429 storm', says: 'The next fifty requests get 429.', draft: { effect: { status: 429 }, times: 50 } },
};

type Telling<T> = { readonly [K in keyof T]?: (value: NonNullable<T[K]>) => string };

/** Joins the words for each present field, in the order of the table. */
const describeParts = <T extends object>(telling: Telling<T>, of: T): string =>
  Object.entries(telling as Readonly<Record<string, (value: unknown) => string>>)
    .map(([name, says]) => {
      const value = (of as Readonly<Record<string, unknown>>)[name];
      return value === undefined || value === false ? '' : says(value);
    })
    .filter(Boolean)
    .join(', ');

const pairsIn = (given: object, is: string): string => {
  const pairs = Object.entries(given).map(([name, value]) => `${name}${is}${value}`);
  return clipText(pairs.join(', '), 200);
};

/** Over HTTP a predicate is its source. */
type ShownMatch = Omit<Fault['match'], 'when'> & { readonly when?: unknown };

export const describeMatch = (match: ShownMatch, keyName: (id: string) => string): string => {
  const path = [match.method, match.path && clipText(match.path, 200)].filter(Boolean).join(' ');
  const telling: Telling<ShownMatch> = {
    operation: (id) => id,
    path: (text) => text,
    key: (id) => `with the key ${clipText(keyName(id), 60)}`,
    query: (query) => `with ${pairsIn(query, '=')}`,
    header: (header) => `with ${pairsIn(header, ': ')}`,
    body: (body) => `with a body that holds ${clipText(JSON.stringify(body), 200)}`,
    when: (when) => `when ${clipText(String(when), 200)}`,
    event: (event) => (event === '*' ? 'every event' : `the event ${event}`),
  };
  return describeParts(telling, { ...match, path }) || 'every request';
};

const EFFECTS: Telling<Fault['effect']> = {
  status: (status) => `status ${status}`,
  error: ({ code }) => (code === undefined ? '' : clipText(code, 60)),
  raw: (raw) => `with ${raw.length.toLocaleString('en')} characters of its own`,
  content_type: (type) => `as ${clipText(type, 60)}`,
  headers: (headers) => `headers ${clipText(Object.keys(headers).join(', '), 100)}`,
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

export const describeEffect = (effect: Fault['effect']): string => describeParts(EFFECTS, effect);

const FREQUENCIES: Telling<Fault> = {
  after: (after) => (after > 0 ? `after ${after}` : ''),
  times: (times) => (times === 1 ? 'once' : `${times} times`),
  probability: (probability) => `${Math.round(probability * 1000) / 10} %`,
};

export const describeFrequency = (fault: Pick<Fault, 'times' | 'after' | 'probability'>): string =>
  describeParts(FREQUENCIES, fault) || 'always';
