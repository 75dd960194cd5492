// Records the external input of a host's worlds: requests, calls, timers, responses of receivers.
import { Problem } from '../../service/contract/errors.ts';
import { onNextTurn, realNow } from '../../service/world/time.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { checkStep, type Fetch, type Recorded, type Recording, type Tape, TOO_MUCH } from '../control/tape.ts';
import type { Repro } from './format.ts';
import { pastOf } from './past.ts';
import { followed, Reel, type Reels } from './reel.ts';
import { type Kept, madeBy, type Taken } from './taken.ts';
import type { Saving } from './written.ts';

/** Limit of all recordings of a host, characters: a recording that would exceed it is dropped. */
const MOST_CHARACTERS = 64_000_000;

interface Env {
  readonly outgoing?: { destroy(): void; once(event: 'close', left: () => void): unknown };
}

/** Records all worlds of a host. */
export class Recorder implements Recording, Reels {
  readonly asked = new WeakMap<Request, Taken>();
  readonly #reels = new Map<string, Reel>();
  readonly #version: string;
  options: Recording['options'] = () => ({});
  playing?: NonNullable<Recording['playing']>;
  places = 0;
  #characters = 0;
  /** Whether nothing else has run since the last position was assigned. */
  #joins = false;
  #turns = 0;
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

  end(world: string): void {
    const reel = this.#reels.get(world);
    if (reel) reel.hasEnded = true;
  }

  forget(world: string): void {
    this.#reels.get(world)?.empty();
    this.#reels.delete(world);
  }

  holds(more: number): boolean {
    this.#characters += more;
    // Closed worlds make room for open ones.
    if (this.#characters > MOST_CHARACTERS)
      for (const reel of this.#reels.values()) if (reel.hasEnded && !reel.isGivenUp) reel.giveUp();
    return this.#characters <= MOST_CHARACTERS;
  }

  /** A copy of a world's recording: later steps do not change it. */
  of(world: string): Kept | undefined {
    const own = this.#reels.get(world);
    if (own?.isGivenUp !== false) return undefined;
    // A closed world does not belong to open ones.
    const reels = [...this.#reels.values()].filter(({ hasEnded }) => own.hasEnded || !hasEnded);
    const all = reels.flatMap(({ taken }) => taken).sort((a, b) => a.n - b.n);
    const { root, steps } = pastOf(all, madeBy, world);
    const answered = ({ responded, ...taken }: Taken, upTo: number): Taken =>
      responded && taken.until! <= upTo ? { ...taken, responded } : taken;
    const taken = steps.map(({ step, upTo }) => answered(step, upTo));
    const origins = new Map([root, world, ...taken.map((one) => one.world)].map((one) => [one, this.#reels.get(one)!.origin]));
    return { world, root, origins, taken };
  }

  stepsOf(world: string): ReadonlyMap<number, number> | undefined {
    const kept = this.of(world);
    return kept && new Map(kept.taken.map(({ n }, i) => [n, i + 1]));
  }

  /** Without the call that asks for it, which is recorded itself. */
  async rewound(instance: Recorded, step: number, before: boolean): Promise<Snapshot> {
    const kept = this.of(instance.id);
    if (!kept || !this.playing) throw new Problem(409, 'conflict', TOO_MUCH);
    const past = { ...kept, taken: kept.taken.slice(0, -1) };
    checkStep(step, past.taken.length);
    return this.playing(await this.#written(past, { world: instance.world, unmasked: true }), step, before);
  }

  async #written(kept: Kept, { world, ...more }: Pick<Saving, 'world' | 'title' | 'unmasked'>): Promise<Repro> {
    const saving = { version: this.#version, options: this.options(), world: world.fork(), ...more };
    const { writtenOf } = await import('./written.ts');
    return writtenOf(kept, saving);
  }

  async saved({ id, world }: Recorded, title?: string): Promise<Repro | undefined> {
    const kept = this.of(id);
    return kept && this.#written(kept, { world, title });
  }

  place(world: string, what: Taken['what']): Taken {
    if (!this.#joins) this.#turns += 1;
    this.#joins = true;
    void Promise.resolve().then(() => (this.#joins = false));
    if (this.#moment === undefined) onNextTurn(() => (this.#moment = undefined));
    this.#moment ??= realNow();
    this.places += 1;
    return { n: this.places, at: this.#moment, world, turn: this.#turns, what };
  }

  heard(fetch: Fetch): Fetch {
    return async (request, env: Env = {}) => {
      const { outgoing } = env;
      const watched = outgoing && {
        destroy: () => outgoing.destroy(),
        once: (event: 'close', left: () => void) => outgoing.once(event, () => this.#left(request, left)),
      };
      const ended = async (response?: Response) => {
        const taken = this.asked.get(request);
        if (!taken) return;
        await this.#note(taken, response);
        await followed();
      };
      try {
        const response = await fetch(request, { ...env, Response: undefined, ...(watched && { outgoing: watched }) });
        await ended(response);
        return response;
      } catch (error) {
        await ended();
        throw error;
      }
    };
  }

  /** @param response absent: the connection was closed */
  async #note(taken: Taken, response?: Response): Promise<void> {
    const reel = this.#reels.get(taken.world);
    reel?.passed(taken);
    const isClosed = !response || response.headers.has('x-hono-already-sent');
    if (isClosed) return reel?.responded(taken, { status: 0, headers: {}, text: '' });
    const headers = Object.fromEntries(response.headers);
    reel?.responded(taken, { status: response.status, headers, text: await response.clone().text() });
  }

  #left(request: Request, left: () => void): void {
    const taken = this.asked.get(request);
    if (taken && !taken.responded) this.#reels.get(taken.world)?.add({ kind: 'gone', request: taken.n });
    left();
  }
}
