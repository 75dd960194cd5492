// Faults as forms: what a form orders.
import { readJson } from '../../service/http/body.ts';
import { CONNECTION_EFFECTS, DELIVERY_EFFECTS } from './fault-form.tsx';

const parseNumber = (text: string): number | string => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

/** Two numbers by their names, else one. */
const createPairParser = (pattern: RegExp, first: string, second: string) => (text: string) => {
  const both = pattern.exec(text);
  return both ? { [first]: Number(both[1]), [second]: Number(both[2]) } : parseNumber(text);
};

/** `Name: value`, a line each; a line without a colon is a name without a value. */
const parseHeaderLines = (text: string) => {
  const lines = text.split('\n').map((line) => /^([^:]*):?(.*)$/.exec(line)!);
  return Object.fromEntries(lines.map(([, name, value]) => [name!.trim(), value!.trim()]));
};

const parseJsonText = (text: string): unknown => {
  try {
    return readJson(text);
  } catch {
    return text;
  }
};

const parsePercent = (text: string): number | string => {
  const share = parseNumber(text);
  return typeof share === 'number' ? share / 100 : share;
};

/** How fields are read that are no text; what cannot be read so stays what was typed, for the check to name. */
const FIELD_PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  'match.query': (text) => Object.fromEntries(new URLSearchParams(text.replace(/^\?/, ''))),
  'match.body': parseJsonText,
  'match.header': parseHeaderLines,
  'effect.status': parseNumber,
  'effect.delay_ms': createPairParser(/^(\d+)\s*(?:-|–|to|…)\s*(\d+)$/, 'min', 'max'),
  'effect.latency': createPairParser(/^(\d+)\s*[,/ ]\s*(\d+)$/, 'p50_ms', 'p99_ms'),
  'effect.retry_after': parseNumber,
  'effect.headers': parseHeaderLines,
  'effect.error.details': parseJsonText,
  times: parseNumber,
  after: parseNumber,
  probability: parsePercent,
};
const FAULT_FIELD_NAME = /^(?:(?:match|effect|effect\.error)\.[a-z][a-z_]*|times|after|probability)$/;
const SWITCH_VALUES: readonly string[] = [...CONNECTION_EFFECTS, ...DELIVERY_EFFECTS].map(([value]) => value);

/** The draft that a form means, unchecked: each field stands at its path, such as `effect.error.code`. */
export const parseFaultDraft = (form: URLSearchParams): Record<string, unknown> => {
  const draft: Record<string, unknown> = { match: {}, effect: {} };
  for (const [name, typed] of form) {
    const text = name === 'effect.raw' ? typed : typed.trim();
    if (text === '' || !FAULT_FIELD_NAME.test(name)) continue;
    const chosen = name === 'effect.end' || name === 'effect.event';
    if (chosen && !SWITCH_VALUES.includes(text)) continue;
    const path = (chosen ? `effect.${text}` : name).split('.');
    const last = path.pop()!;
    let place = draft;
    for (const part of path) {
      place[part] ??= {};
      place = place[part] as typeof draft;
    }
    place[last] = chosen || (FIELD_PARSERS[name]?.(text) ?? text);
  }
  return draft;
};
