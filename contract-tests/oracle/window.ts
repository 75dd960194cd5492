// Remaining beside the requests of the run: no more is left of a minute than these leave.
import { type Exchange, succeeded, workspaceOf } from '../engine/exchange.ts';
import { type Judge, NOTHING } from './judge.ts';

/** Surely within one minute, on any clock that is a little off. */
const SURELY_MS = 55_000;
/** How far Reset and the moment of a response may be off. */
const SLACK_MS = 3000;
/** A place or two may be counted a moment later. */
const SLACK = 2;

const header = (x: Exchange, name: string): number => Number(x.headers.get(`x-ratelimit-${name}`) ?? Number.NaN);

/** Reset may stand still, or go with the time; no clock but the run's own is needed to see that it jumped. */
const mayBeAnotherWindow = (before: Exchange, x: Exchange): boolean => {
  const elapsed = x.came - before.sent;
  const moved = (header(x, 'reset') - header(before, 'reset')) * 1000;
  return elapsed >= SURELY_MS || moved > elapsed + SLACK_MS || moved < -SLACK_MS;
};

/** Served requests of one workspace to keys that share its budget, as far as they surely count still. */
class Minute {
  #recent: Exchange[] = [];

  counted(x: Exchange): readonly Exchange[] {
    const last = this.#recent.at(-1);
    // Another limit is one of another plan.
    if (last && (mayBeAnotherWindow(last, x) || header(last, 'limit') !== header(x, 'limit'))) this.#recent = [];
    while (this.#recent[0] && x.came - this.#recent[0].sent >= SURELY_MS) this.#recent.shift();
    return this.#recent.slice(0, this.#recent.findLastIndex((one) => one.came <= x.sent) + 1);
  }

  add(x: Exchange): void {
    this.#recent.push(x);
  }
}

/** So often a place comes free at that very moment by no chance. */
const NO_CHANCE = 3;

export class Window {
  readonly #judge: Judge;
  /** Requests that were served right after a response that said that none is left. */
  readonly #beyond: Exchange[] = [];
  #before: Exchange | undefined;
  readonly #minutes = new Map<string, Minute>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  observe(x: Exchange): void {
    // A refusal may come before anybody has looked whose key it is.
    if (x.world !== undefined || x.as === 'keyless' || x.as === 'revoked' || !succeeded(x)) return;
    const [limit, left] = [header(x, 'limit'), header(x, 'remaining')];
    if (!Number.isInteger(limit) || !Number.isInteger(left) || Number.isNaN(header(x, 'reset'))) return;
    const minute = this.#minutes.get(workspaceOf(x)) ?? new Minute();
    this.#minutes.set(workspaceOf(x), minute);
    this.#spent(x);
    const counted = minute.counted(x);
    minute.add(x);
    const most = limit - counted.length + SLACK;
    if (x.beside || left <= most) {
      this.#judge.must('WM-RATE-010', true, NOTHING);
      return;
    }
    const own = counted.filter(({ as }) => as === x.as).length;
    // Whether each key has a budget of its own shows when it has sent enough.
    const mixed = own < counted.length;
    if (mixed && own <= 2 * SLACK) return;
    const perKey = mixed && Math.abs(limit - own - left) <= SLACK;
    const say = () => ({
      message: `X-RateLimit-Remaining is ${left} of ${limit} after ${counted.length} requests of the last minute`,
      expected: `at most ${limit - counted.length}`,
      got: String(left),
    });
    this.#judge.must(perKey ? 'WM-RATE-011' : 'WM-RATE-010', false, say, ...counted.slice(-1), x);
  }

  /** At 0 further requests get 429: not so where most of the budget is there again for the next one, again and again. */
  #spent(x: Exchange): void {
    const before = this.#before;
    this.#before = x;
    const next =
      before && x.number === before.number + 1 && !x.beside && !before.beside && workspaceOf(x) === workspaceOf(before);
    if (!next || header(before, 'remaining') !== 0 || mayBeAnotherWindow(before, x)) return;
    if (header(x, 'remaining') < header(x, 'limit') / 2) return;
    this.#beyond.push(x);
    const say = () => ({ message: `${this.#beyond.length} requests are served right after X-RateLimit-Remaining was 0` });
    if (this.#beyond.length >= NO_CHANCE) this.#judge.must('WM-RATE-017', false, say, before, x);
  }
}
