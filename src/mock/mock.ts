// What a program holds of a mock: a world that is asked without a socket, moved in time, forked, looked into.
import type { Choices } from '../contract/choices.ts';
import type { Forward } from '../contract/forward.ts';
import type { Release } from '../contract/releases.ts';
import type { Scope } from '../contract/states.ts';
import type { showFault } from '../control/calls/faults.ts';
import type { Compatibility } from '../control/calls/release.ts';
import type { WorldDiff } from '../control/diff.ts';
import type { Guard } from '../control/guard.ts';
import type { TimelineEntry } from '../control/timeline-entries.ts';
import type { RequestEntry, RequestSummary } from '../http/show-exchange.ts';
import type { Repro } from '../repro/file.ts';
import type { Delivery } from '../webhooks/delivery.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { ClockMode } from '../world/clock.ts';
import type { FaultOrder } from '../world/fault-draft.ts';
import type { World } from '../world/world.ts';
import type { MockRecords } from './records.ts';

/** An application in the form that Hono, Deno, Bun and others mount. */
export interface App {
  /** @param env what the application's server hands on, as Hono names it */
  fetch(request: Request, env?: object): Response | Promise<Response>;
  /** The same for a URL or a path of it. */
  request(input: Request | string | URL, init?: RequestInit, env?: object): Response | Promise<Response>;
}

/** A key with whose it is. */
export interface MockKey {
  readonly value: string;
  readonly scope: Scope;
  readonly workspace_id: string;
  readonly user_id: string;
}

export interface Advanced {
  readonly now: string;
  readonly mode: ClockMode;
  /** When the next attempt is due. */
  readonly next: string | null;
  /** The deliveries in which an attempt was made. */
  readonly deliveries: readonly Delivery[];
}

export interface MockClock {
  /** ISO 8601. */
  readonly now: string;
  readonly mode: ClockMode;
  /** Moves on by `30s`, `2h`, milliseconds, or to the `next` attempt; resolves when every attempt due has ended. */
  advance(by: string | number): Promise<Advanced>;
  /** @throws Problem when the time or the mode is none. */
  set(now: string | number | Date, mode?: ClockMode): void;
  /** Stops the clock, where it stands unless told otherwise. */
  freeze(at?: string | number | Date): void;
  /** Lets it run with the real time. */
  run(): void;
}

/** A fault with what it has done so far. */
export type MockFault = ReturnType<typeof showFault>;

export interface MockFaults {
  /** Orders a fault. @throws Problem naming each field that `POST /_mock/faults` would refuse. */
  add(fault: FaultOrder): MockFault;
  list(): readonly MockFault[];
  /** @returns whether there was one. */
  remove(id: string): boolean;
  clear(): void;
  /** Lets go what it keeps back, for good; with the number of a request in `holding` that answer alone. @throws Problem 404 when no fault has the id, 422 when it holds none */
  release(id: string, request?: number): void;
}

export interface ForkOptions {
  /** 1 to 64 letters, digits, dots, dashes or underscores, the first a letter or digit; one is made unless told. */
  readonly id?: string;
  /** `current` (the default): as it stands; `seed`: as it began. */
  readonly from?: 'current' | 'seed';
  /** Keys of its own, which reach it at the plain base URL as well. */
  readonly mintKeys?: boolean;
  /** What it is for, such as the title of a test: the dashboard lists worlds by it. */
  readonly title?: string;
}

export interface Mock extends MockRecords {
  /** Id of the world; `default` for the one that a mock begins with. */
  readonly id: string;
  /** The whole application: `app.fetch(request)` answers any URL of it. */
  readonly app: App;
  /** Base URL of requests made in process; ends in `/v1`. */
  readonly baseUrl: string;
  /**
   * Answers a request with no socket. A path is taken below the base URL.
   * @throws as fetch does: TypeError when a fault closes the connection, the reason of a signal that is aborted.
   */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The Authorization header of a key of this scope, of any workspace unless told. @throws RangeError that says which there are. */
  auth(scope: Scope, workspace?: string): { readonly authorization: string };
  /** The keys that work, in the order of the seed. */
  readonly keys: readonly MockKey[];
  /** Everything that can change. */
  readonly world: World;
  readonly clock: MockClock;
  readonly faults: MockFaults;
  /** The journal, oldest first. */
  readonly requests: readonly RequestEntry[];
  /** What happened, in its order, with what each follows from and what followed from it. */
  readonly timeline: readonly TimelineEntry[];
  /** The delivery log, in the order of the events. */
  readonly deliveries: readonly Delivery[];
  readonly webhooks: Pick<Webhooks, 'settled' | 'replay' | 'simulate' | 'onDelivery'>;
  /** The answers to the open points. */
  readonly choices: Choices;
  /** Answers some of them anew. @throws Problem naming each unknown one. */
  choose(answers: Readonly<Record<string, unknown>>): void;
  /** The release of the service. */
  readonly release: Release;
  /** The changes of a later release that it makes already. */
  readonly forwardCompat: Forward;
  /** Is ahead of its clients from now on: by all kinds of change, or by those named. @throws Problem */
  moveAhead(kinds: boolean | string | readonly string[]): void;
  /** How clients live with that, as far as a server can see. */
  readonly compatibility: Compatibility;
  /** Becomes the service of another release, data and all; what that one does not know is kept and not shown. @throws Problem */
  become(release: Release): void;
  /** Calls after each request of any world, with what the journal says of it. @returns what ends it. */
  onRequest(call: (request: RequestSummary, world: string, entry: () => RequestEntry) => void): () => void;
  /** Saves the state. */
  snapshot(): { readonly id: string; restore(): void };
  /** An independent world of the same mock; closing it deletes it. @throws Problem 422 when an option is none, 409 when the id is taken. */
  fork(options?: ForkOptions): Mock;
  /**
   * Back to the seed, another one if given: parsed, and with no `generate`, which only createMock can wait for.
   * @throws SeedError naming every problem, RangeError for `generate`, TypeError for what is no object.
   */
  reset(seed?: object): void;
  /**
   * The world as it was after a step of its recording, as a world of its own. `save()` shows the steps.
   * @param options `before`: as it was before that step; `id` of the new world @throws Problem 409 when nothing was recorded, 422 when there is no such step
   */
  rewind(step: number, options?: { readonly before?: boolean; readonly id?: string }): Promise<Mock>;
  /** What is created, gone or changed in another world: records with their fields, and deliveries. */
  diff(other: Pick<Mock, 'id' | 'world' | 'deliveries'>): WorldDiff;
  /** What came in so far, as a repro file, where the mock was made with `record`. @throws Error that says how to record */
  save(title?: string): Promise<Repro>;
  close(): Promise<void>;
  /** Who may use the control API. */
  readonly guard: Guard;
}
