// The faults of a world: which requests they apply to, how often, and the responses that they hold.
import type { FaultEffect, FaultOrder, FaultOrderMatch } from './fault-draft.ts';
import { type FaultTarget, fitsEvent, fitsRequest } from './fault-match.ts';
import type { Random } from './random.ts';
import type { CloseSignal } from './time.ts';

/** A response that a fault holds. */
export interface HeldResponse {
  readonly method: string;
  readonly path: string;
  /** When it came, milliseconds since 1970 on the clock of the world. */
  readonly since: number;
}

export interface Fault extends FaultOrder {
  readonly id: string;
  readonly match: FaultOrderMatch;
  /** Requests or events that matched, and those that it was applied to. */
  seen: number;
  hits: number;
  /** A released hold holds nothing any more. */
  released: boolean;
  /** Each held response, by the number of its request among those that the fault applied to. */
  readonly held: Map<number, HeldResponse & { readonly go: () => void }>;
}

export class Faults {
  #faults: readonly Fault[] = [];
  #made = 0;
  /** Called when faults are added, removed, released or begin to hold a response. */
  readonly observers: (() => void)[] = [];

  /** An independent copy with counters, without observers; held responses stay with the original. */
  fork(): Faults {
    return Faults.from(this.#saved(this.#faults));
  }

  /** Without the faults that have a predicate: functions cannot be saved, and without it they would match every request. */
  save() {
    return this.#saved(this.#faults.filter(({ match }) => match.when === undefined));
  }

  /** As plain data. Held responses belong to the process that holds them. */
  #saved(faults: readonly Fault[]) {
    return { faults: faults.map(({ held: _, ...fault }) => fault), made: this.#made };
  }

  static from({ faults, made }: ReturnType<Faults['save']>): Faults {
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

  /** Removes a fault and releases what it holds. @returns whether it existed. */
  remove(id: string): boolean {
    const fault = this.get(id);
    if (!fault) return false;
    this.#faults = this.#faults.filter((one) => one !== fault);
    release(fault);
    this.#tell();
    return true;
  }

  clear(): void {
    const all = this.#faults;
    this.#faults = [];
    all.forEach(release);
    if (all.length > 0) this.#tell();
  }

  /** Releases what a fault holds: everything and for good, or only the response to one request. */
  release(id: string, request?: number): Fault | undefined {
    const fault = this.get(id);
    if (fault && request === undefined) release(fault);
    else fault?.held.get(request!)?.go();
    this.#tell();
    return fault;
  }

  #tell(): void {
    for (const observer of this.observers) observer();
  }

  /** The first fault that applies to a request. @param chance a number from 0 up to 1 from a named stream. */
  meet(target: FaultTarget, chance: Chance): Fault | undefined {
    return this.#first((fault) => fitsRequest(fault, target), chance);
  }

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

const release = (fault: Fault): void => {
  fault.released = true;
  for (const { go } of fault.held.values()) go();
};

/** Waits until a fault releases the response to a request, or its client disconnects. @param number of the request for that fault. */
export const untilReleased = async (fault: Fault, number: number, response: HeldResponse, left?: CloseSignal): Promise<void> => {
  if (fault.released) return;
  await new Promise<void>((done) => {
    const go = () => {
      fault.held.delete(number);
      done();
    };
    fault.held.set(number, { ...response, go });
    left?.tell(go);
  });
};

/** The 99th percentile of the standard normal distribution. */
const Z99 = 2.3263478740408408;
const MAX_LATENESS_MS = 3_600_000;

type DelayEffect = Pick<FaultEffect, 'delay_ms' | 'latency'>;

/** A value of the lognormal distribution that has these percentiles, whole milliseconds, an hour at most. */
const lognormal = ({ p50_ms, p99_ms }: NonNullable<DelayEffect['latency']>, fraction: () => number): number => {
  const normal = Math.sqrt(-2 * Math.log(1 - fraction())) * Math.cos(2 * Math.PI * fraction());
  return Math.min(MAX_LATENESS_MS, Math.round(p50_ms * (p99_ms / p50_ms) ** (normal / Z99)));
};

export const drawDelayMs = ({ delay_ms: delay, latency }: DelayEffect, random: Random, fault: string): number => {
  if (latency) return lognormal(latency, () => random.fraction(`latency:${fault}`));
  if (delay === undefined || typeof delay === 'number') return delay ?? 0;
  return delay.min + Math.floor((delay.max - delay.min + 1) * random.fraction(`delay:${fault}`));
};
