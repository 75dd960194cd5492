// Records a world: every request from outside in order, and how time and receivers responded. Replays implement it too.
import { Problem } from '../../service/contract/errors.ts';
import type { RawBody } from '../../service/http/body.ts';
import type { Exchange } from '../../service/http/exchange.ts';
import type { RequestInfo } from '../../service/http/request-info.ts';
import type { Attempting } from '../../service/webhooks/webhooks.ts';
import type { Seed } from '../../service/world/records.ts';
import type { Time } from '../../service/world/time.ts';
import type { World } from '../../service/world/world.ts';
import type { Snapshot } from './snapshot.ts';

export interface CallRow {
  readonly id: string;
  readonly call: string;
  /** Changes nothing in its world. */
  readonly aside?: boolean;
}

export interface CallInput {
  readonly variable?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** A parsed seed of the body. */
  readonly seed?: Seed | undefined;
}

/** Records one world, or replays its recording. */
export interface WorldRecorder {
  readonly time: Time;
  /** Delays a value until its turn. @param request absent: in any order */
  nextTurn<T>(value: T, request?: Request): Promise<T>;
  /** Notes a request before it is handled. @param read that of the service */
  noteRequest(kind: 'request' | 'control', request: Request, body: RawBody | undefined, read?: RequestInfo): void;
  /** Notes what the service responded to a request. */
  noteExchange?(exchange: Exchange): void;
  /** Notes that a client left before its response. */
  noteLeft?(request: RequestInfo): void;
  /** Makes a call of this process, noted as the equivalent request. */
  noteCall<T>(row: CallRow, input: CallInput, act: () => T): T;
  readonly attempting: Attempting;
  readonly last?: number | undefined;
  /** Where a replayed world starts, if not at its origin. */
  readonly start?: RecordedStart | undefined;
}

/** All that later steps of a world depend on. */
export interface RecordedStart {
  readonly origin: Snapshot;
  /** Undefined: it does not run yet. */
  readonly now: Snapshot | undefined;
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  /** How many snapshots were made. */
  readonly taken: number;
  readonly attempted: readonly string[];
}

/** A world that is recorded, as its recorder looks at it. */
export interface RecordedSource {
  /** Makes the world run, as its first use does. */
  readonly running: unknown;
  readonly opened: { readonly world: World } | undefined;
  start(): RecordedStart;
}

/** Bytes that it may hold, and what counts more of them. */
export interface MemoryLimit {
  readonly limit: number;
  add(bytes: number): void;
}

/** The memory of a recording: its steps, and the states that they start from. */
export interface RecordedMemory {
  readonly bytes: number;
  readonly snapshots: readonly Snapshot[];
}

export interface Recording {
  /** Milliseconds since 1970; a replay reads relative times from it. */
  now(): number;
  recorderOf(world: string, origin: Snapshot, source: RecordedSource): WorldRecorder;
  /** Keeps recent steps alone, within a part of this memory. */
  bound?(memory: MemoryLimit): void;
  /** Its part of that memory. */
  inMemory?(): RecordedMemory | undefined;
  /** How many steps a world's recording has dropped. */
  dropped?(world: string): number;
  /** Hears of requests and responses. */
  watch?(fetch: Fetch): Fetch;
  /** Ends the recording of a closed world; it stays until forgotten. */
  end?(world: string): void;
  forget?(world: string): void;
  /** Options of a replay beyond the seed. */
  options: () => Readonly<Record<string, unknown>>;
  /** @returns the world of a file after a step, or before it */
  replayTo?: (repro: object, step: number, before: boolean) => Promise<Snapshot>;
  /** @returns a world after one of its steps, or before it @throws Problem 409, 422 */
  rewind(instance: RecordedWorld, step: number, before: boolean): Promise<Snapshot>;
  /** Steps of the file of a world by their numbers in the recording. */
  stepsOf?(world: string): ReadonlyMap<number, number> | undefined;
  /** @returns a repro file; undefined if the recording exceeded its limit */
  save(instance: RecordedWorld, title?: string): Promise<object | undefined>;
}

export interface RecordedWorld {
  readonly id: string;
  readonly world: World;
}

export type Fetch = (request: Request, env?: object) => Response | Promise<Response>;

const NOT_RECORDED =
  'Nothing was recorded, for the mock was made without it. Start it with --record <file>, or make it with createMock({ record: true }). docs/replay.md of wm-mock says more.';
export const TOO_MUCH =
  'More came in than a recording keeps. Save earlier, or a world of one test alone. docs/replay.md of wm-mock says more.';

/** @param numbers those of the steps there are @throws Problem 422 */
export const checkStep = (step: number, numbers: readonly number[]): void => {
  const [first = 1, last = 0] = [numbers[0], numbers.at(-1)];
  if (Number.isInteger(step) && step >= first && step <= last) return;
  const says = `The recording of this world has ${numbers.length} steps. docs/replay.md of wm-mock says more.`;
  const fields = [{ field: 'at', issue: `must be a step from ${first} to ${last}, got ${step}` }];
  throw new Problem(422, 'validation_error', says, { fields });
};

/** @throws Problem 409 when there is no recording */
export const saveRecording = async (recording: Recording | undefined, instance: RecordedWorld, title?: string) => {
  const repro = await recording?.save(instance, title);
  if (!repro) throw new Problem(409, 'conflict', recording ? TOO_MUCH : NOT_RECORDED);
  return repro;
};

/** @throws Problem 409, 422 */
export const rewindWorld = (recording: Recording | undefined, instance: RecordedWorld, step: number, before = false) => {
  if (!recording) throw new Problem(409, 'conflict', NOT_RECORDED);
  return recording.rewind(instance, step, before);
};
