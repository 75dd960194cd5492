// A replayed world: pending work resumes when its step comes, receivers respond as recorded, and requests are as they came.

import { onNextTurn, wait } from '../../service/world/time.ts';
import type { WorldRecorder } from '../control/recorder.ts';
import { sentText } from './compare.ts';
import type { MadeWorld } from './past-worlds.ts';
import type { ReceiverStep, RequestStep } from './steps.ts';

/** An attempt that has been made, and waits for its turn to end. */
export interface Attempted {
  readonly sent: string;
  end(): void;
}

export interface Replaying {
  now(): number;
  /** By the numbers of their attempts. */
  readonly outcomes: ReadonlyMap<number, ReceiverStep>;
  /** Whether signatures can be the same. */
  readonly signed: boolean;
  /** Makes the world run. */
  wake(): void;
  /** Resolves when the requests of the same turn have arrived as well. */
  arrive(request: Request): Promise<void>;
  /** Requests that are being handled. */
  readonly begun: WeakSet<Request>;
}

export class ReplayedWorld implements WorldRecorder {
  readonly waits = new Map<number, () => void>();
  readonly attempts = new Map<number, Attempted>();
  readonly time: WorldRecorder['time'];
  readonly #with: Replaying;
  #waits = 0;
  #attempts = 0;

  constructor(given: Replaying) {
    this.#with = given;
    this.time = {
      now: given.now,
      after: (_, call) => {
        this.#waits += 1;
        const number = this.#waits;
        this.waits.set(number, call);
        return () => void this.waits.delete(number);
      },
    };
  }

  /** Whether work is pending under this number. Wakes a world that the original only read, which made it run. */
  isWaiting(wait: number): boolean {
    if (!this.waits.has(wait)) this.#with.wake();
    return this.waits.has(wait);
  }

  async nextTurn<T>(value: T, request?: Request): Promise<T> {
    if (request) await this.#with.arrive(request);
    return value;
  }

  noteRequest(...[, request]: Parameters<WorldRecorder['noteRequest']>): void {
    this.#with.begun.add(request);
  }

  noteCall<T>(...[, , act]: [unknown, unknown, () => T]): T {
    return act();
  }

  readonly attempting: WorldRecorder['attempting'] = async (_delivery, make) => {
    this.#attempts += 1;
    const number = this.#attempts;
    const outcome = this.#with.outcomes.get(number)?.outcome;
    const made = await make(async () => outcome ?? { kind: 'error', error: 'no receiver had answered', took: 0 });
    await new Promise<void>((end) => this.attempts.set(number, { sent: sentText(made.request, this.#with.signed), end }));
    return made;
  };
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
