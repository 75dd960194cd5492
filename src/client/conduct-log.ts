// The log of a judgement of conduct: which situations arose, and which rules were broken.
import type { DutyName } from './duties.ts';
import type { ExchangeNote } from './notes.ts';

export interface Breach<R extends string = DutyName> {
  readonly rule: R;
  readonly says: string;
  /** The request that breaks it, or the one before the client did nothing. */
  readonly exchange?: ExchangeNote | undefined;
}

export interface Conduct<R extends string = DutyName> {
  /** How often each situation arose. */
  readonly seen: ReadonlyMap<R, number>;
  readonly breaches: readonly Breach<R>[];
}

/** Collects what one rule after the other sees. */
export class ConductLog<R extends string> implements Conduct<R> {
  readonly seen = new Map<R, number>();
  readonly breaches: Breach<R>[] = [];

  meet(rule: R, exchange?: ExchangeNote, says?: string): void {
    this.seen.set(rule, (this.seen.get(rule) ?? 0) + 1);
    if (says !== undefined) this.breaches.push({ rule, says, exchange });
  }
}
export type DutyLog = ConductLog<DutyName>;
