// Rate limits: the budget goes down, belongs to the workspace, and ends in 429. Others may use it at the same time: what they can cause is no fault.
import type { Check } from '../engine/check.ts';
import type { Call } from '../engine/client.ts';
import { type Exchange, records, succeeded } from '../engine/exchange.ts';
import { operationsOf } from '../engine/operations.ts';
import type { Role } from '../engine/options.ts';
import type { Tools } from '../engine/tools.ts';
import { bodyOf, none, pathOf } from './access.ts';
import { needPlans, type OpenWorld, openWorld } from './worlds.ts';

/** No larger budget is used up: the largest plan of the spec, ten times. */
const MOST_USED_UP = 10_000;
/** What others do may hide the cost of a request once, hardly in each of so many rounds. */
const ROUNDS = 6;
const TRAFFIC = 'HIDDEN(other traffic)';
const SECOND = 1000;
/** A budget that is soon used up. */
const SMALL = 4;
/** Longer than the grain of Reset, shorter than anything takes to age. */
const PAUSE = 1100;

const header = (x: Exchange, name: string): number => Number(x.headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
const remaining = (x: Exchange) => header(x, 'remaining');
const ping = (t: Tools, call?: Call) => t.get('/users/me', call);

interface Round {
  /** How far our budget fell from the first of our two requests to the second. */
  readonly fall: number;
  readonly before: Exchange;
  readonly after: Exchange;
  /** The same window lasted throughout, and it is one that empties only at its end: in it a count can but grow. */
  readonly sure: boolean;
}

/** Two requests of ours and some in other roles between them, with nothing of ours ageing out meanwhile. @param before the first, when it was sent */
const round = async (t: Tools, between: readonly (Role | 'nobody')[], sent?: Exchange): Promise<Round> => {
  if (!sent) await t.room(between.length + 2);
  const before = sent ?? (await ping(t));
  for (const as of between) await ping(t, { as });
  const after = await ping(t);
  const fixed = t.parts.shared.get('rate-window') === 'fixed';
  const sure = fixed && header(before, 'reset') === header(after, 'reset');
  return { fall: remaining(before) - remaining(after), before, after, sure };
};

/** Two requests of ours a moment apart. They also tell whether windows empty at once or request by request: Reset stays, or moves as the clock does. */
const pause = async (t: Tools): Promise<Round> => {
  await t.room(2);
  const before = await ping(t);
  await t.time.sleep(PAUSE);
  const found = await round(t, [], before);
  const moved = header(found.after, 'reset') - header(before, 'reset');
  // Further than the clock went, it is that of the next window.
  if (moved >= 0 && moved * SECOND <= found.after.came - before.sent + 2 * SECOND) {
    const kind = moved > 0 ? 'rolling' : 'fixed';
    t.parts.shared.set('rate-window', kind);
    if (t.skew.fits(header(found.after, 'reset') * SECOND, 0, 120 * SECOND)) t.observe('rate-window', kind);
  }
  return found;
};

/** Milliseconds until a window that ends at a reset is over for certain. */
const untilReset = (t: Tools, x: Exchange): number => {
  const { within } = t.skew.now();
  const left = t.skew.ours(header(x, 'reset') * SECOND) - t.time.now() + within;
  return within < 10 * SECOND && left < 63 * SECOND ? Math.max(0, left) + 2 * SECOND : 65 * SECOND;
};

export const limitChecks: readonly Check[] = [
  {
    id: 'limits/remaining',
    says: 'Remaining goes down with each request',
    covers: ['WM-RATE-010', 'WM-RATE-025', 'WM-RATE-013'],
    profile: 'read-only',
    run: async (t: Tools) => {
      const seen: Exchange[] = [];
      let found = await pause(t);
      seen.push(found.before, found.after);
      if (Number.isNaN(found.fall)) t.need(false, 'WM-RATE-001');
      t.note('WM-RATE-025', String(header(found.before, 'limit')), found.before);
      for (let n = 1; n < ROUNDS && found.fall < 1 && !found.sure; n++) {
        found = await (n % 2 === 0 ? pause(t) : round(t, []));
        seen.push(found.before, found.after);
      }
      // Where others come and go it moves all the same.
      const still = new Set(seen.map(remaining)).size === 1;
      if (found.fall < 1 && !found.sure && !still) t.skip(TRAFFIC);
      t.must('WM-RATE-010', found.fall >= 1, 'Remaining does not go down over two requests', found.before, found.after);
    },
  },
  {
    id: 'limits/per-workspace',
    says: 'Two keys of a workspace use up the same budget',
    covers: ['WM-RATE-011', 'WM-RATE-026'],
    needs: ['write'],
    profile: 'full',
    run: async (t: Tools) => {
      const as = t.has('read') ? 'read' : t.has('admin') && t.main !== 'admin' ? 'admin' : undefined;
      if (!as) t.skip('NO_KEY(read)');
      t.note('WM-RATE-026', 'see the open point rate-source');
      const rounds: Round[] = [];
      await t.room(t.has('other') ? 6 : 4);
      for (let n = 0; n < ROUNDS; n++) {
        rounds.push(await round(t, [as, as]));
        if (Number.isNaN(rounds[n]!.fall)) t.need(false, 'WM-RATE-001');
        if (rounds[n]!.fall >= 3 || rounds[n]!.sure) break;
      }
      const { fall, before, after, sure } = rounds.at(-1)!;
      const limit = header(before, 'limit');
      const alone = rounds.every((one) => one.fall === 1);
      const ceiling = fall < 3 && remaining(before) <= 300 && limit >= 300;
      const own = alone && ceiling;
      if (limit > 300 && (own || remaining(before) > 300)) t.observe('rate-source', own ? 'workspace-and-key' : 'workspace');
      if (ceiling) t.skip('HIDDEN(a ceiling of 300 requests per key)');
      if (fall < 3 && !sure && !alone) t.skip(TRAFFIC);
      t.must('WM-RATE-011', fall >= 3, `two requests of another key of the workspace cost ${fall - 1}`, before, after);
      // The second of our requests is the first of the next check.
      if (t.has('other')) t.parts.shared.set('foreign-round', await round(t, ['other'], after));
    },
  },
  {
    id: 'limits/two-workspaces',
    says: 'Requests of another workspace do not use up our budget',
    covers: ['WM-RATE-012'],
    needs: ['other'],
    profile: 'full',
    run: async (t: Tools) => {
      const known = t.parts.shared.get('foreign-round') as Round | undefined;
      const rounds: Round[] = [known ?? (await round(t, ['other']))];
      const { fall, before, after } = rounds[0]!;
      if (Number.isNaN(fall)) t.need(false, 'WM-RATE-001');
      // The same with a request between that is nobody's: where others are at work, both cost now this, now that.
      for (let n = 1; n <= 2 * ROUNDS && fall > 1; n++) {
        const alone = n % 2 === 1;
        const next = await round(t, [alone ? 'nobody' : 'other']);
        if (next.fall !== (alone ? 1 : 2)) t.skip(TRAFFIC);
      }
      t.must('WM-RATE-012', fall <= 1, `a request of another workspace costs ${fall - 1}`, before, after);
    },
  },
  {
    id: 'limits/quota',
    says: 'At 0 further requests get 429 without effect, until Reset gives the full limit back',
    covers: ['017', '018', '019', '020', '021', '022', '023'].map((n) => `WM-RATE-${n}`),
    needs: ['quota'],
    profile: 'full',
    last: true,
    run: async (t: Tools) => {
      const world = t.parts.control ? await openWorld(t, SMALL) : undefined;
      try {
        await useUp(t, world);
      } finally {
        await world?.close();
      }
    },
  },
];

interface Used {
  /** The first answer that is a 429; undefined when none came. */
  readonly refused: Exchange | undefined;
  /** The answer before it. */
  readonly before: Exchange;
  readonly served: number;
  readonly ms: number;
  /** What the first answer left: all that a window holds, less one. */
  readonly most: number;
}

/** Sends requests until one is answered 429 or more were served than may be; several at once where one after the other would take a minute. */
const burst = async (t: Tools, call: Call, limit: number, first: Exchange): Promise<Used> => {
  const width = Math.min(25, Math.ceil((limit * (first.came - first.sent)) / (20 * SECOND)) || 1);
  const began = t.time.now();
  let [before, served, most] = [first, 0, Number.NaN];
  while (served <= limit + 1 && t.time.now() - began < 50 * SECOND) {
    const answers = await Promise.all(Array.from({ length: width }, () => ping(t, call)));
    const refused = answers.find((x) => x.status === 429);
    if (Number.isNaN(most)) most = Math.max(...answers.map(remaining));
    const ms = t.time.now() - began;
    served += answers.filter(succeeded).length;
    if (refused) return { refused, before: width === 1 ? before : refused, served, ms, most };
    before = answers.at(-1)!;
  }
  return { refused: undefined, before, served, ms: t.time.now() - began, most };
};

/** With the budget used up each operation is refused alike; a place in the window may have come free for one. */
const everyOperation = async (t: Tools, call: Call): Promise<void> => {
  for (const operation of operationsOf(t.parts.release)) {
    const x = await t.send(operation.method, pathOf(operation, none), { ...call, body: bodyOf(t, operation) });
    const free = remaining(x) > 0 || x.status === 404 || x.status < 300;
    t.must(
      'WM-RATE-017',
      x.status === 429 || free,
      `${operation.method} ${operation.path} is answered ${x.status} at Remaining 0`,
      x,
    );
  }
};

const useUp = async (t: Tools, world: OpenWorld | undefined): Promise<void> => {
  const call: Call = world ? { ...world.call, unpaced: true } : { as: t.main, unpaced: true };
  const first = await ping(t, call);
  const limit = header(first, 'limit');
  if (!Number.isInteger(limit)) t.need(false, 'WM-RATE-006');
  if (world && limit !== SMALL) await needPlans(t);
  if (limit > MOST_USED_UP) t.skip(`QUOTA_TOO_LARGE(${limit} requests a minute)`);
  // A window that has just begun lasts as long as the burst.
  if (!world) await t.time.sleep(untilReset(t, first));
  const { refused: last, before, served, ms, most } = await burst(t, call, limit, first);
  if (!last && served <= limit) t.skip(`HIDDEN(${served} answers took ${Math.round(ms / SECOND)} s)`);
  const said = `${served} requests of ${limit} a minute were served in ${Math.round(ms / SECOND)} s`;
  if (!t.must('WM-RATE-017', last !== undefined, `${said}, the last with Remaining ${remaining(before)}`, before)) return;
  const left = world ? remaining(before) : remaining(last!);
  t.must('WM-RATE-018', left <= 0, `429 came while Remaining was ${left}`, before, last!);
  t.record.judged.add('WM-RATE-019').add('WM-RATE-020');
  const retryAfter = last!.headers.get('retry-after');
  t.note('WM-RATE-023', retryAfter ?? 'absent', last!);
  t.observe('retry-after', retryAfter === null ? 'absent' : 'present');
  if (t.thorough) await everyOperation(t, call);
  const name = t.name('over-quota');
  let refused = await t.post('/projects', { name }, call);
  // A place in the window may have come free.
  for (let tries = 0; !world && tries < 3 && refused.status !== 429; tries++) {
    await burst(t, call, 3, first);
    refused = await t.post('/projects', { name: `${name}-${tries}` }, call);
  }
  if (world) await learnRefused(t, world, call, last!);
  await fullAgain(t, world, call, refused, most);
  if (refused.status !== 429) t.skip(TRAFFIC);
  const { name: wanted } = JSON.parse(refused.requestBody ?? '{}') as { name?: string };
  const list = await t.get('/projects?limit=100', call);
  const there = records(list).some((item) => item.name === wanted);
  t.must('WM-RATE-021', !there, 'a create refused with 429 creates', refused, list);
};

/** Whether requests that were refused count. */
const learnRefused = async (t: Tools, world: OpenWorld, call: Call, last: Exchange): Promise<void> => {
  await world.sleep(5 * SECOND);
  const later = await ping(t, call);
  const counted = header(later, 'reset') > header(last, 'reset');
  if (t.parts.choices.seen.get('rate-window') === 'rolling') t.observe('refused-requests', counted ? 'counted' : 'not-counted');
};

/** At Reset the whole limit is there again; what is not may be the work of others, if some are seen at work. */
const fullAgain = async (t: Tools, world: OpenWorld | undefined, call: Call, refused: Exchange, most: number): Promise<void> => {
  let again = refused;
  for (let tries = 0; tries < (world ? 1 : 3); tries++) {
    if (world) await world.sleep(65 * SECOND);
    else await t.time.sleep(untilReset(t, again));
    again = await ping(t, call);
    if (succeeded(again) && remaining(again) >= most - Math.max(2, most * 0.1)) return void t.must('WM-RATE-022', true, '');
  }
  if (!world) {
    await t.time.sleep(10 * SECOND);
    const still = await ping(t, call);
    if (Math.abs(remaining(again) - remaining(still)) > 1)
      return t.record.skip('WM-RATE-022', t.record.check, 'skipped', TRAFFIC);
  }
  t.must('WM-RATE-022', false, `at Reset a request is answered ${again.status} with Remaining ${remaining(again)}`, again);
};
