// Every list: each filter by each of its values, each order, each size of a page, first, further and last pages, and any two of these together.

import { OPERATIONS, type Operation, operationsOf } from '../engine/operations.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { HALVES } from '../engine/world.ts';
import { filterClause, sortClause } from '../oracle/clauses.ts';
import { LOOKS } from '../stories/budget.ts';
import { combinations } from './pairs.ts';
import { type Area, type Row, row, type Step } from './row.ts';
import { areaOf } from './tables.ts';

export const FIELDS = ['title', 'due_date', 'created_at', 'updated_at'] as const;
const SORTS = FIELDS.flatMap((field) => [field, `-${field}`]);
const INSIDE = '/projects/{main}/tasks';
const LISTS = OPERATIONS.filter(({ returns }) => returns === 'list');

const filter = (field: string, value: string) => `filter[${field}]=${value}`;

/** Sizes of a page. */
const SIZES = [1, 2, 5, 7, 20, 50] as const;
/** The roles that may read a list. */
const ROLES = ['', 'reader ', 'strong '] as const;
const inTurn = <T>(list: readonly T[], i: number): T => list[i % list.length]!;

/** Another order for each row, so that all of them meet filters. */
const order = (n: number) => `sort=${inTurn(SORTS, n)}`;

const coreOnly = (one: Row): Row => ({ ...one, core: true });

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

/** Each value of each listed word alone. */
const eachWord = (t: Tools, list: string): string[] =>
  t.parts.rules.filters(list).flatMap(({ field, values }) => values.map((value) => filter(field, value)));

/** Filters together show these. */
const isHot = (one: string): boolean => HALVES.some((half) => half.some((word) => one.endsWith(`=${word}`)));

const limits: Area = {
  id: 'lists/limits',
  says: 'The limit is honoured from 1 to 100, and is an integer',
  covers: clausesIn('LIST 2 3 19-22 35 36, META 6 21 22'),
  needs: ['write'],
  rows: () => [
    coreOnly(row('limit/100', 1, `GET ${INSIDE}?limit=100`)),
    ...['1', 'many', '150', '0'].map((limit) => row(`limit/${limit}`, 1, `GET ${INSIDE}?limit=${limit}`)),
    ...LISTS.flatMap((list, i) => [
      // Each list may read its limit in its own way; that of comments is read where a task is known that has some.
      ...['3.5', '5abc', 'many', '150', '-1', '1000', ''].map((limit, j) => {
        const due = (j === 3 ? list.id !== 'list_tasks' : j < 3 && (i + j) % 3 === 1) && !/project_tasks|comments/.test(list.id);
        return row(`limit/${limit} ${list.id}`, due ? 2 : 4, `GET ${placeOf(list)}?limit=${limit}`);
      }),
      ...SIZES.map(
        (limit, j): Row => ({
          ...row(
            `limit/${limit} ${list.id}`,
            limit < 20 || LOOKS.includes(`${placeOf(list)}?limit=${limit}`) ? 3 : 2,
            `${inTurn(ROLES, i + j)}GET ${placeOf(list)}?limit=${limit}`,
          ),
          unless: `${list.id} limit=${limit}`,
          beyond: [list.id, limit],
        }),
      ),
    ]),
  ],
};

const walk: Area = {
  id: 'lists/walk',
  says: 'Following next_cursor gives every record once and ends, at several sizes of a page',
  covers: clausesIn('LIST 3-7, META 5 6 8 9 13'),
  needs: ['write'],
  rows: () => [
    row('walk/7', 1, `walk 7 ${INSIDE}?limit=7`),
    ...LISTS.filter(({ id }) => !['list_project_tasks', 'list_comments'].includes(id)).map((list, i) =>
      row(
        `walk/thirds ${list.id}`,
        2,
        ...(list.id === 'list_projects' || list.id === 'list_tasks' ? [] : [`reader GET ${placeOf(list)}`]),
        `${inTurn(ROLES, i)}walk 4 ${placeOf(list)}?limit={third.${list.id}}`,
        `${inTurn(ROLES, i)}GET ${placeOf(list)}?limit={whole.${list.id}}`,
      ),
    ),
    ...[3, 2, 5, 1].map((limit) =>
      row(`walk/${limit}`, limit === 3 ? 3 : 4, `walk ${Math.ceil(21 / limit)} ${INSIDE}?limit=${limit}`),
    ),
  ],
};

/** The first record is changed last: else the order of creation would do for updated_at. */
const TOUCHED = {
  description: 'touched',
  title: 'wm touched',
  due_date: '2031-01-20T00:00:00Z',
  priority: 'low',
  assignee_id: '{last}',
  status: 'in_review',
};

/** Orders of a project's tasks that no row pages through beside filters. */
const PAGED_ALONE = new Set(['title', '-due_date', 'created_at', '-updated_at']);

