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

/** Served requests of one workspace to keys that share its budget, as far as they surely count still, by second and key. */
interface Minute {
  readonly last: Exchange;
  readonly served: { readonly second: number; readonly as: Exchange['as']; times: number }[];
}

/** So often a place comes free at that very moment by no chance. */
const NO_CHANCE = 3;

export class Window {
  readonly #judge: Judge;
  /** Requests that were served right after a response that said that none is left. */
  #beyond = 0;
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
    const { last, served: before = [] } = this.#minutes.get(workspaceOf(x)) ?? {};
    // Another limit is one of another plan.
    const isAnother = !last || mayBeAnotherWindow(last, x) || header(last, 'limit') !== limit;
    const served = isAnother ? [] : before.filter(({ second }) => x.came - second * 1000 < SURELY_MS);
    const [counted, own] = [served, served.filter(({ as }) => as === x.as)].map((some) =>
      some.reduce((sum, { times }) => sum + times, 0),
    ) as [number, number];
    const second = Math.floor(x.sent / 1000);
    const same = served.find((one) => one.second === second && one.as === x.as);
    if (same) same.times++;
    else served.push({ second, as: x.as, times: 1 });
    this.#minutes.set(workspaceOf(x), { last: x, served });
    this.#spent(x, limit, left);
    const most = limit - counted + SLACK;
    const isPossible = x.beside !== undefined || left <= most;
    if (isPossible) this.#judge.must('WM-RATE-010', true, NOTHING);
    // Whether each key has a budget of its own shows when it has sent enough.
    const mixed = own < counted;
    if (isPossible || (mixed && own <= 2 * SLACK)) return;
    const perKey = mixed && Math.abs(limit - own - left) <= SLACK;
    const say = () => ({
      message: `X-RateLimit-Remaining is ${left} of ${limit} after ${counted} requests of the last minute`,
      expected: `at most ${limit - counted}`,
      got: String(left),
    });
    this.#judge.must(perKey ? 'WM-RATE-011' : 'WM-RATE-010', false, say, ...(last && !isAnother ? [last] : []), x);
  }

  /** At 0 further requests get 429: not so where most of the budget is there again for the next one, again and again. */
  #spent(x: Exchange, limit: number, left: number): void {
    const before = this.#before;
    this.#before = x;
    const next =
      before && x.number === before.number + 1 && !x.beside && !before.beside && workspaceOf(x) === workspaceOf(before);
    if (!next || header(before, 'remaining') !== 0 || mayBeAnotherWindow(before, x) || left < limit / 2) return;
    this.#beyond++;
    const say = () => ({ message: `${this.#beyond} requests are served right after X-RateLimit-Remaining was 0` });
    if (this.#beyond >= NO_CHANCE) this.#judge.must('WM-RATE-017', false, say, before, x);
  }
}
