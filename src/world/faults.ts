// Faults to order: which requests meet one, how often, and the answers that one keeps back.
import { OPERATION_IDS, type OperationId } from '../contract/operations.ts';
import { anyOf, boolean, closed, type Is, integer, number, oneOf, string } from '../contract/schema.ts';
import type { Closing } from './closing.ts';
import { pathFits } from './glob.ts';

const Match = closed(
  {},
  {
    method: oneOf(['GET', 'POST', 'PATCH', 'PUT', 'DELETE']),
    path: string({
      minLength: 1,
      maxLength: 500,
      description: 'With or without /v1; `*` stands for any characters.',
      examples: ['/tasks/*'],
    }),
    operation: oneOf(OPERATION_IDS as readonly [OperationId, ...OperationId[]]),
    key: string({ minLength: 1, maxLength: 1000, description: 'Id or value of a key; kept as its id.' }),
  },
);
/** Which requests a fault is for; what is left out fits every request. */
export type FaultMatch = Is<typeof Match>;

const delay = integer({ minimum: 0, maximum: 3_600_000 });
const Effect = closed(
  {},
  {
    /** The request is not performed. */
    status: integer({ minimum: 400, maximum: 599, description: 'In the error shape of the API.' }),
    /** Real milliseconds, or a range of them. */
    delay_ms: anyOf<number | { readonly min: number; readonly max: number }>(delay, closed({ min: delay, max: delay })),
    /** The request is not performed. */
    abort: boolean({ description: 'Closes the connection.' }),
    body: oneOf(['empty', 'malformed', 'truncated']),
    hold: boolean({ description: 'Keeps responses back until released.' }),
  },
  { minProperties: 1 },
);

export const FaultDraft = closed(
  { effect: Effect },
  {
    match: Match,
    times: integer({ minimum: 1, description: 'Strikes at most this often.' }),
    after: integer({ minimum: 0, description: 'Lets this many fitting requests pass first.' }),
    probability: number({ minimum: 0, maximum: 1, description: 'Share of the fitting requests that it strikes.' }),
  },
);
export interface FaultDraft extends Is<typeof FaultDraft> {}

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

/** Waits until a fault lets go, or whoever waits for the answer has left. */
export const untilReleased = (fault: Fault, left?: Closing): Promise<void> =>
  fault.released
    ? Promise.resolve()
    : new Promise((done) => {
        const go = () => {
          fault.held.delete(go);
          done();
        };
        fault.held.add(go);
        left?.tell(go);
      });

const fits = ({ method, path, operation, key }: FaultMatch, target: FaultTarget): boolean =>
  (method === undefined || method.toUpperCase() === target.method) &&
  (operation === undefined || operation === target.operation) &&
  (path === undefined || pathFits(path, target.path)) &&
  (key === undefined || key === target.key());
