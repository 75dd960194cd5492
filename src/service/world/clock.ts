// The clock of a world, frozen or running, and the jobs that are due on it.
import { LAST_MOMENT, REAL, type Time } from './time.ts';
import { Tree } from './tree.ts';

export type ClockMode = 'running' | 'frozen';

/** A job as data; the runner interprets it. */
export interface Job {
  readonly kind: string;
  readonly id: string;
}

/** A job and when it is due, as plain data, which a copy continues. */
export interface Entry {
  readonly due: number;
  /** Order of scheduling; breaks ties. */
  readonly sequence: number;
  readonly job: Job;
}

/** Runs a job. @returns what records its end. */
export type JobRunner = (job: Job) => Promise<() => void>;

const compareEntries = (a: Entry, b: Entry): number => a.due - b.due || a.sequence - b.sequence;

const MAX_MOMENTS = 100_000;

/** Due jobs start on the next turn. Frozen, it records ends of jobs in the order of their starts. */
export class Clock {
  #mode: ClockMode;
  /** The time when frozen; the offset from the real time when running. */
  #value: number;
  #agenda = new Tree<Entry>(compareEntries);
  #sequence = 0;
  #runner: JobRunner | undefined;
  /** The ends of the jobs that run. */
  readonly #ends = new Map<Entry, Promise<void>>();
  #lastEnd: Promise<void> = Promise.resolve();
  #callOff: (() => void) | undefined;
  #advancing: Promise<unknown> = Promise.resolve();
  /** How often the clock was set: setting it ends an advance. */
  #settings = 0;
  /** Where it reads the time and waits; `wake` replaces its own timer, if set. */
  time = REAL;
  wake: Time['after'] | undefined;

  /** @param start milliseconds since 1970 at which the clock stands frozen; null: it runs with the real time. */
  constructor(start: number | null) {
    this.#mode = start === null ? 'running' : 'frozen';
    this.#value = start ?? 0;
  }

  /** A copy with the same agenda, including unfinished jobs. It runs none before it gets a runner. */
  fork(): Clock {
    return Clock.#of(this.#mode, this.#value, this.#unfinished(), this.#sequence);
  }

