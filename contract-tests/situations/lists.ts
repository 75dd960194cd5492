// Every list: each filter by each of its values, each order, each size of a page, first, further and last pages, and any two of these together.

import { OPERATIONS, type Operation, operationsOf } from '../engine/operations.ts';
import { numbered } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { filterClause, sortClause } from '../oracle/clauses.ts';
import { combinations } from './pairs.ts';
import { type Area, type Row, row } from './row.ts';

export const FIELDS = ['title', 'due_date', 'created_at', 'updated_at'] as const;
const SORTS = FIELDS.flatMap((field) => [field, `-${field}`]);
const INSIDE = '/projects/{main}/tasks';
const LISTS = OPERATIONS.filter(({ answers }) => answers === 'list');

const filter = (field: string, value: string) => `filter[${field}]=${value}`;

/** Another order for each row, so that all of them meet filters. */
const order = (n: number) => `sort=${SORTS[n % SORTS.length]}`;

/** Where rows ask for a list: records of ours are in each of them. */
const placeOf = ({ id, path }: Operation): string =>
  id === 'list_project_tasks' ? INSIDE : path.replace('{task_id}', '{commented}');

/** The filters of a list, with each value; people and projects by their names in rows. */
const filtersOf = (t: Tools, list: string): readonly string[] =>
  t.parts.rules.filters(list).flatMap(({ field, values }) => {
    const named = { assignee_id: ['{member}', '{member1}'], project_id: ['{main}', '{side}'] }[field] ?? [];
    return (values.length > 0 ? values : named).map((value) => filter(field, value));
  });

const valuesOf = (t: Tools, list: string, field: string): readonly string[] =>
  t.parts.rules.filters(list).find((one) => one.field === field)?.values ?? [];

/** Each value of status with one of priority: together they pick single tasks, so that a value that is not heeded shows. */
const statusWithPriority = (t: Tools, list: string): string[] => {
  const priorities = valuesOf(t, list, 'priority');
  return valuesOf(t, list, 'status').map((status, i) => {
    const priority = priorities[(i + 1) % Math.max(1, priorities.length)];
    return priority === undefined ? filter('status', status) : `${filter('status', status)}&${filter('priority', priority)}`;
  });
};

const firstPage: Area = {
  id: 'lists/first-page',
  says: 'Without limit a page has 20 records and meta describes the whole list; the cursor alone leads on',
  covers: [...numbered('LIST', 1, 4, 27), ...numbered('META', 5, 7, 8, 11), 'WM-EP-006', 'WM-EP-037', 'WM-GEN-005'],
  needs: ['write'],
  rows: () => [row('first', 1, `reader GET ${INSIDE}`, `reader GET ${INSIDE}?cursor={cursor}`)],
};

const limits: Area = {
  id: 'lists/limits',
  says: 'The limit is honoured from 1 to 100, and is an integer',
  covers: [...numbered('LIST', 2, 3, 19, 20, 21, 22, 35, 36), ...numbered('META', 6, 21, 22)],
  needs: ['write'],
  rows: (t) => [
    ...['100', '1', 'many', '150', '0'].map((limit) => row(`limit/${limit}`, 1, `GET ${INSIDE}?limit=${limit}`)),
    // Each list may read its limit in its own way.
    row('limit/fraction', 2, 'GET /projects?limit=3.5'),
    row('limit/letters', 2, `GET ${t.knows('1.2') ? '/teams' : '/tasks'}?limit=5abc`),
    ...LISTS.filter(({ id }) => id !== 'list_project_tasks').flatMap((list) => [
      row(`limit/many ${list.id}`, 3, `GET ${placeOf(list)}?limit=many`),
      row(`limit/150 ${list.id}`, 3, `GET ${placeOf(list)}?limit=150`),
    ]),
    ...LISTS.flatMap((list) =>
      ['3.5', '-1', '1000', ''].map((limit) => row(`limit/${limit} ${list.id}`, 4, `GET ${placeOf(list)}?limit=${limit}`)),
    ),
  ],
};

