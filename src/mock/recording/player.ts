// Replays a repro file: repeats its steps in order and at their times, and compares each response with the recorded one.
import { errorMessage } from '../../service/contract/errors.ts';
import { onNextTurn } from '../../service/world/time.ts';
import { checkStep, type Fetch, type Recorded, type Recording, type Tape } from '../control/tape.ts';
import { type Difference, differenceOf } from './difference.ts';
import { madeByCall, shownResult } from './file.ts';
import type { CallStep, Expected, ReceiverStep, Repro, RequestStep, Step } from './format.ts';
import { MAIN, madeBy, partOf, requestOf, worldOf } from './parts.ts';
import type { Made } from './past.ts';
import { PATIENCE, PlayedWorld, until } from './played-world.ts';

/** The mock that a file is replayed on: members are called by name. */
export interface Played {
  readonly app: { fetch: Fetch };
  close(): Promise<void>;
}

/** Makes the mock of a file, whose worlds a recording drives. */
export type MakePlayed<M extends Played> = (options: Readonly<Record<string, unknown>>, recording: Recording) => Promise<M>;

/** What is compared: a body, and status and headers if there are any. */
type Got = Pick<Expected, 'body'> & Partial<Expected>;

/** What a step has begun. */
interface Begun {
  readonly step: Step;
  /** Whether it has reached its world. */
  hasCome(): boolean;
  readonly got: Promise<Got>;
}

const CLOSED: Got = { status: 0, headers: {}, body: '' };

export class Player<M extends Played> implements Recording {
  readonly #repro: Repro;
  readonly #patience: number;
  readonly #worlds = new Map<string, PlayedWorld>();
  readonly #mocks = new Map<string, M>();
  readonly #snapshots = new Map<string, { restore(): void }>();
  readonly #leaving = new Map<number, () => void>();
  readonly #read = new WeakSet<Request>();
  /** Responses that came after later steps are compared at the end. */
  readonly #late: Begun[] = [];
  #now: number;
  #next = 0;

  /** @param patience how often to poll for a recorded effect */
  constructor(repro: Repro, patience = PATIENCE) {
    this.#repro = repro;
    this.#patience = patience;
    this.#now = Date.parse(repro.steps[0]?.at ?? '2020-01-01T00:00:00Z');
  }

  now(): number {
    return this.#now;
  }

