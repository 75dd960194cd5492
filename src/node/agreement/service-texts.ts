// Tells what a screen shows of the service from what is its own: a difference counts where its text is data.
import { PRIORITIES, ROLES, SCOPES, STATUSES, VISIBILITIES } from '../../service/contract/states.ts';
import { NAMES, type World } from '../../service/world/world.ts';
import { type Leaf, type ScreenDifference, withoutTimes } from './compare-screens.ts';
import type { WorldHistory } from './world-history.ts';

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}]+/gu, '');

/** As people read them: `in_progress` is "In progress". */
const WORDS = new Set([...STATUSES, ...PRIORITIES, ...VISIBILITIES, ...ROLES, ...SCOPES].map(lettersOf));

const normalizeText = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

const addStrings = (value: unknown, texts: Set<string>): void => {
  if (typeof value === 'string') texts.add(normalizeText(value));
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) addStrings(one, texts);
};

/** Every text that the service holds, held before, or was sent. */
export const textsOf = (world: World, { changes, requests }: WorldHistory): ReadonlySet<string> => {
  const texts = new Set<string>();
  for (const name of NAMES) for (const { value } of world.store[name].all()) addStrings(value, texts);
  for (const { change } of changes) addStrings([change.before, change.after], texts);
  for (const request of requests) if (request.method !== 'GET') addStrings(request.entry().request.body, texts);
  texts.delete('');
  return texts;
};

/** Part of a text that a value fills when it is what the text is about. */
const MIN_SHARE = 0.6;
const MIN_CUT_CHARS = 8;

const isData = (text: string, texts: ReadonlySet<string>): boolean => {
  const own = normalizeText(text).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.!?)]+$/gu, '');
  if (texts.has(normalizeText(text)) || texts.has(own) || WORDS.has(lettersOf(text))) return true;
  const cut = /^(.+?)(?:…|\.\.\.)$/.exec(normalizeText(text))?.[1] ?? '';
  for (const one of texts) {
    if (cut.length >= MIN_CUT_CHARS && one.startsWith(cut)) return true;
    if (one.length >= 3 && one.length >= MIN_SHARE * own.length && own.includes(one)) return true;
  }
  return false;
};

const holdsData = (text: string, texts: ReadonlySet<string>): boolean => {
  if (isData(text, texts)) return true;
  for (const one of texts) if (one.length >= 4 && normalizeText(text).includes(one)) return true;
  return false;
};

const NUMBER = /^[(#+]?\d+(?:[.,]\d+)?\)?$/;
const hasDigits = (text: string): boolean => /\d/.test(withoutTimes(text));
const isClock = (text: string): boolean => withoutTimes(text).replace(/[\s…]/g, '') === '';

const countsAlone = (leaf: Leaf, inRow: boolean, texts: ReadonlySet<string>): boolean => {
  const { text, overlay, isAction } = leaf;
  if (overlay || isClock(text)) return false;
  if (NUMBER.test(text)) return !isAction || inRow;
  if (!isData(text, texts)) return false;
  // A word such as "Done" alone may be the label of a button.
  return !isAction || !WORDS.has(lettersOf(text));
};

/** What a screen may show that is data, and what is not. */
export interface Vocabulary {
  /** From `textsOf`. */
  readonly texts: ReadonlySet<string>;
  /** Of the lists for which the page asked an order. */
  readonly sorted: ReadonlySet<string>;
  /** Requests left, as headers told the two pages: each has its own. */
  readonly quota: ReadonlySet<string>;
}

const countsChanged = ({ shown, expected, inRow }: ScreenDifference, { texts, quota }: Vocabulary): boolean => {
  const leaves = [...shown, ...expected];
  if (leaves.some(({ overlay, text }) => overlay && !hasDigits(text) && !isData(text, texts))) return false;
  if (leaves.some(({ text }) => isClock(text))) return false;
  const [a = '', b = ''] = [shown[0]?.text, expected[0]?.text].map((text) => withoutTimes(text ?? ''));
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).filter((one) => !quota.has(one)).join();
  if (numbers(a) !== numbers(b)) return true;
  if (a.replace(/\d+/g, '') === b.replace(/\d+/g, '')) return false;
  if (leaves.some(({ text }) => holdsData(text, texts)) && normalizeText(a) !== normalizeText(b)) return true;
  return leaves.every(({ isAction }) => !isAction) && (inRow || leaves.some(({ isTime }) => isTime));
};

export const countsAsData = (difference: ScreenDifference, known: Vocabulary): boolean => {
  const { kind, shown, expected, inRow } = difference;
  if (kind === 'changed') return countsChanged(difference, known);
  if (kind === 'order') return shown.filter(({ text }) => isSorted(text, known.sorted)).length > 1;
  return [...shown, ...expected].some((leaf) => countsAlone(leaf, inRow, known.texts));
};

const isSorted = (text: string, sorted: ReadonlySet<string>): boolean =>
  sorted.has(normalizeText(text)) || [...sorted].some((one) => one.length > 3 && normalizeText(text).includes(one));

export const collectTexts = (values: readonly unknown[]): ReadonlySet<string> => {
  const texts = new Set<string>();
  for (const value of values) addStrings(value, texts);
  return texts;
};
