// Records one world: its input in order, and the responses.
import { Problem } from '../../service/contract/errors.ts';
import { type RawBody, requestText } from '../../service/http/body.ts';
import { bytesOfRequest, type Exchange } from '../../service/http/exchange.ts';
import type { RequestInfo } from '../../service/http/request-info.ts';
import type { PlainResponse } from '../../service/http/respond.ts';
import type { Outcome } from '../../service/webhooks/delivery.ts';
import type { Attempting } from '../../service/webhooks/webhooks.ts';
import { after, onNextTurn, type Time } from '../../service/world/time.ts';
import { errorResponseOf, responseOf } from '../control/call.ts';
import { IN_PROCESS } from '../control/guard.ts';
import type { CallInput, CallRow, RecordedSource, WorldRecorder } from '../control/recorder.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { madeByRequest } from './past-worlds.ts';
import { exchangeResponse, type HeldStep, type RequestInput, requestInput, type WorldStart } from './recorded-step.ts';

/** Approximate sizes of a step and of a page, without their texts, characters. */
const STEP_CHARACTERS = 1000;
const PAGE_CHARACTERS = 800;

/** The part of a host's recorder that those of its worlds use. */
export interface StepHost {
  /** Steps without a response, by their requests. */
  readonly open: Map<object, HeldStep>;
  readonly options: () => Readonly<Record<string, unknown>>;
  /** How many positions were assigned. */
  readonly places: number;
  /** One moment for all that happens in one turn. */
  now(): number;
  /** Assigns a step its position among the steps of all worlds. */
  place(world: string, input: HeldStep['input']): HeldStep;
  /** Before a request, moves the start of recent steps forward. */
  makeRoom(): void;
  /** Notes that a step needs all steps before it. */
  goesBack(): void;
  /** @returns whether there is room for this many more characters */
  holds(more: number): boolean;
}

const weightOf = (steps: readonly HeldStep[]): number => steps.reduce((sum, { characters }) => sum + characters, 0);

/** Resolves on the next turn: the effects of this one come before any further input. */
export const nextTurn = (): Promise<void> => new Promise(onNextTurn);

/** The status that its row says: the rows themselves are not loaded before they are needed. */
export const statusOf = ({ id, call }: CallRow): number =>
  call.startsWith('DELETE') ? 204 : id.startsWith('create') ? 201 : 200;

export class StepRecorder implements WorldRecorder {
  readonly origin: Snapshot;
  readonly steps: HeldStep[] = [];
  /** Absent: from its origin. */
  startsAt: WorldStart | undefined;
  readonly time: Time;
  last: number | undefined;
  readonly #world: string;
  readonly #all: StepHost;
  readonly #source: RecordedSource | undefined;
  #waits = 0;
  /** The numbers of waits that have begun. */
  readonly #pending = new Set<number>();
  #attempts = 0;
  #underWay = 0;
  /** Whether it exceeded the limit. */
  isGivenUp = false;
  /** Whether its world is closed. */
  hasEnded = false;

  constructor(world: string, origin: Snapshot, all: StepHost, source?: RecordedSource) {
    this.#world = world;
    this.origin = origin;
    this.#all = all;
    this.#source = source;
    this.time = { now: () => all.now(), after: (ms, call) => this.#wait(ms, call) };
  }

  #wait(ms: number, call: () => void): () => void {
    this.#waits += 1;
    const wait = this.#waits;
    this.#pending.add(wait);
    const callOff = after(ms, () => {
      this.#pending.delete(wait);
      this.add({ kind: 'clock', wait });
      call();
    });
    return () => {
      this.#pending.delete(wait);
      callOff();
    };
  }

  /** Whether nothing is under way but the wait of its clock, which a copy would have as well. */
  get isAtRest(): boolean {
    const left = this.#source?.opened?.world.clock.left ?? null;
    return left !== 0 && this.#underWay === 0 && this.#pending.size === (left === null ? 0 : 1);
  }