const walk: Area = {
  id: 'lists/walk',
  says: 'Following next_cursor gives every record once and ends, at several sizes of a page',
  covers: [...numbered('LIST', 3, 4, 5, 6, 7), ...numbered('META', 5, 6, 8, 9, 13)],
  needs: ['write'],
  rows: () => [
    row('walk/7', 1, `walk 7 ${INSIDE}?limit=7`),
    ...[3, 2, 5, 1].map((limit) =>
      row(`walk/${limit}`, limit === 3 ? 3 : 4, `walk ${Math.ceil(21 / limit)} ${INSIDE}?limit=${limit}`),
    ),
  ],
};

/** What was made first is changed last: else the order of creation would do for updated_at. */
const TOUCHED = {
  description: 'touched',
  title: 'wm touched',
  due_date: '2031-01-20T00:00:00Z',
  priority: 'low',
  assignee_id: '{last}',
};

const sorting: Area = {
  id: 'sorting/tasks',
  says: 'Each field sorts tasks both ways over all pages, or is refused with 400',
  covers: ['WM-LIST-006', 'WM-LIST-007', ...numbered('SORT', 1, 2, 3, 4, 5, 6, 8, 9, 10, 14, 15, 16)],
  needs: ['write'],
  rows: () => [
    row('sort/touch', 1, 'later', ['PATCH /tasks/{t1}', TOUCHED]),
    ...SORTS.map((sort, i) => {
      const core = ['title', '-title', 'due_date', '-due_date', '-created_at'].includes(sort);
      // Page by page where seams matter most; a seam falls among the tasks that have no date.
      const paged = ['-title', '-due_date', '-updated_at'].includes(sort);
      const size = sort === '-due_date' ? 8 : 11 + i;
      return row(
        `sort/${sort}`,
        core ? 1 : 2,
        paged ? `walk 3 ${INSIDE}?sort=${sort}&limit=${size}` : `GET ${INSIDE}?sort=${sort}&limit=100`,
      );
    }),
    // Upwards past the last that has a date, and other seams.
    row('seams/due_date', 3, `walk 3 ${INSIDE}?sort=due_date&limit=8`),
    row('seams/created_at', 3, `walk 3 ${INSIDE}?sort=created_at&limit=8`),
    ...SORTS.flatMap((sort) =>
      [5, 4].map((size) => row(`seams/${sort} ${size}`, 4, `walk 6 ${INSIDE}?sort=${sort}&limit=${size}`)),
    ),
    row('seams/each title', 4, `walk 21 ${INSIDE}?sort=title&limit=1`),
  ],
};

const unsupported: Area = {
  id: 'sorting/unsupported',
  says: 'An unsupported sort field is refused with 400',
  covers: [...numbered('SORT', 7, 12, 24, 25), 'WM-ERR-012'],
  needs: ['write'],
  rows: () => [
    row('sort/nonsense tasks', 1, 'GET /tasks?filter[project_id]={main}&sort=nonsense'),
    row('sort/nonsense projects', 1, 'GET /projects?sort=-nonsense'),
    row('sort/due_date projects', 2, 'GET /projects?sort=due_date'),
    row('sort/nonsense inside', 2, `GET ${INSIDE}?sort=nonsense`),
    row('sort/title projects', 3, 'GET /projects?sort=title'),
    row('sort/with limit', 3, 'GET /tasks?sort=-nonsense&limit=5'),
  ],
};

const filtersInside: Area = {
  id: 'filters/project-tasks',
  says: 'Each value of each filter gives the tasks of a project that match and no others',
  covers: [...numbered('LIST', 10, 11, 12, 18, 33, 34), 'WM-META-012', 'WM-SORT-001'],
  needs: ['write'],
  rows: (t) => [
    ...t.parts.rules.filters('list_project_tasks').flatMap(({ field, values }, i) => {
      const wanted = values.length > 0 ? values.slice(0, 1) : field === 'assignee_id' ? ['{member}', '{member1}'] : [];
      return wanted.map((value, j) =>
        row(`inside/${field} ${j}`, 1, `reader GET ${INSIDE}?${filter(field, value)}&${order(2 * i + j + 2)}&limit=100`),
      );
    }),
    ...statusWithPriority(t, 'list_project_tasks').map((pair, i) =>
      row(`inside/${pair}`, i < 2 ? 1 : 2, `GET ${INSIDE}?${pair}&limit=100`),
    ),
    row('inside/encoded', 1, `GET ${INSIDE}?filter%5Bstatus%5D=done&limit=100`),
    row('inside/part of an id', 2, `GET ${INSIDE}?filter[assignee_id]={member.part}&limit=100`),
    row('inside/nobody', 3, `GET ${INSIDE}?filter[assignee_id]={nobody}&limit=100`),
  ],
};

