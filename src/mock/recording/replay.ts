// Replays a repro file: sends its requests in order and at their times, and compares each response with the recorded one.
import type { PlainResponse } from '../../service/http/respond.ts';
import { onNextTurn } from '../../service/world/time.ts';
import { IN_PROCESS } from '../control/guard.ts';
import {
  checkStep,
  type Fetch,
  type RecordedSource,
  type RecordedWorld,
  type Recording,
  type WorldRecorder,
} from '../control/recorder.ts';
import { differenceOf, type ReplayDifference, responseParts } from './compare.ts';
import { MAIN, partOf, worldMadeInFile, worldOf } from './past-worlds.ts';
import { type Continuation, MAX_LOOKS, ReplayedWorld, type Replaying, requestOf, until } from './replayed-world.ts';
import { readStart } from './start.ts';
import type { ReceiverStep, Repro, RequestStep, Step } from './steps.ts';

/** A step whose effects have begun, or whose request is on its way. */
interface BegunStep {
  readonly step: Step;
  readonly got: Promise<Partial<PlainResponse> & Pick<PlainResponse, 'text'>>;
}

/** A request that waits at the door of its world for its turn. */
interface SentRequest extends BegunStep {
  readonly request: Request;
  isOver: boolean;
}

/** Within so many microtasks a released request reaches its world: none of its later effects comes before the next step. */
const MAX_HOPS = 50;

export class Replay implements Recording, Replaying {
  readonly #repro: Repro;
  readonly #maxLooks: number;
  readonly #worlds = new Map<string, ReplayedWorld>();
  #mock!: { readonly app: { readonly fetch: Fetch } };
  /** Clients that disconnect. */
  readonly #leaving = new Map<number, Continuation>();
  readonly held = new Map<Request, () => void>();
  readonly begun = new WeakSet<Request>();
  readonly signed: boolean;
  /** By the numbers of their steps. */
  readonly #sent = new Map<number, SentRequest>();
  /** Responses that came after later steps are compared at the end. */
  readonly #late: BegunStep[] = [];
  #now: number;
  #next = 0;

  /** @param maxLooks how often to poll for a recorded effect */
  constructor(repro: Repro, maxLooks = MAX_LOOKS) {
    this.#repro = repro;
    this.signed = repro.signed;
    this.#maxLooks = maxLooks;
    this.#now = Date.parse(repro.steps[0]?.at ?? '2020-01-01T00:00:00Z');
  }

  now(): number {
    return this.#now;
  }

  recorderOf(world: string, _origin: unknown, source: Pick<RecordedSource, 'running'>): WorldRecorder {
    const own = this.#repro.steps.filter((step): step is ReceiverStep => step.kind === 'receiver' && worldOf(step) === world);
    const start = world === MAIN && this.#repro.start ? readStart(this.#repro.start) : undefined;
    const replayed = new ReplayedWorld(this, own, () => void source.running, start);
    this.#worlds.set(world, replayed);
    return replayed;
  }

  options = () => ({});

  async save(): Promise<undefined> {}

  replayTo?: NonNullable<Recording['replayTo']>;

