// Faults as forms: what a form orders.
import { readJson } from '../../service/http/body.ts';
import { DELIVERIES, ENDS } from './fault-form.tsx';

const numberIn = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** Two numbers by their names, else one. */
const pairIn = (pattern: RegExp, first: string, second: string) => (text: string) => {
  const both = pattern.exec(text);
  return both ? { [first]: Number(both[1]), [second]: Number(both[2]) } : numberIn(text);
};

/** `Name: value`, a line each; a line without a colon is a name without a value. */
const headersIn = (text: string) => {
  const lines = text.split('\n').map((line) => /^([^:]*):?(.*)$/.exec(line)!);
  return Object.fromEntries(lines.map(([, name, value]) => [name!.trim(), value!.trim()]));
};

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
const SWITCHES: readonly string[] = [...ENDS, ...DELIVERIES].map(([value]) => value);

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
