// The order in which lists showed records of one moment, and a moment at which a record would be on none of their pages.
import { getOrMake } from '../../service/contract/keyed.ts';
import { textOrder } from '../../service/world/records.ts';
import type { LooseRecord, ReadExchange } from './read-exchange.ts';

const MAX_CURSORS = 5000;
const MAX_FOLLOWERS = 20;
/** Of a recursion. */
const MAX_DEPTH = 1000;

const timeOf = ({ created_at }: LooseRecord): string => String(created_at);

export class SeenOrder {
  /** The ids that followed an id of the same moment. */
  readonly #followers = new Map<string, Set<string>>();
  /** The list that a cursor continues: its order, and its last record before. */
  readonly #cursors = new Map<string, { readonly sort: string; readonly last: LooseRecord }>();
  /** The last moment of lists of the oldest first, and the first one of lists of the newest first. */
  #lastUp: string | undefined;
  #firstDown: string | undefined;

  /** @param rows records of the page that are of the seed */
  note({ parameters, got }: ReadExchange, rows: readonly LooseRecord[]): void {
    const queryValue = (name: string) => parameters.find(([one]) => one === name)?.[1];
    const cursor = queryValue('cursor');
    const from = this.#cursors.get(cursor ?? '');
    const sort = from?.sort ?? queryValue('sort') ?? 'created_at';
    if (rows.length === 0 || !/^-?created_at$/.test(sort) || (cursor !== undefined && !from)) return;
    const next = (got.meta as { readonly next_cursor?: unknown } | undefined)?.next_cursor;
    if (typeof next === 'string' && this.#cursors.size < MAX_CURSORS) this.#cursors.set(next, { sort, last: rows.at(-1)! });
    for (const [i, row] of rows.entries()) {
      const before = i > 0 ? rows[i - 1] : from?.last;
      if (before) this.#noteNeighbours(before, row);
    }
  }

  #noteNeighbours(before: LooseRecord, row: LooseRecord): void {
    const [time, order] = [timeOf(row), textOrder(timeOf(before), timeOf(row))];
    if (order < 0 && time > (this.#lastUp ?? '')) this.#lastUp = time;
    if (order > 0 && time < (this.#firstDown ?? '~')) this.#firstDown = time;
    if (order !== 0 || this.#followers.get(row.id)?.has(before.id)) return;
    const followers = getOrMake(this.#followers, before.id, () => new Set<string>());
    if (followers.size < MAX_FOLLOWERS) followers.add(row.id);
  }

  /** After the pages of the oldest first, or else before those of the newest first. */
  get unseenTime(): string | undefined {
    const [time, step] = this.#lastUp === undefined ? [this.#firstDown, -1] : [this.#lastUp, 1];
    const moment = time === undefined ? Number.NaN : Date.parse(time) + step;
    return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
  }

  /** Records as they are, but each before those that followed it. */
  sort(records: ReadonlyMap<string, LooseRecord>): readonly LooseRecord[] {
    const placed = new Set<LooseRecord>();
    const reversed: LooseRecord[] = [];
    const place = (record: LooseRecord | undefined, depth: number): void => {
      if (!record || placed.has(record) || depth > MAX_DEPTH) return;
      placed.add(record);
      for (const id of this.#followers.get(record.id) ?? []) place(records.get(id), depth + 1);
      reversed.push(record);
    };
    for (const record of [...records.values()].reverse()) place(record, 0);
    return reversed.reverse();
  }
}
