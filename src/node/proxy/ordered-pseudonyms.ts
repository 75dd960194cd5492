// Pseudonyms of texts: words of the same length in the same order, which tell nothing of the texts' own letters.
import { WORDS } from '../../mock/seed/phrases.generated.ts';
import { codePoints } from '../../service/validation/formats.ts';
import { textOrder } from '../../service/world/records.ts';

const LEXICON = [
  ...new Set(
    JSON.stringify(WORDS)
      .toLowerCase()
      .match(/[a-z]{2,}/g),
  ),
].sort();
/** All words in another order; cut at any word it is longer than a text may be. */
const FILLER_CYCLE = LEXICON.map((_, i) => LEXICON[(i * 353) % LEXICON.length]).join(' ');
const FILLER_STARTS = [...FILLER_CYCLE.matchAll(/\b[a-z]/g)].map(({ index }) => index);
const FILLER = `${FILLER_CYCLE} `.repeat(Math.ceil(20_000 / FILLER_CYCLE.length));
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
/** More branches than the alphabet has letters. */
const MANY_LETTERS = Array.from({ length: 20_000 }, (_, i) => String.fromCodePoint(0x4e00 + i));

const wordCache = new Map<string, readonly string[]>();
const wordsAfter = (prefix: string): readonly string[] => {
  const known = wordCache.get(prefix) ?? LEXICON.filter((word) => word.startsWith(prefix));
  if (wordCache.size < 10_000) wordCache.set(prefix, known);
  return known;
};

/** Letters in their order, one for each branch below a prefix; those that continue a word if they suffice. */
const branchLetters = (prefix: string, count: number): readonly string[] => {
  const continuing = [...new Set(wordsAfter(prefix).flatMap((word) => word[prefix.length] ?? []))];
  const letters = [continuing, LETTERS, MANY_LETTERS].find(({ length }) => length >= count) ?? MANY_LETTERS;
  return Array.from({ length: count }, (_, i) => letters[Math.floor((i * letters.length) / count)]!);
};

const lengthen = (prefix: string, length: number, n: number): string => {
  const words = wordsAfter(prefix);
  const from = FILLER_STARTS[(n * 17) % FILLER_STARTS.length]!;
  const filler = FILLER.repeat(Math.ceil(length / 10_000)).slice(from, from + length);
  const text = `${words[n % words.length] ?? prefix} ${filler}`;
  return text.slice(0, length).replace(/ $/, 's');
};

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** UTF-16 puts characters beyond the first plane too early. */
const codePointKey = (text: string): string => text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '\uffff$&');

/** The pseudonym of each text. */
export const orderedPseudonyms = (texts: Iterable<string>): ReadonlyMap<string, string> => {
  const sorted = [...texts].map((text) => ({ text, key: codePointKey(text), length: codePoints(text) }));
  sorted.sort((a, b) => textOrder(a.key, b.key));
  const made = new Map<string, string>();
  /** A text that ends at the next letter begins a branch: it precedes those that continue it. */
  const place = (from: number, to: number, prefix: string): void => {
    const depth = prefix.length;
    const isWhole = sorted[from]!.length === depth;
    if (isWhole) made.set(sorted[from]!.text, capitalize(prefix));
    const first = isWhole ? from + 1 : from;
    if (to - first === 1) made.set(sorted[first]!.text, capitalize(lengthen(prefix, sorted[first]!.length, first)));
    if (to - first < 2) return;
    const size = Math.ceil((to - first) / 20);
    const starts: number[] = [];
    for (let i = first; i < to; i++)
      if (starts.length === 0 || sorted[i]!.length === depth + 1 || i - starts.at(-1)! >= size) starts.push(i);
    const letters = branchLetters(prefix, starts.length);
    for (const [i, start] of starts.entries()) place(start, starts[i + 1] ?? to, prefix + letters[i]);
  };
  if (sorted.length > 0) place(0, sorted.length, '');
  return made;
};
