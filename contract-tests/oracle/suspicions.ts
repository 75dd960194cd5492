// Findings that others who write to the same list could explain once or twice, and no longer the third time.
import type { Exchange } from '../engine/exchange.ts';
import { keepLatest } from '../engine/keep-latest.ts';
import type { Judge, Said } from './judge.ts';

const MAX_KINDS = 5000;

export class Suspicions {
  readonly #judge: Judge;
  readonly #seen = new Map<string, { readonly times: number; readonly last: readonly Exchange[] }>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** How often something was seen so far that others may have caused: once more tells. */
  get count(): number {
    return [...this.#seen.values()].reduce((sum, { times }) => sum + times, 0);
  }

  /** Blames on the third time what others' writes between two pages could explain once or twice; a walk that shows it is walked again. */
  add(requirement: string, what: string, say: () => Said, ...shown: readonly Exchange[]): void {
    const { times, last } = this.#seen.get(what) ?? { times: 0, last: [] };
    const known = { times: times + 1, last: [...last, ...shown].slice(-2) };
    this.#seen.set(what, known);
    keepLatest(this.#seen, MAX_KINDS);
    // The more others write, the more they explain.
    if (known.times >= 3 + this.#judge.others.seen / 5)
      this.#judge.must(requirement, false, say, ...(shown.length > 1 ? shown : known.last));
  }
}
