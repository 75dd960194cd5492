// What one id of the host stands for: a live world, what it goes back to, its snapshots, and those who listen to it.

import { Problem } from '../contract/errors.ts';
import type { Release } from '../contract/releases.ts';
import type { Exchange } from '../http/exchange.ts';
import { Showing } from '../http/show-exchange.ts';
import { realNow } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import { Feed } from './feed.ts';
import { Live, type Sending, type Still } from './state.ts';

const MOST_SNAPSHOTS = 1000;

export class Site {
  readonly id: string;
  readonly feed = new Feed();
  /** Real time of the last request, milliseconds since 1970. */
  lastUsed = realNow();
  #origin: Still;
  #live: Live | undefined;
  readonly #sending: Sending;
  readonly #told: (site: Site, exchange: Exchange) => void;
  #snapshots: Map<string, Still> | undefined;
  #taken = 0;

  /** @param told hears of each exchange. */
  constructor(id: string, origin: Still, sending: Sending, told: (site: Site, exchange: Exchange) => void) {
    this.id = id;
    this.#origin = origin;
    this.#sending = sending;
    this.#told = told;
  }

  /** The state as it is. It is made on first use: a fork that nobody asks holds nothing of its own. */
  get live(): Live {
    this.#live ??= this.#open(this.#origin);
    return this.#live;
  }

  get world(): World {
    return this.live.world;
  }

  /** The state if it was made already. */
  get opened(): Live | undefined {
    return this.#live;
  }

  /** How many snapshots were ever made. */
  get taken(): number {
    return this.#taken;
  }

  /** Has these snapshots from now on. */
  resume(snapshots: Iterable<readonly [string, Still]>, taken: number): void {
    this.#snapshots = new Map(snapshots);
    this.#taken = taken;
  }

  /** Goes on from a state; nobody is told. */
  goOn(still: Still): Live {
    this.#live = this.#open(still);
    return this.#live;
  }

  /** The release of its service. */
  get release(): Release {
    return (this.#live ?? this.#origin).world.release;
  }

  /** What it goes back to. */
  get origin(): Still {
    return this.#origin;
  }

  /** Back to the origin, another one if given. */
  reset(origin: Still = this.#origin): void {
    this.#origin = origin;
    this.#become(origin);
  }

  /** Saves the state. @returns the snapshot's id. @throws Problem 409 when there are too many. */
  snapshot(): string {
    if (this.snapshots.length >= MOST_SNAPSHOTS) {
      throw new Problem(409, 'conflict', `This world has ${MOST_SNAPSHOTS} snapshots already. Delete some.`);
    }
    this.#taken += 1;
    const id = `snap_${this.#taken}`;
    this.#snapshots ??= new Map();
    this.#snapshots.set(id, this.live.still('with journal'));
    return id;
  }

  get snapshots(): readonly string[] {
    return [...(this.#snapshots?.keys() ?? [])];
  }

  snapshotOf(id: string): Still | undefined {
    return this.#snapshots?.get(id);
  }

  /** @returns whether there is such a snapshot. */
  restore(id: string): boolean {
    const still = this.snapshotOf(id);
    if (still) this.#become(still);
    return still !== undefined;
  }

  /** @returns whether there was such a snapshot. */
  forget(id: string): boolean {
    return this.#snapshots?.delete(id) ?? false;
  }

  /** Shows exchanges of the journal. */
  showing(): Showing {
    const { world, journal, retired } = this.live;
    return new Showing(world, journal, retired);
  }

  /** Tells listeners where the clock stands now. */
  tellClock(): void {
    const { clock } = this.world;
    this.feed.tell('clock', () => ({ now: new Date(clock.now()).toISOString(), mode: clock.mode }));
  }

  close(): void {
    this.feed.end();
    this.#live?.stop();
  }

  #become(still: Still): void {
    const before = this.#live;
    this.#live = this.#open(still);
    before?.stop();
    this.tellClock();
    this.feed.tell('state', () => ({ kind: 'replaced' }));
  }

  #open(still: Still): Live {
    const live = new Live(still, this.#sending);
    const { feed } = this;
    live.journal.observers.push((exchange) => this.#told(this, exchange));
    live.faults.observers.push(() => feed.tell('state', () => ({ kind: 'faults' })));
    live.webhooks.onDelivery((delivery) => feed.tell('delivery', () => delivery));
    live.world.observers.push(({ name, workspace, before, after }) =>
      feed.tell('state', () => ({
        kind: !before ? 'created' : after ? 'updated' : 'deleted',
        collection: name,
        id: (after ?? before)?.id,
        workspace_id: workspace,
      })),
    );
    return live;
  }
}
