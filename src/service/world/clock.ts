// The clock of a world, frozen or running, and the jobs that are due on it.
import { Agenda, type Entry, type Job, type JobRunner, RunningJobs, type SavedAgenda } from './agenda.ts';
import { LAST_MOMENT, REAL, type Time } from './time.ts';

export type ClockMode = 'running' | 'frozen';

export interface SavedClock {
  readonly mode: ClockMode;
  readonly value: number;
  readonly agenda: SavedAgenda;
}

const MAX_MOMENTS = 100_000;

/**
 * Due jobs start on the next turn. A frozen clock moves only when told to, a running one with the real time.
 * A frozen clock records the ends of jobs in the order of their starts, a running one as they come.
 */
export class Clock {
  #mode: ClockMode;
  /** The time when frozen; the offset from the real time when running. */
  #value: number;
  #agenda = new Agenda();
  #runner: JobRunner | undefined;
  readonly #underWay = new RunningJobs();
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
    const { agenda, mode, value } = this.#copied();
    const copy = new Clock(value);
    copy.#mode = mode;
    copy.#agenda = agenda;
    return copy;
  }

  save(): SavedClock {
    const { agenda, mode, value } = this.#copied();
    return { mode, value, agenda: agenda.save() };
  }

  static from({ mode, value, agenda }: SavedClock): Clock {
    const clock = new Clock(value);
    clock.#mode = mode;
    clock.#agenda = Agenda.from(agenda);
    return clock;
  }

  #copied() {
    const agenda = this.#agenda.fork();
    for (const entry of this.#underWay.entries) agenda.restore(entry);
    return { mode: this.#mode, value: this.#value, agenda };
  }

  get mode(): ClockMode {
    return this.#mode;
  }

  /** Milliseconds since 1970. It stops at the end of the year 9999. */
  now(): number {
    return this.#mode === 'frozen' ? this.#value : Math.min(LAST_MOMENT, this.time.now() + this.#value);
  }

  get next(): number | null {
    return this.#agenda.first()?.due ?? null;
  }

  /** Milliseconds until its next job by itself; 0 while one runs, null when it waits for nothing. */
  get left(): number | null {
    const left = this.#underWay.size > 0 ? 0 : Math.max(0, (this.next ?? Number.NaN) - this.now());
    return Number.isNaN(left) || (this.#mode === 'frozen' && left > 0) ? null : left;
  }

  ahead(most: number): { readonly entries: readonly Entry[]; readonly total: number } {
    return { entries: this.#agenda.ahead(most), total: this.#agenda.size };
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
    this.#underWay.close();
    this.#arm();
  }

  /** Puts a job on the agenda. @returns what `cancel` takes. */
  at(due: number, job: Job): Entry {
    const entry = this.#agenda.add(due, job);
    this.#arm();
    return entry;
  }

  cancel(entry: Entry): boolean {
    const wasPending = this.#agenda.cancel(entry);
    this.#arm();
    return wasPending;
  }

  /** Starts due jobs now, instead of on the next turn. */
  startDue(): void {
    this.#startDue();
    this.#arm();
  }

  /**
   * Advances through every due moment in order; waits for all jobs of a moment before the next one.
   * Advances wait for one another; setting the clock ends them. @throws RangeError when it would have to move back, or finds no end.
   */
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
    while (await this.#underWay.ended());
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
      await this.#underWay.ended();
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
      const entry = this.#agenda.take(now);
      if (!entry) return;
      this.#underWay.start(entry, this.#runner, this.#mode === 'frozen');
    }
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
