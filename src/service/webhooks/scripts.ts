// Scripted outcomes for the next attempts of a registration, including those in progress.
import type { Scripted } from './delivery.ts';

interface ScriptedAttempt {
  readonly webhook: string;
  readonly outcome: Scripted;
  /** The delivery whose unfinished attempt it is the outcome of. */
  readonly delivery?: string;
}

export class Scripts {
  #attempts: readonly ScriptedAttempt[] = [];

  constructor(ordered: ReadonlyMap<string, readonly Scripted[]> = new Map()) {
    for (const [webhook, outcomes] of ordered) this.order(webhook, outcomes);
  }

  fork(): Scripts {
    return new Scripts(this.ordered);
  }

  /** The pending outcomes, by registration, including those of unfinished attempts. */
  get ordered(): ReadonlyMap<string, readonly Scripted[]> {
    const ordered = new Map<string, Scripted[]>();
    for (const { webhook, outcome } of this.#attempts) ordered.set(webhook, [...(ordered.get(webhook) ?? []), outcome]);
    return ordered;
  }

  of(webhook: string): readonly Scripted[] {
    return this.#pending(webhook).map(({ outcome }) => outcome);
  }

  order(webhook: string, outcomes: readonly Scripted[]): void {
    this.#attempts = [...this.#attempts, ...outcomes.map((outcome) => ({ webhook, outcome }))];
  }

  /** The outcome for an attempt that begins; undefined without a script. */
  take(webhook: string, delivery: string): Scripted | undefined {
    const [next] = this.#pending(webhook);
    if (next) this.#attempts = this.#attempts.map((one) => (one === next ? { ...one, delivery } : one));
    return next?.outcome;
  }

  used(delivery: string): void {
    this.#attempts = this.#attempts.filter((one) => one.delivery !== delivery);
  }

  #pending(webhook: string): readonly ScriptedAttempt[] {
    return this.#attempts.filter((one) => one.webhook === webhook && one.delivery === undefined);
  }
}
