// Whether the records of a sorted list stand in order, on a page and from one page to the next, as far as any collation agrees.
import { claim, fieldAt, type Operator } from '../engine/claims.ts';
import { type Json, records } from '../engine/exchange.ts';
import { instant } from '../engine/shapes.ts';
import { SORTED_LISTS, sortClause } from './clauses.ts';
import { type Judge, NOTHING, sayThat, shown } from './judge.ts';
import type { Page } from './page.ts';

/** A title whose place no collation changes: small letters and digits, in the same pattern as its neighbour's. */
const pattern = (title: string): string | undefined =>
  /^[a-z0-9 ]+$/.test(title) ? title.replace(/[a-z]/g, 'a').replace(/\d/g, '0') : undefined;

/** Values of one pattern can be compared; undefined: with none. */
const patternOf = (value: unknown, field: string): string | undefined => {
  if (typeof value !== 'string') return undefined;
  return field === 'title' ? pattern(value) : Number.isNaN(instant(value)) ? undefined : 'time';
};

const patternsOf = (rows: readonly Json[], field: string): ReadonlySet<string> =>
  new Set(rows.map((row) => patternOf(row[field], field)).filter((like) => like !== undefined));

/** Whether two neighbours stand in order; undefined when it can't be told. */
const inOrder = (a: unknown, b: unknown, field: string, sign: 1 | -1): boolean | undefined => {
  if (field === 'title') {
    if (typeof a !== 'string' || typeof b !== 'string' || pattern(a) === undefined || pattern(a) !== pattern(b)) return undefined;
    return a === b || a < b === (sign === 1);
  }
  const [x, y] = [instant(a), instant(b)];
  if (Number.isNaN(x) || Number.isNaN(y)) return undefined;
  return x === y || x < y === (sign === 1);
};

/** Records without the field stand anywhere; those that have it, and can be compared, stand in its order. */
export const judgeOrder = (judge: Judge, { x, operation, rows, sort, before }: Page): void => {
  if (sort === undefined || !SORTED_LISTS.has(operation.id)) return;
  const sign = sort.startsWith('-') ? -1 : 1;
  const order: Operator = sign === 1 ? 'ascending' : 'descending';
  const field = sort.replace('-', '');
  const earlier = before?.pages.flatMap((page) => records(page)) ?? [];
  // Records without the field stand anywhere; those that have it, and can be compared, stand in its order.
  for (const like of patternsOf(rows, field)) {
    const valued = rows.map((row) => row[field]).filter((value) => patternOf(value, field) === like);
    for (const [i, b] of valued.entries()) {
      const a = valued[i - 1];
      if (i === 0 || inOrder(a, b, field, sign) !== false) continue;
      const say = sayThat(`sort=${sort}: ${shown(a)} stands before ${shown(b)}`, claim(x, fieldAt(x, field), order));
      judge.must(sortClause(operation.id, sort), false, say, x);
      return;
    }
    if (valued.length > 1) judge.must(sortClause(operation.id, sort), true, NOTHING);
    const tail = earlier.map((row) => row[field]).findLast((value) => patternOf(value, field) === like);
    if (!before || tail === undefined) continue;
    const last = before.pages.at(-1)!;
    const say = sayThat(`sort=${sort}: ${shown(tail)} ends a page and ${shown(valued[0])} begins the next`, {
      call: [last.number, x.number],
      at: fieldAt(x, field),
      op: order,
    });
    judge.must('WM-SORT-008', inOrder(tail, valued[0], field, sign) !== false, say, last, x);
  }
};
