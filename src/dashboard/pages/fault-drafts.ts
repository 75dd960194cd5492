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

const delayIn = (text: string): number | string | { min: number; max: number } => {
  const range = /^(\d+)\s*(?:-|–|to|…)\s*(\d+)$/.exec(text);
  return range ? { min: Number(range[1]), max: Number(range[2]) } : numberIn(text);
};

/** Nothing for what was left empty. */
const filled = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));

/** `a=1&b=2` as names and values. */
const queryIn = (text: string) => (text === '' ? undefined : Object.fromEntries(new URLSearchParams(text.replace(/^\?/, ''))));

/** `Name: value`, a line each; a line without a colon is a name without a value. */
const headersIn = (text: string) =>
  text === ''
    ? undefined
    : Object.fromEntries(
        text.split(/\s*\n\s*/).map((line) => [line.split(':')[0]!.trim(), line.split(':').slice(1).join(':').trim()]),
      );

const jsonIn = (text: string): unknown => {
  if (text === '') return undefined;
  try {
    return readJson(text);
  } catch {
    return text;
  }
};

/** `200, 3000`: half within the first, all but one in a hundred within the second. */
const latencyIn = (text: string) => {
  const both = /^(\d+)\s*[,/ ]\s*(\d+)$/.exec(text);
  return both ? { p50_ms: Number(both[1]), p99_ms: Number(both[2]) } : text;
};

const someOf = (values: Record<string, unknown>) => (Object.keys(values).length === 0 ? undefined : values);

/** The draft that a form means, unchecked: what is no number stays what was typed, for the check to name. */
export const draftIn = (form: URLSearchParams): Record<string, unknown> => {
  const text = (name: string): string => form.get(name)?.trim() ?? '';
  const number = (name: string) => (text(name) === '' ? undefined : numberIn(text(name)));
  const percent = number('probability');
  return filled({
    match: filled({
      operation: text('match.operation'),
      method: text('match.method'),
      path: text('match.path'),
      key: text('match.key'),
      query: queryIn(text('match.query')),
      body: jsonIn(text('match.body')),
      header: headersIn(text('match.header')),
      event: text('match.event'),
    }),
    effect: filled({
      status: number('effect.status'),
      error: someOf(
        filled({
          code: text('effect.error.code'),
          message: text('effect.error.message'),
          details: jsonIn(text('effect.error.details')),
        }),
      ),
      raw: form.get('effect.raw') ?? '',
      content_type: text('effect.content_type'),
      headers: headersIn(text('effect.headers')),
      retry_after: number('effect.retry_after'),
      latency: latencyIn(text('effect.latency')),
      ...Object.fromEntries(form.getAll('effect.event').map((name) => [name, name === '' ? '' : true])),
      delay_ms: text('effect.delay_ms') === '' ? undefined : delayIn(text('effect.delay_ms')),
      body: text('effect.body'),
      abort: text('effect.end') === 'abort' ? true : undefined,
      hold: text('effect.end') === 'hold' ? true : undefined,
    }),
    times: number('times'),
    after: number('after'),
    probability: typeof percent === 'number' ? percent / 100 : percent,
  });
};

/** Which requests a fault is for. */
export const matchSays = (match: Fault['match'], keyName: (id: string) => string): string => {
  const { method, path, operation, key, query, header, body, event, when } = match;
  const words = (given: object, is: string) =>
    clipped(
      Object.entries(given)
        .map(([name, value]) => `${name}${is}${value}`)
        .join(', '),
      200,
    );
  const parts = [
    operation,
    [method, path && clipped(path, 200)].filter(Boolean).join(' '),
    key === undefined ? '' : `with the key ${clipped(keyName(key), 60)}`,
    query === undefined ? '' : `with ${words(query, '=')}`,
    header === undefined ? '' : `with ${words(header, ': ')}`,
    body === undefined ? '' : `with a body that holds ${clipped(JSON.stringify(body), 200)}`,
    when === undefined ? '' : `when ${clipped(String(when), 200)}`,
    event === undefined ? '' : event === ANY_EVENT ? 'every event' : `the event ${event}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'every request';
};

/** What happens to them. */
export const effectSays = (effect: Fault['effect']): string => {
  const {
    status,
    error,
    raw,
    content_type: type,
    headers,
    retry_after: seconds,
    delay_ms: delay,
    latency,
    abort,
    body,
    hold,
  } = effect;
  return [
    status === undefined ? '' : `answered ${status}`,
    error?.code === undefined ? '' : clipped(error.code, 60),
    raw === undefined ? '' : `with ${raw.length.toLocaleString('en')} characters of its own`,
    type === undefined ? '' : `as ${clipped(type, 60)}`,
    headers === undefined ? '' : `headers ${clipped(Object.keys(headers).join(', '), 100)}`,
    seconds === undefined ? '' : `Retry-After ${seconds}`,
    abort ? 'connection closed' : '',
    delay === undefined ? '' : `late by ${typeof delay === 'number' ? delay : `${delay.min}–${delay.max}`} ms`,
    latency === undefined ? '' : `late by ${latency.p50_ms} ms in the middle, ${latency.p99_ms} ms at the 99th percentile`,
    body === undefined ? '' : `body ${body}`,
    hold ? 'held until released' : '',
    effect.duplicate ? 'delivered twice' : '',
    effect.reorder ? 'behind the next one' : '',
    effect.bad_signature ? 'wrong signature' : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
};

/** How often. */
export const oftenSays = ({ times, after, probability }: Pick<Fault, 'times' | 'after' | 'probability'>): string =>
  [
    after ? `after ${after}` : '',
    times === undefined ? '' : times === 1 ? 'once' : `${times} times`,
    probability === undefined ? '' : `${Math.round(probability * 1000) / 10} %`,
  ]
    .filter((part) => part !== '')
    .join(', ') || 'always';
