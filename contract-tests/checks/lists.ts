// Every list, walked to its end, filtered by each value, sorted both ways, and in combinations; the oracle judges each page.
import type { Check } from '../engine/check.ts';
import { type Exchange, errorOf, ids, metaOf, records, succeeded } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import { instant } from '../engine/shapes.ts';
import type { Tools } from '../engine/tools.ts';
import type { World } from '../engine/world.ts';
import { sortClause } from '../oracle/clauses.ts';
import { numbered, of } from './spelling.ts';

const nested = (w: World, which: 'main' | 'side' = 'main') =>
  `/projects/${encodeURIComponent(which === 'main' ? w.mainId : w.sideId)}/tasks`;

export const FIELDS = ['title', 'due_date', 'created_at', 'updated_at'] as const;
export const SORTS = FIELDS.flatMap((field) => [field, `-${field}`]);

/** The sorts of tasks that the target takes, found out by the check on sorting; each of them before that. */
export const sortsOf = (t: Tools): readonly string[] => {
  const known = t.parts.scene.sorts;
  const works = SORTS.filter((sort) => known.get(`tasks ${sort.replace('-', '')}`) === true);
  return works.length > 0 ? works : [];
};

/** A sort to add to a query, where tasks can be sorted so. */
export const sortedBy = (t: Tools, sort: string): string => (sortsOf(t).includes(sort) ? `&sort=${sort}` : '');

/** A sort to go with a filter: another one each time, so that all of them meet filters. */
const nextSort = (t: Tools): string => {
  const sorts = sortsOf(t);
  const turn = ((t.parts.shared.get('turn') as number | undefined) ?? 0) + 1;
  t.parts.shared.set('turn', turn);
  return sorts.length > 0 ? `&sort=${sorts[turn % sorts.length]}` : '';
};

const noteSort = (t: Tools, name: string, works: boolean) => {
  t.parts.scene.sorts.set(name, works);
};

/** Each value of status with one of priority: together they pick single tasks, so that a value that is not heeded shows. */
const pairs = (t: Tools, list: string): string[] => {
  const valuesOf = (name: string) => t.parts.rules.filters(list).find(({ field }) => field === name)?.values ?? [];
  const priorities = valuesOf('priority');
  const all = valuesOf('status').map((status, i) => {
    const priority = priorities[(i + 1) % Math.max(1, priorities.length)];
    return priority === undefined ? of('status', status) : `${of('status', status)}&${of('priority', priority)}`;
  });
  return t.within('full') ? all : all.slice(0, 2);
};

const firstPage: Check = {
  id: 'lists/first-page',
  says: 'Without limit a page has 20 records and meta describes the whole list; the cursor alone leads on',
  covers: [
    'WM-LIST-001',
    'WM-META-005',
    'WM-META-007',
    'WM-META-008',
    'WM-META-011',
    'WM-EP-006',
    'WM-EP-037',
    'WM-GEN-005',
    'WM-LIST-027',
  ],
  profile: 'core',
  run: async (t: Tools) => {
    const world = await t.world();
    t.need(world.tasks.length > 20, 'WM-EP-008');
    const x = await t.get(nested(world), { as: t.reader });
    t.need(succeeded(x), 'WM-EP-006');
    const own = !records(x).some((item) => world.sideTasks.some((made) => made.got.id === item.id));
    t.must('WM-GEN-005', own, 'a task stands in the list of a project that is not its own', x);
    t.must('WM-LIST-001', records(x).length === 20, `${records(x).length} records on the first page`, x);
    const [head, tail] = [instant(records(x)[0]?.created_at), instant(records(x).at(-1)?.created_at)];
    const order = head < tail ? 'oldest' : head > tail ? 'newest' : undefined;
    t.note('WM-LIST-027', order ?? 'cannot be told', x);
    t.observe('default-order', order);
    const cursor = cursorOf(x);
    if (!t.knows('1.1') || cursor === undefined) return;
    const rest = await t.get(`${nested(world)}?cursor=${encodeURIComponent(cursor)}`, { as: t.reader });
    t.must('WM-LIST-004', succeeded(rest), `a cursor alone is answered ${rest.status}`, x, rest);
    const { limit } = metaOf(rest);
    if (succeeded(rest)) t.must('WM-META-007', limit === 20, `meta.limit of the next page is ${JSON.stringify(limit)}`, x, rest);
  },
};

