// Compares two screens: what one shows of the service and the other does not, and rows in another order.
import { PRIORITIES, ROLES, SCOPES, STATUSES, VISIBILITIES } from '../../service/contract/states.ts';
import type { Leaf, Screen } from './read-screen.ts';
import type { PastRequest } from './world-history.ts';

export interface ScreenDifference {
  /** Names of the containers around it. */
  readonly place: string;
  readonly isOrder: boolean;
  /** In a dialog, a drawer or the like. */
  readonly inOverlay: boolean;
  readonly shown: readonly string[];
  readonly expected: readonly string[];
}

/** Tells data of the service from the screen's own. */
interface Vocabulary {
  /** Every text that the pages read or sent. */
  readonly texts: ReadonlySet<string>;
  /** Texts of lists for which the page asked an order. */
  readonly sorted: ReadonlySet<string>;
  /** Requests left, as the last responses told the two pages: each has its own. */
  readonly quota: ReadonlySet<string>;
  /** As any response told: an early one may have come last. A text of it names the limit too. */
  readonly everyQuota: ReadonlySet<string>;
  readonly limits: ReadonlySet<string>;
}

const RELATIVE_TIMES =
  /\b(?:just now|(?:a few|an?|\d+) ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|mo|months?|y|years?)\.? ago|in (?:a few|an?|\d+) (?:second|minute|hour|day|week|month|year)s?|\d{1,2}:\d{2}:\d{2}(?: ?[ap]m)?)\b/gi;
const NUMBER = /^[(#+]?\d+(?:[.,]\d+)?\)?$/;
/** Responses come in any order. */
const MAX_QUOTA_READS = 8;
const MIN_CUT_CHARS = 8;
/** Part of a text that a value fills when it is what the text is about. */
const MIN_SHARE = 0.6;

const normalize = (text: string): string =>
  text
    .replace(RELATIVE_TIMES, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}(#+]+|[^\p{L}\p{N}.!?)…]+$/gu, '');
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}]+/gu, '');
/** As people read them: `in_progress` is "In progress". */
const WORDS = new Set([...STATUSES, ...PRIORITIES, ...VISIBILITIES, ...ROLES, ...SCOPES].map(lettersOf));
const numbersOf = (text: string): readonly string[] => text.match(/\d+/g) ?? [];
const withoutNumbers = (text: string): string => text.replace(/\d+/g, '#');

const collectTexts = (value: unknown, texts = new Set<string>()): Set<string> => {
  if (typeof value === 'string' && normalize(value) !== '') texts.add(normalize(value));
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) collectTexts(one, texts);
  return texts;
};

const quotaHeadersOf = (name: string, past: readonly PastRequest[]): ReadonlySet<string> =>
  new Set(past.flatMap(({ entry }) => entry.response.headers[`x-ratelimit-${name}`] ?? []));

const vocabularyOf = (own: readonly PastRequest[], fresh: readonly PastRequest[]): Vocabulary => ({
  // A reload can't show why a change was refused.
  texts: collectTexts(
    [...own, ...fresh].map(({ entry, method, status }) => [
      entry.request.body,
      method !== 'GET' && status >= 400 ? undefined : entry.response.body,
    ]),
  ),
  sorted: collectTexts(fresh.filter(({ path }) => /[?&]sort=/.test(path)).map(({ entry }) => entry.response.body)),
  quota: quotaHeadersOf('remaining', [...own.slice(-MAX_QUOTA_READS), ...fresh]),
  everyQuota: quotaHeadersOf('remaining', [...own, ...fresh]),
  limits: quotaHeadersOf('limit', [...own, ...fresh]),
});

const includesAny = (text: string, texts: ReadonlySet<string>, minChars: number, share = 0): boolean => {
  for (const one of texts) if (one.length >= minChars && one.length >= share * text.length && text.includes(one)) return true;
  return false;
};

