// A replayed world: pending work resumes when its step comes, and receivers respond as recorded.

import { onNextTurn, wait } from '../../service/world/time.ts';
import type { Tape } from '../control/tape.ts';
import { sentText } from './file.ts';
import type { ReceiverStep } from './format.ts';

/** An attempt that has been made, and waits for its turn to end. */
export interface Attempted {
  readonly sent: string;
  end(): void;
}

export interface Playing {
  now(): number;
  /** By the numbers of their attempts. */
  readonly outcomes: ReadonlyMap<number, ReceiverStep>;
  /** Whether signatures can be the same. */
  readonly signed: boolean;
  /** Makes the world run. */
  wake(): void;
  /** Requests that have been read. */
  readonly read: WeakSet<Request>;
}

export class PlayedWorld implements Tape {
  readonly waits = new Map<number, () => void>();
  readonly attempts = new Map<number, Attempted>();
  readonly time: Tape['time'];
  readonly #with: Playing;
  #waits = 0;
  #attempts = 0;

  constructor(given: Playing) {
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

  turn<T>(read: T): Promise<T> {
    return Promise.resolve(read);
  }

  came(...[, request]: Parameters<Tape['came']>): void {
    this.#with.read.add(request);
  }

  called<T>(_name: string, _given: readonly unknown[], act: () => T): T {
    return act();
  }

  readonly attempting: Tape['attempting'] = async (_delivery, make) => {
    this.#attempts += 1;
    const number = this.#attempts;
    const outcome = this.#with.outcomes.get(number)?.outcome;
    const made = await make(async () => outcome ?? { kind: 'error', error: 'no receiver had answered', took: 0 });
    await new Promise<void>((end) => this.attempts.set(number, { sent: sentText(made.request, this.#with.signed), end }));
    return made;
  };
}

/** How many turns are polled before polling every few milliseconds. */
const QUICK_LOOKS = 200;
const LOOK_MS = 5;
/** How many polls in all: about five seconds, longer if the process is kept from running. */
export const PATIENCE = 1200;

/** @returns true as soon as a condition holds; false when it has not for long */
export const until = async (look: () => boolean, patience: number): Promise<boolean> => {
  for (let looks = 0; looks < patience; looks++) {
    if (look()) return true;
    await (looks < QUICK_LOOKS ? new Promise<void>(onNextTurn) : wait(LOOK_MS));
  }
  return false;
};