  save() {
    const agenda = { entries: this.#unfinished().toArray(), sequence: this.#sequence };
    return { mode: this.#mode, value: this.#value, agenda };
  }

  static from({ mode, value, agenda }: ReturnType<Clock['save']>): Clock {
    return Clock.#of(mode, value, new Tree(compareEntries, agenda.entries), agenda.sequence);
  }

  static #of(mode: ClockMode, value: number, agenda: Tree<Entry>, sequence: number): Clock {
    const clock = new Clock(value);
    clock.#mode = mode;
    clock.#agenda = agenda;
    clock.#sequence = sequence;
    return clock;
  }

  #unfinished(): Tree<Entry> {
    const agenda = this.#agenda.fork();
    for (const entry of this.#ends.keys()) agenda.insert(entry);
    return agenda;
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  /** Milliseconds since 1970. It stops at the end of the year 9999. */
  now(): number {
    return this.#mode === 'frozen' ? this.#value : Math.min(LAST_MOMENT, this.time.now() + this.#value);
  }

  get next(): number | null {
    return this.#agenda.slice(0, 1)[0]?.due ?? null;
  }

  /** Milliseconds until its next job by itself; 0 while one runs, null when it waits for nothing. */
  get left(): number | null {
    const left = this.#ends.size > 0 ? 0 : Math.max(0, (this.next ?? Number.NaN) - this.now());
    return Number.isNaN(left) || (this.#mode === 'frozen' && left > 0) ? null : left;
  }

  ahead(most: number): { readonly entries: readonly Entry[]; readonly total: number } {
    return { entries: this.#agenda.slice(0, most), total: this.#agenda.size };
  }

  /** Sets the time; jobs due before start first, at their own time. */
  set(now: number, mode: ClockMode = this.#mode): void {
    this.#startDue();
    this.#settings += 1;
    this.#mode = mode;
    this.#move(now);
    this.#arm();
  }

  run(runner: JobRunner): void {
    this.#runner = runner;
    this.#arm();
  }

  stop(): void {
    this.#runner = undefined;
    this.#arm();
  }

  /** Puts a job on the agenda. @returns what `cancel` takes. */
  at(due: number, job: Job): Entry {
    this.#sequence += 1;
    const entry = { due, sequence: this.#sequence, job };
    this.#agenda.insert(entry);
    this.#arm();
    return entry;
  }

  /** @returns whether the job was still to start. */
  cancel(entry: Entry): boolean {
    const wasPending = this.#agenda.remove(entry);
    this.#arm();
    return wasPending;
  }

  /** Starts due jobs now, instead of on the next turn. */
  startDue(): void {
    this.#startDue();
    this.#arm();
  }

  /** Advances through every due moment, one advance after another. @throws RangeError when it finds no end, or would go back */
  advance(ms: number): Promise<void> {
    if (!(ms >= 0) || !Number.isFinite(ms)) throw new RangeError(`advance: expected milliseconds of 0 or more, got ${ms}`);
    return this.#inTurn(() => this.#advanceTo(this.now() + ms));
  }

  /** Advances to the next due moment and runs it. @returns whether there was one. */
  advanceToNext(): Promise<boolean> {
    return this.#inTurn(async () => {
      await this.settled();
      const { next } = this;
      if (next === null || !this.#runner) return false;
      await this.#advanceTo(Math.max(next, this.now()));
      return true;
    });
  }

  async settled(): Promise<void> {
    do this.#startDue();
    while (await this.#ended());
  }

  /** Resolves when all currently running jobs have ended. @returns whether there were any. */
  async #ended(): Promise<boolean> {
    const { size } = this.#ends;
    await Promise.all(this.#ends.values());
    return size > 0;
  }

  #inTurn<T>(advance: () => Promise<T>): Promise<T> {
    const turn = this.#advancing.then(advance);
    this.#advancing = turn.catch(() => {});
    return turn;
  }

  async #advanceTo(target: number): Promise<void> {
    const settings = this.#settings;
    for (let moments = 0; this.#runner && settings === this.#settings; moments++) {
      this.#startDue();
      await this.#ended();
      if (settings !== this.#settings) return;
      const { next } = this;
      if (next === null || next > target) break;
      if (moments === MAX_MOMENTS) throw new RangeError(`advance: no end after ${MAX_MOMENTS} moments`);
      if (next > this.now()) this.#move(next);
    }
    if (settings === this.#settings && target > this.now()) this.#move(target);
    this.#arm();
  }

  #move(now: number): void {
    this.#value = this.#mode === 'frozen' ? now : now - this.time.now();
  }

  #startDue(): void {
    const now = this.now();
    while (this.#runner) {
      const [entry] = this.#agenda.slice(0, 1);
      if (!entry || entry.due > now) return;
      this.#agenda.remove(entry);
      this.#start(entry, this.#runner, this.#mode === 'frozen');
    }
  }

  /** @param inOrder records its end after those of all that started before. */
  #start(entry: Entry, runner: JobRunner, inOrder: boolean): void {
    const before = this.#lastEnd;
    this.#lastEnd = runner(entry.job).then(async (write) => {
      if (inOrder) await before.catch(() => {});
      this.#ends.delete(entry);
      if (this.#runner) write();
    });
    this.#ends.set(entry, this.#lastEnd);
  }

  /** Waits for the next job: on a frozen clock only when it is due already. */
  #arm(): void {
    this.#callOff?.();
    this.#callOff = undefined;
    const { next } = this;
    if (!this.#runner || next === null) return;
    const left = next - this.now();
    if (this.#mode === 'frozen' && left > 0) return;
    this.#callOff = (this.wake ?? this.time.after)(Math.max(0, left), () => this.startDue());
  }
}
