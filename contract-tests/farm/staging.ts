// A conforming server under the conditions of a staging: what stands between it and the suite, who else uses it, how its events come.
import type { ContractOptions } from '../engine/options.ts';
import { type Arrival, Receiver } from '../engine/receiver.ts';
import { latestRelease } from '../engine/register.ts';
import type { Fetch } from '../engine/terms.ts';
import type { Time } from '../engine/time.ts';
import { RealClock } from '../foreign/clock.ts';
import { ForeignServer } from '../foreign/server.ts';
import { dieOf } from './dice.ts';
import { FlakyProxy } from './flaky-proxy.ts';
import { type Loose, parse } from './operators/answer.ts';
import { type Letter, sealed } from './operators/mail.ts';
import { mockTarget, type Target } from './targets.ts';
import type { Variant } from './variants.ts';

export type Host = 'foreign' | 'mock' | 'socket';
/** Between the suite and a server: makes one way to it of another. */
export type Layer = (next: Fetch) => Fetch;

/** After so many milliseconds an answer comes too late. */
const ACKNOWLEDGE_MS = 10_000;

/** Receivers that are reached by no socket: every run that uses the address gets every message, and the strictest answer counts. */
export class Desk {
  readonly #receivers = new Set<Receiver>();
  /** Of each address: several registrations may share one. */
  readonly #secrets = new Map<string, string[]>();
  /** What is done to the body of each message. */
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

  /** Learns the secret of each registration, to sign anew what is rewritten. */
  readonly spy: Layer = (next) => async (url, init) => {
    const response = await next(url, init);
    if (init?.method !== 'POST' || !url.endsWith('/webhooks') || !response.ok) return response;
    const text = await response.clone().text();
    const json = parse(text) as Loose;
    const to = (parse(String(init.body)) as Loose)?.url;
    const secret = json?.data?.secret ?? json?.secret;
    if (typeof to === 'string' && typeof secret === 'string') this.#secrets.set(to, [...(this.#secrets.get(to) ?? []), secret]);
    return response;
  };

  /** The same in other words, signed anew with the secret that it was signed with; what no registration's secret has signed stays so. */
  #rewritten(letter: Letter): Letter {
    if (this.rewrites.length === 0) return letter;
    const body = JSON.stringify(this.rewrites.reduce((json, f) => f(json), parse(letter.body)));
    const made = JSON.stringify(letter.headers);
    const secret = this.#secrets.get(letter.url)?.find((one) => JSON.stringify(sealed(letter, one).headers) === made);
    return secret === undefined ? { ...letter, body } : sealed({ ...letter, body }, secret);
  }

  /**
   * Brings a message.
   * @param held whether an answer can be held back: else one that comes too late is none at once
   * @returns the status of the answer, 0 when none came in time
   */
  async carry(letter: Letter, time: Time, signal: AbortSignal, held: boolean): Promise<number> {
    const headers = Object.fromEntries(Object.entries(letter.headers).map(([name, value]) => [name.toLowerCase(), value]));
    const sent = this.#rewritten({ ...letter, headers });
    const message: Omit<Arrival, 'path' | 'query' | 'json'> = {
      method: sent.method,
      headers: sent.headers,
      body: sent.body,
      at: time.now() - this.ahead,
    };
    const answers = [...this.#receivers].map((receiver) => receiver.take(sent.url, message));
    const late = Math.max(0, ...answers.map(({ delayMs }) => delayMs));
    if (late >= ACKNOWLEDGE_MS && !held) return 0;
    if (late > 0 && held) {
      const given = new Promise<boolean>((done) => {
        time.after(late, () => done(true));
        signal.addEventListener('abort', () => done(false));
      });
      if (!(await given)) return 0;
    }
    return Math.max(200, ...answers.map(({ status }) => status));
  }
}

/** What a staging is to be, before its server is there. */
export interface Plan {
  readonly host: Host;
  readonly seed: number;
  /** Requests a minute. */
  limit: number;
  variant: Variant;
  /** Faults of the foreign server: under any condition they are to be found. */
  readonly faults: readonly string[];
  /** How long an event waits for its first attempt, milliseconds; the foreign server alone can wait. */
  tardy: () => number;
  /** People of the second workspace who are of the first, too; the mock gives nobody two workspaces. */
  shared: 'nobody' | 'somebody' | 'the user of the key' | 'everybody';
  /** A private project is there for its owner alone. */
  discreet: boolean;
  /** The server's clock stands ahead of the suite's by so many milliseconds. */
  ahead: number;
  /** From the server to the suite. */
  readonly layers: ((stage: Stage) => Layer)[];
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
  readonly keys: Target['keys'];
  /** Straight to the server. */
  readonly direct: Fetch;
  /** The server's clock. */
  readonly time: Time;
  readonly options: ContractOptions;
  /** The people of each workspace; undefined where nobody comes or goes. */
  readonly people: readonly Loose[][] | undefined;
  close(): Promise<void>;
}

