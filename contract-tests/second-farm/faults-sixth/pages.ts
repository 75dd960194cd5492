// Faults of pages: cursors, ties and limits.

import type { Row } from '../../judge/reference/model.ts';
import { around, clause, type Fault } from '../faults/fault.ts';
import { metaOf } from '../faults-fourth/tools.ts';

const next = clause(110, 'cursor for the next page; null when has_more is false');
const keeps = clause(194, 'The cursor keeps the active filters.');
const limit = clause(191, '`limit`: integer, default 20, maximum 100.');
const applied = clause(108, 'the limit applied (supplied value or default 20)');
const more = clause(109, '| has_more | boolean | true when more pages exist |');
const sorts = clause(204, 'a field name sorts ascending; a leading `-` sorts descending');
const unsupported = clause(204, 'an unsupported sort field returns `400`');
const comments = clause(159, '`200` list of comments');
const removed = clause(356, '`page` and `offset` removed');

const titleOf = (row: Row): string => ('title' in row ? row.title : '');

export const faults: readonly Fault[] = [
  next(
    'cursor-of-other-collation',
    'pages by title are ordered by the rules of a language, and cursors compare code units',
    (s) =>
      around(s, 'behind', (was, rows, after, query) => {
        const { value } = after;
        if (query.sort.field !== 'title' || typeof value !== 'string') return was(rows, after, query);
        return rows.filter((row) => {
          const title = titleOf(row);
          return title === value ? was([row], after, query).length > 0 : query.sort.down ? title < value : title > value;
        });
      }),
    { style: 'b' },
  ),
  next(
    'undated-lost-behind-cursor',
    'tasks without a due date are on no page behind a cursor, as NULL compares to nothing',
    (s) =>
      around(s, 'behind', (was, rows, after, query) =>
        was(rows, after, query).filter((row) => query.sort.field !== 'due_date' || !('due' in row) || row.due !== null),
      ),
  ),
  next(
    'ties-turned-each-request',
    'tasks of one due date come in another order at each request',
    (s) => {
      let turn = 1;
      around(s, 'readQuery', (was, call, listing) => {
        turn = -turn;
        return was(call, listing);
      });
      around(s, 'markOf', (was, row, query) => {
        const mark = was(row, query);
        return query.sort.field === 'due_date' ? { ...mark, tie: turn * Number(mark.tie) } : mark;
      });
    },
    { style: 'a' },
  ),
  next('cursor-on-last-filtered-page', 'next_cursor is not null on the last page of a filtered list', (s) =>
    around(s, 'meta', (was, total, items, has, query) => {
      const meta = was(total, items, has, query);
      if (has || query.filters.length === 0 || items.length === 0) return meta;
      return { ...meta, next_cursor: s.writeCursor(s.makeCursor(items, query)) };
    }),
  ),
  keeps('visibility-lost-on-third-page', 'the cursor of the second page of projects has no filter', (s) =>
    around(s, 'makeCursor', (was, items, query) =>
      query.listing.name === 'project' && query.cursor ? { ...was(items, query), filters: [] } : was(items, query),
    ),
  ),
  applied('comment-limit-as-text', 'meta.limit of comments is the text of the query', (s) =>
    metaOf(s, ['comment'], (meta, { call }) => (call.query.has('limit') ? { ...meta, limit: String(meta.limit) } : meta)),
  ),
  limit(
    'default-50-behind-cursor',
    'a page of tasks behind a cursor has up to 50 rows when no limit is sent',
    (s) =>
      around(s, 'readLimit', (was, call, listing, cursor) =>
        cursor && listing.name === 'task' && !call.query.has('limit') ? 50 : was(call, listing, cursor),
      ),
    { style: 'a' },
  ),
  more('member-has-more-as-number', 'has_more of members is 0 or 1', (s) =>
    metaOf(s, ['member'], (meta) => ({ ...meta, has_more: Number(meta.has_more) })),
  ),
  sorts('projects-sorted-within-page', 'projects are sorted behind the limit, each page in itself', (s) => {
    around(s, 'sortValue', (was, row, field, query) => (query.listing.name === 'project' ? null : was(row, field, query)));
    around(s, 'page', (was, items, meta, query) => {
      const { field, down } = query.sort;
      if (query.listing.name !== 'project' || field === undefined) return was(items, meta, query);
      const sorted = [...items].sort((one, other) => (String(one[field]) < String(other[field]) ? -1 : 1));
      return was(down ? sorted.reverse() : sorted, meta, query);
    });
  }),
  unsupported('team-sort-ignored', 'a list of teams ignores a field that it cannot be sorted by', (s) =>
    around(s, 'readSort', (was, text, listing, call) =>
      listing.name === 'team' && !s.isSortable(text.replace(/^-/, ''), listing, call)
        ? { field: undefined, down: false }
        : was(text, listing, call),
    ),
  ),
  comments('comments-of-all-behind-cursor', 'behind a cursor come the comments of all tasks of the workspace', (s) =>
    around(s, 'commentRows', (was, call, task) =>
      call.query.has('cursor') ? s.db.comments.filter(({ workspace }) => workspace === task.workspace) : was(call, task),
    ),
  ),
  removed(
    'comment-offset-works',
    'comments can be skipped by offset',
    (s) => around(s, 'commentRows', (was, call, task) => was(call, task).slice(Number(call.query.get('offset') ?? 0) || 0)),
    { style: 'a' },
  ),
];
