// One budget in bytes for all that the worlds of a host keep beyond the seed: the oldest that may be forgotten goes first.
import { Problem } from '../../service/contract/errors.ts';
import type { Faults } from '../../service/world/faults.ts';
import type { Log } from '../../service/world/turn.ts';
import type { Running } from './running.ts';
import type { Snapshot } from './snapshot.ts';
import { WEIGHT } from './timeline.ts';
import {
  USES,
  type Use,
  type Written,
  weightOfAsked,
  weightOfDelivery,
  weightOfExchange,
  weightOfFault,
  weightOfMessage,
} from './written.ts';

export const MEGABYTE = 1_000_000;
/** What stands there before anybody has used it, bytes. */
export const EMPTY = { world: 4000, running: 30_000, snapshot: 20_000, held: 20_000 };
/** The part of a budget from which on room is made: garbage needs some as well. */
const FULL = 7 / 8;
/** So much is kept of what may be forgotten and has room, so that room is made seldom. */
const KEPT = 5 / 7;

/** A world, as far as it takes room. */
interface Tenant {
  readonly opened: Running | undefined;
  readonly origin: Snapshot;
  readonly snapshots: Iterable<string>;
  snapshotOf(id: string): Snapshot | undefined;
}

/** Counts what many share once. */
class Census {
  readonly use = Object.fromEntries(USES.map((use) => [use, 0])) as { -readonly [U in keyof Use]: number };
  readonly logs: Log<unknown>[] = [];
  /** What may be forgotten: its turn, whether somebody waits for it, its weight. */
  readonly things: [turn: number, needed: boolean, bytes: number][] = [];
  readonly #seen = new Set<unknown>();

  constructor(instances: Iterable<Tenant>) {
    const all = [...instances];
    for (const { opened } of all) {
      this.use.worlds += EMPTY.world;
      if (opened) this.#running(opened);
    }
    for (const { origin } of all) this.#atRest(origin, 'worlds');
    for (const instance of all) {
      for (const id of instance.snapshots) {
        this.use.snapshots += EMPTY.snapshot;
        this.#atRest(instance.snapshotOf(id)!, 'snapshots');
      }
    }
  }

  #running({ faults, journal, timeline, webhooks, inbox, held, written }: Running): void {
    this.use.worlds += EMPTY.running;
    this.#faults(faults, 'worlds');
    this.#written(written, 'worlds');
    this.#log(journal, weightOfExchange, 'journal');
    this.#log(timeline, () => WEIGHT, 'journal');
    this.#log(webhooks.deliveries, weightOfDelivery, 'deliveries');
    this.#log(inbox, weightOfMessage, 'inbox');
    for (const { asked } of held) this.use.held += EMPTY.held + weightOfAsked(asked);
  }

  #atRest({ faults, journal, timeline, webhooks, inbox, written }: Snapshot, use: keyof Use): void {
    this.#faults(faults, use);
    this.#written(written, use);
    this.#log(journal, weightOfExchange, use);
    this.#log(timeline, () => WEIGHT, use);
    if (webhooks) this.#log(webhooks.deliveries, weightOfDelivery, use);
    this.#log(inbox, weightOfMessage, use);
  }

  /** Copies of a fault share what it says. */
  #faults(faults: Faults, use: keyof Use): void {
    for (const fault of faults.list()) {
      if (this.#seen.has(fault.effect)) continue;
      this.#seen.add(fault.effect);
      this.use[use] += weightOfFault(fault);
    }
  }

  #written(written: Written | undefined, use: keyof Use): void {
    for (let one = written; one && !this.#seen.has(one); one = one.before) {
      this.#seen.add(one);
      this.use[use] += one.bytes;
    }
  }

  #log<T>(log: Log<T>, weigh: (thing: T) => number, use: keyof Use): void {
    this.logs.push(log as unknown as Log<unknown>);
    log.each((thing, turn, needed) => {
      if (this.#seen.has(thing)) return;
      this.#seen.add(thing);
      const bytes = weigh(thing);
      this.use[use] += bytes;
      this.things.push([turn, needed, bytes]);
    });
  }
}

const sumOf = (use: Use): number => Math.max(0, ...[Object.values(use).reduce((sum, bytes) => sum + bytes, 0)]);

export class Budget {
  /** Bytes. */
  readonly limit: number;
  readonly #instances: () => Iterable<Tenant>;
  readonly #clear: () => void;
  /** At most so much is used. */
  #used = 0;
  /** From how much on room is made. */
  #full: number;

  /** @param clear lets go what nobody asks for any more */
  constructor(limit: number, instances: () => Iterable<Tenant>, clear = () => {}) {
    this.limit = limit;
    this.#instances = instances;
    this.#clear = clear;
    this.#full = limit * FULL;
  }

  get used(): number {
    return this.#used;
  }

  /** Notes that so many bytes came. */
  add(bytes: number): void {
    this.#used += bytes;
    if (this.#used > this.#full) this.#makeRoom();
  }

  /** What is used, by what. */
  use(): Use {
    const { use } = new Census(this.#instances());
    this.#used = sumOf(use);
    return use;
  }

  /** Makes room for something that stays. @throws Problem 409 when all that may be forgotten is not enough. */
  take(what: string, bytes: number): void {
    if (this.#used + bytes > this.limit) this.#makeRoom(bytes);
    if (this.#used + bytes > this.limit) {
      const [used, limit] = [this.#used, this.limit].map((n) => `${Math.ceil(n / MEGABYTE)} MB`);
      const says = `There is no room for another ${what}: ${used} of ${limit} are used, and nothing of it may be forgotten. Delete worlds or snapshots, reset, or start the mock with a larger --memory. GET /_mock/health says what uses how much; docs/security.md says more.`;
      throw new Problem(409, 'conflict', says);
    }
    this.#used += bytes;
  }

  #makeRoom(coming = 0): void {
    this.#clear();
    const { use, logs, things } = new Census(this.#instances());
    this.#used = sumOf(use);
    const stays = things.reduce((left, [, , bytes]) => left - bytes, this.#used);
    const target = stays + (this.limit * FULL - coming - stays) * KEPT;
    // The oldest first, and what somebody still waits for last.
    things.sort(([a, first], [b, second]) => Number(first) - Number(second) || a - b);
    const upTo = { kept: 0, needed: 0 };
    for (const [turn, needed, bytes] of things) {
      if (this.#used <= target) break;
      this.#used -= bytes;
      upTo[needed ? 'needed' : 'kept'] = turn;
    }
    for (const log of logs) log.forget(upTo.kept, upTo.needed);
    this.#full = Math.max(this.limit * FULL, this.#used + this.limit / 16);
  }
}
