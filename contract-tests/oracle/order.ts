// Whether the records of a sorted list are in order, on and across pages, as far as any collation agrees.
import { claim, fieldAt, type Operator } from '../engine/claims.ts';
import { records } from '../engine/exchange.ts';
import { instant } from '../engine/shapes.ts';
import { SORTED_LISTS, sortClause } from './clauses.ts';
import { type Judge, NOTHING, sayThat, shown } from './judge.ts';
import type { Page } from './page.ts';

const COLLATORS = [{}, { numeric: true }, { sensitivity: 'base', ignorePunctuation: true }] as const;
/** How services may order titles: by code point, with or without case and spaces, as people of a language do, by the numbers in them. */
const COLLATIONS: readonly ((a: string, b: string) => number)[] = [
  ...[(text: string) => text, (text: string) => text.toLowerCase(), (text: string) => text.toLowerCase().replaceAll(' ', '')].map(
    (keyOf) => (a: string, b: string) => (keyOf(a) < keyOf(b) ? -1 : keyOf(a) > keyOf(b) ? 1 : 0),
  ),
  ...COLLATORS.map((options) => new Intl.Collator('en', options).compare),
];

/** The order of two titles, if every collation agrees on it. */
const compareTitles = (a: string, b: string): number => {
  const [sign, ...others] = COLLATIONS.map((compare) => Math.sign(compare(a, b))) as [number, ...number[]];
  return others.every((other) => other === sign) ? sign : 0;
};

/** Whether a value stands surely after another that must come behind it. */
const isBehind = (a: unknown, b: unknown, field: string, sign: 1 | -1): boolean => {
  if (typeof a !== 'string' || typeof b !== 'string') return false;
  if (field === 'title') return compareTitles(a, b) === sign;
  return (instant(a) - instant(b)) * sign > 0;
};

/** Whether a value can be compared with others. */
const hasPlace = (value: unknown, field: string): boolean =>
  typeof value === 'string' && (field === 'title' ? /^[A-Za-z0-9 ]+$/.test(value) : !Number.isNaN(instant(value)));

/** Records without the field stand anywhere; those that have it, and can be compared, are in its order. */
export const judgeOrder = (judge: Judge, { x, operation, rows, sort, before }: Page): void => {
  if (sort === undefined || !SORTED_LISTS.has(operation.id)) return;
  const sign = sort.startsWith('-') ? -1 : 1;
  const order: Operator = sign === 1 ? 'ascending' : 'descending';
  const field = sort.replace('-', '');
  const earlier = before?.pages.flatMap((page) => records(page)) ?? [];
  const valued = rows.map((row) => row[field]).filter((value) => hasPlace(value, field));
  for (const [i, b] of valued.entries()) {
    const a = valued[i - 1];
    if (i === 0 || !isBehind(a, b, field, sign)) continue;
    const say = sayThat(`sort=${sort}: ${shown(a)} comes before ${shown(b)}`, claim(x, fieldAt(x, field), order));
    judge.must(sortClause(operation.id, sort), false, say, x);
    return;
  }
  if (valued.length > 1) judge.must(sortClause(operation.id, sort), true, NOTHING);
  const tail = earlier.map((row) => row[field]).findLast((value) => hasPlace(value, field));
  if (!before || tail === undefined || valued.length === 0 || x.beside?.length) return;
  const last = before.pages.at(-1)!;
  const say = sayThat(`sort=${sort}: ${shown(tail)} ends a page and ${shown(valued[0])} begins the next`, {
    call: [last.number, x.number],
    at: fieldAt(x, field),
    op: order,
  });
  // Between two pages others may move what pages are counted by.
  judge.often('WM-SORT-008', [`${operation.id} ${sort}`], !isBehind(tail, valued[0], field, sign), say, last, x);
};