const combined: Area = {
  id: 'filters/and',
  says: 'Several filters combine with AND, also with a sort and over several pages',
  covers: [...numbered('LIST', 8, 9), 'WM-META-008', 'WM-META-012'],
  needs: ['write'],
  rows: () => {
    const [mine, medium] = [filter('assignee_id', '{member}'), filter('priority', 'medium')];
    return [
      row('and/priority', 1, `GET ${INSIDE}?${filter('priority', 'urgent')}&${filter('status', 'done')}&${order(4)}&limit=100`),
      row('and/assignee', 1, `GET ${INSIDE}?${filter('status', 'backlog')}&${mine}&limit=100`),
      // The rest by the cursor alone, which keeps the filter.
      row('and/cursor', 1, `GET ${INSIDE}?${mine}&${order(7)}&limit=2`, `GET ${INSIDE}?cursor={cursor}`),
      row('and/three', 2, `GET ${INSIDE}?${mine}&${filter('priority', 'high')}&${filter('status', 'in_progress')}&limit=100`),
      row('and/paged', 2, `walk 5 /tasks?${filter('project_id', '{main}')}&${medium}&${order(0)}&limit=2`),
      row('and/paged by one', 4, `walk 4 /tasks?${filter('project_id', '{main}')}&${medium}&${mine}&limit=1`),
    ];
  },
};

const tasks: Area = {
  id: 'filters/tasks',
  says: 'GET /tasks has the tasks of every project, and each filter of it gives those that match',
  covers: [
    ...numbered('LIST', 13, 14, 15, 16, 29, 51),
    ...numbered('EP', 7, 38),
    'WM-META-015',
    ...numbered('SORT', 8, 11, 19, 20, 21),
  ],
  needs: ['write'],
  rows: (t) => {
    const main = filter('project_id', '{main}');
    return [
      row('tasks/side', 1, `GET /tasks?${filter('project_id', '{side}')}&${order(t.knows('1.3') ? 1 : 0)}&limit=100`),
      ...t.parts.rules.filters('list_tasks').flatMap(({ field, values }, i) => {
        const value = values.length > 0 ? values[1] : field === 'assignee_id' ? '{member}' : undefined;
        // The order of a query's parts says nothing; a read key may filter too.
        return value === undefined
          ? []
          : [row(`tasks/${field}`, 2, `reader GET /tasks?limit=100&${order(i + 2)}&${filter(field, value)}`)];
      }),
      ...statusWithPriority(t, 'list_tasks').map((pair, i) =>
        row(`tasks/${pair}`, i < 3 ? 4 : 2, `GET /tasks?${main}&${pair}&limit=100`),
      ),
      row('tasks/no project', 2, `reader GET /tasks?${filter('project_id', 'wmct-no-project')}&limit=5`),
      // Ours are the newest of the workspace. Right after a list that is filtered, by the same key.
      row('tasks/newest', 2, 'reader GET /tasks?sort=-created_at&limit=100'),
      row('tasks/paged', 1, `walk 3 /tasks?${main}&${order(3)}&limit=10`),
      ...FIELDS.map((field) => row(`tasks/by ${field}`, field === 'title' ? 2 : 3, `GET /tasks?sort=${field}&limit=100`)),
    ];
  },
};

