// The past of a world as its pages can know it: requests, the changes of records, and who made them; and what a world was without some of them.
import { hostOptionsOf, mockOn } from '../../mock/api/create.ts';
import type { Mock } from '../../mock/api/mock.ts';
import { Host } from '../../mock/control/host.ts';
import { snapshotOf } from '../../mock/control/snapshot.ts';
import { touchedBy } from '../../service/http/differences.ts';
import type { RequestEntry, RequestSummary } from '../../service/http/journal-entries.ts';
import type { Sender } from '../../service/webhooks/sender.ts';
import type { RecordName, Records } from '../../service/world/records.ts';
import { type Change, World } from '../../service/world/world.ts';

export interface PastRequest extends Pick<RequestSummary, 'id' | 'method' | 'path' | 'status' | 'fault'> {
  /** Changes before its response. */
  readonly after: number;
  entry(): RequestEntry;
}

export interface PastChange {
  /** Counts from 1. */
  readonly n: number;
  readonly change: Change;
  /** Absent: a program made it. */
  request?: PastRequest;
}

export const recordIdOf = (change: Change): string => touchedBy(change).id;

export const formatPastRequest = ({ method, path, status, id }: PastRequest): string => `${method} ${path} → ${status} (${id})`;

/** What changed, and by which request. */
export const formatChange = ({ change, request }: PastChange): string => {
  const { kind, id } = touchedBy(change);
  return `${request ? formatPastRequest(request) : 'the test'} ${kind} ${id}`;
};

export class WorldHistory {
  readonly requests: PastRequest[] = [];
  readonly changes: PastChange[] = [];
  /** Records of which a receiver has acknowledged an event. */
  readonly announced = new Set<string>();
  readonly mock: Mock;
  readonly routed: readonly string[];
  #watched: World | undefined;

  constructor(mock: Mock, routed: readonly string[]) {
    this.mock = mock;
    this.routed = routed;
    this.#watch();
    mock.onRequest(({ id, method, path, status, fault }, _world, entry) => {
      this.#watch();
      const request = { id, method, path, status, fault, after: this.changes.length, entry };
      this.requests.push(request);
      if (method !== 'GET') this.#attribute(request);
    });
    mock.webhooks.onDelivery(({ state, event }) => {
      if (state === 'delivered')
        for (const [, id] of JSON.stringify(event.data).matchAll(/"id":"([^"]+)"/g)) this.announced.add(id!);
    });
  }

  /** A reset replaces the world. */
  #watch(): void {
    const { world } = this.mock;
    if (world === this.#watched) return;
    this.#watched = world;
    world.observers.push((change) => this.changes.push({ n: this.changes.length + 1, change }));
  }

  /** The response of a held request comes after its changes. */
  #attribute(request: PastRequest): void {
    for (const { id } of request.entry().changes) {
      const made = this.changes.findLast((one) => one.request === undefined && recordIdOf(one.change) === id);
      if (made) made.request = request;
    }
  }
}

const sendNothing: Sender = async () => ({ kind: 'response', status: 204, simulated: true, took: 0 });

/**
 * A copy of a world in a mock of its own, with its clock and data, a fresh quota and no faults. The world stays as it is.
 * @param without changes that are taken back
 */
export const copyWorld = (world: World, without: readonly Change[] = []): Mock => {
  const collectionOf = (name: RecordName) => world.store[name].fork() as never;
  const copy = World.from({ ...world.save(), windows: [] }, collectionOf);
  for (const change of [...without].reverse()) {
    const { name, workspace, before } = change;
    const store = copy.store[name] as { get(id: string): unknown; put(row: unknown): void; remove(id: string): unknown };
    const row = store.get(recordIdOf(change)) as { readonly sequence: number } | undefined;
    if (before === undefined) store.remove(recordIdOf(change));
    else store.put({ sequence: copy.nextSequence(), ...row, workspace, value: before as Records[RecordName] });
  }
  return mockOn(new Host(snapshotOf(copy), hostOptionsOf({ sender: sendNothing })), { noControl: true });
};
