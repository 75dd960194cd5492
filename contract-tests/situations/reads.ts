// Reads that GET alone can show, on any workspace, without a record of our own.

import { OPERATIONS } from '../engine/operations.ts';
import { clausesIn } from '../engine/spelling.ts';
import type { Tools } from '../engine/tools.ts';
import { FIELDS } from './lists.ts';
import { type Area, type Row, row } from './row.ts';
import { areaOf } from './tables.ts';

/** A row that only a read-only run sends: others see the same elsewhere. */
const read = (id: string, ...steps: readonly string[]): Row => ({ ...row(id, 4, ...steps), anywhere: true, alone: true });

/** The path of each operation that reads, with the first record that a list shows. */
const PATHS: Readonly<Record<string, string>> = {
  list_projects: '/projects',
  list_tasks: '/tasks',
  read_profile: '/users/me',
  list_teams: '/teams',
  read_project: '/projects/{first.projects}',
  list_project_tasks: '/projects/{first.projects}/tasks',
  read_task: '/tasks/{first.tasks}',
  list_comments: '/tasks/{first.tasks}/comments',
  read_team: '/teams/{first.teams}',
};

const operations: readonly Area[] = OPERATIONS.filter(({ id }) => PATHS[id] !== undefined).map(
  ({ id, method, path, requirement }) => ({
    id: `reads/${id}`,
    says: `${method} ${path} is served`,
    covers: [requirement, ...(PATHS[id]!.includes('{') ? ['WM-GEN-009'] : [])],
    rows: () => [read(`reads/${id}`, `GET ${PATHS[id]}`)],
  }),
);

/** Each filter with each value and each sort: the descending ones go with a filter. */
const queries = (t: Tools, list: string, path: string, fields: readonly string[]): Row[] => {
  const filters = t.parts.rules.filters(list).flatMap(({ field, values }) => values.map((value) => `filter[${field}]=${value}`));
  const unlisted = t.parts.rules
    .filters(list)
    .flatMap(({ field, values }) => (values.length > 0 ? [`filter[${field}]=nonsense`] : []));
  const rows = [
    ...fields.map((field) => `sort=${field}`),
    ...filters.map((one, i) => (fields[i] ? `${one}&sort=-${fields[i]}` : one)),
    ...unlisted,
  ];
  return [
    ...rows.map((query) => read(`reads/${path}?${query}`, `GET ${path}?${query}&limit=100`)),
    read(`reads/${path} nonsense`, `GET ${path}?sort=nonsense`),
  ];
};

const lists: Area = {
  id: 'reads/filters-and-orders',
  says: 'Filters give records that match, orders hold, and what no list takes is refused, on whatever is there',
  covers: clausesIn('LIST 13 16 17 19 35 48 50, SORT 7 13 17 19-21 25, META 12 20'),
  rows: (t) => [
    ...queries(t, 'list_tasks', '/tasks', FIELDS),
    ...queries(t, 'list_projects', '/projects', ['created_at']),
    ...(t.knows('1.1') ? ['many', '3.5'].map((limit) => read(`reads/limit ${limit}`, `GET /tasks?limit=${limit}`)) : []),
    read('reads/walk', 'walk 3 /tasks?limit=7&sort=-created_at'),
  ],
};

export const READS: readonly Area[] = [...operations, areaOf('users/profile-is-a-member'), lists];
