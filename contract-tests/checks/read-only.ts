// What GET alone can show, on any workspace, without a record of our own.

import type { Check } from '../engine/check.ts';
import { type Exchange, idOf, metaOf, records, succeeded } from '../engine/exchange.ts';
import { operationNamed } from '../engine/operations.ts';
import type { Tools } from '../engine/tools.ts';
import { FIELDS } from './lists.ts';

const reads = (id: string, path: string): Check => {
  const operation = operationNamed(id);
  return {
    id: `reads/${id}`,
    says: `${operation.method} ${operation.path} answers`,
    covers: [operation.requirement],
    profile: 'read-only',
    notIn: ['core', 'full'],
    run: async (t: Tools) => {
      const x = await t.get(path);
      t.must(operation.requirement, x.status === 200, `${path} answers ${x.status}`, x);
    },
  };
};

/** Reads the first record of a list by its id. */
const readsFirst = (id: string, list: string, path: (id: string) => string, empty: string): Check => {
  const operation = operationNamed(id);
  return {
    id: `reads/${id}`,
    says: `${operation.method} ${operation.path} answers for a record of the list`,
    covers: [operation.requirement, 'WM-GEN-009'],
    profile: 'read-only',
    notIn: ['core', 'full'],
    run: async (t: Tools) => {
      // Others may delete what is theirs between two requests; not three times in a row.
      for (let tries = 1; ; tries++) {
        const seen = t.parts.shared.get(`first of ${list}`) as Exchange | undefined;
        const listed = tries === 1 && seen ? seen : await t.get(`${list}?limit=${t.smallestLimit}`);
        t.parts.shared.set(`first of ${list}`, listed);
        const first = records(listed)[0];
        const key = first && idOf(first);
        if (!key) t.skip(empty);
        const x = await t.get(path(encodeURIComponent(key)));
        if (x.status === 404 && tries < 3) continue;
        t.must(operation.requirement, succeeded(x), `${path(key)} answers ${x.status}`, x);
        if (succeeded(x)) t.must('WM-GEN-009', true, '');
        return;
      }
    },
  };
};

/** Each filter with each value and each sort: the descending ones go with a filter where the ascending one is taken. */
const filtersAndOrders = async (t: Tools, list: string, path: string, fields: readonly string[]): Promise<void> => {
  const get = (query: string) => t.get(`${path}?${query}&limit=100`);
  const descending: string[] = [];
  for (const field of fields) {
    if (succeeded(await get(`sort=${field}`))) descending.push(`sort=-${field}`);
    else await get(`sort=-${field}`);
  }
  for (const { field, values } of t.parts.rules.filters(list)) {
    for (const value of values) {
      const filter = `filter[${field}]=${value}`;
      const sort = descending.shift();
      if (sort === undefined || !succeeded(await get(`${filter}&${sort}`))) await get(filter);
    }
    if (values.length > 0) await get(`filter[${field}]=nonsense`);
  }
  for (const sort of descending) await get(sort);
  await t.get(`${path}?sort=nonsense`);
};

export const readOnlyChecks: readonly Check[] = [
  reads('list_projects', '/projects'),
  reads('list_tasks', '/tasks'),
  reads('read_profile', '/users/me'),
  reads('list_teams', '/teams'),
  readsFirst('read_project', '/projects', (id) => `/projects/${id}`, 'NO_FIXTURE(project)'),
  readsFirst('list_project_tasks', '/projects', (id) => `/projects/${id}/tasks`, 'NO_FIXTURE(project)'),
  readsFirst('read_task', '/tasks', (id) => `/tasks/${id}`, 'NO_FIXTURE(task)'),
  readsFirst('list_comments', '/tasks', (id) => `/tasks/${id}/comments`, 'NO_FIXTURE(task)'),
  readsFirst('read_team', '/teams', (id) => `/teams/${id}`, 'NO_FIXTURE(team)'),
  {
    id: 'reads/members-are-paged',
    says: 'limit and cursor page through the members',
    covers: ['WM-LIST-030', 'WM-EP-014'],
    profile: 'read-only',
    notIn: ['core'],
    run: async (t: Tools) => {
      // Two pages, so that the second is the last, where the list is no longer than that.
      const known = t.parts.oracle.workspace('own').members?.size ?? 2;
      const size = Math.min(100, Math.max(t.smallestLimit, Math.ceil(known / 2)));
      const { pages, items, moved } = await t.walk(`/workspace/members?limit=${size}`, 2);
      t.must('WM-EP-014', succeeded(pages[0]!), `/workspace/members answers ${pages[0]!.status}`, pages[0]!);
      if (pages.length < 2) t.skip(metaOf(pages[0]!).has_more === true ? 'BLOCKED(WM-META-011)' : 'NO_FIXTURE(second member)');
      if (moved) t.skip('HIDDEN(other traffic)');
      const different = new Set(items.map((item) => item.id)).size === items.length;
      const full = pages.slice(0, -1).every((page) => records(page).length === size);
      t.must(
        'WM-LIST-030',
        different && full && records(pages.at(-1)!).length > 0,
        'the cursor does not lead to the next member',
        ...pages.slice(0, 2),
      );
    },
  },
  {
    id: 'reads/filters-and-orders',
    says: 'Filters give records that match, orders hold, and what no list takes is refused, on whatever is there',
    covers: [
      ...['013', '016', '017', '019', '035', '048', '050'].map((n) => `WM-LIST-${n}`),
      ...['007', '013', '017', '019', '020', '021', '025'].map((n) => `WM-SORT-${n}`),
      ...['WM-META-012', 'WM-META-020'],
    ],
    profile: 'read-only',
    notIn: ['core', 'full'],
    run: async (t: Tools) => {
      await filtersAndOrders(t, 'list_tasks', '/tasks', FIELDS);
      await filtersAndOrders(t, 'list_projects', '/projects', ['created_at']);
      if (!t.knows('1.1')) return;
      for (const limit of ['many', '3.5']) await t.get(`/tasks?limit=${limit}`);
      await t.walk('/tasks?limit=7&sort=-created_at', 3);
    },
  },
];
