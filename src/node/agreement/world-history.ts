// The past of a world as its pages can know it: requests, each with the world as it was at its response.
import { hostOptionsOf, mockOn } from '../../mock/api/create.ts';
import type { Mock } from '../../mock/api/mock.ts';
import { Host } from '../../mock/control/host.ts';
import { snapshotOf } from '../../mock/control/snapshot.ts';
import type { RequestEntry, RequestSummary } from '../../service/http/journal-entries.ts';
import type { Sender } from '../../service/webhooks/sender.ts';
import { World } from '../../service/world/world.ts';

/** State of a world that a page may know of. */
export interface Moment {
  /** Changes of records until then. */
  readonly changes: number;
  readonly world: World;
}

export interface PastRequest extends Moment, Pick<RequestSummary, 'id' | 'method' | 'path' | 'status' | 'fault'> {
  readonly entry: RequestEntry;
}

export class WorldHistory {
  readonly mock: Mock;
  /** Addresses that the test leads to the world. */
  readonly routed: readonly string[];
  readonly requests: PastRequest[] = [];
  /** The state when a receiver last acknowledged an event. */
  delivered: Moment | undefined;
  #changes = 0;
  #watched: World | undefined;

  constructor(mock: Mock, routed: readonly string[]) {
    this.mock = mock;
    this.routed = routed;
    this.now();
    mock.onRequest(({ id, method, path, status, fault }, _world, read) => {
      let entry: RequestEntry | undefined;
      const past = { id, method, path, status, fault, ...this.now() };
      this.requests.push(Object.defineProperty(past, 'entry', { get: () => (entry ??= read()) }) as PastRequest);
    });
    mock.webhooks.onDelivery(({ state }) => {
      if (state === 'delivered') this.delivered = this.now();
    });
  }

  now(): Moment {
    const { world } = this.mock;
    // A reset replaces the world.
    if (world !== this.#watched)
      world.observers.push(() => {
        this.#changes += 1;
      });
    this.#watched = world;
    return { changes: this.#changes, world: world.fork() };
  }
}

const sendNothing: Sender = async () => ({ kind: 'response', status: 204, simulated: true, took: 0 });

/** A mock of its own with the data of a world, the clock of now, a fresh quota and no faults. */
export const copyWorld = ({ world }: Moment, now: Moment): Mock => {
  const copy = World.from({ ...now.world.save(), windows: [] }, (name) => world.store[name].fork() as never);
  return mockOn(new Host(snapshotOf(copy), hostOptionsOf({ sender: sendNothing })), { noControl: true });
};
