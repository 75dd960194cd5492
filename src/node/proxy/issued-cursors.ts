// The cursors that the service issued, each with its list and its counterpart in the twin. At most 5,000.
import { isObject } from '../../service/contract/schema.ts';
import { writeCursor } from '../../service/lists/cursor.ts';
import { listName } from '../../service/lists/query.ts';
import type { ReadExchange } from './read-exchange.ts';
import { TWIN_WORKSPACE } from './twin-world.ts';

/** @property sort undefined: the default order, which may not be known */
interface IssuedCursor {
  readonly list: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly sort: string | undefined;
  readonly limit: number;
}

const MAX_CURSORS = 5000;

const listPathOf = ({ traffic: { target } }: ReadExchange): string => target.replace(/\?.*/s, '');
const valueIn = ({ parameters }: ReadExchange, name: string): string | undefined => parameters.find(([one]) => one === name)?.[1];
const queryWith = (read: ReadExchange, ...more: [string, string][]): string => {
  const others = read.parameters.filter(([name]) => name !== 'cursor').map(([name, value]): [string, string] => [name, value]);
  return `${listPathOf(read)}?${new URLSearchParams([...others, ...more])}`;
};

export class IssuedCursors {
  readonly #issued = new Map<string, IssuedCursor>();
  /** The first record of each list that was read without a cursor. */
  readonly #firsts = new Map<string, unknown>();

  note(read: ReadExchange): void {
    const { id, got } = read;
    const list = this.listOf(read);
    if (id === undefined || !isObject(got.meta) || !Array.isArray(got.items)) return;
    const { next_cursor, limit } = got.meta as { readonly next_cursor?: unknown; readonly limit?: unknown };
    const isFirst = valueIn(read, 'cursor') === undefined;
    if (isFirst && this.#firsts.size < MAX_CURSORS) this.#firsts.set(queryWith(read), got.items[0]?.id);
    if (!list || typeof next_cursor !== 'string' || this.#issued.size >= MAX_CURSORS) return;
    this.#issued.set(next_cursor, { ...list, limit: Number(limit) });
  }

  /** The list of a request, by its cursor if it has one; undefined if the cursor is unknown. */
  listOf(read: ReadExchange): Omit<IssuedCursor, 'limit'> | undefined {
    const { row, id, variable } = read;
    const cursor = valueIn(read, 'cursor');
    if (cursor !== undefined || !row?.list || id === undefined) return this.#issued.get(cursor ?? '');
    const filters = Object.keys(row.list.filters).flatMap((name) => {
      const value = valueIn(read, `filter[${name}]`);
      return value === undefined ? [] : [[name, value]];
    });
    const list = listName(TWIN_WORKSPACE, id, variable);
    return { list, filters: Object.fromEntries(filters), sort: valueIn(read, 'sort') };
  }

  /** Path and query for the twin. A cursor of unknown content is left out of a success; undefined: it may be why the request failed. */
  targetFor(read: ReadExchange): string | undefined {
    const cursor = valueIn(read, 'cursor');
    const { target } = read.traffic;
    if (cursor === undefined || read.id === undefined) return target;
    const [issued, without] = [this.#issued.get(cursor), queryWith(read)];
    const first = Array.isArray(read.got.items) && read.got.items[0]?.id;
    const isFirstPage = first && this.#firsts.get(without) === first;
    const isBlamed = read.status === 400 && JSON.stringify(read.got.error).includes('"cursor"');
    const withoutIt = read.succeeded ? without : undefined;
    if (!issued) return isBlamed || isFirstPage ? target : withoutIt;
    if (issued.sort === undefined && valueIn(read, 'sort') !== undefined) return withoutIt;
    return queryWith(read, ['cursor', writeCursor({ ...issued, sort: issued.sort ?? 'created_at' }, { value: '', sequence: 0 })]);
  }
}
