// The order in which lists showed records of one moment, and a moment at which a record would be on none of their pages.
import { getOrMake } from '../../service/contract/keyed.ts';
import { textOrder } from '../../service/world/records.ts';
import type { LooseRecord, ReadExchange } from './read-exchange.ts';

const MAX_FOLLOWERS = 20;
const MAX_RECURSION = 1000;

export class SeenOrder {
  /** The ids that followed an id of the same moment. */
  readonly #followers = new Map<string, Set<string>>();
  /** The last moment of lists of the oldest first, and the first one of lists of the newest first. */
  readonly #ends: { up?: string; down?: string } = {};

  /** @param rows records of the page that are of the seed */
  note({ parameters }: ReadExchange, rows: readonly LooseRecord[]): void {
    const sort = parameters.find(([name]) => name === 'sort')?.[1] ?? 'created_at';
    const times = rows.map(({ created_at }) => String(created_at));
    const turns = times.slice(1).map((time, i) => textOrder(times[i]!, time));
    const [isUp, isDown] = [turns.includes(-1), turns.includes(1)];
    if (!/^-?created_at$/.test(sort) || (isUp && isDown)) return;
    const { up = '', down = '~' } = this.#ends;
    if (isUp && times.at(-1)! > up) this.#ends.up = times.at(-1)!;
    if (isDown && times.at(-1)! < down) this.#ends.down = times.at(-1)!;
    for (const [i, turn] of turns.entries()) {
      const [one, next] = [rows[i]!.id, rows[i + 1]!.id];
      const followers = getOrMake(this.#followers, one, () => new Set<string>());
      if (turn === 0 && followers.size < MAX_FOLLOWERS && !this.#followers.get(next)?.has(one)) followers.add(next);
    }
  }

  /** After the pages of the oldest first, or else before those of the newest first. */
  get unseenTime(): string | undefined {
    const { up, down } = this.#ends;
    const moment = Date.parse(up ?? down ?? '') + (up === undefined ? -1 : 1);
    return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
  }

  /** Records as they are, but each before those that followed it. */
  sort(records: ReadonlyMap<string, LooseRecord>): readonly LooseRecord[] {
    const placed = new Set<LooseRecord>();
    const place = (record: LooseRecord | undefined, depth: number): readonly LooseRecord[] => {
      if (!record || placed.has(record) || depth > MAX_RECURSION) return [];
      placed.add(record);
      const followers = [...(this.#followers.get(record.id) ?? [])];
      return [...followers.flatMap((id) => place(records.get(id), depth + 1)), record];
    };
    const reversed = [...records.values()].reverse();
    return reversed.flatMap((record) => place(record, 0)).reverse();
  }
}
