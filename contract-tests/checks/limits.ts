// Rate limits: the budget goes down, belongs to the workspace, and ends in 429.
import type { Check } from '../engine/check.ts';
import type { Call } from '../engine/client.ts';
import { type Exchange, records, succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';
import { needPlans, openWorld } from './worlds.ts';

/** No larger budget is used up: the largest plan of the spec, ten times. */
const MOST_USED_UP = 10_000;

const header = (x: Exchange, name: string): number => Number(x.headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
const remaining = (x: Exchange) => header(x, 'remaining');
const ping = (t: Tools, call?: Call) => t.get('/users/me', call);

/** How far our budget falls over two requests in another role, and one of our own. */
const fall = async (t: Tools, as: 'read' | 'admin' | 'other'): Promise<[number, Exchange, Exchange]> => {
  await t.room(4);
  const before = await ping(t);
  for (let i = 0; i < 2; i++) await ping(t, { as });
  const after = await ping(t);
  return [remaining(before) - remaining(after), before, after];
};

export const limitChecks: readonly Check[] = [
  {
    id: 'limits/remaining',
    says: 'Remaining goes down with each request',
    covers: ['WM-RATE-010', 'WM-RATE-025', 'WM-RATE-013'],
    profile: 'read-only',
    run: async (t: Tools) => {
      await t.room(2);
      const seen = [await ping(t), await ping(t)];
      if (Number.isNaN(remaining(seen[0]!))) t.need(false, 'WM-RATE-001');
      const down = seen.some((x, i) => i > 0 && remaining(x) < remaining(seen[i - 1]!));
      t.must('WM-RATE-010', down, 'Remaining does not go down over two requests', ...seen);
      t.note('WM-RATE-025', String(header(seen[0]!, 'limit')), seen[0]!);
      await t.time.sleep(3000);
      const later = await ping(t);
      const moved = header(later, 'reset') - header(seen[1]!, 'reset');
      if (header(seen[1]!, 'reset') * 1000 > t.time.now()) t.observe('rate-window', moved > 0 ? 'rolling' : 'fixed');
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
      for (let round = 0; ; round++) {
        const [by, before, after] = await fall(t, as);
        if (Number.isNaN(by)) t.need(false, 'WM-RATE-001');
        if (by < 2 && round < 2) continue;
        const limit = header(before, 'limit');
        const own = by < 2 && remaining(before) <= 300 && limit >= 300;
        if (limit > 300 && (own || remaining(before) > 300)) t.observe('rate-source', own ? 'workspace-and-key' : 'workspace');
        if (own) t.skip('HIDDEN(a ceiling of 300 requests per key)');
        t.must('WM-RATE-011', by >= 2, `two requests of another key of the workspace cost ${by - 1}`, before, after);
        return;
      }
    },
  },
  {
    id: 'limits/two-workspaces',
    says: 'Requests of another workspace do not use up our budget',
    covers: ['WM-RATE-012'],
    needs: ['other'],
    profile: 'full',
    run: async (t: Tools) => {
      for (let round = 0; ; round++) {
        const [by, before, after] = await fall(t, 'other');
        if (Number.isNaN(by)) t.need(false, 'WM-RATE-001');
        if (by > 2 && round < 2) continue;
        t.must('WM-RATE-012', by <= 2, `two requests of another workspace cost ${by - 1}`, before, after);
        return;
      }
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
      const world = t.parts.control ? await openWorld(t, 8) : undefined;
      const call: Call = world ? { ...world.call, unpaced: true } : { as: t.main, unpaced: true };
      let x = await ping(t, call);
      const limit = header(x, 'limit');
      if (!Number.isInteger(limit)) t.need(false, 'WM-RATE-006');
      if (world && limit !== 8) {
        await needPlans(t).catch(async (skipped) => {
          await world.close();
          throw skipped;
        });
      }
      if (limit > MOST_USED_UP) t.skip(`QUOTA_TOO_LARGE(${limit} requests a minute)`);
      let before = x;
      for (let sent = 1; x.status !== 429 && sent < limit + 3; sent++) {
        before = x;
        x = await ping(t, call);
        if (remaining(before) <= 0 && x.status !== 429) break;
      }
      const last = x;
      const reached = t.must(
        'WM-RATE-017',
        last.status === 429,
        `the request after Remaining ${remaining(before)} is answered ${last.status}`,
        before,
        last,
      );
      if (!reached) t.need(false, 'WM-RATE-017');
      t.must('WM-RATE-018', remaining(before) <= 0, `429 came while Remaining was ${remaining(before)}`, before, last);
      t.record.judged.add('WM-RATE-019').add('WM-RATE-020');
      t.note('WM-RATE-023', last.headers.get('retry-after') ?? 'absent', last);
      t.observe('retry-after', last.headers.get('retry-after') === null ? 'absent' : 'present');
      const name = t.name('over-quota');
      const refused = await t.post('/projects', { name }, call);
      if (world) {
        await world.sleep(5000);
        const later = await ping(t, call);
        const counted = header(later, 'reset') > header(last, 'reset');
        if (t.parts.choices.seen.get('rate-window') === 'rolling')
          t.observe('refused-requests', counted ? 'counted' : 'not-counted');
      }
      const reset = world ? 65_000 : Math.max(0, header(refused, 'reset') * 1000 - t.time.now()) + 2000;
      if (world) await world.sleep(reset);
      else await t.time.sleep(Math.min(reset, 65_000));
      const again = await ping(t, call);
      const full = succeeded(again) && remaining(again) >= limit - Math.max(2, limit * 0.1);
      t.must('WM-RATE-022', full, `at Reset a request is answered ${again.status} with Remaining ${remaining(again)}`, again);
      if (refused.status !== 429) t.need(false, 'WM-RATE-017');
      const list = await t.get('/projects?limit=100', call);
      t.must(
        'WM-RATE-021',
        !records(list).some((item) => item.name === name),
        'a create refused with 429 creates',
        refused,
        list,
      );
      await world?.close();
    },
  },
];
