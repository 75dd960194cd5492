// What a budget of requests leaves out of lists: every size of a page, every order, every filter, and mixtures of them.
import { type Exchange, ids, records, succeeded } from '../engine/exchange.ts';
import { cursorOf } from '../engine/follow.ts';
import type { Tools } from '../engine/tools.ts';
import { SORTS } from './lists.ts';
import { at, of } from './spelling.ts';

/** A situation that takes more requests than a budget has. */
export interface Long {
  readonly id: string;
  readonly says: string;
  readonly play: (t: Tools) => Promise<void>;
}

export const thorough = (id: string, says: string, play: Long['play']): Long => ({ id, says, play });

/** A list in every size of a page, and what no list takes. */
const sizesOf = (id: string, list: (t: Tools) => Promise<string | undefined>): Long =>
  thorough(`sizes-of-${id}`, `The list of ${id} in every size of a page, and what no list takes`, async (t) => {
    const path = await list(t);
    if (path === undefined) return;
    await t.walk(path, 8);
    for (const limit of [2, 100, 1, 5, 7, 20, 50]) await t.walk(`${path}?limit=${limit}`, limit === 1 ? 30 : 12);
    for (const query of ['sort=nonsense', 'sort=-nonsense', 'sort=-created_at', 'sort=created_at'])
      await t.get(`${path}?${query}`);
    for (const query of ['sort=nonsense', 'sort=-nonsense', 'filter[wmct]=x', 'wmct=1', 'cursor=wmct', 'page=2', 'offset=5'])
      await t.get(`${path}?${query}&limit=5`);
    for (const limit of ['', 'many', '3.5', '5abc', '0', '-1', '101', '1000']) await t.get(`${path}?limit=${limit}`);
    await pagedOtherwise(t, path);
  });

export const sizes = {
  comments: sizesOf('comments', async (t) => {
    const commented = t.parts.scene.commented;
    return commented === undefined ? undefined : `${at('tasks', commented)}/comments`;
  }),
  teams: sizesOf('teams', async (t) => (t.knows('1.2') ? '/teams' : undefined)),
  members: sizesOf('members', async () => '/workspace/members'),
  projects: sizesOf('projects', async () => '/projects'),
  tasks: sizesOf('tasks', async () => '/tasks'),
  'tasks of a project': sizesOf('tasks of a project', async (t) => `${at('projects', (await t.world()).mainId)}/tasks`),
};

/** What paged in v1.0 pages no more: where nobody else has moved the list meanwhile, it begins as it does without. */
const pagedOtherwise = async (t: Tools, list: string): Promise<void> => {
  if (!t.knows('1.2')) return;
  const first = (x: Exchange) => ids(records(x)).join();
  const plain = await t.get(`${list}?limit=2`);
  const paged = [await t.get(`${list}?limit=2&page=2`), await t.get(`${list}?limit=2&offset=1`)];
  const again = await t.get(`${list}?limit=2`);
  if (first(plain) !== first(again)) return;
  for (const x of paged)
    if (succeeded(x)) t.must('WM-VER-006', first(x) === first(plain), `${x.query.split('&')[1]} still pages`, plain, x);
};

/** Each filter of a list with each of its values. */
const filtersOf = (t: Tools, list: string, members: readonly unknown[]) =>
  t.parts.rules.filters(list).flatMap(({ field, values }) => {
    const all = values.length > 0 ? values : field === 'assignee_id' ? members.slice(0, 2).map(String) : [];
    return all.map((value) => [field, value] as const);
  });

/** The two lists of tasks, and what narrows each to the same project. */
const taskLists = async (t: Tools) => {
  const { mainId, members } = await t.world();
  const known = t.parts.scene.sorts;
  const both = [
    { list: 'list_project_tasks', path: `${at('projects', mainId)}/tasks`, own: '' },
    { list: 'list_tasks', path: '/tasks', own: `${of('project_id', mainId)}&` },
  ];
  return {
    lists: both.map((one) => ({ ...one, filters: filtersOf(t, one.list, members) })),
    sorts: SORTS.filter((sort) => known.get(`tasks ${sort.replace('-', '')}`)),
  };
};
const PROJECT_SORTS = ['created_at', '-created_at', 'updated_at', '-updated_at'];

export const orders = thorough('orders', 'Every order of every list, over several pages', async (t) => {
  const { lists, sorts } = await taskLists(t);
  // A page of one row ends at each of them: a cursor holds every title.
  for (const sort of sorts)
    await t.walk(`${lists[0]!.path}?sort=${sort}&limit=${sort === 'title' ? 1 : 5}`, sort === 'title' ? 25 : 6);
  for (const sort of sorts) await t.walk(`/tasks?sort=${sort}&limit=40`, 2);
  for (const sort of sorts) await t.walk(`/tasks?sort=${sort}&limit=100`, 4);
});

export const projectOrders = thorough('orders-of-projects', 'Every order of projects, over several pages', async (t) => {
  for (const sort of PROJECT_SORTS) await t.walk(`/projects?sort=${sort}&limit=2`, 4);
});

export const seams = thorough('seams', 'Every order of every list, with other seams', async (t) => {
  const { lists, sorts } = await taskLists(t);
  for (const sort of sorts)
    for (const { path, own } of lists) for (const limit of [4, 7]) await t.walk(`${path}?${own}sort=${sort}&limit=${limit}`, 8);
  for (const sort of PROJECT_SORTS) await t.walk(`/projects?sort=${sort}&limit=1`, 12);
});

