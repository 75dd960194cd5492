// Replays a repro file: sends its requests in order and at their times, and compares each response with the recorded one.
import { onNextTurn } from '../../service/world/time.ts';
import { IN_PROCESS } from '../control/guard.ts';
import { checkStep, type Fetch, type RecordedWorld, type Recording, type WorldRecorder } from '../control/recorder.ts';
import { differenceOf, type ReplayDifference } from './compare.ts';
import { MAIN, partOf, worldMadeInFile, worldOf } from './past-worlds.ts';
import { MAX_LOOKS, ReplayedWorld, requestOf, until } from './replayed-world.ts';
import type { Expected, ReceiverStep, Repro, RequestStep, Step } from './steps.ts';

/** The mock that a file is replayed on. */
export interface ReplayedMock {
  readonly app: { fetch: Fetch };
  close(): Promise<void>;
}

/** Makes the mock of a file, whose worlds a recording drives. */
export type MakeReplayed<M> = (options: Readonly<Record<string, unknown>>, recording: Recording) => Promise<M>;

type Got = Pick<Expected, 'body'> & Partial<Expected>;

/** A step whose effects have begun, or whose request is on its way. */
interface BegunStep {
  readonly step: Step;
  /** Whether it has reached its world. */
  hasBegun(): boolean;
  readonly got: Promise<Got>;
}

/** A request that waits at the door of its world for its turn. */
interface SentRequest extends BegunStep {
  readonly request: Request;
  isOver(): boolean;
}

const CLOSED: Got = { status: 0, headers: {}, body: '' };
/** Within so many microtasks a released request reaches its world: none of its later effects comes before the next step. */
const MAX_HOPS = 50;

export class Replay<M extends ReplayedMock> implements Recording {
  readonly #repro: Repro;
  readonly #maxLooks: number;
  readonly #worlds = new Map<string, ReplayedWorld>();
  #mock!: M;
  readonly #leaving = new Map<number, () => void>();
  /** Requests of the control API that were read: they wait for the steps before them. */
  readonly #held = new Map<Request, () => void>();
  readonly #begun = new WeakSet<Request>();
  /** By the numbers of their steps. */
  readonly #sent = new Map<number, SentRequest>();
  /** Responses that came after later steps are compared at the end. */
  readonly #late: BegunStep[] = [];
  #now: number;
  #next = 0;

  /** @param maxLooks how often to poll for a recorded effect */
  constructor(repro: Repro, maxLooks = MAX_LOOKS) {
    this.#repro = repro;
    this.#maxLooks = maxLooks;
    this.#now = Date.parse(repro.steps[0]?.at ?? '2020-01-01T00:00:00Z');
  }

  now(): number {
    return this.#now;
  }