const isData = (text: string, texts: ReadonlySet<string>): boolean => {
  if (texts.has(text) || WORDS.has(lettersOf(text)) || includesAny(text, texts, 3, MIN_SHARE)) return true;
  const cut = /^(.+?)(?:…|\.\.\.)$/.exec(text)?.[1] ?? '';
  return cut.length >= MIN_CUT_CHARS && [...texts].some((one) => one.startsWith(cut));
};

/** A text of a screen at its place. */
interface Reading {
  readonly leaf: Leaf;
  readonly text: string;
  readonly place: string;
  readonly inRow: boolean;
}

/** The names of containers: a label, a heading, or what a row is about. */
const placesOf = ({ containers, leaves = [] }: Screen, texts: ReadonlySet<string>) => {
  const places: { readonly place: string; readonly inRow: boolean }[] = [];
  for (const [index, { parent, role, label, isRow }] of containers.entries()) {
    const own = leaves.filter(({ inside, field }) => inside === index && field === undefined);
    const about = isRow ? [own.find(({ text }) => isData(normalize(text), texts)), own.find(({ isAction }) => !isAction)] : [];
    const name = label || [own.find(({ isHeading }) => isHeading), ...about].find((one) => one !== undefined)?.text || '';
    const around = places[parent];
    const readable = withoutNumbers(name.replace(RELATIVE_TIMES, '')).trim();
    const named = readable === '' ? role : `${role} "${readable}"`.trim();
    const place = [around?.place, named].filter((one) => one !== undefined && one !== '').join(' › ');
    places.push({ place, inRow: isRow || (around?.inRow ?? false) });
  }
  return places;
};

/** @param touched fields that the test has filled and not sent */
const readingsOf = (screen: Screen, other: Screen, texts: ReadonlySet<string>, touched: ReadonlySet<string>): Reading[] => {
  const places = placesOf(screen, texts);
  const overlays = new Set([undefined, ...(other.leaves ?? []).map(({ overlay }) => overlay)]);
  return (screen.leaves ?? []).flatMap((leaf) => {
    const text = normalize(leaf.text);
    if (text === '' || !overlays.has(leaf.overlay) || (leaf.field !== undefined && touched.has(leaf.field))) return [];
    return [{ leaf, text, ...(places[leaf.inside] ?? { place: '', inRow: false }) }];
  });
};

const readingKey = ({ place, text }: Reading): string => JSON.stringify([place.toLowerCase(), text]);

/** Those that the others lack, each as often as it is there. */
const subtractReadings = (readings: readonly Reading[], others: readonly Reading[]): Reading[] => {
  const counts = new Map<string, number>();
  for (const one of others) counts.set(readingKey(one), (counts.get(readingKey(one)) ?? 0) + 1);
  return readings.filter((one) => {
    const count = counts.get(readingKey(one)) ?? 0;
    counts.set(readingKey(one), count - 1);
    return count <= 0;
  });
};

/** Whether a reading that one screen has alone is data. @param others what the other one has alone */
const isOfService = (
  { leaf, text, inRow, place }: Reading,
  others: readonly Reading[],
  { texts, quota, everyQuota, limits }: Vocabulary,
): boolean => {
  const numbers = numbersOf(text);
  const beside = others.filter((one) => one.place === place);
  const twin = beside.find((one) => withoutNumbers(one.text) === withoutNumbers(text));
  const allowed = numbers.some((one) => limits.has(one)) ? everyQuota : quota;
  const isQuota = (one: string, i: number) => allowed.has(one) && allowed.has(numbers[i]!);
  if (numbers.length > 0 && twin) return numbersOf(twin.text).some((one, i) => one !== numbers[i] && !isQuota(one, i));
  if (NUMBER.test(text)) return (!leaf.isAction || inRow) && !quota.has(text);
  if (isData(text, texts)) return !(leaf.isAction && WORDS.has(lettersOf(text)));
  if (leaf.isAction) return false;
  if (!inRow && !leaf.isTime) return false;
  return beside.some((one) => !one.leaf.isAction) || numbers.length > 0 || includesAny(text, texts, 4);
};

