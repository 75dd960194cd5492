// A body short enough to read: long texts in it are cut and long lists thinned, while every member, such as meta, stays.
import { isRecord } from './exchange.ts';
import { parsed } from './wire.ts';

/** This many characters of a JSON body are shown, and of another. */
const ENOUGH = 30_000;
const ENOUGH_TEXT = 4000;

interface Measure {
  readonly text: number;
  readonly items: number;
}

/** Each is tried when the one before left too much. */
const MEASURES: readonly Measure[] = [
  { text: 300, items: Number.POSITIVE_INFINITY },
  { text: 60, items: Number.POSITIVE_INFINITY },
  { text: 60, items: 8 },
  { text: 40, items: 2 },
];

const shorter = (value: unknown, measure: Measure): unknown => {
  if (typeof value === 'string') {
    return value.length > measure.text ? `${value.slice(0, measure.text)}… (${value.length} characters)` : value;
  }
  if (Array.isArray(value)) {
    const some = value.length > measure.items + 1 ? [...value.slice(0, measure.items), `… (${value.length} items)`] : value;
    return some.map((item) => shorter(item, measure));
  }
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shorter(item, measure)]));
};

const bluntly = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most)}… (${text.length} characters)` : text;

/** The text of a body as it came when it is short. */
export const compact = (text: string): string => {
  if (text.length <= MEASURES[0]!.text) return text;
  const { json } = parsed(text);
  if (json === undefined) return bluntly(text, ENOUGH_TEXT);
  for (const measure of MEASURES) {
    const less = shorter(json, measure);
    const shown = JSON.stringify(less);
    if (shown.length <= ENOUGH) return shown === JSON.stringify(json) ? text : shown;
  }
  return bluntly(JSON.stringify(shorter(json, MEASURES.at(-1)!)), ENOUGH);
};
