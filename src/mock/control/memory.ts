// The memory of a host beyond its seed, bounded in bytes: the oldest log entries of all worlds are evicted first.
import { Problem } from '../../service/contract/errors.ts';
import { bytesOfRequest } from '../../service/http/exchange.ts';
import type { FaultOrder } from '../../service/world/fault-draft.ts';
import { bytesOf } from '../../service/world/growth.ts';
import type { LogEntry } from '../../service/world/log.ts';
import type { Running } from './running.ts';
import type { Snapshot } from './snapshot.ts';

export const MEMORY_USES = ['journal', 'deliveries', 'inbox', 'snapshots', 'worlds', 'held'] as const;
type Use = (typeof MEMORY_USES)[number];

export const MEGABYTE = 1_000_000;
/** Bytes of unused ones. */
export const EMPTY_BYTES = { world: 4000, running: 30_000, snapshot: 20_000, held: 20_000 };
/** Part of the limit above which entries are evicted: garbage needs room too. */
const EVICT_ABOVE = 7 / 8;
/** Part of their room that entries keep, so that eviction is rare. */
const EVICT_DOWN_TO = 5 / 7;

interface MemoryUser {
  readonly opened: Running | undefined;
  readonly origin: Snapshot;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
}

interface AnyLog {
  entries(): Iterable<readonly [unknown, LogEntry<unknown>]>;
  evict(upTo: number): void;
}

export const bytesOfFault = ({ match, effect }: FaultOrder): number => 500 + bytesOf(match) + bytesOf(effect);

/** Counts the memory of worlds; parts that forks share count once. */
const takeStock = (users: readonly MemoryUser[]) => {
  const by = Object.fromEntries(MEMORY_USES.map((use) => [use, 0])) as { [U in Use]: number };
  const logs: AnyLog[] = [];
  const entries: LogEntry<unknown>[] = [];
  const seen = new Set<object>();
  const count = (part: object, bytes: number, use: Use): boolean => {
    if (seen.has(part)) return false;
    seen.add(part);
    by[use] += bytes;
    return true;
  };
  const countLog = (log: AnyLog, use: Use): void => {
    logs.push(log);
    for (const [, entry] of log.entries()) if (count(entry, entry.bytes, use)) entries.push(entry);
  };
  const countState = ({ world, faults, journal, timeline, webhooks, inbox }: Running | Snapshot, use?: Use): void => {
    for (const fault of faults.list()) count(fault.effect, bytesOfFault(fault), use ?? 'worlds');
    for (const part of world.growth.parts) count(part, part.bytes, use ?? 'worlds');
    countLog(journal, use ?? 'journal');
    countLog(timeline.log, use ?? 'journal');
    if (webhooks) countLog(webhooks.deliveries.log, use ?? 'deliveries');
    countLog(inbox.log, use ?? 'inbox');
  };
  for (const { opened } of users) {
    by.worlds += EMPTY_BYTES.world;
    if (!opened) continue;
    by.worlds += EMPTY_BYTES.running;
    countState(opened);
    for (const { request } of opened.held) by.held += EMPTY_BYTES.held + bytesOfRequest(request);
  }
  for (const { origin } of users) countState(origin, 'worlds');
  for (const snapshot of users.flatMap(({ snapshots }) => [...snapshots.values()])) {
    by.snapshots += EMPTY_BYTES.snapshot;
    countState(snapshot, 'snapshots');
  }
  const total = Object.values(by).reduce((all, bytes) => all + bytes, 0);
  return { by, total: Math.max(0, total), logs, entries };
};

export class HostMemory {
  readonly limit: number;
  readonly #users: () => readonly MemoryUser[];
  readonly #letGo: () => void;
  /** An upper bound between exact counts. */
  #used = 0;
  /** Bytes above which entries are evicted. */
  #full: number;

  /** @param letGo drops closed worlds */
  constructor(limit: number, users: () => readonly MemoryUser[], letGo = () => {}) {
    this.limit = limit;
    this.#users = users;
    this.#letGo = letGo;
    this.#full = limit * EVICT_ABOVE;
  }

  read(): { readonly used: number; readonly by: Readonly<Record<Use, number>> } {
    const { by, total } = takeStock(this.#users());
    this.#used = total;
    return { used: total, by };
  }

  add(bytes: number): void {
    this.#used += bytes;
    if (this.#used > this.#full) this.#evict();
  }

  /** Reserves bytes that are never evicted. @throws Problem 409 when there is no room */
  take(what: string, bytes: number): void {
    if (this.#used + bytes > this.limit) this.#evict(bytes);
    if (this.#used + bytes > this.limit) {
      const [used, limit] = [this.#used, this.limit].map((n) => `${Math.ceil(n / MEGABYTE)} MB`);
      const says = `There is no room for another ${what}: ${used} of ${limit} are used, and nothing of it may be forgotten. Delete worlds or snapshots, reset, or start the mock with a larger --memory. GET /_mock/health says what uses how much; docs/security.md says more.`;
      throw new Problem(409, 'conflict', says);
    }
    this.#used += bytes;
  }

  #evict(coming = 0): void {
    this.#letGo();
    const { total, logs, entries } = takeStock(this.#users());
    this.#used = total;
    const stays = entries.reduce((left, { bytes }) => left - bytes, total);
    const target = stays + (this.limit * EVICT_ABOVE - coming - stays) * EVICT_DOWN_TO;
    let upTo = -1;
    for (const { turn, bytes } of entries.sort((a, b) => a.turn - b.turn)) {
      if (this.#used <= target) break;
      this.#used -= bytes;
      upTo = turn;
    }
    for (const log of logs) log.evict(upTo);
    this.#full = Math.max(this.limit * EVICT_ABOVE, this.#used + this.limit / 16);
  }
}
