// A replayed world: pending work resumes when its step comes, receivers respond as recorded, and requests are as they came.
import { onNextTurn, wait } from '../../service/world/time.ts';
import type { RecordedStart, WorldRecorder } from '../control/recorder.ts';
import { sentText } from './compare.ts';
import type { MadeWorld } from './past-worlds.ts';
import type { ClockStep, ReceiverStep, RequestStep } from './steps.ts';

export interface Replaying {
  now(): number;
  /** Whether signatures can be the same. */
  readonly signed: boolean;
  /** Requests of the control API that were read: they wait for the steps before them. */
  readonly held: Map<Request, () => void>;
  readonly begun: WeakSet<Request>;
}

/** Continues what waits for its step. @returns the text of what was sent to a receiver */
export type Continuation = () => unknown;

export class ReplayedWorld implements WorldRecorder {
  readonly time: WorldRecorder['time'];
  readonly attempting: WorldRecorder['attempting'];
  readonly start: RecordedStart | undefined;
  readonly #replay: Replaying;
  readonly #wake: () => void;
  readonly #waits = new Map<number, Continuation>();
  readonly #attempts = new Map<number, Continuation>();

  /** @param wake makes the world run */
  constructor(replay: Replaying, receivers: readonly ReceiverStep[], wake: () => void, start?: RecordedStart) {
    this.start = start;
    this.#replay = replay;
    this.#wake = wake;
    let [waits, attempts] = [0, 0];
    this.time = {
      now: () => replay.now(),
      after: (_, call) => {
        waits += 1;
        const number = waits;
        const end = () => void this.#waits.delete(number);
        this.#waits.set(number, () => {
          end();
          call();
        });
        return end;
      },
    };
    this.attempting = async (_delivery, make) => {
      attempts += 1;
      const number = attempts;
      const outcome = receivers.find(({ attempt }) => attempt === number)?.outcome;
      const made = await make(async () => outcome ?? { kind: 'error', error: 'no receiver had answered', took: 0 });
      const sent = sentText(made.request, replay.signed);
      await new Promise<void>((end) =>
        this.#attempts.set(number, () => {
          end();
          return sent;
        }),
      );
      return made;
    };
  }

  /** Undefined as long as nothing waits for the step. */
  continuationOf(step: ClockStep | ReceiverStep): Continuation | undefined {
    if (step.kind === 'receiver') return this.#attempts.get(step.attempt);
    // The original only read the world, which made it run.
    if (!this.#waits.has(step.wait)) this.#wake();
    return this.#waits.get(step.wait);
  }

  async nextTurn<T>(value: T, request?: Request): Promise<T> {
    if (request) await new Promise<void>((release) => this.#replay.held.set(request, release));
    return value;
  }

  noteRequest(...[, request]: Parameters<WorldRecorder['noteRequest']>): void {
    this.#replay.begun.add(request);
  }

  noteCall<T>(...[, , act]: [unknown, unknown, () => T]): T {
    return act();
  }
}

/** How many turns are polled before polling every few milliseconds. */
const MAX_QUICK_LOOKS = 200;
const LOOK_MS = 5;
/** How many polls in all: about five seconds, longer if the process is kept from running. */
export const MAX_LOOKS = 1200;

/** @returns true as soon as a condition holds; false when it has not for long */
export const until = async (look: () => boolean, maxLooks: number): Promise<boolean> => {
  for (let looks = 0; looks < maxLooks; looks++) {
    if (look()) return true;
    await (looks < MAX_QUICK_LOOKS ? new Promise<void>(onNextTurn) : wait(LOOK_MS));
  }
  return false;
};

/** Bodies that are refused unread. */
const UNREAD = {
  'too large': () => new Uint8Array(2 * 1_048_576).fill(0x20),
  'not UTF-8': () => new Uint8Array([0xff]),
  'too many': () => '',
} as const;

const withId = (body: string, id: string): string => JSON.stringify({ ...(JSON.parse(body || '{}') as object), id });

/** The request of a step. @param made the world that it made originally: sequential ids depend on worlds outside this file */
export const requestOf = ({ method, path, headers, body, unread, world }: RequestStep, made: MadeWorld | undefined): Request => {
  const { host = 'mock.local', 'content-length': _, 'transfer-encoding': __, connection: ___, ...kept } = headers;
  const prefix = world === undefined ? '' : `/worlds/${world}`;
  const named = made && !made.refused ? withId(body || '', made.id) : undefined;
  const sent = unread === undefined ? named || body : UNREAD[unread]();
  const isBodiless = method === 'GET' || method === 'HEAD' || sent === undefined;
  const request = new Request(`http://${host}${prefix}${path}`, { method, ...(isBodiless ? {} : { body: sent }) });
  // A page may not set each of them, and a body brings one of its own.
  Object.defineProperty(request, 'headers', { value: new Headers({ ...kept, host }) });
  return request;
};
