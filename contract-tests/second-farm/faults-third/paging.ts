// Faults of pages: cursors, where iteration ends, and the metadata.

import type { Fields, Row, Task } from '../../judge/reference/model.ts';
import type { Cursor, ListName, Query } from '../../judge/reference/service/lists.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, without } from '../faults/fault.ts';

const cursor = clause(192, 'opaque string taken from `meta.next_cursor` of the previous response');
const ends = clause(193, 'Iteration ends when `meta.has_more` is false');
const keeps = clause(194, 'The cursor keeps the active filters.');
const total = clause(107, '| total | integer | number of records matching the query across all pages |');
const more = clause(109, '| has_more | boolean | true when more pages exist |');

const made = (service: Service, change: (cursor: Cursor, items: readonly Row[], query: Query) => Cursor): void =>
  around(service, 'makeCursor', (was, items, query) => change(was(items, query), items, query));
const held = (service: Service, keep: (field: string, index: number) => boolean): void =>
  made(service, (all) => ({ ...all, filters: all.filters.filter(({ field }, index) => keep(field, index)) }));
const counted = (
  service: Service,
  names: readonly ListName[],
  count: (query: Query, matching: readonly Row[]) => number | undefined,
): void =>
  around(
    service,
    'total',
    (was, matching, rest, query) =>
      (names.includes(query.listing.name) ? count(query, matching) : undefined) ?? was(matching, rest, query),
  );
const shown = (service: Service, change: (meta: Fields, query: Query) => Fields): void =>
  around(service, 'meta', (was, count, items, has, query) => change(was(count, items, has, query), query));

const iteration: Fault[] = [
  ends('limit-1-ends', 'with a limit of 1 the first page is the last: the extra row is not fetched', (s) =>
    around(s, 'hasMore', (was, rest, items, query) => query.limit !== 1 && was(rest, items, query)),
  ),
  ends('limit-100-ends', 'with a limit of 100 the first page is the last: the extra row is cut by the maximum', (s) =>
    around(s, 'hasMore', (was, rest, items, query) => query.limit < 100 && was(rest, items, query)),
  ),
  cursor('cursor-latin-titles', 'a page sorted by title that ends beyond Latin-1 answers 500', (s) =>
    made(s, (all) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of Latin-1
      if (/[^\x00-\xff]/.test(String(all.after.value))) throw new Error('InvalidCharacterError');
      return all;
    }),
  ),
  cursor('cursor-split-at-comma', 'a cursor over titles is cut at the first comma of the title', (s) =>
    made(s, (all) =>
      typeof all.after.value === 'string' && all.sort.endsWith('title')
        ? { ...all, after: { ...all.after, value: all.after.value.split(',')[0] ?? '' } }
        : all,
    ),
  ),
  cursor('cursor-rounds-created', 'a cursor over created_at has whole seconds, so that rows come again', (s) =>
    made(s, (all) =>
      typeof all.after.value === 'number' && all.sort === 'created_at'
        ? { ...all, after: { ...all.after, value: Math.floor(all.after.value / 1000) * 1000 } }
        : all,
    ),
  ),
  cursor('cursor-rounds-updated-down', 'a cursor over -updated_at has whole seconds, so that rows are skipped', (s) =>
    made(s, (all) =>
      typeof all.after.value === 'number' && all.sort === '-updated_at'
        ? { ...all, after: { ...all.after, value: Math.floor(all.after.value / 1000) * 1000 } }
        : all,
    ),
  ),
  cursor(
    'cursor-other-collation',
    'titles sort without regard to case, and the cursor compares them with regard to it',
    (s) =>
      around(s, 'ordered', (was, rows, query) => {
        const sorted = was(rows, query);
        if (query.sort.field !== 'title') return sorted;
        const up = query.sort.down ? -1 : 1;
        const text = (row: Row) => (row as Task).title.toLowerCase();
        return sorted.sort((one, other) => up * (text(one) < text(other) ? -1 : text(one) > text(other) ? 1 : 0));
      }),
    { style: 'a' },
  ),
  clause(204, 'a leading `-` sorts descending')(
    'cursor-loses-sign',
    'pages behind the first are in ascending order',
    (s) => made(s, (all) => ({ ...all, sort: all.sort.replace('-', '') })),
    { style: 'b' },
  ),
  cursor('cursor-of-missing-date', 'a page sorted by due_date that ends with a task without one answers 500', (s) =>
    made(s, (all) => {
      if (all.sort.endsWith('due_date') && all.after.value === null) throw new Error('null.toISOString');
      return all;
    }),
  ),
  cursor('cursor-not-for-updated', 'a cursor of a list sorted by updated_at is refused', (s) =>
    around(s, 'readCursor', (was, call, listing) => {
      const read = was(call, listing);
      if (read?.sort.endsWith('updated_at'))
        throw s.invalid(400, [{ field: 'cursor', issue: 'is not a cursor', kind: 'structure' }], call);
      return read;
    }),
  ),
  cursor('cursor-inclusive-for-teams', 'pages of teams begin with the last row of the one before', (s) =>
    around(s, 'behind', (was, rows, after, query) => {
      const rest = was(rows, after, query);
      const before = rows[rows.length - rest.length - 1];
      return before && query.limit > 1 && query.listing.name === 'team' ? [before, ...rest] : rest;
    }),
  ),
  cursor('cursor-counts-unfiltered', 'a cursor is an offset into the list without filters', (s) =>
    around(s, 'behind', (was, rows, after, query) => {
      if (query.filters.length === 0) return was(rows, after, query);
      const all = s.ordered(query.listing.rows(), query);
      return rows.slice(all.length - was(all, after, query).length);
    }),
  ),
  clause(153, '| GET | /projects/{project_id}/tasks |')(
    'second-page-of-all-projects',
    'pages behind the first hold the tasks of all projects',
    (s) =>
      around(s, 'projectTaskRows', (was, call, project) => (call.query.has('cursor') ? s.allTaskRows(call) : was(call, project))),
  ),
  cursor('teams-in-turning-order', 'teams have no order of their own: every other request turns it round', (s) => {
    let count = 0;
    around(s, 'ordered', (was, rows, query) => {
      const sorted = was(rows, query);
      if (query.listing.name !== 'team' || query.sort.field) return sorted;
      count += 1;
      return count % 2 ? sorted : sorted.reverse();
    });
  }),
  cursor('filtered-projects-in-turning-order', 'filtered projects have no order: it turns with each request', (s) => {
    let count = 0;
    around(s, 'ordered', (was, rows, query) => {
      const sorted = was(rows, query);
      if (query.listing.name !== 'project' || query.sort.field || query.filters.length === 0) return sorted;
      count += 1;
      return count % 2 ? sorted : sorted.reverse();
    });
  }),
];

