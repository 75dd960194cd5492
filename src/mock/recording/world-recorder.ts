// Records one world: its input in order, and the responses.
import { Problem } from '../../service/contract/errors.ts';
import { type RawBody, requestText } from '../../service/http/body.ts';
import { WORLD_PREFIX } from '../../service/http/paths.ts';
import type { PlainResponse } from '../../service/http/respond.ts';
import type { Outcome } from '../../service/webhooks/delivery.ts';
import type { Sending } from '../../service/webhooks/sender.ts';
import type { Attempting } from '../../service/webhooks/webhooks.ts';
import { after, onNextTurn, realNow, type Time } from '../../service/world/time.ts';
import { errorResponseOf, responseOf } from '../control/call.ts';
import { IN_PROCESS } from '../control/guard.ts';
import { type ControlId, controlRow } from '../control/operations.ts';
import type { CallInput, CallRow, WorldRecorder } from '../control/recorder.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { type MadeWorld, madeByRequest } from './past-worlds.ts';
import type { ClockStep, GoneStep, ReceiverStep, RequestStep } from './steps.ts';

/** Approximate size of a step without its texts, characters. */
const STEP_CHARACTERS = 1000;

/** A step before secrets are masked. */
export interface RecordedStep {
  readonly n: number;
  readonly at: number;
  readonly world: string;
  /** The same for steps that arrived together, before any had an effect. */
  readonly turn: number;
  readonly input:
    | (Pick<RequestStep, 'kind' | 'method' | 'path' | 'headers'> & { readonly body: RawBody | undefined })
    | Pick<ClockStep, 'kind' | 'wait'>
    | (Pick<ReceiverStep, 'kind' | 'attempt' | 'delivery'> & {
        readonly outcome: Outcome | undefined;
        readonly sent: Pick<Sending, 'headers' | 'body'>;
      })
    | Pick<GoneStep, 'kind' | 'request'>;
  late?: boolean;
  response?: PlainResponse | undefined;
  made?: MadeWorld | undefined;
  /** How many positions were assigned when it got its response. */
  until?: number;
}

/** A world's recording, with its ancestors and the worlds made from it. */
export interface WorldRecording {
  readonly world: string;
  /** The first world of its file. */
  readonly root: string;
  readonly origins: ReadonlyMap<string, Snapshot>;
  readonly steps: readonly RecordedStep[];
}

/** Limit of all recordings of a host, characters: a recording that would exceed it is dropped. */
const MAX_CHARACTERS = 64_000_000;

/** The recordings of a host: they share the order of their steps, moments, and a limit. */
export class HostRecorder {
  readonly recorders = new Map<string, StepRecorder>();
  readonly requests = new WeakMap<Request, RecordedStep>();
  /** Options of the mock; `controlToken` opens its control API. */
  options: () => Readonly<Record<string, unknown>> = () => ({});
  /** How many positions were assigned. */
  places = 0;
  revision = 0;
  #characters = 0;
  /** Whether nothing else has run since the last position was assigned. */
  #joins = false;
  #turns = 0;
  #moment: number | undefined;

  /** One moment for all that happens in one turn. */
  now(): number {
    return this.#moment ?? realNow();
  }

