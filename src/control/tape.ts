// What a recording hears of a world: everything that comes in from outside, in its order, and what time and senders answer.
import type { Came } from '../http/exchange.ts';
import type { Attempting } from '../webhooks/webhooks.ts';
import type { Time } from '../world/clock.ts';
import type { World } from '../world/world.ts';
import type { Snapshot } from './snapshot.ts';

/** Who asks: the service, the control API, a form of the dashboard. */
export type Asking = 'request' | 'control' | 'edit';

/** The recording of one world, or what plays it again. */
export interface Tape {
  readonly time: Time;
  came(kind: Asking, ...asked: Parameters<Came>): void;
  /** A call that a program makes. @param name such as `clock.advance` @returns what the call returns */
  called<T>(name: string, given: readonly unknown[], act: () => T): T;
  readonly attempting: Attempting;
}

/** The recordings of the worlds of a host. */
export interface Recording {
  tapeOf(world: string, origin: Snapshot): Tape;
  /** Hears what an application responds. */
  heard(fetch: Fetch): Fetch;
  /** A world is gone. */
  forget(world: string): void;
  /** What was recorded of a world as a repro file; undefined where nothing is kept. @param options of the mock that it needs to be played */
  saved(instance: Recorded, options: Readonly<Record<string, unknown>>, title?: string): Promise<object | undefined>;
}

/** What is asked of a world when its recording is saved. */
export interface Recorded {
  readonly id: string;
  readonly world: World;
}

export type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

/** The same function, whose calls a tape hears, where there is one. */
export const heard =
  <A extends readonly unknown[], R>(tape: Tape | undefined, name: string, act: (...given: A) => R) =>
  (...given: A): R =>
    tape ? tape.called(name, given, () => act(...given)) : act(...given);
