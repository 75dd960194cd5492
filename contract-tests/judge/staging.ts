// A conforming server under the conditions of a staging: what stands between it and the suite, who else uses it, how its events come.

import { dieOf } from '../engine/dice.ts';
import type { ContractOptions } from '../engine/options.ts';
import { type Arrival, Receiver } from '../engine/receiver.ts';
import { latestRelease } from '../engine/register.ts';
import type { Fetch } from '../engine/terms.ts';
import type { Time } from '../engine/time.ts';
import { type Loose, parse } from './operators/exchange.ts';
import { type Letter, sealed } from './operators/mail.ts';
import { around } from './reference/around.ts';
import { type Clock, realClock, VirtualClock } from './reference/clock.ts';
import type { Project, Row, Task } from './reference/model.ts';
import { createReferenceServer, fails, type ReferenceServer } from './reference/server.ts';
import type { Service } from './reference/service/service.ts';
import { SOUTH, type Store } from './reference/world.ts';
import { HOOKS, type Keys, mockTarget } from './targets.ts';
import type { Variant } from './variants.ts';

export type Place = 'reference' | 'mock' | 'socket';
/** Between the suite and a server: what a request becomes on its way. */
export type Layer = (next: Fetch, url: string, init: RequestInit | undefined, stage: Stage) => Promise<Response>;

/** Whether a layer has to do with a request; all others pass. */
export const isApi = (url: string): boolean => url.includes('/v1/');

/** After this many milliseconds a response comes too late. */
const ACKNOWLEDGE_MS = 10_000;

/** Receivers without a socket: every run that uses the address gets every message, and the strictest response counts. */
export class Desk {
  readonly #receivers = new Set<Receiver>();
  /** The secrets of each address: several registrations may share one. */
  readonly #secrets = new Map<string, string[]>();
  /** Changes of the body of each message. */
  readonly rewrites: ((body: Loose) => Loose)[] = [];
  /** How far the server's clock is ahead of the runs'. */
  ahead = 0;
  static readonly url = 'http://127.0.0.1:9/desk';

  /** A receiver of a run. */
  receiver(): Receiver {
    const all = this.#receivers;
    return new (class extends Receiver {
      async listen(): Promise<string> {
        all.add(this);
        return Desk.url;
      }
      async close(): Promise<void> {
        all.delete(this);
      }
    })();
  }

  /** Learns the secret of each registration, to sign again what is rewritten. */
  readonly spy: Layer = async (next, url, init) => {
    const response = await next(url, init);
    if (init?.method !== 'POST' || !url.endsWith('/webhooks') || !response.ok) return response;
    const text = await response.clone().text();
    const json = parse(text) as Loose;
    const to = (parse(String(init.body)) as Loose)?.url;
    const secret = json?.data?.secret ?? json?.secret;
    if (typeof to === 'string' && typeof secret === 'string') this.#secrets.set(to, [...(this.#secrets.get(to) ?? []), secret]);
    return response;
  };

  /** This in other words, signed again with its own secret; a message that no known secret has signed stays so. */
  #rewritten(letter: Letter): Letter {
    if (this.rewrites.length === 0) return letter;
    const body = JSON.stringify(this.rewrites.reduce((json, f) => f(json), parse(letter.body)));
    const made = JSON.stringify(letter.headers);
    const secret = this.#secrets.get(letter.url)?.find((one) => JSON.stringify(sealed(letter, one).headers) === made);
    return secret === undefined ? { ...letter, body } : sealed({ ...letter, body }, secret);
  }

  /**
   * Brings a message.
   * @param held whether a response can be held back: else one that comes too late is none at once
   * @returns the status of the response, 0 when none came in time
   */
  async carry(letter: Letter, time: Time, signal: AbortSignal | undefined, held: boolean): Promise<number> {
    const headers = Object.fromEntries(Object.entries(letter.headers).map(([name, value]) => [name.toLowerCase(), value]));
    const sent = this.#rewritten({ ...letter, headers });
    const message: Omit<Arrival, 'path' | 'query' | 'json'> = {
      method: sent.method,
      headers: sent.headers,
      body: sent.body,
      at: time.now() - this.ahead,
    };
    const responses = [...this.#receivers].map((receiver) => receiver.take(sent.url, message));
    const late = Math.max(0, ...responses.map(({ delayMs }) => delayMs));
    if (late >= ACKNOWLEDGE_MS && !held) return 0;
    if (late > 0 && held) {
      const given = new Promise<boolean>((done) => {
        time.after(late, () => done(true));
        signal?.addEventListener('abort', () => done(false));
      });
      if (!(await given)) return 0;
    }
    return Math.max(200, ...responses.map(({ status }) => status));
  }
}

/** The plan of a staging, before its server is there. */
export interface Plan {
  readonly host: Place;
  readonly seed: number;
  /** Requests a minute. */
  limit: number;
  variant: Variant;
  /** A fault of the reference server: under any condition it is to be found. */
  readonly alter: ((service: Service) => void) | undefined;
  /** How long an event waits for its first attempt, milliseconds; the reference server alone can wait. */
  tardy: () => number;
  /** People of the second workspace who are of the first, too; the mock gives no user two workspaces. */
  shared: 'none' | 'one person' | 'the user of the key' | 'everybody';
  /** A private project is there for its owner alone. */
  discreet: boolean;
  /** The server's clock stands ahead of the suite's by this many milliseconds. */
  ahead: number;
  /** From the server to the suite. */
  readonly layers: Layer[];
  readonly rewrites: ((body: Loose) => Loose)[];
  /** Before the first run, and after the last: what is wrong with what is left. */
  readonly before: ((stage: Stage) => Promise<void>)[];
  readonly after: ((stage: Stage) => Promise<string[]>)[];
  runs: 'one' | 'one after another' | 'two at once';
  /** Whether the run may put the clock forward. */
  virtual: boolean;
  readonly options: { -readonly [K in keyof ContractOptions]?: ContractOptions[K] };
}