  /** Assigns a step its position among the steps of all worlds. */
  place(world: string, input: RecordedStep['input']): RecordedStep {
    if (!this.#joins) this.#turns += 1;
    this.#joins = true;
    void Promise.resolve().then(() => (this.#joins = false));
    if (this.#moment === undefined) onNextTurn(() => (this.#moment = undefined));
    this.#moment ??= realNow();
    this.places += 1;
    return { n: this.places, at: this.#moment, world, turn: this.#turns, input };
  }

  /** @returns whether there is room for this many more characters */
  holds(more: number): boolean {
    this.#characters += more;
    this.revision += 1;
    // Closed worlds make room for open ones.
    if (this.#characters > MAX_CHARACTERS)
      for (const one of this.recorders.values()) if (one.hasEnded && !one.isGivenUp) one.giveUp();
    return this.#characters <= MAX_CHARACTERS;
  }
}

/** Resolves on the next turn: the effects of this one come before any further input. */
export const nextTurn = (): Promise<void> => new Promise(onNextTurn);

export class StepRecorder implements WorldRecorder {
  readonly origin: Snapshot;
  readonly steps: RecordedStep[] = [];
  readonly time: Time;
  last: number | undefined;
  readonly #world: string;
  readonly #all: HostRecorder;
  #waits = 0;
  #attempts = 0;
  #characters = 0;
  /** Whether it exceeded the limit. */
  isGivenUp = false;
  /** Whether its world is closed. */
  hasEnded = false;

  constructor(world: string, origin: Snapshot, all: HostRecorder) {
    this.#world = world;
    this.origin = origin;
    this.#all = all;
    this.time = {
      now: () => all.now(),
      after: (ms, call) => {
        this.#waits += 1;
        const number = this.#waits;
        return after(ms, () => {
          this.add({ kind: 'clock', wait: number });
          call();
        });
      },
    };
  }

  add(input: RecordedStep['input']): RecordedStep {
    const step = this.#all.place(this.#world, input);
    this.last = step.n;
    if (!this.isGivenUp) this.steps.push(step);
    this.#weigh(STEP_CHARACTERS + ('path' in input ? requestText(input.body).length : 0));
    return step;
  }

  #weigh(characters: number): void {
    if (this.isGivenUp) return;
    this.#characters += characters;
    if (!this.#all.holds(characters)) this.giveUp();
  }

  giveUp(): void {
    this.isGivenUp = true;
    this.empty();
  }

  empty(): void {
    this.#all.holds(-this.#characters);
    this.#characters = 0;
    this.steps.length = 0;
  }

  async nextTurn<T>(value: T): Promise<T> {
    await nextTurn();
    return value;
  }

  noteRequest(kind: 'request' | 'control', request: Request, body: RawBody | undefined): void {
    const url = new URL(request.url);
    // As sent: a URL object changes some characters of the path.
    const path = request.url.slice(request.url.indexOf('/', request.url.indexOf('//') + 2)).replace(WORLD_PREFIX, '');
    const headers = { ...Object.fromEntries(request.headers), host: request.headers.get('host') ?? url.host };
    this.#all.requests.set(request, this.add({ kind, method: request.method, path, headers, body }));
  }

  noteCall<T>(row: CallRow, input: CallInput, act: () => T): T {
    const step = this.add(this.#requestOf(row, input));
    const { status } = controlRow(row.id as ControlId);
    const resolved = (value: unknown) => this.responded(step, responseOf(value, status));
    const rejected = (error: unknown) => {
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

  #requestOf({ call }: CallRow, { variable = '', body }: CallInput) {
    const [method, path] = call.split(' ') as [string, string];
    const { controlToken } = this.#all.options();
    const headers = {
      host: IN_PROCESS,
      ...(typeof controlToken === 'string' && { authorization: `Bearer ${controlToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    return {
      kind: 'control' as const,
      method,
      path: `/_mock${path.replace(/\{\w+\}/, () => encodeURIComponent(variable))}`,
      headers,
      body: body === undefined ? undefined : { text: JSON.stringify(body) },
    };
  }

  readonly attempting: Attempting = async (delivery, make, sender) => {
    this.#attempts += 1;
    const attempt = this.#attempts;
    let outcome: Outcome | undefined;
    const made = await make(async (sending, signal) => {
      outcome = await sender(sending, signal).catch((error): Outcome => ({ kind: 'error', error: String(error), took: 0 }));
      return outcome;
    });
    await nextTurn();
    const { headers, body } = made.request;
    this.add({ kind: 'receiver', attempt, delivery: delivery.id, outcome, sent: { headers, body } });
    return made;
  };

  responded(step: RecordedStep, response: PlainResponse): void {
    // Other steps have arrived since.
    if (this.steps.at(-1) !== step) step.late = true;
    step.response = response;
    if ('path' in step.input) step.made = madeByRequest(step.input, requestText(step.input.body), response, this.#world);
    step.until = this.#all.places;
    this.#weigh(response.text.length);
  }
}
