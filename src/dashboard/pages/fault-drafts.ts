// Faults as forms: the presets, what a form orders, and a fault in words.
import { readJson } from '../../http/body.ts';
import { ANY_EVENT, type FaultDraft } from '../../world/fault-draft.ts';
import type { Fault } from '../../world/faults.ts';
import { clipped } from '../traffic-parts.tsx';

export interface Preset {
  readonly label: string;
  readonly says: string;
  readonly draft: FaultDraft;
}

/** What goes wrong most often, one click away. */
export const PRESETS: Readonly<Record<string, Preset>> = {
  flaky: {
    label: 'Flaky',
    says: 'Three requests in ten are answered 503.',
    draft: { effect: { status: 503 }, probability: 0.3 },
  },
  slow: {
    label: 'Slow',
    says: 'Every answer takes one to three seconds.',
    draft: { effect: { delay_ms: { min: 1000, max: 3000 } } },
  },
  offline: { label: 'Offline', says: 'Every connection is closed in place of an answer.', draft: { effect: { abort: true } } },
  storm: { label: '429 storm', says: 'The next fifty requests are answered 429.', draft: { effect: { status: 429 }, times: 50 } },
};

const numberIn = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** Two numbers by their names, else one. */
const pairIn = (pattern: RegExp, first: string, second: string) => (text: string) => {
  const both = pattern.exec(text);
  return both ? { [first]: Number(both[1]), [second]: Number(both[2]) } : numberIn(text);
};

/** `Name: value`, a line each; a line without a colon is a name without a value. */
const headersIn = (text: string) =>
  Object.fromEntries(
    text.split('\n').map((line) =>
      /^([^:]*):?(.*)$/
        .exec(line)!
        .slice(1)
        .map((part) => part.trim()),
    ),
  );

const jsonIn = (text: string): unknown => {
  try {
    return readJson(text);
  } catch {
    return text;
  }
};

const percentIn = (text: string): number | string => {
  const share = numberIn(text);
  return typeof share === 'number' ? share / 100 : share;
};

/** How fields are read that are no text; what cannot be read so stays what was typed, for the check to name. */
const READ: Readonly<Record<string, (text: string) => unknown>> = {
  'match.query': (text) => Object.fromEntries(new URLSearchParams(text.replace(/^\?/, ''))),
  'match.body': jsonIn,
  'match.header': headersIn,
  'effect.status': numberIn,
  'effect.delay_ms': pairIn(/^(\d+)\s*(?:-|–|to|…)\s*(\d+)$/, 'min', 'max'),
  'effect.latency': pairIn(/^(\d+)\s*[,/ ]\s*(\d+)$/, 'p50_ms', 'p99_ms'),
  'effect.retry_after': numberIn,
  'effect.headers': headersIn,
  'effect.error.details': jsonIn,
  times: numberIn,
  after: numberIn,
  probability: percentIn,
};
const FIELD = /^(?:(?:match|effect|effect\.error)\.[a-z][a-z_]*|times|after|probability)$/;
const SWITCHES = ['abort', 'hold', 'duplicate', 'reorder', 'bad_signature'];

/** The draft that a form means, unchecked: each field stands at its path, such as `effect.error.code`. */
export const draftIn = (form: URLSearchParams): Record<string, unknown> => {
  const draft: Record<string, unknown> = { match: {}, effect: {} };
  for (const [name, typed] of form) {
    const text = name === 'effect.raw' ? typed : typed.trim();
    if (text === '' || !FIELD.test(name)) continue;
    const chosen = name === 'effect.end' || name === 'effect.event';
    if (chosen && !SWITCHES.includes(text)) continue;
    const path = (chosen ? `effect.${text}` : name).split('.');
    const last = path.pop()!;
    let place = draft;
    for (const part of path) {
      place[part] ??= {};
      place = place[part] as typeof draft;
    }
    place[last] = chosen || (READ[name]?.(text) ?? text);
  }
  return draft;
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

const pairsIn = (given: object, is: string): string =>
  clipped(
    Object.entries(given)
      .map(([name, value]) => `${name}${is}${value}`)
      .join(', '),
    200,
  );

/** Which requests a fault is for. */
export const matchSays = (match: Fault['match'], keyName: (id: string) => string): string => {
  const path = [match.method, match.path && clipped(match.path, 200)].filter(Boolean).join(' ');
  const telling: Telling<Fault['match']> = {
    operation: (id) => id,
    path: (text) => text,
    key: (id) => `with the key ${clipped(keyName(id), 60)}`,
    query: (query) => `with ${pairsIn(query, '=')}`,
    header: (header) => `with ${pairsIn(header, ': ')}`,
    body: (body) => `with a body that holds ${clipped(JSON.stringify(body), 200)}`,
    when: (when) => `when ${clipped(String(when), 200)}`,
    event: (event) => (event === ANY_EVENT ? 'every event' : `the event ${event}`),
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