  takeStart(): WorldStart {
    return {
      ...this.#source!.start(),
      dropped: this.dropped + this.steps.length,
      attempts: this.#attempts,
      waits: this.#waits,
      pending: [...this.#pending][0],
    };
  }

  get dropped(): number {
    return this.startsAt?.dropped ?? 0;
  }

  startFrom(start: WorldStart, n: number): void {
    const kept = this.steps.filter((step) => step.n > n);
    this.#all.holds(weightOf(kept) - weightOf(this.steps));
    this.steps.splice(0, this.steps.length, ...kept);
    this.startsAt = start;
    this.isGivenUp = false;
  }

  add(input: HeldStep['input'], characters = STEP_CHARACTERS): HeldStep {
    if (typeof input === 'function') this.#all.makeRoom();
    const step = this.#all.place(this.#world, input);
    this.last = step.n;
    if (!this.isGivenUp) this.steps.push(step);
    this.#weigh(step, characters);
    return step;
  }

  #weigh(step: HeldStep, characters: number): void {
    if (this.isGivenUp) return;
    step.characters += characters;
    if (!this.#all.holds(characters)) this.giveUp();
  }

  giveUp(): void {
    this.isGivenUp = true;
    this.empty();
  }

  empty(): void {
    this.#all.holds(-weightOf(this.steps));
    this.steps.length = 0;
  }

  async nextTurn<T>(value: T): Promise<T> {
    await nextTurn();
    return value;
  }

  noteRequest(kind: 'request' | 'control', request: Request, body: RawBody | undefined, read?: RequestInfo): void {
    const characters = read ? bytesOfRequest(read) / 2 : STEP_CHARACTERS + requestText(body).length;
    const input = requestInput(kind, read ?? request, body);
    this.#all.open.set(read ?? request, this.add(input, characters));
  }

  noteExchange(exchange: Exchange): void {
    const step = this.#all.open.get(exchange.request);
    this.#all.open.delete(exchange.request);
    if (!step) return;
    step.isRead = exchange.changes.length === 0;
    this.#responded(step, exchangeResponse(exchange), exchange.response.text?.length ?? PAGE_CHARACTERS);
  }

  noteLeft(request: object): void {
    const step = this.#all.open.get(request);
    if (step) this.add({ kind: 'gone', request: step.n });
  }

  noteCall<T>(row: CallRow, input: CallInput, act: () => T): T {
    const request = this.#requestOf(row, input);
    const step = this.add(() => request, STEP_CHARACTERS + requestText(request.body).length);
    this.#all.open.set(step, step);
    const resolved = (value: unknown) => this.responded(step, responseOf(value, statusOf(row)));
    const rejected = (error: unknown) => {
      this.#all.open.delete(step);
      if (!(error instanceof Problem)) this.responded(step, errorResponseOf(error));
      // A refused call changes nothing: a replay does without it.
      else if (this.steps.includes(step)) this.steps.splice(this.steps.lastIndexOf(step), 1);
    };
    try {
      const value = act();
      if (value instanceof Promise)
        return value
          .then(resolved, rejected)
          .then(nextTurn)
          .then(() => value) as T;
      resolved(value);
      return value;
    } catch (error) {
      rejected(error);
      throw error;
    }
  }

  #requestOf({ call }: CallRow, { variable = '', body }: CallInput): RequestInput {
    const [method, path] = call.split(' ') as [string, string];
    const { controlToken } = this.#all.options();
    const headers = {
      host: IN_PROCESS,
      ...(typeof controlToken === 'string' && { authorization: `Bearer ${controlToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return {
      kind: 'control',
      method,
      path: `/_mock${path.replace(/\{\w+\}/, () => encodeURIComponent(variable))}`,
      headers,
      body: body === undefined ? undefined : { text: JSON.stringify(body) },
    };
  }

  readonly attempting: Attempting = async (delivery, make, sender) => {
    this.#attempts += 1;
    this.#underWay += 1;
    const attempt = this.#attempts;
    let outcome: Outcome | undefined;
    const made = await make(async (sending, signal) => {
      outcome = await sender(sending, signal).catch((error): Outcome => ({ kind: 'error', error: String(error), took: 0 }));
      return outcome;
    });
    await nextTurn();
    const { headers, body } = made.request;
    this.#underWay -= 1;
    this.add({ kind: 'receiver', attempt, delivery: delivery.id, outcome, sent: { headers, body } });
    return made;
  };

  /** @param key of what is open: its request, or the step of a call */
  responded(step: HeldStep, response: PlainResponse, key: object = step): void {
    this.#all.open.delete(key);
    const request = typeof step.input === 'function' ? step.input() : undefined;
    step.made = request && madeByRequest(request, requestText(request.body), response, this.#world);
    if (step.made?.rewound) this.#all.goesBack();
    this.#responded(step, () => response, response.text.length);
  }

  #responded(step: HeldStep, response: () => PlainResponse, characters: number): void {
    // Other steps have arrived since.
    if (this.steps.at(-1) !== step) step.late = true;
    step.response = response;
    step.until = this.#all.places;
    this.#weigh(step, characters);
  }
}
