// Filters: each on each list, several at once, and together with the cursor.
import type { Check } from '../engine/check.ts';
import { type Exchange, ids, type Json, metaOf, records, succeeded } from '../engine/exchange.ts';
import type { Tools } from '../engine/tools.ts';
import type { World } from '../engine/world.ts';

type Test = (task: Json) => boolean;

const ours = (world: World): Json[] => [...world.tasks, ...world.sideTasks].map((made) => made.got);

/** The list holds those of our tasks that match, and no others. */
const exact = (t: Tools, requirement: string, x: Exchange, expected: readonly Json[], counted = true): boolean => {
  const found = new Set(ids(records(x)));
  const wanted = new Set(ids(expected));
  const strange = [...found].filter((id) => !wanted.has(id));
  const missing = [...wanted].filter((id) => !found.has(id));
  const message = `${x.query}: ${strange.length} records too many, ${missing.length} missing`;
  if (!t.must(requirement, succeeded(x) && strange.length === 0 && missing.length === 0, message, x)) return false;
  const { total } = metaOf(x);
  if (counted && typeof total === 'number')
    t.must('WM-META-012', total === expected.length, `${x.query}: total is ${total} of ${expected.length}`, x);
  return true;
};

const one = (
  id: string,
  requirement: string,
  path: (w: World) => string,
  query: (w: World) => string | undefined,
  test: (w: World) => Test,
  among: (w: World) => readonly Json[],
): Check => ({
  id: `filters/${id}`,
  says: 'A filter gives the records that match and no others',
  covers: [requirement, 'WM-META-012'],
  profile: 'core',
  run: async (t: Tools) => {
    const world = await t.world();
    const filter = query(world);
    if (filter === undefined) t.skip('NO_FIXTURE(member)');
    const x = await t.get(`${path(world)}?${filter}&limit=100`);
    exact(t, requirement, x, among(world).filter(test(world)));
  },
});

const own = (w: World) => w.tasks.map((made) => made.got);
const nested = (w: World) => `/projects/${encodeURIComponent(w.mainId)}/tasks`;
const inMain = (w: World) => `filter[project_id]=${encodeURIComponent(w.mainId)}`;

/** On /tasks others may have tasks: the filter is judged on ours, and each row must match. */
const everywhere = (id: string, requirement: string, field: string, value: (w: World) => string | undefined): Check => ({
  id: `filters/${id}`,
  says: `filter[${field}] on /tasks gives tasks that match, ours among them`,
  covers: [requirement],
  profile: 'full',
  run: async (t: Tools) => {
    const world = await t.world();
    const wanted = value(world);
    if (wanted === undefined) t.skip('NO_FIXTURE(member)');
    const x = await t.get(`/tasks?filter[${field}]=${encodeURIComponent(wanted)}&limit=100`);
    const strange = records(x).filter((item) => item[field] !== undefined && item[field] !== wanted);
    const complete = metaOf(x).has_more === false;
    const found = new Set(ids(records(x)));
    const missing = complete ? ours(world).filter((task) => task[field] === wanted && !found.has(String(task.id))) : [];
    const good = succeeded(x) && strange.length === 0 && missing.length === 0;
    t.must(requirement, good, `${strange.length} tasks do not match, ${missing.length} of ours are missing`, x);
  },
});