const sorting: Area = {
  id: 'sorting/tasks',
  says: 'Each field sorts tasks both ways over all pages, or is refused with 400',
  covers: clausesIn('LIST 6 7, SORT 1-6 8-10 14-16'),
  needs: ['write'],
  rows: () => [
    row('sort/touch', 1, 'later', ['PATCH /tasks/{t1}', TOUCHED]),
    ...SORTS.map((sort, i) => {
      const core = ['title', '-title', 'due_date', '-due_date', '-created_at'].includes(sort);
      // Page by page where seams matter most: one falls among the tasks that have no date. Others are paged beside filters.
      const paged = PAGED_ALONE.has(sort) ? 'walk 2' : 'GET';
      const limit = sort === '-due_date' ? 22 : paged === 'GET' ? 100 : 20;
      const tier = core ? 1 : sort === 'updated_at' ? 3 : 2;
      const one = row(`sort/${sort}`, tier, `${inTurn(ROLES, i)}${paged} ${INSIDE}?sort=${sort}&limit=${limit}`);
      return sort === '-created_at' ? coreOnly(one) : one;
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

const filtersInside: Area = {
  id: 'filters/project-tasks',
  says: 'Each value of each filter gives the tasks of a project that match and no others',
  covers: clausesIn('LIST 10-12 18 33 34, META 12, SORT 1'),
  needs: ['write'],
  rows: (t) => [
    ...t.parts.rules.filters('list_project_tasks').flatMap(({ field, values }, i) => {
      const wanted = values.length > 0 ? values.slice(1, 2) : field === 'assignee_id' ? ['{member}', '{member1}'] : [];
      return wanted.map((value, j) =>
        coreOnly(
          row(`inside/${field} ${j}`, 1, `reader GET ${INSIDE}?${filter(field, value)}&${order(2 * i + j + 2)}&limit=100`),
        ),
      );
    }),
    ...eachWord(t, 'list_project_tasks').map((one, i) => {
      const sorts = i % 2 === 0 ? [...PAGED_ALONE] : ['updated_at', '-title', 'due_date'];
      const sort = `&sort=${inTurn(sorts, i >> 1)}`;
      return row(
        `inside/${one}`,
        i % 4 === 1 ? 1 : isHot(one) ? 3 : 2,
        `${inTurn(ROLES, i)}GET ${INSIDE}?${one}${sort}&limit=100`,
      );
    }),
    coreOnly(row('inside/encoded', 1, `GET ${INSIDE}?filter%5Bstatus%5D=done&limit=100`)),
    row('inside/part of an id', 2, `GET ${INSIDE}?filter[assignee_id]={member.part}&limit=100`),
    row('inside/nobody', 3, `GET ${INSIDE}?filter[assignee_id]={nobody}&limit=100`),
  ],
};

const tasks: Area = {
  id: 'filters/tasks',
  says: 'GET /tasks has the tasks of every project, and each filter of it gives those that match',
  covers: clausesIn('LIST 13-16 29 51, EP 7 38, META 15, SORT 8 11 19-21'),
  needs: ['write'],
  rows: (t) => {
    const main = filter('project_id', '{main}');
    return [
      coreOnly(row('tasks/side', 1, `GET /tasks?${filter('project_id', '{side}')}&${order(t.knows('1.3') ? 1 : 0)}&limit=100`)),
      ...t.parts.rules.filters('list_tasks').flatMap(({ field, values }, i) => {
        const value = values.length > 0 ? values[1] : field === 'assignee_id' ? '{member}' : undefined;
        // The order of a query's parts says nothing; a read key may filter too.
        return value === undefined
          ? []
          : [
              row(
                `tasks/${field}`,
                field === 'assignee_id' ? 2 : 4,
                `reader GET /tasks?limit=100&${order(i + 2)}&${filter(field, value)}`,
              ),
            ];
      }),
      ...eachWord(t, 'list_tasks').map((one, i) =>
        row(`tasks/${one}`, isHot(one) ? 4 : 2, `${inTurn(ROLES, i + 1)}GET /tasks?${i % 2 ? `${main}&` : ''}${one}&limit=100`),
      ),
      row('tasks/no project', 2, `reader GET /tasks?${filter('project_id', 'wmct-no-project')}&sort=title&limit=5`),
      // Ours are the newest of the workspace. Right after a list that is filtered, by the same key.
      row('tasks/newest', 3, 'reader GET /tasks?sort=-created_at&limit=100'),
      coreOnly(row('tasks/paged', 1, `walk 3 /tasks?${main}&${order(3)}&limit=10`)),
      ...FIELDS.map((field) => row(`tasks/by ${field}`, 3, `GET /tasks?sort=${field}&limit=100`)),
    ];
  },
};

const projects: Area = {
  id: 'lists/projects',
  says: 'GET /projects lists ours, filtered by each visibility, sorted and paged',
  covers: clausesIn('LIST 17 28 50, SORT 9 13 17 18, META 14 20, EP 1 22 35'),
  needs: ['write'],
  rows: (t) => [
    row('projects/whole', 1, 'reader walk 10 /projects?limit=100'),
    row('projects/newest', 3, 'reader walk 10 /projects?sort=-created_at&limit=100'),
    ...valuesOf(t, 'list_projects', 'visibility').map((value, i) =>
      row(
        `projects/${value}`,
        i === 1 ? 1 : i === 0 ? 2 : 4,
        `${i === 1 ? 'reader ' : ''}walk 10 /projects?${filter('visibility', value)}&sort=${i === 0 ? 'updated_at' : 'created_at'}&limit=100`,
      ),
    ),
    // Other orders are paged through where a project has just been made: see access/read-key.
    ...[
      'sort=created_at',
      'sort=updated_at&limit=5',
      'filter[visibility]=public&sort=created_at&limit=2',
      'filter[visibility]=public&sort=-updated_at&limit=1',
    ].map((query, i) => row(`projects/paged by ${query}`, i === 2 ? 3 : 2, `${inTurn(ROLES, i)}walk 2 /projects?${query}`)),
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
          row(
            `numbers/${list.id}`,
            /teams|projects|list_tasks/.test(list.id) ? 2 : 3,
            `GET ${placeOf(list)}?limit=100&offset=1000&page=1000`,
          ),
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
      .filter(({ returns }) => returns === 'list')
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

/** The filters of a list by which half of the tasks come, in another order each time. */
const halfOf = (t: Tools, list: string, n: number, spell = filter): string => {
  const [status, priority, whose] = inTurn(HALVES, n);
  const wanted: Readonly<Record<string, string>> = {
    status,
    priority,
    project_id: '{main}',
    assignee_id: whose ? '{member1}' : '{member}',
  };
  const fields = t.parts.rules.filters(list).map(({ field }) => field);
  return [...fields.slice(n % fields.length), ...fields.slice(0, n % fields.length)]
    .filter((field) => wanted[field] !== undefined)
    .map((field) => spell(field, wanted[field]!))
    .join('&');
};

/** Each order beside all filters at once, page by page to the end: a seam falls between equals. */
const orders: Area = {
  id: 'lists/orders',
  says: 'Each order beside several filters over several pages, which their cursor alone keeps',
  covers: clausesIn('LIST 8 9 11 18, META 8 12'),
  needs: ['write'],
  rows: (t) =>
    ['list_tasks', 'list_project_tasks'].flatMap((list, n) => {
      const place = n === 0 ? '/tasks' : INSIDE;
      const at = (i: number, spell = filter) => `${inTurn(ROLES, i)}GET ${place}?${halfOf(t, list, i + n, spell)}`;
      const alone = `reader GET ${place}?cursor={cursor}`;
      return [
        // Others share a request with filters of a project's tasks as it is.
        ...SORTS.filter((sort) => n === 0 || sort === '-created_at').map((sort, i) => {
          const how = n === 0 && i < 2 ? 'walk 1' : 'walk 2';
          return row(`${list} ${sort}`, 2, `${at(i).replace('GET', how)}&sort=${sort}&limit=${i === 2 ? 3 : 5}`);
        }),
        row(
          `${list} by the cursor alone`,
          2,
          // One filter and no limit, and several with a small one.
          ...(n === 0 ? [`reader GET ${place}?${filter('project_id', '{main}')}`, alone] : []),
          `${at(1)}&limit=2`,
          alone,
        ),
        row(`${list} encoded`, n === 0 ? 2 : 3, `${at(0, (field, value) => `filter%5B${field}%5D=${value}`)}&limit=100`),
      ];
    }),
};

/** Lists longer than the largest page. */
const long: Area = {
  id: 'lists/long',
  says: 'A list of more than a hundred records',
  covers: ['WM-LIST-020'],
  needs: ['write'],
  rows: (t) => [
    row(
      'long',
      3,
      ...Array.from(
        { length: Math.max(0, 101 - (t.parts.scene.asked.total('list_tasks') ?? 0)) },
        (_, i): Step => [
          'POST /projects/{main}/tasks',
          {
            title: `wm long ${String(i % 7).padStart(2, '0')}`,
            priority: 'medium',
            due_date: `2031-06-0${1 + (i % 9)}T00:00:00Z`,
          },
        ],
      ),
      'walk 2 /tasks?limit=100',
      'GET /tasks?limit=1000',
      'GET /tasks?filter[status]=todo',
      'GET /projects/{main}/tasks?limit=100',
      'walk 4 /projects/{main}/tasks?sort=title&limit=16',
    ),
  ],
};

/** A value that resembles the value of a filter is none. */
const near: Area = {
  id: 'filters/near',
  says: 'What resembles the value of a filter gives no record that has another',
  covers: clausesIn('LIST 48-51'),
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
            row(`near/${id} ${field} encoded`, 4, `GET ${place}?filter%5B${field}%5D=${value}&limit=100`),
            ...[value.toUpperCase(), value.slice(0, -1), 'nonsense'].map((other, i) =>
              row(
                `near/${id} ${field} ${other}`,
                i === 2 ? 4 : (id.length + field.length + i) % 3 === 0 ? 2 : 3,
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
  areaOf('lists/first-page'),
  walk,
  sorting,
  areaOf('sorting/unsupported'),
  filtersInside,
  areaOf('filters/and'),
  orders,
  tasks,
  projects,
  areaOf('lists/teams-and-members'),
  limits,
  near,
  numbers,
  pairs,
];

/** After what makes records. */
export const LATE_LISTS: readonly Area[] = [areaOf('lists/comments'), long];