const limits: Check = {
  id: 'lists/limits',
  says: 'The limit is honoured from 1 to 100, and is an integer',
  covers: [...numbered('LIST', 2, 3, 19, 20, 21, 22, 35, 36), ...numbered('META', 6, 21, 22)],
  profile: 'core',
  run: async (t: Tools) => {
    const world = await t.world();
    const { tasks } = world;
    const at = nested(world);
    const hundred = await t.get(`${at}?limit=100`);
    const all = succeeded(hundred) && records(hundred).length === tasks.length;
    t.must('WM-LIST-002', all, `limit=100 gives ${records(hundred).length} of ${tasks.length}`, hundred);
    if (!t.knows('1.1')) return;
    await t.walk(`${at}?limit=1`, t.thorough ? 30 : 1);
    // Each list may read its limit in its own way.
    await t.get(`${at}?limit=many`);
    if (t.within('full')) await t.get('/projects?limit=3.5');
    if (t.within('full')) await t.get(`${t.knows('1.2') ? '/teams' : '/tasks'}?limit=5abc`);
    const above = await t.get(`${at}?limit=150`);
    if (succeeded(above)) t.must('WM-LIST-020', Number(metaOf(above).limit ?? 0) <= 100, 'meta.limit is above 100', above);
    else t.must('WM-LIST-020', t.refused(above), `limit=150 is answered ${above.status}`, above);
    const clamped = `clamped to ${String(metaOf(above).limit)}`;
    t.note('WM-LIST-021', succeeded(above) ? clamped : `refused with ${above.status}`, above);
    t.observe('limit-above-100', succeeded(above) ? 'clamped' : 'refused');
    const zero = await t.get(`${at}?limit=0`);
    t.note('WM-LIST-022', succeeded(zero) ? `taken as ${String(metaOf(zero).limit)}` : `refused with ${zero.status}`, zero);
    t.observe('limit-below-1', succeeded(zero) ? 'clamped' : 'refused');
  },
};

const walk: Check = {
  id: 'lists/walk',
  says: 'Following next_cursor gives every record once and ends, at several sizes of a page',
  covers: [...numbered('LIST', 3, 4, 5, 6, 7), ...numbered('META', 5, 6, 8, 9, 13)],
  profile: 'core',
  run: async (t: Tools) => {
    const world = await t.world();
    t.need(world.tasks.length > 20, 'WM-EP-008');
    const at = nested(world);
    const { pages, ended } = await t.walk(`${at}?limit=7`, 7);
    t.need(succeeded(pages[0]!), 'WM-EP-006');
    if (!t.knows('1.1')) return judgeOffsets(t, pages, world.tasks.length);
    if (pages.length > 1) t.must('WM-LIST-005', ended, 'the list does not end', pages.at(-1)!);
  },
};

/** v1.0 has no cursor: the pages come by offset. */
const judgeOffsets = (t: Tools, pages: readonly Exchange[], total: number): void => {
  const last = pages.at(-1)!;
  t.must('WM-META-009', metaOf(last).has_more === false, 'has_more is true on the last page', last);
  t.must(
    'WM-META-005',
    pages.every((page) => metaOf(page).total === total),
    'a total is wrong',
    ...pages,
  );
};

