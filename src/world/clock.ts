// The clock of a world: frozen or running. The only file that reads the real time or waits for it.

/** The real time and real waiting, for those who have no world. */
export const realNow = (): number => Date.now();

/** Waits for real milliseconds. */
export const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export type ClockMode = 'running' | 'frozen';

export class Clock {
  #mode: ClockMode;
  /** The time when frozen; what is added to the real time when running. */
  #value: number;

  /** @param start milliseconds since 1970 at which the clock stands frozen; null: it runs with the real time. */
  constructor(start: number | null) {
    this.#mode = start === null ? 'running' : 'frozen';
    this.#value = start ?? 0;
  }

  fork(): Clock {
    const copy = new Clock(0);
    copy.#mode = this.#mode;
    copy.#value = this.#value;
    return copy;
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#mode === 'frozen' ? this.#value : Date.now() + this.#value;
  }

  set(now: number, mode: ClockMode = this.#mode): void {
    this.#mode = mode;
    this.#value = mode === 'frozen' ? now : now - Date.now();
  }
}
