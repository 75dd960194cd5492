// Scripted outcomes for the next attempts of a registration, including those in progress.
import type { Scripted } from './delivery.ts';

interface ScriptedAttempt {
  readonly webhook: string;
  readonly outcome: Scripted;
}

export class Scripts {
  #ordered: ReadonlyMap<string, readonly Scripted[]>;
  /** By delivery: the outcome of its unfinished attempt. */
  readonly #taken = new Map<string, ScriptedAttempt>();

  constructor(ordered: ReadonlyMap<string, readonly Scripted[]> = new Map()) {
    this.#ordered = ordered;
  }

  fork(): Scripts {
    const copy = new Scripts(this.#ordered);
    for (const { webhook, outcome } of [...this.#taken.values()].reverse()) copy.#set(webhook, [outcome, ...copy.of(webhook)]);
    return copy;
  }

  /** The pending outcomes, by registration, including those of unfinished attempts. */
  get ordered(): ReadonlyMap<string, readonly Scripted[]> {
    return this.#taken.size === 0 ? this.#ordered : this.fork().#ordered;
  }

  of(webhook: string): readonly Scripted[] {
    return this.#ordered.get(webhook) ?? [];
  }

  order(webhook: string, outcomes: readonly Scripted[]): void {
    this.#set(webhook, [...this.of(webhook), ...outcomes]);
  }

  /** The outcome for an attempt that begins; undefined without a script. */
  take(webhook: string, delivery: string): Scripted | undefined {
    const [outcome, ...rest] = this.of(webhook);
    if (outcome === undefined) return undefined;
    this.#set(webhook, rest);
    this.#taken.set(delivery, { webhook, outcome });
    return outcome;
  }

  used(delivery: string): void {
    this.#taken.delete(delivery);
  }

  #set(webhook: string, outcomes: readonly Scripted[]): void {
    this.#ordered = new Map([...this.#ordered, [webhook, outcomes]]);
  }
}
