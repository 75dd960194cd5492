// Uses up a quota with the rows of situations that the budget of a run has no room for.
import type { Call } from '../engine/client.ts';
import { type Exchange, metaOf, succeeded } from '../engine/exchange.ts';
import { NoResponse } from '../engine/infra.ts';
import { Tools } from '../engine/tools.ts';
import { Blocked, Skipped } from '../engine/unjudged.ts';
import { AREAS } from '../situations/index.ts';
import { sendMore } from '../situations/planner.ts';
import { remaining, SECOND } from './budget.ts';

/** This many requests are left for what shows the end of the quota. */
const LEFT = 12;
/** No longer than this: what was sent first must not age out of a rolling window before the rest is used up. */
const MAX_MS = 25 * SECOND;

/** The quota ends soon, or the window does. */
class Enough extends Error {}

/** Sends at once, and ends where the quota of either workspace does. */
class QuotaFiller extends Tools {
  /** How many requests of the own workspace were served. */
  served = 0;
  /** The rest of the second workspace's quota. */
  elsewhere = Number.NaN;
  readonly #began = this.time.now();

  override async send(method: string, path: string, call: Call = {}): Promise<Exchange> {
    if (this.time.now() - this.#began > MAX_MS) throw new Enough();
    const x = await super.send(method, path, { ...call, unpaced: true });
    if (x.as === 'other') this.elsewhere = remaining(x);
    else if (succeeded(x)) this.served++;
    if (x.status === 429 || remaining(x) <= LEFT) throw new Enough();
    return x;
  }

  override async room(): Promise<void> {}
}

/** A quota before the rest is used up: served requests of the own workspace, and Remaining of the second. */
export interface Filled {
  readonly served: number;
  readonly elsewhere: number;
}

/** @param send ends early where the quota does; a run without a budget has sent everything already */
const spend = async (filler: QuotaFiller, send: () => Promise<void>): Promise<void> => {
  if (filler.thorough) return;
  try {
    await send();
  } catch (cause) {
    const isExpected = [Enough, Blocked, Skipped, NoResponse].some((kind) => cause instanceof kind);
    if (!isExpected) throw cause;
  }
};

/** Plays what the run has not seen yet, until little of the quota is left. */
export const fill = async (t: Tools): Promise<Filled> => {
  const filler = new QuotaFiller(t.parts);
  await spend(filler, () => sendMore(filler, AREAS, () => true));
  return filler;
};

/** No more tasks are made for a crowd. */
const MAX_MADE = 70;

/** More tasks than a page holds, from a new window: what counts or finds a hundred at most is wrong by now. */
export const crowd = async (t: Tools): Promise<void> => {
  const filler = new QuotaFiller(t.parts);
  await spend(filler, async () => {
    const { total } = metaOf(await filler.get(`/tasks?limit=${t.smallestLimit}`));
    const lacking = 101 - Number(total);
    if (!(lacking > 0 && lacking <= MAX_MADE)) return;
    const project = encodeURIComponent(await filler.project('crowd'));
    for (let n = 0; n < lacking; n++) await filler.task(project, { title: t.name(`crowd-${n}`) });
    await filler.walk('/tasks?limit=100', 2);
  });
};