export const filterChecks: readonly Check[] = [
  one(
    'project-status',
    'WM-LIST-010',
    nested,
    () => 'filter[status]=in_review',
    () => (task) => task.status === 'in_review',
    own,
  ),
  one(
    'project-priority',
    'WM-LIST-012',
    nested,
    () => 'filter[priority]=medium',
    () => (task) => task.priority === 'medium',
    own,
  ),
  one(
    'project-assignee',
    'WM-LIST-011',
    nested,
    (w) => (w.members[0] ? `filter[assignee_id]=${encodeURIComponent(w.members[0])}` : undefined),
    (w) => (task) => task.assignee_id === w.members[0],
    own,
  ),
  one(
    'tasks-project',
    'WM-LIST-015',
    () => '/tasks',
    inMain,
    (w) => (task) => task.project_id === w.mainId,
    ours,
  ),
  everywhere('tasks-status', 'WM-LIST-013', 'status', () => 'in_review'),
  everywhere('tasks-priority', 'WM-LIST-016', 'priority', () => 'urgent'),
  everywhere('tasks-assignee', 'WM-LIST-014', 'assignee_id', (w) => w.members[0]),
  {
    id: 'filters/and',
    says: 'Several filters combine with AND, two and three at once, in any order',
    covers: ['WM-LIST-009'],
    profile: 'core',
    run: async (t: Tools) => {
      const world = await t.world();
      const both: Test = (task) => task.status === 'todo' && task.priority === 'low';
      const run = async (query: string, among: readonly Json[], test: Test, at: string) =>
        exact(t, 'WM-LIST-009', await t.get(`${at}?${query}&limit=100`), among.filter(test), false);
      if (t.knows('1.3')) {
        const good = await run('filter[status]=todo&filter[priority]=low', own(world), both, nested(world));
        if (!good) return;
        await run('filter[priority]=low&filter[status]=todo', own(world), both, nested(world));
        const three: Test = (task) => both(task) && task.project_id === world.mainId;
        await run(`filter[status]=todo&filter[priority]=low&${inMain(world)}`, ours(world), three, '/tasks');
      } else {
        const inside: Test = (task) => task.status === 'todo' && task.project_id === world.mainId;
        if (!(await run(`filter[status]=todo&${inMain(world)}`, ours(world), inside, '/tasks'))) return;
      }
      if (!world.members[0]) return;
      const assigned: Test = (task) => task.status === 'backlog' && task.assignee_id === world.members[0];
      await run(
        `filter[status]=backlog&filter[assignee_id]=${encodeURIComponent(world.members[0])}`,
        own(world),
        assigned,
        nested(world),
      );
    },
  },
  {
    id: 'filters/whole-ids',
    says: 'filter[assignee_id] compares whole ids',
    covers: ['WM-LIST-034', 'WM-LIST-033'],
    profile: 'full',
    run: async (t: Tools) => {
      const world = await t.world();
      const part = world.members[0]?.slice(0, -1);
      if (!part) t.skip('NO_FIXTURE(member)');
      const x = await t.get(`${nested(world)}?filter[assignee_id]=${encodeURIComponent(part)}&limit=100`);
      if (!succeeded(x)) {
        t.must('WM-LIST-034', t.refused(x), `answers ${x.status}`, x);
      } else if (t.must('WM-LIST-034', records(x).length === 0, 'part of an id matches', x)) {
        t.must(
          'WM-LIST-033',
          metaOf(x).has_more !== true && Number(metaOf(x).total ?? 0) === 0,
          'an empty list says that there is more',
          x,
        );
      }
      const empty = await t.get(`${nested(world)}?filter[assignee_id]=${encodeURIComponent(world.mainId)}`);
      if (succeeded(empty)) t.must('WM-LIST-033', records(empty).length === 0, 'records come where none match', empty);
      else t.must('WM-LIST-033', t.refused(empty), `answers ${empty.status}`, empty);
    },
  },
  {
    id: 'filters/cursor',
    says: 'The cursor keeps every active filter to the last page',
    covers: ['WM-LIST-008', 'WM-META-008', 'WM-META-012'],
    profile: 'core',
    run: async (t: Tools) => {
      const world = await t.world();
      const walk = async (query: string, test: Test, among: readonly Json[], at: string) => {
        const expected = among.filter(test);
        const { pages, items } = await t.walk(`${at}?${query}`, expected.length + 2);
        const first = records(pages[0]!);
        if (!succeeded(pages[0]!) || !first.every(test)) return;
        if (pages.length < 2) {
          const more = metaOf(pages[0]!).has_more;
          if (more === false)
            t.must('WM-META-008', first.length >= expected.length, `has_more is false on the first page of ${query}`, pages[0]!);
          return;
        }
        const strange = items.filter((item) => !test(item));
        const kept = t.must(
          'WM-LIST-008',
          strange.length === 0,
          `${strange.length} records on later pages do not match ${query}`,
          ...pages.slice(0, 2),
        );
        const wrong = pages.filter((page) => typeof metaOf(page).total === 'number' && metaOf(page).total !== expected.length);
        if (kept) t.must('WM-META-012', wrong.length === 0, `total changes on a later page of ${query}`, ...wrong.slice(0, 1));
      };
      await walk('filter[status]=done&limit=2', (task) => task.status === 'done', own(world), nested(world));
      const two: Test = (task) => task.priority === 'medium' && task.project_id === world.mainId;
      await walk(`filter[priority]=medium&${inMain(world)}&limit=2`, two, ours(world), '/tasks');
      if (!t.record.judged.has('WM-LIST-008') && !t.record.judged.has('WM-META-008')) t.need(false, 'WM-LIST-004');
    },
  },
  {
    id: 'filters/encoded',
    says: 'Percent-encoded brackets name the same filter',
    covers: ['WM-LIST-018'],
    profile: 'core',
    run: async (t: Tools) => {
      const world = await t.world();
      const x = await t.get(`${nested(world)}?filter%5Bstatus%5D=done&limit=100`);
      exact(
        t,
        'WM-LIST-018',
        x,
        own(world).filter((task) => task.status === 'done'),
        false,
      );
    },
  },
  {
    id: 'filters/visibility',
    says: 'filter[visibility] on /projects gives the projects with that visibility',
    covers: ['WM-LIST-017'],
    profile: 'core',
    run: async (t: Tools) => {
      const world = await t.world();
      const at = '/projects?filter[visibility]=team';
      const { times, last } = await t.count(at, world.mainId);
      const strange = records(last).filter((item) => item.visibility !== undefined && item.visibility !== 'team');
      t.must(
        'WM-LIST-017',
        succeeded(last) && strange.length === 0 && times !== 0,
        `${strange.length} projects do not match`,
        last,
      );
    },
  },
];
