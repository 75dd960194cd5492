// The memory of a host beyond its seed, bounded in bytes: the oldest log entries of all worlds are evicted first.
import { Problem } from '../../service/contract/errors.ts';
import { bytesOfRequest } from '../../service/http/exchange.ts';
import type { FaultOrder } from '../../service/world/fault-draft.ts';
import { bytesOf } from '../../service/world/growth.ts';
import type { LogEntry } from '../../service/world/log.ts';
import { NAMES } from '../../service/world/world.ts';
import type { RecordedMemory } from './recorder.ts';
import type { Running } from './running.ts';
import type { Snapshot } from './snapshot.ts';

export const MEMORY_USES = ['journal', 'deliveries', 'inbox', 'snapshots', 'worlds', 'held'] as const;
type Use = (typeof MEMORY_USES)[number];

export const MEGABYTE = 1_000_000;
/** Bytes of unused ones. */
export const EMPTY_BYTES = { world: 4000, running: 30_000, snapshot: 20_000, held: 20_000 };
/** Part of the limit above which entries are evicted: garbage needs room too. */
const EVICT_ABOVE = 7 / 8;
/** Part of the limit that the indexes of lists may hold: beyond, they are evicted before anything that was stored. */
const MAX_INDEX_SHARE = 1 / 8;
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
const takeStock = (users: readonly MemoryUser[], recorded: RecordedMemory | undefined) => {
  const by = Object.fromEntries(MEMORY_USES.map((use) => [use, 0])) as { [U in Use]: number };
  const logs: AnyLog[] = [];
  const entries: LogEntry<unknown>[] = [];
  const seen = new Set<object>();
  let indexes = 0;
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
    for (const name of NAMES)
      for (const [layer, bytes] of world.store[name].indexBytes) if (count(layer, bytes, use ?? 'worlds')) indexes += bytes;
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
  for (const start of recorded?.snapshots ?? []) countState(start, 'journal');
  by.journal += recorded?.bytes ?? 0;
  const total = Object.values(by).reduce((all, bytes) => all + bytes, 0);
  return { by, total: Math.max(0, total), logs, entries, indexes };
};

/** @param forgetClosed drops closed worlds */
export const createHostMemory = (
  limit: number,
  users: () => readonly MemoryUser[],
  forgetClosed: () => void,
  recorded: () => RecordedMemory | undefined = () => undefined,
) => {
  const count = () => takeStock(users(), recorded());
  /** An upper bound between exact counts. */
  let used = 0;
  /** Bytes above which entries are evicted. */
  let full = limit * EVICT_ABOVE;
  const evict = (coming = 0): void => {
    forgetClosed();
    let stock = count();
    if (stock.indexes > limit * MAX_INDEX_SHARE) {
      for (const { opened } of users()) for (const name of NAMES) opened?.world.store[name].dropIndexes();
      stock = count();
    }
    const { total, logs, entries } = stock;
    used = total;
    const stays = entries.reduce((left, { bytes }) => left - bytes, total);
    const target = stays + (limit * EVICT_ABOVE - coming - stays) * EVICT_DOWN_TO;
    let upTo = -1;
    for (const { turn, bytes } of entries.sort((a, b) => a.turn - b.turn)) {
      if (used <= target) break;
      used -= bytes;
      upTo = turn;
    }
    for (const log of logs) log.evict(upTo);
    full = Math.max(limit * EVICT_ABOVE, used + limit / 16);
  };
  return {
    limit,
    read: (): { readonly used: number; readonly by: Readonly<Record<Use, number>> } => {
      const { by, total } = count();
      used = total;
      return { used, by };
    },
    add: (bytes: number): void => {
      used += bytes;
      if (used > full) evict();
    },
    /** Reserves bytes that are never evicted. @throws Problem 409 when there is no room */
    take: (what: string, bytes: number): void => {
      if (used + bytes > limit) evict(bytes);
      if (used + bytes > limit) {
        const [now, all] = [used, limit].map((n) => `${Math.ceil(n / MEGABYTE)} MB`);
        const says = `There is no room for another ${what}: ${now} of ${all} are used, and nothing of it may be forgotten. Delete worlds or snapshots, reset, or start the mock with a larger --memory. GET /_mock/health says what uses how much; docs/security.md says more.`;
        throw new Problem(409, 'conflict', says);
      }
      used += bytes;
    },
  };
};
export type HostMemory = ReturnType<typeof createHostMemory>;
