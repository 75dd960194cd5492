// What others who write to the same list could explain once or twice, and no longer the third time.
import type { Exchange } from '../engine/exchange.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import type { Judge, Said } from './judge.ts';

const MAX_KINDS = 5000;

export class Suspicions {
  readonly #judge: Judge;
  readonly #seen = new Map<string, readonly Exchange[]>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** How often something was seen so far that others may have caused: once more tells. */
  get count(): number {
    return [...this.#seen.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Blames on the third time what others' writes between two pages could explain once or twice; a walk that shows it is walked again. */
  add(requirement: string, what: string, say: () => Said, ...shown: readonly Exchange[]): void {
    const known = [...(this.#seen.get(what) ?? []), ...shown.slice(-1)];
    this.#seen.set(what, known);
    keepLatest(this.#seen, MAX_KINDS);
    // The more others write, the more they explain.
    if (known.length >= 3 + this.#judge.others.seen / 5)
      this.#judge.must(requirement, false, say, ...(shown.length > 1 ? shown : known.slice(-2)));
  }
}