  tapeOf(world: string, _origin: unknown, wake: () => void): Tape {
    const own = this.#repro.steps.filter((step): step is ReceiverStep => step.kind === 'receiver' && worldOf(step) === world);
    const outcomes = new Map(own.map((step) => [step.attempt, step]));
    const played = new PlayedWorld({ now: () => this.#now, outcomes, signed: this.#repro.signed, wake, read: this.#read });
    this.#worlds.set(world, played);
    return played;
  }

  heard(fetch: Fetch): Fetch {
    return fetch;
  }

  options = () => ({});

  end(): void {}
  forget(): void {}

  async saved(): Promise<undefined> {}

  playing?: NonNullable<Recording['playing']>;

  /** Rewinds within the steps that precede this one in that world's file. */
  async rewound({ id }: Recorded, step: number, before: boolean): ReturnType<Recording['rewound']> {
    const repro = partOf(this.#repro, this.#next, id);
    checkStep(step, repro.steps.length);
    return this.playing!(repro, step, before);
  }

  /** The world that the file is about, and its ancestors. */
  get worlds(): readonly string[] {
    const { world = MAIN, steps } = this.#repro;
    const line = [world];
    for (let last = world; last !== MAIN; line.push(last)) {
      const making = steps.findLast((step) => !madeBy(step)?.refused && madeBy(step)?.id === last);
      last = making ? worldOf(making) : MAIN;
    }
    return line;
  }

  /** The mock in its initial state. */
  async begin(make: MakePlayed<M>): Promise<M> {
    const { seed, options } = this.#repro;
    const mock = await make({ ...options, seed: JSON.parse(seed.text), worldIdleMs: 0 }, this);
    this.#mocks.set(MAIN, mock);
    return mock;
  }

  /** Continues up to, not including, a step. @returns the first difference */
  async play(before = Number.POSITIVE_INFINITY): Promise<Difference | undefined> {
    const { steps } = this.#repro;
    let together: Begun[] = [];
    for (; this.#next < steps.length && steps[this.#next]!.n < before; this.#next++) {
      const step = steps[this.#next]!;
      if (!this.#isReady(step)) await until(() => this.#isReady(step), this.#patience);
      this.#now = Date.parse(step.at);
      const begun = this.#begin(step);
      if ('where' in begun) return (await this.#first(together)) ?? begun;
      if (!begun.hasCome()) await until(begun.hasCome, this.#patience);
      together.push(begun);
      const next = steps[this.#next + 1];
      if (next?.joined && next.n < before) continue;
      const difference = await this.#first(together);
      if (difference) return difference;
      together = [];
      await new Promise<void>(onNextTurn);
    }
    if (before < Number.POSITIVE_INFINITY) return undefined;
    const ended = await Promise.all(this.#late.map((one) => this.#compared(one)));
    return ended.find((one) => one !== undefined);
  }

  /** The first difference among steps that began together. */
  async #first(together: readonly Begun[]): Promise<Difference | undefined> {
    for (const one of together) {
      const difference = one.step.late ? void this.#late.push(one) : await this.#compared(one);
      if (difference) return difference;
    }
    return undefined;
  }

  /** The difference; a response that takes too long is one. */
  async #compared({ step, got }: Begun): Promise<Difference | undefined> {
    if (!('expect' in step) || !step.expect) return undefined;
    const { expect } = step;
    const ended: (Difference | undefined)[] = [];
    const signed = step.kind === 'receiver' || this.#repro.signed;
    void got.then((one) => differenceOf(step, expect, one, signed)).then((one) => ended.push(one));
    if (await until(() => ended.length > 0, this.#patience)) return ended[0];
    return { step, where: 'response', expected: 'a response', got: 'none' };
  }

  /** Whether the target of a step exists. */
  #isReady(step: Step): boolean {
    const world = this.#worlds.get(worldOf(step));
    if (!world) return false;
    if (step.kind === 'clock') return world.isWaiting(step.wait);
    if (step.kind === 'receiver') return world.attempts.has(step.attempt);
    if (step.kind === 'gone') return this.#leaving.has(step.request);
    return !('call' in step) || this.#mocks.has(worldOf(step));
  }

  #begin(step: Step): Begun | Difference {
    const world = this.#worlds.get(worldOf(step));
    const done = (body = ''): Begun => ({ step, hasCome: () => true, got: Promise.resolve({ body }) });
    if (step.kind === 'gone') {
      this.#leaving.get(step.request)?.();
      return done();
    }
    if (step.kind === 'clock') {
      const call = world?.waits.get(step.wait);
      if (!call) return { step, where: 'clock', expected: 'something that waited goes on', got: 'nothing waits' };
      world!.waits.delete(step.wait);
      call();
      return done();
    }
    if (step.kind === 'receiver') {
      const made = world?.attempts.get(step.attempt);
      if (!made) return { step, where: 'delivery', expected: `an attempt of ${step.delivery}`, got: 'none' };
      made.end();
      return done(made.sent);
    }
    // A world made again under the same name had been closed before.
    const made = madeBy(step);
    if (made && !made.refused) void this.#mocks.get(made.id)?.close();
    return 'call' in step ? { step, hasCome: () => true, got: this.#call(step) } : this.#ask(step, made);
  }

  #ask(step: RequestStep, made: Made | undefined): Begun {
    const request = requestOf(step, made);
    const outgoing = { destroy: () => {}, once: (_event: string, left: () => void) => this.#leaving.set(step.n, left) };
    let isOver = false;
    const got = this.#responded(request, { outgoing }).finally(() => (isOver = true));
    return { step, hasCome: () => isOver || this.#read.has(request), got };
  }

  async #responded(request: Request, env: object): Promise<Got> {
    try {
      const response = await this.#mocks.get(MAIN)!.app.fetch(request, env);
      if (response.headers.has('x-hono-already-sent')) return CLOSED;
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    } catch {
      return CLOSED;
    }
  }

  #call(step: CallStep): Promise<Got> {
    const threw = (error: unknown): Got => ({ status: 500, headers: {}, body: errorMessage(error) });
    const kept = (result: unknown): Got => {
      this.#keep(step, result);
      return { status: 200, headers: {}, body: shownResult(step.call, result) };
    };
    try {
      const result = this.#act(step);
      return result instanceof Promise ? result.then(kept).catch(threw) : Promise.resolve(kept(result));
    } catch (error) {
      return Promise.resolve(threw(error));
    }
  }

  #act(step: CallStep): unknown {
    const { call, given } = step;
    if (call === 'restore') return this.#snapshots.get(`${worldOf(step)} ${given[0]}`)?.restore();
    const of = this.#mocks.get(worldOf(step)) as unknown as Readonly<Record<string, unknown>>;
    const [room, member] = call.split('.') as [string, string?];
    const owner = (member === undefined ? of : of[room]) as Readonly<Record<string, (...given: unknown[]) => unknown>>;
    return owner[member ?? room]!(...given);
  }

  #keep(step: CallStep, result: unknown): void {
    const { id } = (result ?? {}) as { readonly id: string };
    if (step.call === 'snapshot') this.#snapshots.set(`${worldOf(step)} ${id}`, result as { restore(): void });
    if (madeByCall(step.call, step.given, 200)) this.#mocks.set(id, result as M);
  }
}
