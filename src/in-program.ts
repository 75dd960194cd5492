// A world as a program holds it: asked without a socket, moved in time, forked, looked into.
import type { Hono } from 'hono';
import type { Choices } from './contract/choices.ts';
import { SCOPES, type Scope } from './contract/scopes.ts';
import { advance, milliseconds, setClock } from './control/calls/clock.ts';
import { addFault, showFault } from './control/calls/faults.ts';
import { requestsOf } from './control/calls/journal.ts';
import { setChoices } from './control/calls/worlds.ts';
import { type Guard, IN_PROCESS } from './control/guard.ts';
import type { Host } from './control/host.ts';
import type { Site } from './control/site.ts';
import { stillOf } from './control/state.ts';
import type { RequestEntry, RequestSummary } from './http/show-exchange.ts';
import type { Delivery } from './webhooks/delivery.ts';
import type { Webhooks } from './webhooks/webhooks.ts';
import type { ClockMode } from './world/clock.ts';
import type { FaultDraft } from './world/faults.ts';
import type { Seed } from './world/records.ts';
import { World } from './world/world.ts';

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
  /** @throws Problem when the time is none. */
  set(now: string | number | Date, mode?: ClockMode): void;
  /** Stops the clock, where it stands unless told otherwise. */
  freeze(at?: string | number | Date): void;
  /** Lets it run with the real time. */
  run(): void;
}

/** A fault with what it has done so far. */
export type MockFault = ReturnType<typeof showFault>;

export interface MockFaults {
  /** @throws Problem when it makes no sense. */
  add(fault: FaultDraft): MockFault;
  list(): readonly MockFault[];
  /** @returns whether there was one. */
  remove(id: string): boolean;
  clear(): void;
  /** Lets go what it keeps back, for good. */
  release(id: string): void;
}

export interface ForkOptions {
  readonly id?: string;
  /** `current` (the default): as it stands; `seed`: as it began. */
  readonly from?: 'current' | 'seed';
  /** Keys of its own, which reach it at the plain base URL as well. */
  readonly mintKeys?: boolean;
}

export interface Mock {
  /** Id of the world; `default` for the one that a mock begins with. */
  readonly id: string;
  /** The whole application: `app.fetch(request)` answers any URL of it. */
  readonly app: Hono;
  /** Base URL of requests made in process; ends in `/v1`. */
  readonly baseUrl: string;
  /** Answers a request with no socket. A path is taken below the base URL. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** The Authorization header of a key of this scope. @throws RangeError when there is none. */
  auth(scope: Scope, workspace?: string): { readonly authorization: string };
  /** The keys that work, in the order of the seed. */
  readonly keys: readonly MockKey[];
  /** Everything that can change. */
  readonly world: World;
  readonly clock: MockClock;
  readonly faults: MockFaults;
  /** The journal, oldest first. */
  readonly requests: readonly RequestEntry[];
  /** The delivery log, in the order of the events. */
  readonly deliveries: readonly Delivery[];
  readonly webhooks: Pick<Webhooks, 'settled' | 'replay' | 'simulate' | 'onDelivery'>;
  /** The answers to the open points. */
  readonly choices: Choices;
  /** Answers some of them anew. @throws Problem naming each unknown one. */
  choose(answers: Readonly<Record<string, unknown>>): void;
  /** Calls after each request of any world. @returns what ends it. */
  onRequest(call: (request: RequestSummary, world: string) => void): () => void;
  /** Saves the state. */
  snapshot(): { readonly id: string; restore(): void };
  /** An independent world of the same mock; closing it deletes it. */
  fork(options?: ForkOptions): Mock;
  /** Back to the seed, another one if given. */
  reset(seed?: Seed): void;
  close(): Promise<void>;
  /** Who may use the control API. */
  readonly guard: Guard;
}

const clockOf = (site: Site): MockClock => {
  const at = (time: string | number | Date) => (time instanceof Date ? time.getTime() : time);
  const set = (now: string | number | Date | undefined, mode?: ClockMode) =>
    void setClock(site, { now: now === undefined ? undefined : at(now), mode });
  return {
    get now() {
      return new Date(site.world.clock.now()).toISOString();
    },
    get mode() {
      return site.world.clock.mode;
    },
    advance: async (by) => {
      const ms = by === 'next' ? by : milliseconds(by);
      if (ms === undefined)
        throw new RangeError(`advance: expected a duration such as 30s or 2h, milliseconds or next, got "${by}"`);
      return advance(site, ms);
    },
    set,
    freeze: (now) => set(now, 'frozen'),
    run: () => set(undefined, 'running'),
  };
};

const faultsOf = (site: Site): MockFaults => ({
  add: (fault) => showFault(addFault(site.live, fault)),
  list: () => site.live.faults.list().map(showFault),
  remove: (id) => site.live.faults.remove(id),
  clear: () => site.live.faults.clear(),
  release: (id) => void site.live.faults.release(id),
});

const keysOf = ({ store }: World): MockKey[] =>
  store.keys
    .all()
    .filter(({ value }) => !value.revoked)
    .map(({ value: { value, scope, user_id }, workspace }) => ({ value, scope, workspace_id: workspace, user_id }));

/** The mock of one world of a host. */
export const mockOf = (host: Host, site: Site, app: Hono, guard: Guard): Mock => {
  const baseUrl = `http://${IN_PROCESS}${site === host.main ? '' : `/worlds/${site.id}`}/v1`;
  return {
    id: site.id,
    app,
    baseUrl,
    guard,
    get world() {
      return site.world;
    },
    get keys() {
      return keysOf(site.world);
    },
    get requests() {
      return requestsOf(site);
    },
    get deliveries() {
      return site.live.webhooks.deliveries.list();
    },
    get webhooks() {
      return site.live.webhooks;
    },
    get choices() {
      return site.world.choices;
    },
    clock: clockOf(site),
    faults: faultsOf(site),
    choose: (answers) => void setChoices(site, answers),
    onRequest: (call) => {
      const told: Parameters<typeof host.onExchange.add>[0] = (from, exchange) => call(from.showing().summary(exchange), from.id);
      host.onExchange.add(told);
      return () => void host.onExchange.delete(told);
    },
    snapshot: () => {
      const id = site.snapshot();
      return { id, restore: () => void site.restore(id) };
    },
    fork: ({ id = host.freeId(), from = 'current', mintKeys = false } = {}) => {
      const origin = from === 'seed' ? site.origin : site.live.still('without journal');
      return mockOf(host, host.open(id, origin, mintKeys), app, guard);
    },
    fetch: async (input, init) =>
      app.fetch(
        typeof input === 'string' && input.startsWith('/') ? new Request(baseUrl + input, init) : new Request(input, init),
      ),
    auth: (scope, workspace) => {
      const key = keysOf(site.world).find(
        (one) => one.scope === scope && (workspace === undefined || one.workspace_id === workspace),
      );
      if (!key) throw new RangeError(`auth: expected a scope of ${SCOPES.join(', ')} that the seed has a key of, got "${scope}"`);
      return { authorization: `Bearer ${key.value}` };
    },
    reset: (seed) => site.reset(seed && stillOf(World.plant(seed))),
    close: async () => {
      if (site === host.main) host.close();
      else host.remove(site.id);
    },
  };
};
