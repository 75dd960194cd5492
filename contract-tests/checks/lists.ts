// Pages: limit, total, has_more, next_cursor; every list is walked to its end.
import type { Check } from '../engine/check.ts';
import { type Exchange, ids, metaOf, records, succeeded } from '../engine/exchange.ts';
import { instant } from '../engine/shapes.ts';
import type { Tools } from '../engine/tools.ts';

const list = (id: string) => `/projects/${encodeURIComponent(id)}/tasks`;

/** The cursor of one list leads to other records. */
const paged = (requirement: string, name: string, path: (t: Tools) => Promise<string>): Check => ({
  id: `lists/paged-${name}`,
  says: `limit and cursor page through ${name}`,
  covers: [requirement],
  profile: 'full',
  run: async (t: Tools) => {
    const { pages, items } = await t.walk(await path(t), 2);
    if (!succeeded(pages[0]!)) t.skip('BLOCKED(success status)');
    if (pages.length < 2) {
      const { total } = metaOf(pages[0]!);
      if (typeof total === 'number' && total > 1 && metaOf(pages[0]!).has_more !== false) t.skip('BLOCKED(WM-META-011)');
      t.skip(`NO_FIXTURE(two of ${name})`);
    }
    const fresh = new Set(items.map((item) => item.id)).size === items.length;
    t.must(requirement, fresh && records(pages[1]!).length > 0, `the cursor of ${name} does not lead on`, ...pages.slice(0, 2));
  },
});

const judgeWalk = (t: Tools, pages: readonly Exchange[], expected: readonly string[], ended: boolean): void => {
  const found = pages.flatMap(records).map((item) => String(item.id));
  const distinct = new Set(found);
  const repeatsPage = pages.slice(1).some((page) => ids(records(page)).join() === ids(records(pages[0]!)).join());
  const moved = t.must(
    'WM-LIST-004',
    pages.length < 2 || !repeatsPage,
    'next_cursor leads back to the first page',
    ...pages.slice(0, 2),
  );
  if (!moved) return;
  t.must(
    'WM-LIST-007',
    distinct.size === found.length,
    `${found.length - distinct.size} records come twice`,
    ...pages.slice(0, 2),
  );
  const missing = expected.filter((id) => !distinct.has(id));
  t.must('WM-LIST-006', missing.length === 0, `${missing.length} of ${expected.length} records never come`, ...pages.slice(-2));
  if (missing.length === 0 && distinct.size === found.length)
    t.must('WM-LIST-005', ended, 'the list does not end', pages.at(-1)!);
};

