// Plays a repro file: what came in comes in again, in its order and at its time, and each response is compared with the one of then.
import type { Fetch, Recording, Tape } from '../control/tape.ts';
import { wait } from '../world/time.ts';
import { type Difference, differenceOf } from './difference.ts';
import {
  type CallStep,
  type Expected,
  type ReceiverStep,
  type Repro,
  type RequestStep,
  type Step,
  sentText,
  shownError,
  shownResult,
} from './file.ts';

/** The mock that a file is played on: members are called by their names. */
export interface Played {
  readonly app: { fetch: Fetch };
}

/** Makes the mock of a file, whose worlds are played by a recording. */
export type MakePlayed<M extends Played> = (options: Readonly<Record<string, unknown>>, recording: Recording) => Promise<M>;

/** What is compared: a body, and where there is one, status and headers. */
type Got = Pick<Expected, 'body'> & Partial<Expected>;

/** So long is waited for what happened then, real milliseconds. */
const PATIENCE_MS = 5000;
const LOOK_MS = 5;

/** An attempt that has been made, and waits for its turn to end. */
interface Attempted {
  readonly sent: string;
  end(): void;
}

class PlayedWorld implements Tape {
  readonly waits = new Map<number, () => void>();
  readonly attempts = new Map<number, Attempted>();
  readonly time: Tape['time'];
  readonly #outcomes: ReadonlyMap<number, ReceiverStep>;
  readonly #signed: boolean;
  #waits = 0;
  #attempts = 0;

  constructor(now: () => number, outcomes: ReadonlyMap<number, ReceiverStep>, signed: boolean) {
    this.#outcomes = outcomes;
    this.#signed = signed;
    this.time = {
      now,
      after: (_, call) => {
        this.#waits += 1;
        const number = this.#waits;
        this.waits.set(number, call);
        return () => void this.waits.delete(number);
      },
    };
  }

  came(): void {}

  called<T>(_name: string, _given: readonly unknown[], act: () => T): T {
    return act();
  }