  /** Rewinds within the steps that precede this one in that world's file. */
  async rewind({ id }: RecordedWorld, step: number, before: boolean): ReturnType<Recording['rewind']> {
    const repro = partOf(this.#repro, this.#next, id);
    checkStep(
      step,
      repro.steps.map(({ n }) => n),
    );
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

  /** @param make makes the mock of the file, whose worlds a recording drives @returns it in its initial state */
  async begin<M extends { readonly app: { fetch: Fetch } }>(
    make: (options: Readonly<Record<string, unknown>>, recording: Recording) => Promise<M>,
  ): Promise<M> {
    const { seed, options } = this.#repro;
    const mock = await make({ ...options, seed: JSON.parse(seed.text), worldIdleMs: 0 }, this);
    this.#mock = mock;
    return mock;
  }

  /** Continues up to, not including, a step. @returns the first difference */
  async play(before = Number.POSITIVE_INFINITY): Promise<ReplayDifference | undefined> {
    const steps = this.#repro.steps.filter(({ n }) => n < before);
    let together: BegunStep[] = [];
    for (; this.#next < steps.length; this.#next++) {
      const step = steps[this.#next]!;
      if (!step.joined) await this.#sendTogether(steps, this.#next);
      if (!this.#isReady(step)) await until(() => this.#isReady(step), this.#maxLooks);
      this.#now = Date.parse(step.at);
      const begun = await this.#begin(step);
      if ('where' in begun) return (await this.#first(together)) ?? begun;
      together.push(begun);
      if (steps[this.#next + 1]?.joined) continue;
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
    const signed = step.kind === 'receiver' || this.signed;
    void got.then((one) => differenceOf(step, expect, one, signed)).then((one) => ended.push(one));
    if (await until(() => ended.length > 0, this.#maxLooks)) return ended[0];
    return { step, where: 'response', expected: 'a response', got: 'none' };
  }

  #continuationOf(step: Exclude<Step, RequestStep>): Continuation | undefined {
    return step.kind === 'gone' ? this.#leaving.get(step.request) : this.#worlds.get(worldOf(step))?.continuationOf(step);
  }

  /** Whether the target of a step exists. */
  #isReady(step: Step): boolean {
    return 'path' in step ? this.#worlds.has(worldOf(step)) : this.#continuationOf(step) !== undefined;
  }

  /** Sends the requests of one turn, up to the doors of their worlds: then they begin in order with no turn in between. */
  async #sendTogether(steps: readonly Step[], first: number): Promise<void> {
    let end = first + 1;
    while (steps[end]?.joined) end += 1;
    if (end === first + 1) return;
    this.#now = Date.parse(steps[first]!.at);
    for (const step of steps.slice(first, end)) {
      if (step.kind !== 'control' || !this.#isReady(step)) continue;
      const sent = this.#send(step);
      this.#sent.set(step.n, sent);
      await until(() => sent.isOver || this.held.has(sent.request), this.#maxLooks);
    }
  }

  async #begin(step: Step): Promise<BegunStep | ReplayDifference> {
    if ('path' in step) return this.#beginRequest(step);
    const go = this.#continuationOf(step);
    if (!go && step.kind === 'clock')
      return { step, where: 'clock', expected: 'something that waited goes on', got: 'nothing waits' };
    if (!go && step.kind === 'receiver')
      return { step, where: 'delivery', expected: `an attempt of ${step.delivery}`, got: 'none' };
    const sent = go?.();
    return { step, got: Promise.resolve({ text: typeof sent === 'string' ? sent : '' }) };
  }

  async #beginRequest(step: RequestStep): Promise<BegunStep> {
    const made = worldMadeInFile(step);
    // A world made again under the same name had been closed before.
    if (made && !made.refused && this.#worlds.has(made.id)) await this.#closeWorld(made.id);
    const sent = this.#sent.get(step.n) ?? this.#send(step);
    this.#sent.delete(step.n);
    const { request } = sent;
    const hasBegun = () => sent.isOver || this.begun.has(request);
    const isReady = () => hasBegun() || this.held.has(request);
    if (!isReady()) await until(isReady, this.#maxLooks);
    this.held.get(request)?.();
    this.held.delete(request);
    for (let hops = 0; hops < MAX_HOPS && !hasBegun(); hops++) await undefined;
    if (!hasBegun()) await until(hasBegun, this.#maxLooks);
    return sent;
  }

  #send(step: RequestStep): SentRequest {
    const request = requestOf(step, worldMadeInFile(step));
    const outgoing = { destroy: () => {}, once: (_event: string, left: () => void) => this.#leaving.set(step.n, left) };
    const got = this.#responded(request, { outgoing });
    const sent: SentRequest = { step, request, got, isOver: false };
    void got.then(() => (sent.isOver = true));
    return sent;
  }

  async #closeWorld(id: string): Promise<void> {
    const { controlToken } = this.#repro.options as { readonly controlToken?: string };
    const headers = controlToken === undefined ? {} : { authorization: `Bearer ${controlToken}` };
    await this.#responded(new Request(`http://${IN_PROCESS}/_mock/worlds/${id}`, { method: 'DELETE', headers }), {});
  }

  async #responded(request: Request, env: object): Promise<PlainResponse> {
    try {
      return await responseParts(await this.#mock.app.fetch(request, env));
    } catch {
      return responseParts();
    }
  }
}