/** The texts of rows for which an order was asked, by list. */
const sortedRows = (readings: readonly Reading[], sorted: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> => {
  const lists = new Map<string, Set<string>>();
  for (const { leaf, text, place, inRow } of readings) {
    if (!inRow || leaf.field !== undefined || !sorted.has(text) || WORDS.has(lettersOf(text))) continue;
    const list = place.split(' › ').slice(0, -1).join(' › ');
    lists.set(list, (lists.get(list) ?? new Set()).add(leaf.text));
  }
  return lists;
};

const orderDifferences = (a: readonly Reading[], b: readonly Reading[], sorted: ReadonlySet<string>): ScreenDifference[] => {
  const others = sortedRows(b, sorted);
  return [...sortedRows(a, sorted)].flatMap(([place, texts]) => {
    const other = others.get(place) ?? new Set();
    const [shown, expected] = [[...texts].filter((one) => other.has(one)), [...other].filter((one) => texts.has(one))];
    return shown.join() === expected.join() ? [] : [{ place, isOrder: true, inOverlay: false, shown, expected }];
  });
};

/** @param shown the tested page @param expected a page loaded now @param own requests of the one @param fresh of the other */
export const compareScreens = (
  shown: Screen,
  expected: Screen,
  own: readonly PastRequest[],
  fresh: readonly PastRequest[],
): ScreenDifference[] => {
  if (JSON.stringify(shown.leaves) === JSON.stringify(expected.leaves)) return [];
  const vocabulary = vocabularyOf(own, fresh);
  const { texts, sorted } = vocabulary;
  const touched = new Set(shown.touched);
  const [a, b] = [readingsOf(shown, expected, texts, touched), readingsOf(expected, shown, texts, touched)];
  const [extra, missing] = [subtractReadings(a, b), subtractReadings(b, a)];
  const differences = new Map<string, { inOverlay: boolean; shown: string[]; expected: string[] }>();
  const add = (readings: readonly Reading[], others: readonly Reading[], side: 'shown' | 'expected') => {
    for (const one of readings.filter((each) => isOfService(each, others, vocabulary))) {
      const difference = differences.get(one.place) ?? { inOverlay: true, shown: [], expected: [] };
      difference.inOverlay &&= one.leaf.overlay !== undefined;
      difference[side].push(one.leaf.text);
      differences.set(one.place, difference);
    }
  };
  add(extra, missing, 'shown');
  add(missing, extra, 'expected');
  const texted = [...differences].map(([place, difference]) => ({ place, isOrder: false, ...difference }));
  return [...texted, ...orderDifferences(a, b, sorted)];
};

const MAX_TOAST_LEAVES = 3;

/** Whether each dialog, drawer or the like of one screen is on another, toasts aside. */
export const hasOverlaysOf = ({ leaves = [] }: Screen, other: Screen): boolean => {
  const others = new Set(other.leaves?.map(({ overlay }) => overlay));
  const missing = leaves.filter(({ overlay }) => overlay !== undefined && !others.has(overlay)).map(({ overlay }) => overlay);
  return [...new Set(missing)].every((overlay) => missing.filter((one) => one === overlay).length <= MAX_TOAST_LEAVES);
};

/** @param unsteady what differs between two loads of the same data */
export const withoutUnsteady = (differences: readonly ScreenDifference[], unsteady: readonly ScreenDifference[]) => {
  const keysOf = ({ place, shown, expected }: ScreenDifference) =>
    [...shown, ...expected].map((text) => withoutNumbers(`${place} ${text}`));
  const known = new Set(unsteady.flatMap(keysOf));
  return differences.filter((one) => !keysOf(one).every((key) => known.has(key)));
};