const BASE = 'http://127.0.0.1/v1';

const share = ({ shared }: Plan, north: Loose[], south: Loose[], key: Loose): void => {
  if (shared === 'somebody') south.push(north[2]);
  if (shared === 'the user of the key') {
    south.push(north[0]);
    key.owner = north[0];
  }
  if (shared === 'everybody') {
    south.splice(0, south.length, ...north);
    key.owner = north[1];
  }
};

const foreignStage = (
  plan: Plan,
  desk: Desk,
): Omit<Stage, 'plan' | 'desk' | 'options'> & { target: Partial<ContractOptions> } => {
  const server: ForeignServer = new ForeignServer({
    faults: plan.faults,
    limit: plan.limit,
    tardy: plan.tardy,
    discreet: plan.discreet,
    carry: (letter, signal) => desk.carry(letter, server.clock, signal, true),
  });
  const [home, foreign] = [server.keys[0]!, server.keys[4]!];
  share(plan, home.space.people, foreign.space.people, foreign);
  const keys = server.roles();
  const commented = server.commented();
  return {
    keys,
    direct: server.fetch,
    time: server.clock,
    people: [home.space.people, foreign.space.people],
    target: { baseUrl: BASE, keys, taskWithComments: commented },
    close: async () => {},
  };
};

const mockStage = async (
  plan: Plan,
  desk: Desk,
): Promise<Omit<Stage, 'plan' | 'desk' | 'options'> & { target: Partial<ContractOptions> }> => {
  const parts: { time?: Time } = {};
  const sender = async (sending: Omit<Letter, 'method'>, signal: AbortSignal) => {
    const status = await desk.carry({ ...sending, method: 'POST' }, parts.time!, signal, false);
    return status === 0 ? { kind: 'timeout', error: 'no answer', took: 10_000 } : { kind: 'response', status, took: 0 };
  };
  const made = await mockTarget(plan.variant, false, latestRelease(), false, { rpm: plan.limit, sender });
  const time = made.options.time!;
  parts.time = time;
  const { baseUrl, keys, taskWithComments } = made.options;
  return {
    keys: made.keys,
    direct: made.fetch,
    time,
    people: undefined,
    target: { baseUrl, keys, taskWithComments },
    close: made.close,
  };
};

/** The foreign server on a socket, in real time, behind a gateway that fails. */
const socketStage = async (
  plan: Plan,
  desk: Desk,
): Promise<Omit<Stage, 'plan' | 'desk' | 'options'> & { target: Partial<ContractOptions> }> => {
  const clock = new RealClock();
  const server: ForeignServer = new ForeignServer({
    clock,
    faults: plan.faults,
    limit: plan.limit,
    discreet: plan.discreet,
    carry: (letter, signal) => desk.carry(letter, clock, signal, true),
  });
  const [home, foreign] = [server.keys[0]!, server.keys[4]!];
  share(plan, home.space.people, foreign.space.people, foreign);
  const keys = server.roles();
  const proxy = new FlakyProxy(await server.listen(), 0.02, dieOf(plan.seed, 'socket'));
  const baseUrl = `${await proxy.listen()}/v1`;
  return {
    keys,
    direct: (url, init) => globalThis.fetch(url, init),
    time: clock,
    people: [home.space.people, foreign.space.people],
    target: { baseUrl, keys, taskWithComments: server.commented(), timeoutMs: 1000 },
    close: async () => {
      await proxy.close();
      await server.close();
    },
  };
};

const STAGES = { foreign: foreignStage, mock: mockStage, socket: socketStage } as const;

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
  const fetch = plan.layers.reduce<Fetch>((next, make) => make(stage)(next), desk.spy(server.direct));
  const { baseUrl, keys } = target as ContractOptions;
  const options = {
    ...target,
    baseUrl,
    keys,
    fetch,
    time: ours,
    receiverUrl: Desk.url,
    reportDir: false as const,
    ...plan.options,
  };
  return Object.assign(stage, { options });
};
