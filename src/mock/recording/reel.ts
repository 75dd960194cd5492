// The recording of one world: its input in order, and the responses.
import { errorMessage } from '../../service/contract/errors.ts';
import type { RawBody } from '../../service/http/body.ts';
import { WORLD_PREFIX } from '../../service/http/paths.ts';
import type { Outcome } from '../../service/webhooks/delivery.ts';
import type { Attempting } from '../../service/webhooks/webhooks.ts';
import { after, onNextTurn, type Time } from '../../service/world/time.ts';
import type { Snapshot } from '../control/snapshot.ts';
import type { Asking, Tape } from '../control/tape.ts';
import { shownResult } from './file.ts';
import type { Responded, Taken } from './taken.ts';

/** Approximate size of a step without its texts. */
const STEP = 1000;

/** Shared by the recordings of a host. */
export interface Reels {
  now(): number;
  /** Assigns a step its position among the steps of all worlds. */
  place(world: string, what: Taken['what']): Taken;
  /** How many positions were assigned. */
  readonly places: number;
  /** @returns whether there is room for this many more characters */
  holds(more: number): boolean;
  /** The step of each request. */
  readonly asked: WeakMap<Request, Taken>;
}

/** A value as JSON preserves it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** Resolves on the next turn: the effects of this one come before any further input. */
export const followed = (): Promise<void> => new Promise(onNextTurn);

export class Reel implements Tape {
  readonly origin: Snapshot;
  readonly taken: Taken[] = [];
  readonly time: Time;
  last: number | undefined;
  readonly #world: string;
  readonly #all: Reels;
  #waits = 0;
  #attempts = 0;
  #characters = 0;
  /** Whether it exceeded the limit. */
  isGivenUp = false;
  /** Whether its world is closed. */
  hasEnded = false;

  constructor(world: string, origin: Snapshot, all: Reels) {
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

  add(what: Taken['what']): Taken {
    const taken = this.#all.place(this.#world, what);
    this.last = taken.n;
    if (!this.isGivenUp) this.taken.push(taken);
    this.#weigh(STEP + ('body' in what && what.body && 'text' in what.body ? what.body.text.length : 0));
    return taken;
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
    this.taken.length = 0;
  }

  async turn<T>(read: T): Promise<T> {
    await followed();
    return read;
  }

  came(kind: Asking, request: Request, body: RawBody | undefined): void {
    const url = new URL(request.url);
    // As sent: a URL object changes some characters of the path.
    const path = request.url.slice(request.url.indexOf('/', request.url.indexOf('//') + 2)).replace(WORLD_PREFIX, '');
    const headers = { ...Object.fromEntries(request.headers), host: request.headers.get('host') ?? url.host };
    const taken = this.add({ kind, method: request.method, path, headers, body });
    this.#all.asked.set(request, taken);
  }

  called<T>(name: string, given: readonly unknown[], act: () => T): T {
    const taken = this.add({ kind: 'call', call: name, given: plain(given) as unknown[] });
    const say = (status: number, text: string) => this.responded(taken, { status, headers: {}, text });
    const ended = (value: unknown) => say(200, shownResult(name, value));
    const threw = (error: unknown) => say(500, errorMessage(error));
    try {
      const value = act();
      if (value instanceof Promise)
        return value
          .then(ended, threw)
          .then(followed)
          .then(() => value) as T;
      ended(value);
      return value;
    } catch (error) {
      threw(error);
      throw error;
    }
  }

  readonly attempting: Attempting = async (delivery, make, sender) => {
    this.#attempts += 1;
    const attempt = this.#attempts;
    let outcome: Outcome | undefined;
    const made = await make(async (sending, signal) => {
      outcome = await sender(sending, signal).catch((error): Outcome => ({ kind: 'error', error: String(error), took: 0 }));
      return outcome;
    });
    await followed();
    const { headers, body } = made.request;
    this.add({ kind: 'receiver', attempt, delivery: delivery.id, outcome, sent: { headers, body } });
    return made;
  };

  responded(taken: Taken, responded: Responded): void {
    this.passed(taken);
    taken.responded = responded;
    taken.until = this.#all.places;
    this.#weigh(responded.text.length);
  }

  /** Notes whether other steps have arrived since. */
  passed(taken: Taken): void {
    if (this.taken.at(-1) !== taken) taken.late = true;
  }
}