export const filters = thorough('filters', 'Every filter alone, over several pages, and on by its cursor', async (t) => {
  const { lists } = await taskLists(t);
  const { members } = await t.world();
  for (const { path, own, filters: all } of lists)
    for (const [field, value] of all) {
      await t.get(`${path}?${of(field, value)}&limit=100`);
      await t.walk(`${path}?${own}${of(field, value)}&limit=2`, 12);
    }
  for (const [field, value] of filtersOf(t, 'list_projects', members)) {
    await t.walk(`/projects?${of(field, value)}&limit=1`, 8);
    await byCursorAlone(t, `/projects?${of(field, value)}&limit=1`);
  }
  for (const { path, own, filters: all } of lists)
    for (const [field, value] of all) await byCursorAlone(t, `${path}?${own}${of(field, value)}&limit=2`);
});

export const near = thorough('near', 'What resembles the value of a filter is none', async (t) => {
  const { lists } = await taskLists(t);
  const { mainId, members } = await t.world();
  for (const { path, own, filters: all } of lists)
    for (const [field, value] of all) {
      await t.get(`${path}?${own}${encodeURIComponent(`filter[${field}]`)}=${encodeURIComponent(value)}&limit=100`);
      for (const other of [value.toUpperCase(), value.toLowerCase(), value.slice(0, 2), value.slice(0, -1)])
        if (other !== value) await t.get(`${path}?${own}${of(field, other)}&limit=5`);
    }
  for (const [field, value] of filtersOf(t, 'list_projects', members))
    for (const other of [value.toUpperCase(), value.slice(0, 2)]) await t.get(`/projects?${of(field, other)}&limit=5`);
  for (const other of [mainId.toUpperCase(), mainId.slice(0, -1)]) await t.get(`/tasks?${of('project_id', other)}&limit=5`);
});

export const mixtures = thorough('mixtures', 'Every filter with others and with every order, over several pages', async (t) => {
  const { lists, sorts } = await taskLists(t);
  const { members } = await t.world();
  for (const { path, own, filters: all } of lists)
    for (const [i, [field, value]] of all.entries()) {
      for (const [j, sort] of sorts.entries()) {
        const query = `${path}?${own}${of(field, value)}&sort=${sort}`;
        if (j % 2 === i % 2) await t.walk(`${query}&limit=3`, 6);
        else await t.get(`${query}&limit=100`);
      }
      for (const [other, second] of all.filter(([name]) => name > field))
        await t.get(`${path}?${own}${of(field, value)}&${of(other, second)}&limit=100`);
    }
  for (const sort of PROJECT_SORTS)
    for (const [field, value] of filtersOf(t, 'list_projects', members))
      await t.walk(`/projects?${of(field, value)}&sort=${sort}&limit=1`, 8);
});

/** A cursor alone goes on with the filter that it was given for. */
const byCursorAlone = async (t: Tools, path: string): Promise<void> => {
  const cursor = cursorOf(await t.get(path));
  if (t.knows('1.1') && cursor !== undefined) await t.get(`${path.split('?')[0]}?cursor=${encodeURIComponent(cursor)}`);
};

/** More rows than a page can hold. */
export const many = thorough('many', 'A list of more than a hundred records', async (t) => {
  const project = encodeURIComponent(await t.project('many'));
  const { members } = await t.world();
  const statuses = t.parts.rules.create.task.find(({ name }) => name === 'status')?.values ?? [];
  const someone = (i: number) => (members[i % 3] === undefined ? {} : { assignee_id: members[i % 3] });
  // Two of each title: seams fall between them.
  for (let i = 0; i < 105; i++)
    await t.task(project, {
      title: `wm many ${String(((i * 37) % 105) >> 1).padStart(3, '0')}`,
      priority: i % 2 ? 'low' : 'high',
      status: statuses[i % Math.max(1, statuses.length)],
      ...someone(i),
    });
  for (const query of ['limit=100', 'limit=50', '', 'limit=100&sort=-title', 'limit=40&filter[priority]=low', 'limit=1000']) {
    const { pages } = await t.walk(`/projects/${project}/tasks?${query}`, 8);
    t.must(
      'WM-LIST-020',
      pages.every((page) => records(page).length <= 100),
      'a page has more than a hundred records',
      ...pages.slice(0, 1),
    );
  }
  await t.walk(`/projects/${project}/tasks?sort=title&limit=7`, 16);
  // Each of these filters has more than a page here.
  const held = [
    [of('status', statuses[1] ?? 'todo'), of('priority', 'low')],
    ...(members[1] ? [[of('status', statuses[0] ?? 'backlog'), of('assignee_id', members[1])]] : []),
    ...(members[0] ? [[of('priority', 'high'), of('assignee_id', members[0])], [of('assignee_id', members[0])]] : []),
  ];
  for (const filters of held)
    for (const path of [`/projects/${project}/tasks?`, `/tasks?filter[project_id]=${project}&`])
      for (const sort of ['', '&sort=title', '&sort=-title', '&sort=-created_at'])
        await t.walk(`${path}${filters.join('&')}${sort}&limit=${sort ? 4 : 3}`, 4);
  if (members[0] === undefined) return;
  const assigned = `/projects/${project}/tasks?${of('assignee_id', members[0])}&limit=100`;
  const [first] = records(await t.get(assigned));
  if (first) await t.delete(at('tasks', first.id));
  await t.get(assigned);
});
