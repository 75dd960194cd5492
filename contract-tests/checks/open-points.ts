// Open points: what the target does where the specification is silent. Nothing here fails, beyond what other sentences state.

import type { Check } from '../engine/check.ts';
import { metaOf, records, resource, succeeded } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';

const behaviour = (x: { status: number }, yes: string, no = 'refused') => (x.status < 300 ? yes : no);

export const openPointChecks: readonly Check[] = [
  {
    id: 'open/queries',
    says: 'Unknown filters, values, parameters and cursors',
    covers: clausesIn('LIST 23-26 48 49, VER 6 7, REL 12'),
    profile: 'full',
    run: async (t: Tools) => {
      const { mainId, tasks } = await t.world();
      const at = `/projects/${encodeURIComponent(mainId)}/tasks`;
      const size = Math.max(5, t.smallestLimit);
      const unknown = await t.get(`${at}?filter[wmct]=x&limit=${size}`);
      t.note('WM-LIST-024', behaviour(unknown, 'ignored'), unknown);
      t.observe('unknown-filter', behaviour(unknown, 'ignored'));
      const value = await t.get(`${at}?filter[status]=nonsense&limit=${size}`);
      t.note('WM-LIST-025', behaviour(value, `${records(value).length} records`), value);
      t.observe('filter-value', succeeded(value) ? (records(value).length === 0 ? 'empty' : 'everything') : 'refused');
      const extra = await t.get(`${at}?wmct=1&limit=${size}`);
      t.note('WM-LIST-026', behaviour(extra, 'ignored'), extra);
      t.observe('unknown-query', behaviour(extra, 'ignored'));
      const inside = await t.get(`${at}?filter[project_id]=${encodeURIComponent(mainId.slice(0, -1))}&limit=${size}`);
      t.observe(
        'project-filter-in-project',
        succeeded(inside) ? (records(inside).length === 0 ? 'combined' : 'ignored') : 'refused',
      );
      const first = succeeded(extra) ? extra : await t.get(`${at}?limit=${size}`);
      const paged = await t.get(`${at}?limit=${size}&page=2`);
      const offset = await t.get(`${at}?limit=${size}&offset=5`);
      const same = (x: typeof first) => !succeeded(x) || records(x)[0]?.id === records(first)[0]?.id;
      t.must('WM-VER-006', same(paged) && same(offset), 'page or offset still pages', paged, offset);
      const signalled = [paged, offset].some((x) => x.headers.has('deprecation'));
      t.must('WM-REL-012', !signalled, 'page or offset is still signalled by a Deprecation header', paged, offset);
      t.note('WM-VER-007', behaviour(offset, 'ignored'), offset);
      if (t.knows('1.2')) t.observe('page-and-offset', behaviour(offset, 'ignored'));
      const cursor = cursorOf(first);
      if (!cursor || tasks.length < 10) return;
      const broken = await t.get(`${at}?limit=${size}&cursor=${encodeURIComponent(`wmct${[...cursor].reverse().join('')}`)}`);
      t.note('WM-LIST-023', behaviour(broken, 'a page'), broken);
      t.observe('broken-cursor', behaviour(broken, 'first-page'));
      // Whether a cursor may be used twice is open, so the page that must be served comes first.
      const bare = await t.get(`${at}?cursor=${encodeURIComponent(cursor)}`);
      if (succeeded(bare)) t.observe('cursor-limit', metaOf(bare).limit === size ? 'kept' : 'fresh');
      const other = await t.get(`${at}?limit=${size}&filter[status]=done&cursor=${encodeURIComponent(cursor)}`);
      t.observe('cursor-conflict', behaviour(other, 'cursor-wins'));
    },
  },
  {
    id: 'open/bodies',
    says: 'Null, nothing, other characters and other content types in a body',
    covers: clausesIn('TASK 43 44, EP 63, GEN 12'),
    profile: 'full',
    run: async (t: Tools) => {
      const { sideId } = await t.world();
      const at = `/projects/${encodeURIComponent(sideId)}/tasks`;
      const made = await t.post(at, { title: 'wm open', description: 'stays', due_date: '2031-05-01T00:00:00Z' });
      t.need(succeeded(made), 'WM-EP-008');
      const task = `/tasks/${encodeURIComponent(String(resource(made).id))}`;
      await t.time.sleep(1100);
      const empty = await t.patch(task, {});
      t.note('WM-EP-063', behaviour(empty, 'accepted'), empty);
      if (succeeded(empty))
        t.observe('noop-patch', resource(empty).updated_at === resource(made).updated_at ? 'unchanged' : 'touched');
      const cleared = await t.patch(task, { due_date: null });
      t.note('WM-TASK-043', behaviour(cleared, 'clears'), cleared);
      t.observe('null-in-body', behaviour(cleared, 'clears'));
      const day = await t.post(at, { title: 'wm day', due_date: '2031-05-01' });
      t.observe('date-only', behaviour(day, 'midnight'));
      const astral = await t.post(at, { title: '😀'.repeat(255) });
      t.note('WM-TASK-044', behaviour(astral, 'code points', 'UTF-16 units'), astral);
      t.observe('length-unit', behaviour(astral, 'code-points', 'utf-16'));
      const body = JSON.stringify({ title: 'wm plain' });
      const plain = await t.send('POST', at, { as: t.main, raw: body, headers: { 'content-type': 'text/plain' } });
      t.note('WM-GEN-012', behaviour(plain, 'read all the same'), plain);
      t.observe('content-type', behaviour(plain, 'lenient', 'required'));
    },
  },
  {
    id: 'open/routes',
    says: 'Undocumented methods and paths',
    covers: clausesIn('EP 64 65 67'),
    profile: 'full',
    run: async (t: Tools) => {
      const { sideId } = await t.world();
      const method = await t.send('PUT', `/projects/${encodeURIComponent(sideId)}`, { as: t.main, body: {} });
      if (t.thorough) {
        const { sideTasks } = await t.world();
        const task = `/tasks/${encodeURIComponent(String(sideTasks[0]?.got.id))}`;
        await t.send('PUT', `/projects/${encodeURIComponent(sideId)}`, {
          as: t.main,
          body: { name: t.name('put'), description: 'put' },
        });
        await t.send('PUT', task, { as: t.main, body: { title: 'wm put', description: 'put' } });
        for (const path of [`/projects/${encodeURIComponent(sideId)}`, task]) await t.get(path);
      }
      t.note('WM-EP-064', String(method.status), method);
      t.observe('wrong-method', String(method.status));
      const path = await t.get('/wmct-no-such-path');
      t.note('WM-EP-065', String(path.status), path);
      const hooks = await t.get('/webhooks');
      t.note('WM-EP-067', String(hooks.status), hooks);
    },
  },
];