  readonly attempting: Tape['attempting'] = async (_delivery, make) => {
    this.#attempts += 1;
    const number = this.#attempts;
    const outcome = this.#outcomes.get(number)?.outcome;
    const made = await make(async () => outcome ?? { kind: 'error', error: 'no receiver had answered', took: 0 });
    await new Promise<void>((end) => this.attempts.set(number, { sent: sentText(made.request, this.#signed), end }));
    return made;
  };
}

const MAIN = 'default';

/** @returns what a function returns as soon as that is something; undefined when it has nothing for too long */
const until = async <T>(look: () => T | undefined): Promise<T | undefined> => {
  for (let waited = 0; waited <= PATIENCE_MS; waited += LOOK_MS) {
    const found = look();
    if (found !== undefined) return found;
    await wait(LOOK_MS);
  }
  return undefined;
};

/** The difference; that nothing was responded for too long is one. */
const inTime = (step: Step, compared: Promise<Difference | undefined>): Promise<Difference | undefined> => {
  const never: Difference = { step, where: 'response', expected: 'a response', got: `none within ${PATIENCE_MS / 1000} s` };
  return Promise.race([compared, wait(PATIENCE_MS).then(() => never)]);
};

export class Player<M extends Played> implements Recording {
  readonly #repro: Repro;
  readonly #worlds = new Map<string, PlayedWorld>();
  readonly #mocks = new Map<string, M>();
  readonly #snapshots = new Map<string, { restore(): void }>();
  readonly #leaving = new Map<number, () => void>();
  /** What was responded when other steps had come is compared at the end. */
  readonly #late: (() => Promise<Difference | undefined>)[] = [];
  #now: number;
  #next = 0;

  constructor(repro: Repro) {
    this.#repro = repro;
    this.#now = Date.parse(repro.steps[0]?.at ?? '2020-01-01T00:00:00Z');
  }

  tapeOf(world: string): Tape {
    const own = this.#repro.steps.filter(
      (step): step is ReceiverStep => step.kind === 'receiver' && (step.world ?? MAIN) === world,
    );
    const played = new PlayedWorld(() => this.#now, new Map(own.map((step) => [step.attempt, step])), this.#repro.signed);
    this.#worlds.set(world, played);
    return played;
  }

  heard(fetch: Fetch): Fetch {
    return fetch;
  }

  options = () => ({});

  forget(): void {}

  async saved(): Promise<undefined> {}

  playing?: NonNullable<Recording['playing']>;

  rewound(_instance: unknown, step: number, before: boolean): ReturnType<Recording['rewound']> {
    return this.playing!(this.#repro, step, before);
  }

  /** The mock as it began. */
  async begin(make: MakePlayed<M>): Promise<M> {
    const { seed, options } = this.#repro;
    const mock = await make({ ...options, seed: JSON.parse(seed.text), worldIdleMs: 0 }, this);
    this.#mocks.set(MAIN, mock);
    return mock;
  }

  /** Plays on, up to a step and not that. @returns the first difference */
  async play(before = Number.POSITIVE_INFINITY): Promise<Difference | undefined> {
    const { steps } = this.#repro;
    for (; this.#next < steps.length && steps[this.#next]!.n < before; this.#next++) {
      const step = steps[this.#next]!;
      this.#now = Date.parse(step.at);
      const difference = await this.#step(step);
      if (difference) return difference;
      if (!steps[this.#next + 1]?.joined) await wait(0);
    }
    return before === Number.POSITIVE_INFINITY ? this.#latest() : undefined;
  }

  async #latest(): Promise<Difference | undefined> {
    const ended = await Promise.all(this.#late.map((compared) => compared()));
    return ended.find((one) => one !== undefined);
  }

  async #step(step: Step): Promise<Difference | undefined> {
    if (step.kind === 'clock') return this.#goOn(step);
    if (step.kind === 'receiver') return this.#receive(step);
    if (step.kind === 'gone') return void this.#leaving.get(step.request)?.();
    const got = 'call' in step ? this.#call(step) : this.#ask(step);
    const { expect } = step;
    if (!expect) return undefined;
    const compared = () =>
      inTime(
        step,
        got.then((one) => differenceOf(step, expect, one, this.#repro.signed)),
      );
    if (!step.late) return compared();
    this.#late.push(compared);
    return undefined;
  }

  #world(step: Step): PlayedWorld | undefined {
    return this.#worlds.get(step.world ?? MAIN);
  }

  async #goOn(step: Step & { readonly kind: 'clock' }): Promise<Difference | undefined> {
    const call = await until(() => this.#world(step)?.waits.get(step.wait));
    if (!call) return { step, where: 'clock', expected: 'something that waited goes on', got: 'nothing waits' };
    this.#world(step)!.waits.delete(step.wait);
    call();
    return undefined;
  }

  async #receive(step: ReceiverStep): Promise<Difference | undefined> {
    const made = await until(() => this.#world(step)?.attempts.get(step.attempt));
    if (!made) return { step, where: 'delivery', expected: `an attempt of ${step.delivery}`, got: 'none' };
    made.end();
    // What follows from it ends before the next step.
    await wait(0);
    return differenceOf(step, step.expect, { body: made.sent }, true);
  }

  async #ask({ n, method, path, headers, body, unread, world }: RequestStep): Promise<Got> {
    const { host = 'mock.local', ...rest } = headers;
    const prefix = world === undefined ? '' : `/worlds/${world}`;
    const sent = unread === undefined ? body : UNREAD[unread];
    const bodiless = method === 'GET' || method === 'HEAD' || sent === undefined;
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = rest;
    const request = new Request(`http://${host}${prefix}${path}`, {
      method,
      headers: { ...kept, host },
      ...(bodiless ? {} : { body: typeof sent === 'string' ? sent : sent() }),
    });
    const outgoing = { destroy: () => {}, once: (_event: string, left: () => void) => this.#leaving.set(n, left) };
    try {
      const response = await this.#mocks.get(MAIN)!.app.fetch(request, { outgoing });
      if (response.headers.has('x-hono-already-sent')) return { status: 0, headers: {}, body: '' };
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    } catch {
      return { status: 0, headers: {}, body: '' };
    }
  }

  async #call({ call, given, world = MAIN }: CallStep): Promise<Got> {
    const of = this.#mocks.get(world) as unknown as Readonly<Record<string, unknown>>;
    try {
      if (call === 'restore') {
        this.#snapshots.get(`${world} ${given[0]}`)?.restore();
        return { status: 200, headers: {}, body: '' };
      }
      const [room, member] = call.split('.') as [string, string?];
      const owner = (member === undefined ? of : of[room]) as Readonly<Record<string, (...given: unknown[]) => unknown>>;
      const result = await owner[member ?? room]!(...given);
      if (call === 'snapshot') this.#snapshots.set(`${world} ${(result as { id: string }).id}`, result as { restore(): void });
      if (call === 'fork') this.#mocks.set((result as { id: string }).id, result as M);
      return { status: 200, headers: {}, body: shownResult(call, result) };
    } catch (error) {
      return { status: 500, headers: {}, body: shownError(error) };
    }
  }
}

/** Bodies that are refused unread. */
const UNREAD = {
  'too large': () => new Uint8Array(2 * 1_048_576).fill(0x20),
  'not UTF-8': () => new Uint8Array([0xff]),
  'too many': () => '',
} as const;
