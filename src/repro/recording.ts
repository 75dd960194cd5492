// Records what comes into the worlds of a host from outside: requests, calls, what time brings, what receivers answer.
import { Problem } from '../contract/errors.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { type Asking, type Fetch, type Recorded, type Recording, type Tape, TOO_MUCH } from '../control/tape.ts';
import type { RawBody } from '../http/body.ts';
import { rawPath, WORLD_PREFIX } from '../http/paths.ts';
import type { Outcome } from '../webhooks/delivery.ts';
import type { Attempting } from '../webhooks/webhooks.ts';
import { after, realNow, type Time, wait } from '../world/clock.ts';
import { type Repro, shownError, shownResult } from './file.ts';
import { type Kept, type Responded, type Taken, takenOf } from './taken.ts';

/** What all recordings of a host hold at most, characters: one that would hold more is given up. */
const MOST_CHARACTERS = 64_000_000;
/** What a step weighs beside its texts, about. */
const STEP = 1000;

interface Env {
  readonly outgoing?: { destroy(): void; once(event: 'close', left: () => void): unknown };
}

/** A value as JSON keeps it. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

/** The recording of one world. */
class Reel implements Tape {
  readonly origin: Snapshot;
  readonly taken: Taken[] = [];
  readonly time: Time;
  readonly #world: string;
  readonly #all: Recorder;
  last: number | undefined;
  #waits = 0;
  #attempts = 0;
  #characters = 0;
  /** Whether there was too much to keep. */
  isGivenUp = false;

  constructor(world: string, origin: Snapshot, all: Recorder) {
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
    this.isGivenUp = !this.#all.holds(characters);
    if (this.isGivenUp) this.empty();
  }

  empty(): void {
    this.#all.holds(-this.#characters);
    this.#characters = 0;
    this.taken.length = 0;
  }

  came(kind: Asking, request: Request, body: RawBody | undefined): void {
    const url = new URL(request.url);
    const path = request.url.slice(request.url.indexOf(rawPath(request.url))).replace(WORLD_PREFIX, '');
    const headers = { ...Object.fromEntries(request.headers), host: request.headers.get('host') ?? url.host };
    const taken = this.add({ kind, method: request.method, path, headers, body });
    this.#all.asked.set(request, taken);
  }

  called<T>(name: string, given: readonly unknown[], act: () => T): T {
    const taken = this.add({ kind: 'call', call: name, given: plain(given) as unknown[] });
    const say = (status: number, text: string) => this.responded(taken, { status, headers: {}, text });
    const ended = (value: unknown) => say(200, shownResult(name, value));
    const threw = (error: unknown) => say(500, shownError(error));
    try {
      const value = act();
      if (value instanceof Promise) void value.then(ended, threw);
      else ended(value);
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
    // On a turn of its own: what follows from it is done before anything else comes.
    await wait(0);
    const { headers, body } = made.request;
    this.add({ kind: 'receiver', attempt, delivery: delivery.id, outcome, sent: { headers, body } });
    return made;
  };

  responded(taken: Taken, responded: Responded): void {
    if (this.taken.at(-1) !== taken) taken.late = true;
    taken.responded = responded;
    this.#weigh(responded.text.length);
  }
}

const notYet = (step: number, steps: number): Problem =>
  new Problem(422, 'validation_error', `The recording of this world has ${steps} steps. docs/replay.md of wm-mock says more.`, {
    fields: [{ field: 'at', issue: `must be a step from 1 to ${steps}, got ${step}` }],
  });

/** Records all worlds of a host. */
export class Recorder implements Recording {
  /** What was asked by which request. */
  readonly asked = new WeakMap<Request, Taken>();
  readonly #reels = new Map<string, Reel>();
  readonly #version: string;
  options: Recording['options'] = () => ({});
  playing?: NonNullable<Recording['playing']>;
  #characters = 0;
  #places = 0;
  /** Whether nothing else has run since the last place was given. */
  #joins = false;
  #moment: number | undefined;

  /** @param version of wm-mock, which its files say */
  constructor(version = '') {
    this.#version = version;
  }

  /** One moment for all that happens in one turn. */
  now(): number {
    return this.#moment ?? realNow();
  }

  tapeOf(world: string, origin: Snapshot): Tape {
    const reel = new Reel(world, origin, this);
    this.#reels.set(world, reel);
    return reel;
  }

  forget(world: string): void {
    this.#reels.get(world)?.empty();
    this.#reels.delete(world);
  }

  /** @returns whether there is room for so many characters more */
  holds(more: number): boolean {
    this.#characters += more;
    return this.#characters <= MOST_CHARACTERS;
  }

  /** What is recorded of a world. */
  of(world: string): Kept | undefined {
    const reel = this.#reels.get(world);
    return reel?.isGivenUp ? undefined : reel;
  }

  stepsOf(world: string): ReadonlyMap<number, number> | undefined {
    if (!this.of(world)) return undefined;
    return new Map(takenOf((one) => this.of(one), world).map(({ n }, i) => [n, i + 1]));
  }

  async rewound(instance: Recorded, step: number, before: boolean): Promise<Snapshot> {
    const repro = await this.#written(instance, { unmasked: true });
    const steps = repro?.steps.length ?? 0;
    if (!repro || !this.playing) throw new Problem(409, 'conflict', TOO_MUCH);
    if (step > steps) throw notYet(step, steps);
    return this.playing(repro, step, before);
  }

  async #written({ id, world }: Recorded, more: { readonly title?: string | undefined; readonly unmasked?: boolean }) {
    if (!this.of(id)) return undefined;
    const { writtenOf } = await import('./written.ts');
    return writtenOf((one) => this.of(one), id, { version: this.#version, options: this.options(), world, ...more });
  }

  saved(instance: Recorded, title?: string): Promise<Repro | undefined> {
    return this.#written(instance, { title });
  }

  place(world: string, what: Taken['what']): Taken {
    const joined = this.#joins;
    this.#joins = true;
    void Promise.resolve().then(() => (this.#joins = false));
    if (this.#moment === undefined) after(0, () => (this.#moment = undefined));
    this.#moment ??= realNow();
    this.#places += 1;
    return { n: this.#places, at: this.#moment, world, joined, what };
  }

  heard(fetch: Fetch): Fetch {
    return async (request, env: Env = {}) => {
      const { outgoing } = env;
      const watched = outgoing && {
        destroy: () => outgoing.destroy(),
        once: (event: 'close', left: () => void) => outgoing.once(event, () => this.#left(request, left)),
      };
      try {
        const response = await fetch(request, { ...env, Response: undefined, ...(watched && { outgoing: watched }) });
        const taken = this.asked.get(request);
        if (taken) await this.#note(taken, response);
        return response;
      } catch (error) {
        const taken = this.asked.get(request);
        if (taken) this.#reels.get(taken.world)?.responded(taken, { status: 0, headers: {}, text: '' });
        throw error;
      }
    };
  }

  async #note(taken: Taken, response: Response): Promise<void> {
    const closed = response.headers.has('x-hono-already-sent');
    const headers = Object.fromEntries(response.headers);
    const reel = this.#reels.get(taken.world);
    if (reel?.taken.at(-1) !== taken) taken.late = true;
    const text = closed ? '' : await response.clone().text();
    reel?.responded(taken, closed ? { status: 0, headers: {}, text } : { status: response.status, headers, text });
  }

  #left(request: Request, left: () => void): void {
    const taken = this.asked.get(request);
    if (taken && !taken.responded) this.#reels.get(taken.world)?.add({ kind: 'gone', request: taken.n });
    left();
  }
}
