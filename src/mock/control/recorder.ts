// Records a world: every request from outside in order, and how time and receivers responded. Replays implement it too.
import { Problem } from '../../service/contract/errors.ts';
import type { RawBody } from '../../service/http/body.ts';
import type { Attempting } from '../../service/webhooks/webhooks.ts';
import type { Seed } from '../../service/world/records.ts';
import type { Time } from '../../service/world/time.ts';
import type { World } from '../../service/world/world.ts';
import type { Snapshot } from './snapshot.ts';

/** The part of a row of the control table that a call needs. */
export interface CallRow {
  readonly id: string;
  /** Method and path below `/_mock`. */
  readonly call: string;
  /** It changes nothing in its world. */
  readonly aside?: boolean;
}

export interface CallInput {
  /** Fills the path. */
  readonly variable?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The seed in the body, checked already. */
  readonly seed?: Seed | undefined;
}

/** Records one world, or replays what was recorded of it. */
export interface WorldRecorder {
  readonly time: Time;
  /** Passes a value on in a turn of its own. @param request absent: one whose place among others is free */
  nextTurn<T>(value: T, request?: Request): Promise<T>;
  /** Notes a request that is about to be handled. */
  noteRequest(kind: 'request' | 'control', request: Request, body: RawBody | undefined): void;
  /** Makes a call from this process, noted as the request that does the same. */
  noteCall<T>(row: CallRow, input: CallInput, act: () => T): T;
  readonly attempting: Attempting;
  /** Number of the last step. */
  readonly last?: number | undefined;
}

/** Records the worlds of a host. */
export interface Recording {
  /** Milliseconds since 1970: what is read relative to now is the same in a replay. */
  now(): number;
  /** @param wake has the world run, which it does by itself when it is first used */
  recorderOf(world: string, origin: Snapshot, wake: () => void): WorldRecorder;
  /** Notes the responses of an application. */
  watch(fetch: Fetch): Fetch;
  /** A world is closed; its recording stays until it is forgotten. */
  end(world: string): void;
  forget(world: string): void;
  /** Options that a replay needs and that do not follow from the seed. */
  options: () => Readonly<Record<string, unknown>>;
  /** Replays a file up to a step, included unless `before`. @returns the resulting state of the world that the file is about */
  replayTo?: (repro: object, step: number, before: boolean) => Promise<Snapshot>;
  /** A world as it was after one of its steps, or before it. @throws Problem 409, 422 */
  rewind(instance: RecordedWorld, step: number, before: boolean): Promise<Snapshot>;
  /** Steps of the file of a world by the numbers of their recording; undefined where there is none. */
  stepsOf?(world: string): ReadonlyMap<number, number> | undefined;
  /** The recording of a world as a repro file; undefined if it exceeded the limit. */
  save(instance: RecordedWorld, title?: string): Promise<object | undefined>;
}

/** The part of a world that its file needs. */
export interface RecordedWorld {
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

/** The repro file of a world. @throws Problem 409 that says how to record */
export const saveRecording = async (
  recording: Recording | undefined,
  instance: RecordedWorld,
  title?: string,
): Promise<object> => {
  const repro = await recording?.save(instance, title);
  if (!repro) throw new Problem(409, 'conflict', recording ? TOO_MUCH : NOT_RECORDED);
  return repro;
};

/** A world as it was after a step of its recording, or before it. @throws Problem 409, 422 */
export const rewindWorld = (recording: Recording | undefined, instance: RecordedWorld, step: number, before = false) => {
  if (!recording) throw new Problem(409, 'conflict', NOT_RECORDED);
  return recording.rewind(instance, step, before);
};