const projects: Area = {
  id: 'lists/projects',
  says: 'GET /projects lists ours, filtered by each visibility, sorted and paged',
  covers: [
    ...numbered('LIST', 17, 28, 50),
    ...numbered('SORT', 9, 13, 17, 18),
    ...numbered('META', 14, 20),
    ...numbered('EP', 1, 22, 35),
  ],
  needs: ['write'],
  rows: (t) => [
    row('projects/whole', 1, 'reader walk 10 /projects?limit=100'),
    row('projects/newest', 2, 'reader walk 10 /projects?sort=-created_at&limit=100'),
    ...valuesOf(t, 'list_projects', 'visibility').map((value, i, all) =>
      row(
        `projects/${value}`,
        i === 1 ? 1 : 2,
        `walk 10 /projects?${filter('visibility', value)}${i === all.length - 1 ? '&sort=created_at' : ''}&limit=100`,
      ),
    ),
    row('projects/nonsense', 2, `GET /projects?${filter('visibility', 'nonsense')}&limit=5`),
    row('projects/by updated_at', 2, 'GET /projects?sort=updated_at&limit=100'),
    row('projects/by created_at', 2, 'GET /projects?sort=created_at&limit=100'),
    row('projects/paged', 2, 'walk 2 /projects?sort=-updated_at&limit=1'),
    ...['created_at', '-created_at', 'updated_at', '-updated_at'].map((sort) =>
      row(`projects/paged by ${sort}`, sort === '-created_at' ? 3 : 4, `walk 4 /projects?sort=${sort}&limit=2`),
    ),
  ],
};

const people: Area = {
  id: 'lists/teams-and-members',
  says: 'limit and cursor page through teams and members',
  covers: [...numbered('LIST', 30, 31), ...numbered('EP', 14, 15, 53), 'WM-SORT-009', 'WM-SORT-026'],
  otherwise: 'NO_FIXTURE(more than a page)',
  rows: () => [
    // Whether lists whose row names limit and cursor alone take an order is open.
    ...['/teams', '/workspace/members'].map((list) => row(`sort/nonsense ${list}`, 2, `GET ${list}?sort=nonsense`)),
    row('teams/sorted', 2, 'reader GET /teams?sort=created_at&limit=100'),
    row('teams/paged', 2, 'GET /teams/{team}', 'walk 2 /teams?limit={teams.page}'),
    { ...row('members/paged', 2, 'walk 2 /workspace/members?limit={members.half}'), anywhere: true },
    row('members/by one', 3, 'walk 3 /workspace/members?limit=1'),
    row('members/bare', 3, 'GET /workspace/members', 'other GET /workspace/members', 'GET /workspace/members'),
    row('teams/bare', 3, 'GET /teams', 'other GET /teams', 'GET /teams'),
    row('projects/bare', 3, 'GET /projects', 'other GET /projects', 'GET /projects'),
    row('members/newest', 4, 'GET /workspace/members?sort=-created_at&limit=100'),
  ],
};

/** Numbers of pages are gone from every list: beyond its end there would be nothing. */
const numbers: Area = {
  id: 'lists/page-numbers',
  says: 'page and offset page no more',
  covers: ['WM-VER-006'],
  needs: ['write'],
  rows: (t) =>
    t.knows('1.2')
      ? LISTS.map((list) =>
          row(`numbers/${list.id}`, list.id === 'list_tasks' ? 2 : 3, `GET ${placeOf(list)}?limit=100&offset=1000&page=1000`),
        )
      : [],
};

const NONE = '';
/** Any two of a filter, an order, a size, a page and a role meet in some row of each list; in the other workspace too. */
const pairs: Area = {
  id: 'lists/pairs',
  says: 'Any two of a filter, an order, a size of a page, a page and a key together, in every list',
  covers: [
    ...new Set([
      ...LISTS.flatMap(({ id }) =>
        ['status', 'assignee_id', 'project_id', 'priority', 'visibility'].map((field) => filterClause(id, field)),
      ),
      ...['list_project_tasks', 'list_tasks', 'list_projects'].flatMap((list) => SORTS.map((sort) => sortClause(list, sort))),
    ]),
  ].filter((id) => id !== 'WM-GEN-015' && id !== 'WM-SORT-007' && id !== 'WM-SORT-025'),
  needs: ['write'],
  rows: (t) =>
    operationsOf(t.parts.release)
      .filter(({ answers }) => answers === 'list')
      .flatMap((list) => {
        const sortable = /tasks$/.test(list.id) ? SORTS : list.id === 'list_projects' ? SORTS.slice(4) : [];
        return combinations({
          filter: [NONE, ...filtersOf(t, list.id)],
          sort: [NONE, ...sortable],
          page: ['100', '20', '2, on by its cursor', '3, three pages', '7, then the cursor alone'],
          role: ['', 'reader ', 'strong ', ...(list.path.includes('{') ? [] : ['other '])],
        }).map((one, i): Row => pairRow(list, one, i));
      })
      .sort((a, b) => a.tier - b.tier),
};

