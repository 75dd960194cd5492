// What a recording hears of a world: everything that comes in from outside, in its order, and what time and senders answer.
import { Problem } from '../../service/contract/errors.ts';
import type { Came } from '../../service/http/exchange.ts';
import type { Attempting } from '../../service/webhooks/webhooks.ts';
import type { Time } from '../../service/world/time.ts';
import type { World } from '../../service/world/world.ts';
import type { Snapshot } from './snapshot.ts';

/** Who asks: the service, the control API, a form of the dashboard. */
export type Asking = 'request' | 'control' | 'edit';

/** The recording of one world, or what plays it again. */
export interface Tape {
  readonly time: Time;
  /** Passes on what was read of a request on a turn of its own. */
  turn<T>(read: T): Promise<T>;
  came(kind: Asking, ...asked: Parameters<Came>): void;
  /** A call that a program makes. @param name such as `clock.advance` @returns what the call returns */
  called<T>(name: string, given: readonly unknown[], act: () => T): T;
  readonly attempting: Attempting;
  /** The place of what came in last. */
  readonly last?: number | undefined;
}

/** The recordings of the worlds of a host. */
export interface Recording {
  /** Milliseconds since 1970: what is read relative to now is the same when it is played. */
  now(): number;
  /** @param wake has the world run, which it does by itself when it is first used */
  tapeOf(world: string, origin: Snapshot, wake: () => void): Tape;
  /** Hears what an application responds. */
  heard(fetch: Fetch): Fetch;
  /** A world is gone; its recording stays until it is forgotten. */
  end(world: string): void;
  forget(world: string): void;
  /** The options that the mock needs to be played again, and that do not follow from its seed. */
  options: () => Readonly<Record<string, unknown>>;
  /** Plays a file up to a step, that one included unless told. @returns what has become of the world that the file is of */
  playing?: (repro: object, step: number, before: boolean) => Promise<Snapshot>;
  /** A world as it was after one of its steps, or before it. @throws Problem 409, 422 */
  rewound(instance: Recorded, step: number, before: boolean): Promise<Snapshot>;
  /** The steps of a world's file by the places of what came in; undefined where there is none. */
  stepsOf?(world: string): ReadonlyMap<number, number> | undefined;
  /** What was recorded of a world as a repro file; undefined where there was too much of it. */
  saved(instance: Recorded, title?: string): Promise<object | undefined>;
}

/** What is asked of a world when its recording is saved. */
export interface Recorded {
  readonly id: string;
  readonly world: World;
}

export type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

const NOT_RECORDED =
  'Nothing was recorded, for the mock was made without it. Start it with --record <file>, or make it with createMock({ record: true }). docs/replay.md of wm-mock says more.';
export const TOO_MUCH =
  'More came in than a recording keeps. Save earlier, or a world of one test alone. docs/replay.md of wm-mock says more.';

/** @throws Problem 422 when there is no such step */
export const checkStep = (step: number, steps: number): void => {
  if (Number.isInteger(step) && step >= 1 && step <= steps) return;
  throw new Problem(
    422,
    'validation_error',
    `The recording of this world has ${steps} steps. docs/replay.md of wm-mock says more.`,
    { fields: [{ field: 'at', issue: `must be a step from 1 to ${steps}, got ${step}` }] },
  );
};

/** What was recorded of a world as a repro file. @throws Problem 409 that says how to record */
export const savedOf = async (recording: Recording | undefined, instance: Recorded, title?: string): Promise<object> => {
  const saved = await recording?.saved(instance, title);
  if (!saved) throw new Problem(409, 'conflict', recording ? TOO_MUCH : NOT_RECORDED);
  return saved;
};

/** A world as it was after a step of its recording, or before it. @throws Problem 409, 422 */
export const rewoundOf = (recording: Recording | undefined, instance: Recorded, step: number, before = false) => {
  if (!recording) throw new Problem(409, 'conflict', NOT_RECORDED);
  return recording.rewound(instance, step, before);
};

/** What hears of the calls that a program makes of a world. */
interface Hearing {
  readonly tape: Tape | undefined;
  acted<T>(title: string, act: () => T): T;
}

/** The same function, whose calls are heard by the timeline of a world, and by its tape where there is one. */
export const heard =
  <A extends readonly unknown[], R>(by: Hearing | undefined, name: string, act: (...given: A) => R) =>
  (...given: A): R => {
    if (!by) return act(...given);
    const acted = () => by.acted(`mock.${name}`, () => act(...given));
    return by.tape ? by.tape.called(name, given, acted) : acted();
  };