const sorting: Check = {
  id: 'sorting/tasks',
  says: 'Each field sorts tasks both ways over all pages, or is refused with 400',
  covers: ['WM-LIST-006', 'WM-LIST-007', ...numbered('SORT', 1, 2, 3, 4, 5, 6, 8, 9, 10, 14, 15, 16)],
  profile: 'core',
  run: async (t: Tools) => {
    const world = await t.world();
    const at = nested(world);
    // What was made first is changed last: else the order of creation would do for updated_at.
    const first = world.tasks[1];
    if (first) {
      await t.time.sleep(1100);
      const path = `/tasks/${encodeURIComponent(String(first.got.id))}`;
      const moved = { title: `${String(first.got.title).slice(0, -2)}99`, due_date: '2031-01-20T00:00:00Z', priority: 'low' };
      const assigned = world.members[0]
        ? { assignee_id: world.members.at(first.got.assignee_id === world.members[0] ? -1 : 0) }
        : {};
      await t.patch(path, { description: 'touched', ...moved, ...assigned });
    }
    const nulls = new Map<string, string>();
    for (const [i, sort] of SORTS.entries()) {
      if (!t.within('full') && !['title', '-title', 'due_date', '-created_at'].includes(sort)) continue;
      // Page by page where seams matter most, else at once.
      const whole = !['-title', '-due_date', '-updated_at', ...(t.knows('1.1') ? [] : ['-created_at'])].includes(sort);
      // Three pages where a date is missing: a seam falls among those that have none.
      const size = whole ? 100 : sort === '-due_date' ? 8 : 11 + i;
      const walked = await t.walk(`${at}?sort=${sort}&limit=${size}`, 5);
      const x = walked.pages[0]!;
      t.note('WM-SORT-009', `tasks by ${sort}: ${x.status}`, x);
      noteSort(t, `tasks ${sort.replace('-', '')}`, succeeded(x));
      // Pages by number have no cursor that ties them together; created_at has one form in every row.
      if (!t.knows('1.1') && sort === '-created_at' && walked.pages.length > 1)
        for (const [j, item] of walked.items.entries()) {
          const right = j === 0 || Date.parse(String(walked.items[j - 1]!.created_at)) >= Date.parse(String(item.created_at));
          t.must('WM-SORT-008', right, `sort=${sort}: an older task stands before a newer one`, ...walked.pages);
        }
      const requirement = `WM-SORT-00${{ title: 1, '-title': 2, due_date: 3, '-due_date': 4 }[sort] ?? (sort.includes('created') ? 5 : 6)}`;
      if (!succeeded(x)) t.must(requirement, x.status === 400, `sort=${sort} is answered ${x.status}`, x);
      else if (sort.includes('due_date')) {
        const empty = walked.items.map((item) => item.due_date === null || item.due_date === undefined);
        nulls.set(sort, empty[0] ? 'first' : empty.at(-1) ? 'last' : 'among the others');
        t.note('WM-SORT-010', `${nulls.get(sort)} for ${sort}`, x);
      }
    }
    const [up, down] = [nulls.get('due_date'), nulls.get('-due_date')];
    if (up && down) t.observe('null-due-date', up === down ? up : up === 'last' ? 'largest' : 'smallest');
    const known = t.parts.scene.sorts;
    t.must(
      'WM-SORT-014',
      FIELDS.some((field) => known.get(`tasks ${field}`)),
      'no field sorts tasks',
    );
  },
};

const unsupported: Check = {
  id: 'sorting/unsupported',
  says: 'An unsupported sort field is refused with 400',
  covers: ['WM-SORT-007', 'WM-SORT-012', 'WM-SORT-024', 'WM-SORT-025', 'WM-ERR-012'],
  profile: 'core',
  run: async (t: Tools) => {
    const world = await t.world();
    const x = await t.get(`/tasks?${of('project_id', world.mainId)}&sort=nonsense`);
    if (x.status !== 400) t.need(false, 'WM-SORT-007');
    const again = await t.get('/projects?sort=-nonsense');
    if (t.within('full')) await t.get('/projects?sort=due_date');
    t.note('WM-SORT-012', String(errorOf(x).code), x);
    t.observe('unsupported-sort-code', String(errorOf(x).code));
    if (again.status === 400)
      t.must('WM-ERR-012', errorOf(again).code === errorOf(x).code, 'the same mistake gives another code', x, again);
  },
};