  recorderOf(world: string, _origin: unknown, wake: () => void): WorldRecorder {
    const own = this.#repro.steps.filter((step): step is ReceiverStep => step.kind === 'receiver' && worldOf(step) === world);
    const replayed = new ReplayedWorld({
      now: () => this.#now,
      outcomes: new Map(own.map((step) => [step.attempt, step])),
      signed: this.#repro.signed,
      wake,
      arrive: (request) => new Promise((release) => this.#held.set(request, release)),
      begun: this.#begun,
    });
    this.#worlds.set(world, replayed);
    return replayed;
  }

  watch(fetch: Fetch): Fetch {
    return fetch;
  }

  options = () => ({});

  end(): void {}
  forget(): void {}

  async save(): Promise<undefined> {}

  replayTo?: NonNullable<Recording['replayTo']>;

  /** Rewinds within the steps that precede this one in that world's file. */
  async rewind({ id }: RecordedWorld, step: number, before: boolean): ReturnType<Recording['rewind']> {
    const repro = partOf(this.#repro, this.#next, id);
    checkStep(step, repro.steps.length);
    return this.replayTo!(repro, step, before);
  }

  /** The world that the file is about, and its ancestors. */
  get worlds(): readonly string[] {
    const { world = MAIN, steps } = this.#repro;
    const line = [world];
    for (let last = world; last !== MAIN; line.push(last)) {
      const making = steps.findLast((step) => !worldMadeInFile(step)?.refused && worldMadeInFile(step)?.id === last);
      last = making ? worldOf(making) : MAIN;
    }
    return line;
  }

  /** The mock in its initial state. */
  async begin(make: MakeReplayed<M>): Promise<M> {
    const { seed, options } = this.#repro;
    this.#mock = await make({ ...options, seed: JSON.parse(seed.text), worldIdleMs: 0 }, this);
    return this.#mock;
  }

  /** Continues up to, not including, a step. @returns the first difference */
  async play(before = Number.POSITIVE_INFINITY): Promise<ReplayDifference | undefined> {
    const { steps } = this.#repro;
    let together: BegunStep[] = [];
    for (; this.#next < steps.length && steps[this.#next]!.n < before; this.#next++) {
      const step = steps[this.#next]!;
      if (!step.joined) await this.#sendTogether(this.#next, before);
      if (!this.#isReady(step)) await until(() => this.#isReady(step), this.#maxLooks);
      this.#now = Date.parse(step.at);
      const begun = await this.#begin(step);
      if ('where' in begun) return (await this.#first(together)) ?? begun;
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
  async #first(together: readonly BegunStep[]): Promise<ReplayDifference | undefined> {
    for (const one of together) {
      const difference = one.step.late ? void this.#late.push(one) : await this.#compared(one);
      if (difference) return difference;
    }
    return undefined;
  }

  /** The difference; a response that takes too long is one. */
  async #compared({ step, got }: BegunStep): Promise<ReplayDifference | undefined> {
    if (!('expect' in step) || !step.expect) return undefined;
    const { expect } = step;
    const ended: (ReplayDifference | undefined)[] = [];
    const signed = step.kind === 'receiver' || this.#repro.signed;
    void got.then((one) => differenceOf(step, expect, one, signed)).then((one) => ended.push(one));
    if (await until(() => ended.length > 0, this.#maxLooks)) return ended[0];
    return { step, where: 'response', expected: 'a response', got: 'none' };
  }

  /** Whether the target of a step exists. */
  #isReady(step: Step): boolean {
    const world = this.#worlds.get(worldOf(step));
    if (!world) return false;
    if (step.kind === 'clock') return world.isWaiting(step.wait);
    if (step.kind === 'receiver') return world.attempts.has(step.attempt);
    if (step.kind === 'gone') return this.#leaving.has(step.request);
    return true;
  }

  /** Sends the requests of one turn, up to the doors of their worlds: then they begin in order with no turn in between. */
  async #sendTogether(first: number, before: number): Promise<void> {
    const { steps } = this.#repro;
    let end = first + 1;
    while (steps[end]?.joined && steps[end]!.n < before) end += 1;
    if (end === first + 1) return;
    this.#now = Date.parse(steps[first]!.at);
    for (const step of steps.slice(first, end)) {
      if (step.kind !== 'control' || !this.#isReady(step)) continue;
      const sent = this.#send(step);
      this.#sent.set(step.n, sent);
      await until(() => this.#held.has(sent.request) || sent.isOver(), this.#maxLooks);
    }
  }

  async #begin(step: Step): Promise<BegunStep | ReplayDifference> {
    const world = this.#worlds.get(worldOf(step));
    const done = (body = ''): BegunStep => ({ step, hasBegun: () => true, got: Promise.resolve({ body }) });
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
    return this.#beginRequest(step);
  }

  async #beginRequest(step: RequestStep): Promise<BegunStep> {
    const made = worldMadeInFile(step);
    // A world made again under the same name had been closed before.
    if (made && !made.refused && this.#worlds.has(made.id)) await this.#closeWorld(made.id);
    const sent = this.#sent.get(step.n) ?? this.#send(step);
    this.#sent.delete(step.n);
    const isHeld = () => this.#held.has(sent.request);
    if (!sent.hasBegun() && !isHeld()) await until(() => sent.hasBegun() || isHeld(), this.#maxLooks);
    this.#held.get(sent.request)?.();
    this.#held.delete(sent.request);
    for (let hops = 0; hops < MAX_HOPS && !sent.hasBegun(); hops++) await undefined;
    if (!sent.hasBegun()) await until(sent.hasBegun, this.#maxLooks);
    return sent;
  }

  #send(step: RequestStep): SentRequest {
    const request = requestOf(step, worldMadeInFile(step));
    const outgoing = { destroy: () => {}, once: (_event: string, left: () => void) => this.#leaving.set(step.n, left) };
    let isOver = false;
    const got = this.#responded(request, { outgoing }).finally(() => (isOver = true));
    return { step, request, isOver: () => isOver, hasBegun: () => isOver || this.#begun.has(request), got };
  }

  async #closeWorld(id: string): Promise<void> {
    const { controlToken } = this.#repro.options as { readonly controlToken?: string };
    const headers = controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` };
    await this.#responded(new Request(`http://${IN_PROCESS}/_mock/worlds/${id}`, { method: 'DELETE', headers }), {});
  }

  async #responded(request: Request, env: object): Promise<Got> {
    try {
      const response = await this.#mock.app.fetch(request, env);
      if (response.headers.has('x-hono-already-sent')) return CLOSED;
      return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
    } catch {
      return CLOSED;
    }
  }
}
