// Values that a field takes, made from what the document says of it: at least two that differ, where there are two.
import { sameValue } from '../oracle/judge.ts';
import type { FieldRule, Kind, Refers } from '../oracle/rules.ts';

/** Ids of records that may be named. */
export type Ids = (refers: Refers) => readonly string[];

const TEXTS = ['wm sample a', 'wm sample b'];

/** A text with its length changed; its last letter tells it from the others. */
const fitted = (text: string, { min, max = text.length }: FieldRule): string =>
  (text.length > max ? text.replaceAll(' ', '-').slice(text.length - max) : text).padStart(min, 'w');

const numbersOf = ({ minimum, maximum }: FieldRule): readonly number[] => {
  const near = [0, 1, 13, minimum, minimum + 1, maximum, maximum - 1].filter(Number.isFinite);
  return near.filter((value) => value >= minimum && value <= maximum);
};

/** None, one and two of what a list holds, as far as its length allows. */
const listsOf = (entries: readonly unknown[], { min, max = 2 }: FieldRule): readonly unknown[] =>
  [entries.slice(0, 1), entries.slice(0, Math.max(2, min)), []].filter((list) => list.length >= min && list.length <= max);

const OF: { readonly [K in Kind]: (rule: FieldRule, ids: Ids) => readonly unknown[] } = {
  word: ({ values }) => values,
  words: (rule) =>
    rule.max === undefined ? [[rule.values[0]], rule.values, ...listsOf(rule.values, rule)] : listsOf(rule.values, rule),
  text: (rule) => TEXTS.map((text) => fitted(text, rule)),
  url: () => ['https://example.com/wm-a', 'https://example.com/wm-b'],
  time: () => ['2031-02-03T04:05:06Z', '2032-12-31T23:59:59Z'],
  integer: numbersOf,
  number: numbersOf,
  boolean: () => [true, false],
  id: ({ refers }, ids) => ids(refers),
  ids: (rule, ids) => listsOf(ids(rule.refers), rule),
  list: (rule, ids) => (rule.items ? listsOf(samplesOf(rule.items, ids), rule) : []),
  other: ({ examples }) => examples,
};

export const samplesOf = (rule: FieldRule, ids: Ids): readonly unknown[] => {
  const made = OF[rule.kind](rule, ids);
  return made.filter((value, i) => made.findIndex((one) => JSON.stringify(one) === JSON.stringify(value)) === i);
};

/** A value that changes what a field holds; undefined: there is none. */
export const otherThan = (rule: FieldRule, ids: Ids, known: unknown): unknown =>
  samplesOf(rule, ids).find((value) => !sameValue(rule.name, value, known));
