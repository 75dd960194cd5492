// Faults to order: which requests meet one, how often, and the answers that one keeps back.
import type { Closing } from './closing.ts';
import type { FaultOrder, FaultOrderMatch } from './fault-draft.ts';
import { type FaultTarget, fitsEvent, fitsRequest } from './fault-match.ts';

/** An answer that a fault keeps back. */
export interface HeldAnswer {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** When it came, milliseconds since 1970 on the clock of the world. */
  readonly since: number;
}

export interface Fault extends FaultOrder {
  readonly id: string;
  readonly match: FaultOrderMatch;
  /** Requests or events that fitted, and those that it struck. */
  seen: number;
  hits: number;
  /** A hold that was released keeps nothing back any more. */
  released: boolean;
  /** Each answer that is kept back, by the number of its request among those that the fault struck. */
  readonly held: Map<number, HeldAnswer & { readonly go: () => void }>;
}

/** Faults as plain data. Answers that are kept back belong to the process that keeps them. */
export interface SavedFaults {
  readonly faults: readonly Omit<Fault, 'held'>[];
  readonly made: number;
}

export class Faults {
  #faults: readonly Fault[] = [];
  #made = 0;
  /** Told when faults come, go, let go or begin to keep an answer back. */
  readonly observers: (() => void)[] = [];

  /** An independent copy without the observers, counters included; answers kept back stay with the original. */
  fork(): Faults {
    return Faults.from(this.#saved(this.#faults));
  }

  /** Without the faults that ask a predicate: a function is no data, and its fault would strike every request. */
  save(): SavedFaults {
    return this.#saved(this.#faults.filter(({ match }) => match.when === undefined));
  }

  #saved(faults: readonly Fault[]): SavedFaults {
    return { faults: faults.map(({ held: _, ...fault }) => fault), made: this.#made };
  }

  static from({ faults, made }: SavedFaults): Faults {
    const restored = new Faults();
    restored.#faults = faults.map((fault) => ({ ...fault, held: new Map() }));
    restored.#made = made;
    return restored;
  }

  get size(): number {
    return this.#faults.length;
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  get(id: string): Fault | undefined {
    return this.#faults.find((fault) => fault.id === id);
  }

  add(draft: FaultOrder): Fault {
    this.#made += 1;
    const { match = {} } = draft;
    const fault: Fault = { ...draft, match, id: `fault_${this.#made}`, seen: 0, hits: 0, released: false, held: new Map() };
    this.#faults = [...this.#faults, fault];
    this.#tell();
    return fault;
  }

  /** Removes a fault and lets go what it keeps back. @returns whether there was one. */
  remove(id: string): boolean {
    const fault = this.get(id);
    if (!fault) return false;
    this.#faults = this.#faults.filter((one) => one !== fault);
    letGo(fault);
    this.#tell();
    return true;
  }

  clear(): void {
    const all = this.#faults;
    this.#faults = [];
    all.forEach(letGo);
    if (all.length > 0) this.#tell();
  }

  /** Lets go what a fault keeps back: everything and for good, or the answer to one request alone, and goes on holding. */
  release(id: string, request?: number): Fault | undefined {
    const fault = this.get(id);
    if (fault && request === undefined) letGo(fault);
    else if (fault) {
      fault.held.get(request!)?.go();
      fault.held.delete(request!);
    }
    this.#tell();
    return fault;
  }

  #tell(): void {
    for (const observer of this.observers) observer();
  }

  /** The first fault that strikes a request. @param chance a number from 0 up to 1 from a named stream. */
  meet(target: FaultTarget, chance: Chance): Fault | undefined {
    return this.#first((fault) => fitsRequest(fault, target), chance);
  }

  /** The first fault that strikes an event. */
  meetEvent(event: string, chance: Chance): Fault | undefined {
    return this.#first(({ match }) => fitsEvent(match, event), chance);
  }

  #first(fits: (fault: Fault) => boolean, chance: Chance): Fault | undefined {
    for (const fault of this.#faults) {
      if (!fits(fault)) continue;
      fault.seen += 1;
      if (fault.seen <= (fault.after ?? 0) || fault.hits >= (fault.times ?? Number.POSITIVE_INFINITY)) continue;
      if (fault.probability !== undefined && chance(fault.id) >= fault.probability) continue;
      fault.hits += 1;
      if (fault.effect.hold) this.#tell();
      return fault;
    }
    return undefined;
  }
}

/** Draws a number from 0 up to 1 from the stream of a fault. */
type Chance = (fault: string) => number;

const letGo = (fault: Fault): void => {
  fault.released = true;
  for (const { go } of fault.held.values()) go();
  fault.held.clear();
};

/** Waits until a fault lets go of the answer to a request, or whoever waits for it has left. @param number which of those that it struck. */
export const untilReleased = (fault: Fault, number: number, answer: HeldAnswer, left?: Closing): Promise<void> =>
  fault.released
    ? Promise.resolve()
    : new Promise((done) => {
        const go = () => {
          fault.held.delete(number);
          done();
        };
        fault.held.set(number, { ...answer, go });
        left?.tell(go);
      });