const filters: Fault[] = [
  keeps('cursor-drops-assignee', 'the cursor loses filter[assignee_id]', (s) => held(s, (field) => field !== 'assignee_id'), {
    style: 'b',
  }),
  keeps('cursor-drops-project', 'the cursor loses filter[project_id]', (s) => held(s, (field) => field !== 'project_id'), {
    style: 'c',
  }),
  keeps('cursor-keeps-two-filters', 'the cursor loses the third filter', (s) => held(s, (_field, index) => index < 2), {
    style: 'b',
  }),
  keeps(
    'cursor-keeps-filters-of-first-list',
    'the first cursor of a key decides the filters of its later ones for a second',
    (s) => {
      const first = new Map<string, { at: number; filters: Cursor['filters'] }>();
      made(s, (all, _items, { call }) => {
        const name = `${call.key?.value} ${call.path}`;
        const known = first.get(name);
        if (known && s.now() - known.at < 1000) return { ...all, filters: known.filters };
        first.set(name, { at: s.now(), filters: all.filters });
        return all;
      });
    },
    { style: 'c' },
  ),
];

const comments = (service: Service, row: Row) => service.db.comments.filter(({ task }) => task === row.id).length;

const metadata: Fault[] = [
  total('total-per-comment', 'total counts a task once for each of its comments', (s) =>
    counted(s, ['task'], (_query, rows) => rows.reduce((sum, row) => sum + Math.max(1, comments(s, row)), 0)),
  ),
  total('total-of-all-comments', 'total counts the comments of all tasks', (s) =>
    counted(s, ['comment'], ({ call }) => s.db.comments.filter(({ workspace }) => workspace === call.workspace?.id).length),
  ),
  total('total-of-all-projects', 'total of the tasks of a project counts those of all projects', (s) =>
    counted(s, ['task'], (query) =>
      isOn(query.call, 'listProjectTasks')
        ? s.allTaskRows(query.call).filter((row) => s.matchesAll(row, query)).length
        : undefined,
    ),
  ),
  total(
    'total-of-all-members',
    'total of members counts those of all workspaces',
    (s) => counted(s, ['member'], () => s.db.memberships.length),
    { needs: 'second workspace' },
  ),
  total(
    'total-of-all-teams',
    'total of teams counts those of all workspaces',
    (s) => counted(s, ['team'], () => s.db.teams.length),
    { needs: 'second workspace' },
  ),
  total('total-ignores-assignee', 'total ignores filter[assignee_id]', (s) =>
    counted(s, ['task'], (query) => {
      const others = query.filters.filter(({ field }) => field !== 'assignee_id');
      return query.listing.rows().filter((row) => s.matchesAll(row, { ...query, filters: others })).length;
    }),
  ),
  total('total-ignores-visibility', 'total ignores filter[visibility]', (s) =>
    counted(s, ['project'], (query) => query.listing.rows().length),
  ),
  total(
    'total-of-foreign-project',
    'filter[project_id] of another workspace answers no rows and the number of its tasks',
    (s) =>
      counted(s, ['task'], ({ filters: sent, call }) => {
        const id = sent.find(({ field }) => field === 'project_id')?.value;
        const foreign = s.db.projects.some((each) => each.id === id && each.workspace !== call.workspace?.id);
        return foreign ? s.db.tasks.filter(({ project }) => project === id).length : undefined;
      }),
    { needs: 'second workspace' },
  ),
  total('total-frozen-at-first-list', 'total of GET /projects is that of the first request of each hour', (s) => {
    const known = new Map<string, number>();
    counted(s, ['project'], ({ filters: sent, call }, rows) => {
      if (sent.length > 0) return undefined;
      const name = `${call.workspace?.id} ${Math.floor(s.now() / 3_600_000)}`;
      known.set(name, known.get(name) ?? rows.length);
      return known.get(name);
    });
  }),
  clause(108, '| limit | integer | the limit applied (supplied value or default 20) |')(
    'meta-limit-default-with-cursor',
    'meta.limit is 20 from the second page on, whatever was supplied and applied',
    (s) => shown(s, (meta, query) => (query.cursor ? { ...meta, limit: 20 } : meta)),
    { style: 'a' },
  ),
  clause(21, '| List | `{ "items": [ <resource>, ... ], "meta": { total, limit, has_more, next_cursor } }` |')(
    'meta-camel-case-for-teams',
    'the metadata of teams is { hasMore, nextCursor }',
    (s) =>
      shown(s, (meta, query) =>
        query.listing.name === 'team'
          ? { ...without(meta, 'has_more', 'next_cursor'), hasMore: meta.has_more, nextCursor: meta.next_cursor }
          : meta,
      ),
  ),
  clause(110, 'cursor for the next page; null when has_more is false')(
    'next-cursor-null-as-text',
    'next_cursor is the text "null" on the last page',
    (s) => shown(s, (meta) => ({ ...meta, next_cursor: meta.next_cursor ?? 'null' })),
  ),
  more('has-more-by-total', 'has_more of members and comments compares total with limit, on every page', (s) =>
    around(s, 'hasMore', (was, rest, items, query) =>
      ['member', 'comment'].includes(query.listing.name) ? query.listing.rows().length > query.limit : was(rest, items, query),
    ),
  ),
  more('has-more-of-all-projects', 'has_more of the tasks of a project looks at all tasks of the workspace', (s) =>
    around(s, 'hasMore', (was, rest, items, query) =>
      isOn(query.call, 'listProjectTasks') && !query.cursor && items.length > 0
        ? s.allTaskRows(query.call).length > query.limit
        : was(rest, items, query),
    ),
  ),
  more('has-more-text', 'has_more is the text "true" or "false" when a filter is set', (s) =>
    shown(s, (meta, query) => (query.filters.length > 0 ? { ...meta, has_more: String(meta.has_more) } : meta)),
  ),
];

export const faults: readonly Fault[] = [...iteration, ...filters, ...metadata];
