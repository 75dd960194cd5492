// Faults as forms: the presets, what a form orders, and a fault in words.
import type { Fault, FaultDraft } from '../../world/faults.ts';
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
    }),
    effect: filled({
      status: number('effect.status'),
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
export const matchSays = ({ method, path, operation, key }: Fault['match'], keyName: (id: string) => string): string => {
  const parts = [
    operation,
    [method, path && clipped(path, 200)].filter(Boolean).join(' '),
    key === undefined ? '' : `with the key ${clipped(keyName(key), 60)}`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'every request';
};

/** What happens to them. */
export const effectSays = ({ status, delay_ms: delay, abort, body, hold }: Fault['effect']): string =>
  [
    status === undefined ? '' : `answered ${status}`,
    abort ? 'connection closed' : '',
    delay === undefined ? '' : `late by ${typeof delay === 'number' ? delay : `${delay.min}–${delay.max}`} ms`,
    body === undefined ? '' : `body ${body}`,
    hold ? 'held until released' : '',
  ]
    .filter((part) => part !== '')
    .join(', ');

/** How often. */
export const oftenSays = ({ times, after, probability }: Pick<Fault, 'times' | 'after' | 'probability'>): string =>
  [
    after ? `after ${after}` : '',
    times === undefined ? '' : times === 1 ? 'once' : `${times} times`,
    probability === undefined ? '' : `${Math.round(probability * 1000) / 10} %`,
  ]
    .filter((part) => part !== '')
    .join(', ') || 'always';