const filters: Check = {
  id: 'filters/project-tasks',
  says: 'Each value of each filter gives the tasks of a project that match and no others',
  covers: [...numbered('LIST', 10, 11, 12, 18, 33, 34), 'WM-META-012', 'WM-SORT-001'],
  profile: 'core',
  run: async (t: Tools) => {
    const world = await t.world();
    const at = nested(world);
    for (const { field, values } of t.parts.rules.filters('list_project_tasks')) {
      const wanted = values.length > 0 ? values.slice(0, 1) : field === 'assignee_id' ? world.members.slice(0, 2) : [];
      for (const value of wanted) await t.get(`${at}?${of(field, value)}${nextSort(t)}&limit=100`, { as: t.reader });
    }
    for (const pair of pairs(t, 'list_project_tasks')) await t.get(`${at}?${pair}&limit=100`);
    const encoded = await t.get(`${at}?filter%5Bstatus%5D=done&limit=100`);
    const wrong = records(encoded).filter((item) => item.status !== undefined && item.status !== 'done');
    t.must('WM-LIST-018', succeeded(encoded) && wrong.length === 0, 'encoded brackets do not filter', encoded);
    if (!t.within('full')) return;
    const part = world.members[0]?.slice(0, -1);
    if (!part || world.members.includes(part)) t.skip('NO_FIXTURE(member)');
    for (const value of t.thorough ? [part, t.nobody()] : [part]) {
      const x = await t.get(`${at}?${of('assignee_id', value)}&limit=100`);
      const requirement = value === part ? 'WM-LIST-034' : 'WM-LIST-033';
      if (!succeeded(x)) t.must(requirement, t.refused(x), `answers ${x.status}`, x);
      else if (t.must(requirement, records(x).length === 0, `${records(x).length} records match an id that is nobody's`, x)) {
        const empty = metaOf(x).has_more !== true && Number(metaOf(x).total ?? 0) === 0;
        t.must('WM-LIST-033', empty, 'an empty list says that there is more', x);
      }
    }
  },
};

const combined: Check = {
  id: 'filters/and',
  says: 'Several filters combine with AND, also with a sort and over several pages',
  covers: [...numbered('LIST', 8, 9), 'WM-META-008', 'WM-META-012'],
  profile: 'core',
  run: async (t: Tools) => {
    const world = await t.world();
    const at = nested(world);
    const someone = world.members[0];
    if (t.knows('1.3')) await t.get(`${at}?${of('priority', 'urgent')}&${of('status', 'done')}${nextSort(t)}&limit=100`);
    if (someone) await t.get(`${at}?${of('status', 'backlog')}&${of('assignee_id', someone)}&limit=100`);
    // The rest by the cursor alone, which keeps the filter.
    const busy = someone ? of('assignee_id', someone) : of('status', 'done');
    const done = await t.get(`${at}?${busy}${nextSort(t)}&limit=2`);
    const cursor = cursorOf(done);
    if (t.knows('1.1') && cursor !== undefined) await t.get(`${at}?cursor=${encodeURIComponent(cursor)}`);
    if (!t.within('full') || !t.knows('1.3')) return;
    if (someone)
      await t.get(`${at}?${of('assignee_id', someone)}&${of('priority', 'high')}&${of('status', 'in_progress')}&limit=100`);
    const both = `${of('project_id', world.mainId)}&${of('priority', 'medium')}`;
    await t.walk(`/tasks?${both}${nextSort(t)}&limit=2`, 5);
    if (t.thorough && someone) await t.walk(`/tasks?${both}&${of('assignee_id', someone)}&limit=1`, 4);
  },
};

