// From one page of a list to the next: a server that keeps the query in its cursor may refuse to be told it again.
import { type Exchange, type Json, metaOf, records, succeeded, text } from './exchange.ts';
import { unfit } from './paths.ts';

/** The pages that a walk through a list has read. */
export interface Walk {
  readonly pages: readonly Exchange[];
  readonly items: readonly Json[];
  /** True when the last page said that no more follow. */
  readonly ended: boolean;
  /** Others wrote to the list between its pages. */
  readonly moved: boolean;
}

/** Names of parameters that go with a cursor, the fullest set first. */
const FORMS: readonly ((name: string) => boolean)[] = [
  () => true,
  (name) => !name.startsWith('filter'),
  (name) => name === 'limit',
  () => false,
];

const withCursor = (path: string, cursor: string, keeps: (name: string) => boolean): string => {
  const [list = '', query = ''] = path.split('?', 2);
  const kept = query.split('&').filter((part) => part !== '' && keeps(decodeURIComponent(part.split('=', 1)[0]!)));
  return `${list}?${[...kept, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
};

/** The cursor of a page, if a request can carry it. */
export const cursorOf = (x: Exchange): string | undefined => {
  const cursor = text(metaOf(x).next_cursor);
  return cursor === undefined || unfit(cursor, 'query') ? undefined : cursor;
};

/** The records of a list as far as this many pages show them, whatever else its responses say. */
export const rowsOf = async (cursors: Cursors, list: string, pages: number, ask: (target: string) => Promise<Exchange>) => {
  const rows: Json[] = [];
  let x = await ask(list);
  for (let page = 1; ; page++) {
    rows.push(...records(x));
    const cursor = cursorOf(x);
    if (!succeeded(x) || metaOf(x).has_more === false || cursor === undefined || page >= pages) return rows;
    x = await cursors.next(list, cursor, ask, () => {});
  }
};

/** Knowledge of the target's cursors; one for a run. */
export class Cursors {
  /** The fullest form that has not been refused. */
  #form = 0;

  /**
   * The page that a cursor leads to: with the query repeated, as no reading of the specification forbids, and with less of it where that is refused.
   * @param path the list with the query of its first page
   * @param ask sends; the response is handed to no judge
   * @param tell hands a response to those who judge
   */
  async next(
    path: string,
    cursor: string,
    ask: (target: string) => Promise<Exchange>,
    tell: (x: Exchange) => void,
  ): Promise<Exchange> {
    let first: Exchange | undefined;
    const tried = new Set<string>();
    for (let form = this.#form; form < FORMS.length; form++) {
      const target = withCursor(path, cursor, FORMS[form]!);
      if (tried.has(target)) continue;
      tried.add(target);
      const x = await ask(target);
      first ??= x;
      if (x.status === 400 || x.status === 422) continue;
      this.#form = form;
      tell(x);
      return x;
    }
    tell(first!);
    return first!;
  }
}
