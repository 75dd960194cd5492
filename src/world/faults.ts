// Faults to order: which requests meet one, how often, and the answers that one keeps back.
import type { OperationId } from '../contract/operations.ts';
import { globFits } from './glob.ts';

export const FAULT_METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

/** Which requests a fault is for; what is left out fits every request. */
export interface FaultMatch {
  readonly method?: (typeof FAULT_METHODS)[number];
  /** Below the base URL or with `/v1`; `*` stands for any characters. */
  readonly path?: string;
  readonly operation?: OperationId;
  /** Id of a key. */
  readonly key?: string;
}

export interface FaultEffect {
  /** Answers with this status, in the error shape of the API; the request is not performed. */
  readonly status?: number;
  /** Real milliseconds, or a range of them. */
  readonly delay_ms?: number | { readonly min: number; readonly max: number };
  /** Closes the connection; the request is not performed. */
  readonly abort?: boolean;
  readonly body?: 'empty' | 'malformed' | 'truncated';
  /** Keeps answers back until the fault is released. */
  readonly hold?: boolean;
}

export interface FaultDraft {
  readonly match?: FaultMatch;
  readonly effect: FaultEffect;
  /** Strikes at most this often. */
  readonly times?: number;
  /** Lets this many fitting requests pass first. */
  readonly after?: number;
  /** Share of the fitting requests that it strikes. */
  readonly probability?: number;
}

/** What a fault looks at. */
export interface FaultTarget {
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  readonly operation: string | undefined;
  readonly key: () => string | undefined;
}

export interface Fault extends FaultDraft {
  readonly id: string;
  readonly match: FaultMatch;
  /** Requests that fitted, and those that it struck. */
  seen: number;
  hits: number;
  /** A hold that was released keeps nothing back any more. */
  released: boolean;
  /** Lets go each answer that is kept back. */
  readonly held: Set<() => void>;
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
    return Faults.from(this.save());
  }

  save(): SavedFaults {
    return { faults: this.#faults.map(({ held: _, ...fault }) => fault), made: this.#made };
  }

  static from({ faults, made }: SavedFaults): Faults {
    const restored = new Faults();
    restored.#faults = faults.map((fault) => ({ ...fault, held: new Set() }));
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

  add(draft: FaultDraft): Fault {
    this.#made += 1;
    const fault = {
      ...draft,
      match: draft.match ?? {},
      id: `fault_${this.#made}`,
      seen: 0,
      hits: 0,
      released: false,
      held: new Set<() => void>(),
    };
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

  /** Lets go what a fault keeps back, for good. */
  release(id: string): Fault | undefined {
    const fault = this.get(id);
    if (fault) letGo(fault);
    this.#tell();
    return fault;
  }

  #tell(): void {
    for (const observer of this.observers) observer();
  }

  /** The first fault that strikes a request. @param chance a number from 0 up to 1 from a named stream. */
  meet(target: FaultTarget, chance: (stream: string) => number): Fault | undefined {
    for (const fault of this.#faults) {
      if (!fits(fault.match, target)) continue;
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

const letGo = (fault: Fault): void => {
  fault.released = true;
  for (const go of fault.held) go();
  fault.held.clear();
};

/** Waits until a fault lets go. */
export const untilReleased = (fault: Fault): Promise<void> =>
  fault.released ? Promise.resolve() : new Promise((go) => void fault.held.add(go));

const fits = ({ method, path, operation, key }: FaultMatch, target: FaultTarget): boolean =>
  (method === undefined || method.toUpperCase() === target.method) &&
  (operation === undefined || operation === target.operation) &&
  (path === undefined || globFits(path.replace(/^\/?v1(?=\/|$)/, '').replace(/^(?=[^/*])/, '/'), target.path)) &&
  (key === undefined || key === target.key());