const tasks: Check = {
  id: 'filters/tasks',
  says: 'GET /tasks has the tasks of every project, and each filter of it gives those that match',
  covers: [
    ...numbered('LIST', 13, 14, 15, 16, 29, 51),
    'WM-EP-007',
    'WM-EP-038',
    'WM-META-015',
    ...numbered('SORT', 8, 11, 19, 20, 21),
  ],
  profile: 'core',
  run: async (t: Tools) => {
    const world = await t.world();
    const inMain = of('project_id', world.mainId);
    const [title, , , sort] = t.within('full') ? sortsOf(t) : [];
    // A release with fewer filters gives titles no other turn.
    await t.get(`/tasks?${of('project_id', world.sideId)}${title && !t.knows('1.3') ? `&sort=${title}` : nextSort(t)}&limit=100`);
    if (!t.knows('1.1') && sort) await t.get(`/tasks?${inMain}&sort=${sort}&limit=100`);
    if (t.within('full')) {
      for (const { field, values } of t.parts.rules.filters('list_tasks')) {
        const [value] = values.length > 0 ? values.slice(1) : field === 'assignee_id' ? world.members : [];
        // The order of a query's parts says nothing; a read key may filter too.
        if (value !== undefined) await t.get(`/tasks?limit=100${nextSort(t)}&${of(field, value)}`, { as: t.reader });
      }
      for (const pair of pairs(t, 'list_tasks').slice(t.thorough ? 0 : -2)) await t.get(`/tasks?${inMain}&${pair}&limit=100`);
      await t.get(`/tasks?${of('project_id', 'wmct-no-project')}&limit=5`, { as: t.reader });
    }
    // Ours are the newest of the workspace. Right after a list that is filtered, by the same key.
    const newest = sortsOf(t).includes('-created_at') && t.within('full');
    const x = await t.get(newest ? '/tasks?sort=-created_at&limit=100' : `/tasks?${inMain}&limit=100`, { as: t.reader });
    t.must('WM-EP-007', succeeded(x), `answers ${x.status}`, x);
    t.must('WM-SORT-011', succeeded(x) || x.status === 400, `answers ${x.status}`, x);
    // A single task is left for the third page.
    if (t.knows('1.1')) await paged(t, 'WM-LIST-029', 'tasks', `/tasks?${inMain}${sort ? `&sort=${sort}` : ''}&limit=10`);
  },
};

const projects: Check = {
  id: 'lists/projects',
  says: 'GET /projects lists ours, filtered by each visibility, sorted and paged',
  covers: [
    ...numbered('LIST', 17, 28, 50),
    ...numbered('SORT', 9, 13, 17, 18),
    'WM-META-014',
    'WM-META-020',
    'WM-EP-001',
    'WM-EP-022',
    'WM-EP-035',
  ],
  profile: 'core',
  run: async (t: Tools) => {
    const world = await t.world();
    const sorted = t.within('full') ? '/projects?sort=-created_at' : '/projects';
    let { times, last } = await t.count(sorted, world.mainId, { as: t.reader });
    if (last.status === 400) ({ times, last } = await t.count('/projects', world.mainId, { as: t.reader }));
    if (times !== undefined) t.must('WM-EP-022', times === 1, `the project is in the list ${times} times`, last);
    const visibilities = t.parts.rules.filters('list_projects').find(({ field }) => field === 'visibility')?.values ?? [];
    if (!t.within('full')) {
      for (const value of visibilities.slice(1, 2)) await t.count(`/projects?${of('visibility', value)}`, world.mainId);
      return;
    }
    const sortsBy = (sort: string, x: Exchange): boolean => {
      noteSort(t, `projects ${sort.replace('-', '')}`, succeeded(x));
      t.note('WM-SORT-009', `projects by ${sort}: ${x.status}`, x);
      if (!succeeded(x)) t.must(sortClause('list_projects', sort), x.status === 400, `sort=${sort} is answered ${x.status}`, x);
      return succeeded(x);
    };
    for (const value of visibilities) {
      const filter = `/projects?${of('visibility', value)}`;
      // One filter takes a sort along, which a single row would not show.
      const both = value === visibilities.at(-1) ? await t.get(`${filter}&sort=created_at&limit=100`) : undefined;
      if (!both || !sortsBy('created_at', both)) await t.count(filter, world.mainId);
      else if (records(both).length < 2) sortsBy('created_at', await t.get('/projects?sort=created_at&limit=100'));
    }
    await t.get(`/projects?${of('visibility', 'nonsense')}&limit=5`);
    for (const sort of ['-created_at', 'updated_at', ...(t.thorough ? ['created_at', '-updated_at'] : [])]) {
      const seen = sort === '-created_at' && new URLSearchParams(last.query).get('sort') === sort;
      sortsBy(sort, seen ? last : await t.get(`/projects?sort=${sort}&limit=100`));
    }
    const known = t.parts.scene.sorts;
    const [order] = ['updated_at', 'created_at'].filter((field) => known.get(`projects ${field}`));
    if (t.knows('1.1')) await paged(t, 'WM-LIST-028', 'projects', `/projects?${order ? `sort=-${order}&` : ''}limit=1`);
  },
};