export const listChecks: readonly Check[] = [
  {
    id: 'lists/limits',
    says: 'The limit is honoured from 1 to 100',
    covers: ['WM-EP-037', 'WM-LIST-002', 'WM-LIST-003', 'WM-LIST-019', 'WM-LIST-020', 'WM-LIST-021', 'WM-LIST-022'],
    profile: 'core',
    run: async (t: Tools) => {
      const { mainId, tasks } = await t.world();
      const one = await t.get(`${list(mainId)}?limit=1`);
      const sized = t.knows('1.1');
      t.must('WM-LIST-003', records(one).length === 1, `${records(one).length} records for limit=1`, one);
      const hundred = await t.get(`${list(mainId)}?limit=100`);
      const strangers = records(hundred).filter((item) => item.project_id !== undefined && item.project_id !== mainId);
      if (!t.must('WM-EP-037', strangers.length === 0, 'the list has tasks of another project', hundred))
        t.need(false, 'WM-EP-037');
      const all = records(hundred).length === tasks.length;
      const honest = metaOf(hundred).limit === 100 || all;
      t.must(
        'WM-LIST-002',
        succeeded(hundred) && all && honest,
        `limit=100 gives ${records(hundred).length} of ${tasks.length}`,
        hundred,
      );
      if (!sized) return;
      const word = await t.get(`${list(mainId)}?limit=many`);
      t.must('WM-LIST-019', word.status === 400, `limit=many is answered ${word.status}`, word);
      const above = await t.get(`${list(mainId)}?limit=150`);
      if (succeeded(above)) t.must('WM-LIST-020', Number(metaOf(above).limit ?? 0) <= 100, 'meta.limit is above 100', above);
      else t.must('WM-LIST-020', t.refused(above), `limit=150 is answered ${above.status}`, above);
      t.note(
        'WM-LIST-021',
        succeeded(above) ? `clamped to ${String(metaOf(above).limit)}` : `refused with ${above.status}`,
        above,
      );
      t.observe('limit-above-100', succeeded(above) ? 'clamped' : 'refused');
      const zero = await t.get(`${list(mainId)}?limit=0`);
      t.note('WM-LIST-022', succeeded(zero) ? `taken as ${String(metaOf(zero).limit)}` : `refused with ${zero.status}`, zero);
      t.observe('limit-below-1', succeeded(zero) ? 'clamped' : 'refused');
    },
  },
  {
    id: 'lists/first-page',
    says: 'Without limit a page has 20 records and meta describes the whole list',
    covers: [
      'WM-LIST-001',
      'WM-META-005',
      'WM-META-007',
      'WM-META-008',
      'WM-META-011',
      'WM-EP-006',
      'WM-GEN-005',
      'WM-EP-037',
      'WM-LIST-027',
    ],
    profile: 'core',
    run: async (t: Tools) => {
      const { mainId, tasks, sideTasks } = await t.world();
      t.need(tasks.length > 20, 'WM-EP-008');
      const x = await t.get(list(mainId));
      t.must('WM-EP-006', succeeded(x), `answers ${x.status}`, x);
      t.need(succeeded(x), 'WM-EP-006');
      const { total, has_more } = metaOf(x);
      const strangers = records(x).filter((item) => sideTasks.some((made) => made.got.id === item.id));
      const own = t.must('WM-EP-037', strangers.length === 0, 'the list has tasks of another project', x);
      t.must('WM-GEN-005', own || strangers.length === 0, '', x);
      const page = t.must('WM-LIST-001', records(x).length === 20, `${records(x).length} records on the first page`, x);
      if (typeof total === 'number' && own)
        t.must('WM-META-005', total === tasks.length, `total is ${total} of ${tasks.length}`, x);
      if (typeof has_more === 'boolean' && page)
        t.must('WM-META-008', has_more, `has_more is false with ${tasks.length} tasks`, x);
      const [head, tail] = [instant(records(x)[0]?.created_at), instant(records(x).at(-1)?.created_at)];
      const order = head < tail ? 'oldest' : head > tail ? 'newest' : undefined;
      t.note('WM-LIST-027', order ?? 'cannot be told', x);
      t.observe('default-order', order);
    },
  },
  {
    id: 'lists/walk',
    says: 'Following next_cursor gives every record once and ends',
    covers: [
      'WM-LIST-003',
      'WM-LIST-004',
      'WM-LIST-005',
      'WM-LIST-006',
      'WM-LIST-007',
      'WM-META-005',
      'WM-META-009',
      'WM-META-006',
    ],
    profile: 'core',
    run: async (t: Tools) => {
      const { mainId, tasks } = await t.world();
      t.need(tasks.length > 20, 'WM-EP-008');
      const { pages, ended } = await t.walk(`${list(mainId)}?limit=7`, 7);
      t.need(succeeded(pages[0]!), 'WM-EP-006');
      if (!t.knows('1.1')) {
        t.must('WM-META-009', metaOf(pages.at(-1)!).has_more === false, 'has_more is true on the last page', pages.at(-1)!);
        t.must(
          'WM-META-005',
          pages.every((page) => metaOf(page).total === tasks.length),
          'a total is wrong',
          ...pages,
        );
        return;
      }
      const full = pages.slice(0, 3).every((page) => records(page).length === 7);
      t.must('WM-LIST-003', records(pages[0]!).length <= 7, `${records(pages[0]!).length} records for limit=7`, pages[0]!);
      if (records(pages[0]!).length > 7) t.need(false, 'WM-LIST-003');
      if (pages.length === 1 && metaOf(pages[0]!).has_more === true) t.need(false, 'WM-META-011');
      if (pages.length === 1) t.must('WM-META-008', false, 'has_more is false on the first of four pages', pages[0]!);
      t.need(pages.length > 1, 'WM-META-008');
      judgeWalk(
        t,
        pages,
        tasks.map((made) => String(made.got.id)),
        ended,
      );
      const wrong = pages.filter((page) => typeof metaOf(page).total === 'number' && metaOf(page).total !== tasks.length);
      t.must(
        'WM-META-005',
        wrong.length === 0,
        `total is ${String(metaOf(wrong[0] ?? pages[0]!).total)} of ${tasks.length}`,
        ...wrong.slice(0, 1),
      );
      if (full && pages.length >= 4) {
        const last = metaOf(pages[3]!).has_more;
        if (typeof last === 'boolean') t.must('WM-META-009', last === false, 'has_more is true on the last page', pages[3]!);
      }
    },
  },
  {
    id: 'lists/exact-pages',
    says: 'When the last page is exactly full, nothing follows it',
    covers: ['WM-META-013'],
    profile: 'core',
    run: async (t: Tools) => {
      const { mainId, tasks } = await t.world();
      t.need(tasks.length % 11 === 0, 'WM-EP-008');
      const { pages } = await t.walk(`${list(mainId)}?limit=11`, 3);
      t.need(records(pages[0]!).length === 11 && pages.length > 1, 'WM-LIST-004');
      t.must('WM-META-013', metaOf(pages[1]!).has_more !== true, 'has_more is true after the last record', pages[1]!);
    },
  },
  paged('WM-LIST-028', 'projects', async (t) => {
    await t.world();
    return '/projects?limit=1';
  }),
  paged('WM-LIST-029', 'tasks', async (t) => {
    await t.world();
    return '/tasks?limit=9';
  }),
  {
    id: 'lists/tasks-of-all-projects',
    says: 'GET /tasks has the tasks of more than one project',
    covers: ['WM-EP-038', 'WM-EP-007'],
    profile: 'full',
    run: async (t: Tools) => {
      const { mainId, sideId, tasks, sideTasks } = await t.world();
      const main = await t.get(`/tasks?filter[project_id]=${encodeURIComponent(mainId)}&limit=100`);
      const side = await t.get(`/tasks?filter[project_id]=${encodeURIComponent(sideId)}&limit=100`);
      t.must('WM-EP-007', succeeded(main), `answers ${main.status}`, main);
      const found = new Set([...records(main), ...records(side)].map((item) => item.id));
      const missing = [...tasks, ...sideTasks].filter((made) => !found.has(made.got.id));
      t.must('WM-EP-038', missing.length === 0, `${missing.length} tasks are missing`, main, side);
    },
  },
];
