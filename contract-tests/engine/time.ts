// Who says what time it is and who waits: the real clock, or the clock of a wm-mock through its control API. How far the target's clock is off.
import type { Control } from './control.ts';

export interface Time {
  /** Milliseconds since 1970 on the run's clock. That of the target may differ: ask Skew. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Runs a job after a delay, on the same clock. */
  after(ms: number, job: () => void): void;
  /** Lets what has been sent arrive, without a wait that counts. */
  settle(): Promise<void>;
  /** True when a wait costs no real time. */
  readonly virtual: boolean;
}

/** This clock, which counts what is waited in real time. */
export const counted = (time: Time): Time & { readonly waitedMs: number } => {
  let waitedMs = 0;
  const waiting = async (wait: () => Promise<void>) => {
    const began = time.now();
    await wait();
    if (!time.virtual) waitedMs += Math.max(0, time.now() - began);
  };
  return {
    now: () => time.now(),
    sleep: (ms) => waiting(() => time.sleep(ms)),
    after: (ms, job) => time.after(ms, job),
    settle: () => waiting(() => time.settle()),
    virtual: time.virtual,
    get waitedMs() {
      return waitedMs;
    },
  };
};

/** A wait that makes the reader ask what happens. */
export const WORTH_TELLING_MS = 5000;

/** Calls after real milliseconds; keeps no process alive. */
const later = (ms: number, job: () => void): void => {
  const timer: { unref?: () => void } | number = setTimeout(job, ms);
  if (typeof timer === 'object') timer.unref?.();
};

export const realTime = (): Time => {
  const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
  return { now: () => Date.now(), sleep, after: later, settle: () => sleep(200), virtual: false };
};

/** The clock of a wm-mock: to wait is to advance it. */
export const controlTime = async (control: Control): Promise<Time> => {
  const read = (reading: { now: string; mode?: string }) => ({
    at: Date.parse(reading.now),
    seen: performance.now(),
    running: reading.mode === 'running',
  });
  let last = read(await control.clock());
  const advance = async (ms: number) => {
    last = read(await control.advance(`${Math.max(0, Math.round(ms / 1000))}s`));
  };
  return {
    now: () => last.at + (last.running ? performance.now() - last.seen : 0),
    sleep: (ms) => advance(Math.ceil(ms / 1000) * 1000),
    after: later,
    settle: () => advance(0),
    virtual: true,
  };
};

/** Two clocks that were never set may be this far apart; a wrong zone is 15 minutes or more. */
export const CLOCKS_APART = 10 * 60_000;
/** Age and number of useful samples: a clock may be set, and several servers may respond. */
const SAMPLE_MS = 5 * 60_000;
const SAMPLES = 30;
/** Two servers behind one address agree so far. */
const SLACK = 250;
/** The years of a Date header have four digits (RFC 9110, 5.6.7): what lies beyond is none, and no calendar may show it. */
const LAST_DATE = Date.UTC(9999, 11, 31, 23, 59, 59);

/** A moment of the target's clock, and how many milliseconds it may be off to either side. */
export interface Estimate {
  readonly at: number;
  readonly within: number;
}

interface Sample {
  readonly seen: number;
  /** Bounds of what the target's clock is ahead of ours. */
  readonly low: number;
  readonly high: number;
}

const spread = (samples: readonly Sample[]): { ahead: number; within: number } | undefined => {
  if (samples.length === 0) return undefined;
  const low = Math.max(...samples.map((sample) => sample.low));
  const high = Math.min(...samples.map((sample) => sample.high));
  return { ahead: (low + high) / 2, within: Math.abs(high - low) / 2 + SLACK };
};

/**
 * The target's clock, as its responses show it: by their Date headers, else by created_at of what was made. Each response was made between
 * the moment it was asked for and the moment it came, so each narrows the difference; the quickest response narrows it most.
 */
export class Skew {
  readonly #time: Time;
  #dates: readonly Sample[] = [];
  #makings: readonly Sample[] = [];

  constructor(time: Time) {
    this.#time = time;
  }

  /** Learns from a Date header. @param sent @param came on our clock */
  date(header: string | null, sent: number, came: number): void {
    const moment = Date.parse(header ?? '');
    if (Math.abs(moment) <= LAST_DATE) this.#dates = this.#with(this.#dates, moment, moment + 1000, sent, came);
  }

  /** Learns from created_at of what a response made. A difference that may be a fault of created_at itself teaches nothing. */
  made(moment: number, sent: number, came: number): void {
    if (Number.isNaN(moment) || moment < sent - CLOCKS_APART || moment > came + CLOCKS_APART) return;
    const whole = moment % 1000 === 0;
    this.#makings = this.#with(this.#makings, moment - (whole ? 500 : 1), moment + (whole ? 1000 : 1), sent, came);
  }

  /** The target's clock now. */
  now(): Estimate {
    return this.#by(this.#dates) ?? this.#by(this.#makings) ?? { at: this.#time.now(), within: CLOCKS_APART };
  }

  /** A moment of the target's on our clock. */
  ours(moment: number): number {
    return moment - this.now().at + this.#time.now();
  }

  /**
   * Whether a moment that the target names lies between this many milliseconds ago and this many ahead, by any clock that the target may go by:
   * a gateway may set Date, and another run may move a virtual clock, which the last response shows.
   * @param came when the response that names it came, on our clock
   */
  fits(moment: number, ago: number, ahead: number, came = this.#time.now()): boolean {
    const since = this.#time.now() - came;
    return this.clocks().some(({ at, within }) => moment >= at - since - within - ago && moment <= at - since + within + ahead);
  }

  /** The time of each clock that the target may go by: the gateway's, which sets Date, and the records'. */
  clocks(): readonly Estimate[] {
    const known = [this.#dates, this.#dates.slice(-1), this.#makings].map((by) => this.#by(by)).filter((by) => by !== undefined);
    if (known.length > 0 && this.#makings.length > 0) return known;
    // Before a record is made nothing shows whether its clock is that of the Date headers.
    const { at, within } = this.now();
    return [...known, { at, within: Math.max(within, CLOCKS_APART) }];
  }

  #by(samples: readonly Sample[]): Estimate | undefined {
    const found = spread(samples);
    return found && { at: this.#time.now() + found.ahead, within: found.within };
  }

  #with(samples: readonly Sample[], from: number, to: number, sent: number, came: number): readonly Sample[] {
    const fresh = samples.filter((sample) => Math.abs(came - sample.seen) < SAMPLE_MS);
    return [...fresh, { seen: came, low: from - came, high: to - sent }].slice(-SAMPLES);
  }
}