/** The cursor of one list leads to other records. */
const paged = async (t: Tools, requirement: string, name: string, path: string): Promise<void> => {
  const most = t.thorough ? 9 : 2;
  let { pages, items, moved } = await t.walk(path, most);
  const isFresh = () => new Set(ids(items)).size === items.length;
  // Others may write between two pages: three times in a row they do not.
  for (let tries = 1; (moved || !isFresh()) && tries < 3; tries++) ({ pages, items, moved } = await t.walk(path, most));
  if (!succeeded(pages[0]!)) t.skip('BLOCKED(success status)');
  if (moved) t.skip('HIDDEN(other traffic)');
  if (pages.length < 2) {
    const { total, has_more } = metaOf(pages[0]!);
    if (typeof total === 'number' && total > 1 && has_more !== false) t.skip('BLOCKED(WM-META-011)');
    t.skip(`NO_FIXTURE(two of ${name})`);
  }
  t.must(requirement, isFresh() && records(pages[1]!).length > 0, `the cursor of ${name} does not lead on`, ...pages.slice(0, 2));
};

const pages = (id: string, requirement: string, profile: Check['profile'], path: (t: Tools) => Promise<string>): Check => ({
  id: `lists/paged-${id}`,
  says: `limit and cursor page through ${id}`,
  covers: [requirement],
  profile,
  ...(profile === 'read-only' ? { notIn: ['core'] as const } : {}),
  run: async (t: Tools) => paged(t, requirement, id, await path(t)),
});

const teams: Check = {
  id: 'sorting/teams',
  says: 'Whether teams are sorted',
  covers: ['WM-SORT-009', 'WM-SORT-026'],
  profile: 'full',
  run: async (t: Tools) => {
    if (!t.knows('1.2')) return;
    const [odd] = [await t.get('/teams?sort=nonsense'), await t.get('/workspace/members?sort=nonsense')];
    const x = await t.get('/teams?sort=created_at&limit=100', { as: t.reader });
    t.note('WM-SORT-009', `teams by created_at: ${x.status}`, x);
    t.note('WM-SORT-026', succeeded(odd) ? 'sort is ignored' : succeeded(x) ? 'teams by created_at' : 'sort is refused', odd, x);
    if (succeeded(odd)) return;
    const title = t.parts.scene.sorts.get('tasks title');
    if (title !== undefined) t.observe('sortable-fields', !title ? 'titleless' : succeeded(x) ? 'fitting' : 'tasks');
  },
};

export const listChecks: readonly Check[] = [
  firstPage,
  limits,
  walk,
  sorting,
  unsupported,
  filters,
  combined,
  tasks,
  projects,
  pages('teams', 'WM-LIST-031', 'full', async (t) => {
    await t.sharedTeam();
    // Pages of several, where there are as many teams.
    return `/teams?limit=${t.parts.oracle.workspace('own').live('team').length > 2 ? 2 : 1}`;
  }),
  teams,
];