const pairRow = (list: Operation, one: Readonly<Record<string, string>>, i: number): Row => {
  const place = placeOf(list);
  const [size, how] = one.page!.split(', ');
  const query = [one.filter, one.sort && `sort=${one.sort}`, size === '20' ? '' : `limit=${size}`].filter(Boolean).join('&');
  const path = query ? `${place}?${query}` : place;
  const id = `${list.id} ${one.role}${query} ${how ?? ''}`;
  const tier = i < 12 ? 3 : 4;
  if (how === 'then the cursor alone') return row(id, tier, `${one.role}GET ${path}`, `${one.role}GET ${place}?cursor={cursor}`);
  if (how === undefined) return row(id, tier, `${one.role}GET ${path}`);
  return row(id, tier, `${one.role}walk ${how.startsWith('three') ? 3 : 2} ${path}`);
};

/** More rows than a page can hold, two of each title: seams fall between them. */
const many: Area = {
  id: 'lists/many',
  says: 'A list of more than a hundred records',
  covers: ['WM-LIST-020'],
  needs: ['write'],
  rows: (t) => {
    const statuses = valuesOf(t, 'list_tasks', 'status');
    const bodies = Array.from({ length: 105 }, (_, i) => ({
      title: `wm many ${String(((i * 37) % 105) >> 1).padStart(3, '0')}`,
      priority: i % 2 ? 'low' : 'high',
      status: statuses[i % Math.max(1, statuses.length)],
      assignee_id: ['{member}', '{member1}', '{last}'][i % 3],
    }));
    const list = '/projects/{many}/tasks';
    const [low, mine] = [filter('priority', 'low'), filter('assignee_id', '{member}')];
    const second = filter('status', statuses[1] ?? 'todo');
    return [
      row(
        'many',
        4,
        ['many = POST /projects', { name: '{run}-many', visibility: 'team' }],
        ...bodies.map((body) => ['POST /projects/{many}/tasks', body] as const),
        ...['limit=100', 'limit=50', '', 'limit=100&sort=-title', `limit=40&${low}`, 'limit=1000'].map(
          (query) => `walk 6 ${list}?${query}`,
        ),
        `walk 16 ${list}?sort=title&limit=7`,
        ...[`${second}&${low}`, `${filter('priority', 'high')}&${mine}`, mine].flatMap((filters) =>
          ['', '&sort=title', '&sort=-title', '&sort=-created_at'].flatMap((sort) => [
            `walk 4 ${list}?${filters}${sort}&limit=4`,
            `walk 4 /tasks?filter[project_id]={many}&${filters}${sort}&limit=3`,
          ]),
        ),
      ),
    ];
  },
};

/** What resembles the value of a filter is none. */
const near: Area = {
  id: 'filters/near',
  says: 'What resembles the value of a filter gives no record that has another',
  covers: numbered('LIST', 48, 49, 50, 51),
  needs: ['write'],
  rows: (t) => [
    row('near/part of a project', 3, 'GET /tasks?filter[project_id]={main.part}&limit=5'),
    row('near/wildcard', 3, 'GET /tasks?filter[assignee_id]={member.start}%25&limit=5'),
    row('near/two orders', 3, 'GET /tasks?sort=title,nonsense&limit=5'),
    ...LISTS.flatMap(({ id }) =>
      t.parts.rules.filters(id).flatMap(({ field, values }) =>
        values.slice(-1).flatMap((value) => {
          const place = placeOf(OPERATIONS.find((one) => one.id === id)!);
          return [
            row(`near/${id} ${field} encoded`, 3, `GET ${place}?filter%5B${field}%5D=${value}&limit=100`),
            ...['nonsense', value.toUpperCase(), value.slice(0, -1)].map((other) =>
              row(
                `near/${id} ${field} ${other}`,
                other === 'nonsense' && id !== 'list_tasks' ? 2 : 4,
                `GET ${place}?${filter(field, other)}&limit=5`,
              ),
            ),
          ];
        }),
      ),
    ),
  ],
};

export const LIST_AREAS: readonly Area[] = [
  firstPage,
  limits,
  walk,
  sorting,
  unsupported,
  filtersInside,
  combined,
  tasks,
  projects,
  people,
  near,
  numbers,
  pairs,
  many,
];
