// Rate limits: the budget goes down, belongs to the workspace, and ends in 429. Others may use it at the same time: what they can cause is no fault.
import type { Check } from '../engine/check.ts';
import type { Call } from '../engine/client.ts';
import type { Exchange } from '../engine/exchange.ts';
import { Kept } from '../engine/kept.ts';
import { instant } from '../engine/shapes.ts';
import { at, clausesIn } from '../engine/spelling.ts';
import type { Role } from '../engine/terms.ts';
import type { Tools } from '../engine/tools.ts';
import { type Entry, fieldOf } from '../oracle/model.ts';

/** Other clients may hide the cost of a request once, hardly in each of this many rounds. */
const ROUNDS = 6;
export const TRAFFIC = 'HIDDEN(other traffic)';
export const SECOND = 1000;
/** Longer than the grain of Reset, shorter than anything takes to age. */
const PAUSE = 1100;

export const header = (x: Exchange, name: string): number => Number(x.headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
export const remaining = (x: Exchange) => header(x, 'remaining');
/** Requests a minute of a key, where keys have a ceiling of their own below the workspace's. */
export const CEILING = 300;

export const ping = (t: Tools, call?: Call) => t.get('/users/me', call);

/** Pages of a size that no situation asks for. */
export const LOOKS = ['/tasks?limit=7', '/workspace/members?limit=1', '/teams?limit=1', '/tasks?limit=20', '/teams?limit=5'];
/** Other reads that are worth a look: a record from before this run, and records with nothing in them. */
const furtherLooks = (t: Tools): readonly string[] => {
  const { oracle, scene } = t.parts;
  const { entries } = oracle.workspace('own');
  const made = (entry: Entry) => instant(fieldOf(entry, 'created_at'));
  const [oldest] = [...entries.values()]
    .filter(({ kind, own, gone }) => kind === 'task' && !own && !gone)
    .sort((a, b) => made(a) - made(b));
  const used = new Set([...entries.values()].map((entry) => entry.kind === 'task' && fieldOf(entry, 'project_id')));
  const empty = [...entries.values()].find(({ kind, id, own, gone }) => kind === 'project' && own && !gone && !used.has(id));
  return [
    // By one key: what it reads, and what it lists.
    ...(oldest ? [at('tasks', oldest.id)] : []),
    ...(t.knows('1.3') ? ['/tasks?filter[priority]=medium&limit=100'] : []),
    ...(oldest ? [`${at('projects', fieldOf(oldest, 'project_id'))}/tasks?limit=100`] : []),
    ...(scene.heir === undefined ? [] : [at('teams', scene.heir)]),
    ...(empty ? [`${at('projects', empty.id)}/tasks`] : []),
    '/tasks?filter[status]=todo',
  ];
};
const keptLooks = new Kept<readonly string[]>();
const look = (t: Tools, call?: Call) => {
  if (t.smallestLimit > 1 || !t.knows('1.2')) return ping(t, call);
  // Our records are not theirs.
  if (call?.as === 'other' || call?.as === 'keyless') return t.get(LOOKS.at(-1)!, call);
  const all = keptLooks.of(t) ?? keptLooks.keep(t, [...LOOKS.slice(0, -1), ...furtherLooks(t), ...LOOKS.slice(-1)]);
  return t.get(all[t.parts.scene.looks++ % all.length]!, call);
};

interface Round {
  /** How far our budget fell from the first of our two requests to the second. */
  readonly fall: number;
  readonly before: Exchange;
  readonly after: Exchange;
  /** One window lasted throughout that empties only at its end: in it a count can but grow. */
  readonly sure: boolean;
}

/** Whether windows empty at once or request by request, as far as Reset shows it. */
export const windowKind = new Kept<'rolling' | 'fixed'>();
/** The last request of one check is the first of the next. */
const lastPing = new Kept<Exchange>();
const foreignRound = new Kept<Round>();

/** Two requests of ours and some in other roles between them, with nothing of ours ageing out meanwhile. @param before the first, when it was sent */
const round = async (t: Tools, between: readonly (Role | 'keyless')[], sent?: Exchange): Promise<Round> => {
  if (!sent) await t.room(between.length + 2);
  const before = sent ?? (await look(t));
  for (const as of between) await look(t, { as });
  const after = await look(t);
  const fixed = windowKind.of(t) === 'fixed';
  const sure = fixed && header(before, 'reset') === header(after, 'reset');
  return { fall: remaining(before) - remaining(after), before, after, sure };
};

/** Two requests of ours a moment apart. They also tell whether windows empty at once or request by request: Reset stays, or moves as the clock does. */
const pause = async (t: Tools): Promise<Round> => {
  await t.room(2);
  const before = await look(t);
  await t.time.sleep(PAUSE);
  const found = await round(t, [], before);
  const moved = header(found.after, 'reset') - header(before, 'reset');
  // Further than the clock went, it is that of the next window.
  if (moved >= 0 && moved * SECOND <= found.after.came - before.sent + 2 * SECOND) {
    const kind = moved > 0 ? 'rolling' : 'fixed';
    windowKind.keep(t, kind);
    if (t.skew.fits(header(found.after, 'reset') * SECOND, 0, 120 * SECOND)) t.observe('rate-window', kind);
  }
  return found;
};

/** Milliseconds until a window that ends at a reset is over for certain, by whichever clock the target counts. */
export const untilReset = (t: Tools, x: Exchange): number => {
  const clocks = t.skew.clocks();
  const left = clocks.map(({ at, within }) => header(x, 'reset') * SECOND - at + within);
  const sure = clocks.every(({ within }) => within < 10 * SECOND) && Math.max(...left) - Math.min(...left) < 10 * SECOND;
  const most = Math.max(...left);
  return sure && most < 63 * SECOND ? Math.max(0, most) + 2 * SECOND : 65 * SECOND;
};

/** Waits until the quota is full again. */
export const reset = async (t: Tools, x: Exchange): Promise<void> => {
  const ms = untilReset(t, x);
  t.waits('the quota to be full again', ms);
  await t.time.sleep(ms);
};

export const limitChecks: readonly Check[] = [
  {
    id: 'limits/remaining',
    says: 'Remaining goes down with each request',
    covers: clausesIn('RATE 10 13 25'),
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
      lastPing.keep(t, found.after);
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
      const last = lastPing.of(t);
      for (let n = 0; n < ROUNDS; n++) {
        // The last request of the check before is the first of this one.
        rounds.push(await round(t, [as, as], last?.number === t.parts.client.requests ? last : undefined));
        if (Number.isNaN(rounds[n]!.fall)) t.need(false, 'WM-RATE-001');
        if (rounds[n]!.fall >= 3 || rounds[n]!.sure) break;
      }
      const { fall, before, after, sure } = rounds.at(-1)!;
      const limit = header(before, 'limit');
      const alone = rounds.every((one) => one.fall === 1);
      const ceiling = fall < 3 && remaining(before) <= CEILING && limit >= CEILING;
      const own = alone && ceiling;
      if (limit > CEILING && (own || remaining(before) > CEILING))
        t.observe('rate-source', own ? 'workspace-and-key' : 'workspace');
      if (ceiling) t.skip(`HIDDEN(a ceiling of ${CEILING} requests per key)`);
      if (fall < 3 && !sure && !alone) t.skip(TRAFFIC);
      t.must('WM-RATE-011', fall >= 3, `two requests of another key of the workspace cost ${fall - 1}`, before, after);
      // The second of our requests is the first of the next check.
      if (t.has('other')) foreignRound.keep(t, await round(t, ['other'], after));
    },
  },
  {
    id: 'limits/two-workspaces',
    says: 'Requests of another workspace do not use up our budget',
    covers: ['WM-RATE-012'],
    needs: ['other'],
    profile: 'full',
    run: async (t: Tools) => {
      const rounds: Round[] = [foreignRound.of(t) ?? (await round(t, ['other']))];
      const { fall, before, after } = rounds[0]!;
      if (Number.isNaN(fall)) t.need(false, 'WM-RATE-001');
      // This with a request between that is free: where others are at work, both cost now this, now that.
      for (let n = 1; n <= 2 * ROUNDS && fall > 1; n++) {
        const alone = n % 2 === 1;
        const next = await round(t, [alone ? 'keyless' : 'other']);
        if (next.fall !== (alone ? 1 : 2)) t.skip(TRAFFIC);
      }
      t.must('WM-RATE-012', fall <= 1, `a request of another workspace costs ${fall - 1}`, before, after);
    },
  },
];