export interface Stage {
  readonly plan: Plan;
  readonly desk: Desk;
  readonly keys: Keys;
  /** Straight to the server. */
  readonly direct: Fetch;
  /** The server's clock. */
  readonly time: Time;
  readonly options: ContractOptions;
  /** The records of the reference server; undefined where no user comes or goes. */
  readonly store: Store | undefined;
  close(): Promise<void>;
}

type Opened = Omit<Stage, 'plan' | 'desk' | 'options'> & { target: Partial<ContractOptions> };

/** Makes people of the first workspace members of the second, too. */
const share = ({ shared }: Plan, db: Store): void => {
  if (shared === 'none') return;
  const north = db.memberships.filter(({ workspace }) => workspace !== SOUTH);
  const [who, user] = { 'one person': [[2], undefined], 'the user of the key': [[0], 0], everybody: [north.keys(), 1] }[shared];
  if (shared === 'everybody') db.memberships = [...north];
  db.memberships.push(...[...(who as number[])].map((index) => ({ ...north[index]!, workspace: SOUTH })));
  const key = db.keys.pop()!;
  db.keys.push(user === undefined ? key : { ...key, user: north[Number(user)]!.user });
};

/** Shows a private project and its tasks to the keys of its owner alone. */
const discreet = (service: Service): void => {
  const isOpen = (row: object, user: string | undefined): boolean => {
    const home = 'project' in row ? service.db.projects.find(({ id }) => id === (row as Task).project) : (row as Project);
    return home?.visibility !== 'private' || home.owner === user;
  };
  for (const rows of ['projectRows', 'allTaskRows'] as const)
    around(service, rows, (was, call) => was(call).filter((row: Row) => isOpen(row, call.key?.user)));
  around(service, 'sees', (was, call, row, what) => was(call, row, what) && (what === 'team' || isOpen(row, call.key?.user)));
};

const serverOf = (plan: Plan, desk: Desk, clock: Clock): ReferenceServer => {
  const server = createReferenceServer({
    style: 'b',
    clock,
    settled: { plans: [plan.limit, plan.limit], sharedUser: false },
    send: (letter) => desk.carry(letter, clock, undefined, true),
    alter: (service) => {
      if (plan.discreet) discreet(service);
      around(service, 'deliver', (was, event, hook) => {
        const wait = plan.tardy();
        if (wait > 0) clock.after(wait, () => was(event, hook));
        else was(event, hook);
      });
      plan.alter?.(service);
    },
  });
  share(plan, server.service.db);
  return server;
};

const referenceStage = async (plan: Plan, desk: Desk): Promise<Opened> => {
  const clock = new VirtualClock(Date.now());
  const { keys, baseUrl, taskWithComments, service, fetch } = serverOf(plan, desk, clock);
  const target = { baseUrl, keys, taskWithComments };
  return { keys, direct: fetch, time: clock, store: service.db, target, close: async () => {} };
};

const mockStage = async (plan: Plan, desk: Desk): Promise<Opened> => {
  const parts: { time?: Time } = {};
  const { keys, fetch, options, close } = await mockTarget(plan.variant, false, latestRelease(), false, {
    rpm: plan.limit,
    carry: (letter, signal) => desk.carry(letter, parts.time!, signal, false),
    absent: 'timeout',
  });
  const { baseUrl, taskWithComments } = options;
  const time = options.time!;
  parts.time = time;
  return { keys, direct: fetch, time, store: undefined, target: { baseUrl, keys, taskWithComments }, close };
};

/** The reference server on a socket, in real time, behind a gateway that fails. */
const socketStage = async (plan: Plan, desk: Desk): Promise<Opened> => {
  const clock = realClock();
  const server = serverOf(plan, desk, clock);
  const { baseUrl, close } = await server.listen(fails(0.02, dieOf(plan.seed, 'socket')));
  const { keys, taskWithComments, service } = server;
  return {
    keys,
    direct: (url, init) => globalThis.fetch(url, init),
    time: clock,
    store: service.db,
    target: { baseUrl, keys, taskWithComments, timeoutMs: 1000 },
    close,
  };
};

const STAGES = { reference: referenceStage, mock: mockStage, socket: socketStage } as const;

/** Builds what was planned. */
export const openStage = async (plan: Plan): Promise<Stage> => {
  const desk = new Desk();
  desk.rewrites.push(...plan.rewrites);
  desk.ahead = plan.ahead;
  const { target, ...server } = await STAGES[plan.host](plan, desk);
  const { time } = server;
  const ours: Time = {
    now: () => time.now() - plan.ahead,
    sleep: (ms) => time.sleep(ms),
    after: (ms, job) => time.after(ms, job),
    settle: () => (plan.virtual && plan.host !== 'socket' ? time.settle() : time.sleep(200)),
    virtual: plan.virtual && plan.host !== 'socket',
  };
  const stage = { plan, desk, ...server, options: {} as ContractOptions };
  const way = (next: Fetch, layer: Layer): Fetch => {
    return (url, init) => layer(next, url, init, stage);
  };
  const fetch = [desk.spy, ...plan.layers].reduce(way, server.direct);
  const { baseUrl, keys } = target as ContractOptions;
  // The reference server registers no address of this machine.
  const receiverUrl = plan.host === 'mock' ? Desk.url : HOOKS;
  const own = { fetch, time: ours, receiverUrl, reportDir: false as const, ...plan.options };
  return Object.assign(stage, { options: { ...target, baseUrl, keys, ...own } });
};
