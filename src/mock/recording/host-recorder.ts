// The recordings of a host: the order of all steps, and how much of them is kept.
import { onNextTurn, realNow } from '../../service/world/time.ts';
import type { MemoryLimit, RecordedMemory } from '../control/recorder.ts';
import { type HeldStep, statesOf, type WorldStart } from './recorded-step.ts';
import type { StepHost, StepRecorder } from './world-recorder.ts';

/** Limit of all recordings of a host, characters: a recording that would exceed it is dropped. */
const MAX_CHARACTERS = 64_000_000;

/** Part of the memory for recent steps, by default two thousand: the more are kept, the slower are all requests. */
const RECENT_SHARE = 1 / 20;
const BYTES_PER_CHARACTER = 2;

/** A moment at which nothing was under way: steps after it can be replayed from the states of then. */
interface Mark {
  readonly n: number;
  readonly starts: ReadonlyMap<StepRecorder, WorldStart>;
}

export class HostRecorder implements StepHost {
  readonly recorders = new Map<string, StepRecorder>();
  /** Steps without a response, by their requests. */
  readonly open = new Map<object, HeldStep>();
  /** Options of the mock; `controlToken` opens its control API. */
  options: () => Readonly<Record<string, unknown>> = () => ({});
  /** How many positions were assigned. */
  places = 0;
  revision = 0;
  #characters = 0;
  #max = MAX_CHARACTERS;
  #grow: ((bytes: number) => void) | undefined;
  /** The last moment to start from, and the characters since. */
  #mark: Mark | undefined;
  #sinceMark = 0;
  /** Whether nothing else has run since the last position was assigned. */
  #joins = false;
  #turns = 0;
  #moment: number | undefined;

  /** Keeps recent steps alone, within a part of a memory. */
  protected keepRecent({ limit, add }: MemoryLimit): void {
    this.#max = (limit * RECENT_SHARE) / BYTES_PER_CHARACTER;
    this.#grow = add;
  }

  inMemory(): RecordedMemory | undefined {
    if (!this.#grow) return undefined;
    const starts = [...this.recorders.values()].flatMap(({ startsAt }) => startsAt ?? []);
    const snapshots = [...starts, ...(this.#mark?.starts.values() ?? [])].flatMap(statesOf);
    return { bytes: this.#characters * BYTES_PER_CHARACTER, snapshots };
  }

  /** One moment for all that happens in one turn. */
  now(): number {
    return this.#moment ?? realNow();
  }

  /** Assigns a step its position among the steps of all worlds. */
  place(world: string, input: HeldStep['input']): HeldStep {
    if (!this.#joins) this.#turns += 1;
    this.#joins = true;
    const isFirst = this.#moment === undefined;
    this.#moment ??= realNow();
    this.places += 1;
    const step: HeldStep = { n: this.places, at: this.#moment, world, turn: this.#turns, input, characters: 0 };
    void Promise.resolve().then(() => {
      this.#joins = false;
      if (!isFirst) return;
      const end = () => (this.#moment = undefined);
      // A read has no effects to wait for, and a turn costs a tenth of a request.
      if (step.isRead && this.places === step.n) end();
      else onNextTurn(end);
    });
    return step;
  }

  /** @returns whether there is room for this many more characters */
  holds(more: number): boolean {
    this.#characters += more;
    this.#sinceMark += Math.max(0, more);
    this.revision += 1;
    if (more > 0) this.#grow?.(more * BYTES_PER_CHARACTER);
    // Closed worlds make room for open ones.
    if (this.#characters > this.#max) for (const one of this.recorders.values()) if (one.hasEnded && !one.isGivenUp) one.giveUp();
    return this.#characters <= this.#max;
  }

  /** Before a step, moves the start of recent steps forward: a third of the room each is for those before the last mark, after it, and to come to rest. */
  makeRoom(): void {
    if (!this.#grow || this.#sinceMark <= this.#max / 3 || this.open.size > 0) return;
    const open = [...this.recorders.values()].filter(({ hasEnded }) => !hasEnded);
    if (!open.every((one) => one.isAtRest)) return;
    const mark = { n: this.places, starts: new Map(open.map((one) => [one, one.takeStart()])) };
    const isLost = open.some(({ isGivenUp }) => isGivenUp);
    this.#startFrom(isLost ? mark : (this.#mark ?? { n: 0, starts: new Map() }), isLost);
    this.#mark = mark;
    this.#sinceMark = 0;
  }

  /** A step has gone back to an earlier one: no start may lie between the two. */
  goesBack(): void {
    this.#mark = undefined;
    this.#sinceMark = Number.POSITIVE_INFINITY;
  }

  #startFrom({ n, starts }: Mark, isLost: boolean): void {
    for (const one of this.recorders.values()) {
      const start = starts.get(one);
      if (one.isGivenUp && !isLost) continue;
      if (start) one.startFrom(start, n);
      else if (one.steps[0] && one.steps[0].n <= n) one.giveUp();
    }
  }
}
