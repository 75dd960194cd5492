// Faults of pages, cursors, filters and sorting.
import { type Hooks, laboratory } from '../laboratory.ts';
import { type Mutant, mutant } from '../mutant.ts';
import { after, both, good, is, isList, type Loose, ok, refuse, type Seen } from '../wrap.ts';

const lab = (number: number | undefined, id: string, clauses: string, hooks: Hooks): Mutant =>
  mutant(number, id, clauses, laboratory(hooks));
const meta = (number: number, id: string, clauses: string, change: (meta: Loose, items: Loose[]) => void): Mutant =>
  mutant(
    number,
    id,
    clauses,
    after(both(isList, ok), (answer) => change(answer.json.meta, answer.json.items)),
  );

const nested = is('GET /projects/*/tasks');
const everywhere = is('GET /tasks');
const without = (name: string, match?: (call: Seen) => boolean): Hooks => ({
  filters: (filters) => filters.filter(([field]) => field !== name),
  ...(match ? { match } : {}),
});
const by = (sign: number) => (rows: Loose[]) => [...rows].sort((a, b) => (a.title < b.title ? -sign : sign));

export const listMutants: readonly Mutant[] = [
  lab(39, 'default-limit-25', 'LIST-001', { limit: (asked) => asked ?? 25 }),
  lab(40, 'limit-ignored', 'LIST-003', { limit: () => 20 }),
  meta(41, 'meta-limit-always-20', 'META-006', (m) => (m.limit = 20)),
  lab(42, 'limit-100-capped-to-10', 'LIST-002 META-006', {
    limit: (asked) => Math.min(asked ?? 20, 20),
    meta: (m, page) => (m.limit = page.limit),
  }),
  mutant(43, 'limit-150-honoured', 'LIST-020', () => async (call, next) => {
    if (call.query.get('limit') !== '150') return next(call);
    const query = new URLSearchParams(call.query);
    query.set('limit', '100');
    const answer = await next({ ...call, query });
    answer.json.meta.limit = 150;
    return answer;
  }),
  meta(44, 'total-of-the-page', 'META-005', (m, items) => (m.total = items.length)),
  lab(45, 'total-ignores-filters', 'META-012', { meta: (m, page) => (m.total += page.filters.length > 0 ? 1 : 0) }),
  meta(47, 'has-more-on-the-last-page', 'META-009 META-011', (m) => (m.has_more = true)),
  lab(48, 'has-more-on-exact-page', 'META-013', {
    meta: (m, page) => {
      if (page.from + page.limit === page.total) Object.assign(m, { has_more: true, next_cursor: 'end' });
    },
  }),
  meta(49, 'cursor-on-the-last-page', 'META-010', (m) => (m.next_cursor ??= 'more')),
  meta(50, 'no-cursor-though-more', 'META-011', (m) => (m.next_cursor = null)),
  lab(51, 'page-repeats-last', 'LIST-007', {
    next: (page) => page.from + page.limit - 1,
    match: nested,
  }),
  lab(52, 'last-never-comes', 'LIST-006 LIST-002', {
    match: nested,
    slice: (rows, page) => rows.slice(page.from, Math.min(page.from + page.limit, Math.max(1, rows.length - 1))),
  }),
  lab(53, 'cursor-drops-filters', 'LIST-008', { filters: (filters, later) => (later ? [] : filters) }),
  lab(54, 'cursor-keeps-first-filter', 'LIST-008', { filters: (filters, later) => (later ? filters.slice(0, 1) : filters) }),
  lab(55, 'cursor-drops-sort', 'SORT-008', { order: (rows, { later, sort }) => (later && sort ? [...rows].reverse() : rows) }),
  lab(56, 'cursor-restarts', 'LIST-004', { deaf: true }),
  lab(57, 'members-ignore-cursor', 'LIST-030', { match: is('GET /workspace/members'), deaf: true }),
  lab(57, 'teams-ignore-cursor', 'LIST-031', { match: is('GET /teams'), deaf: true }),
  lab(57, 'comments-ignore-cursor', 'LIST-032', { match: is('GET /tasks/*/comments'), deaf: true }),
  meta(58, 'cursor-is-a-number', 'META-004', (m) => (m.next_cursor = m.next_cursor === null ? null : 5)),
  lab(59, 'filters-or', 'LIST-009', { any: (filters) => filters.length > 1 }),
  lab(60, 'last-filter-wins', 'LIST-009', { filters: (filters) => filters.slice(-1) }),
  lab(61, 'status-ignored-on-tasks', 'LIST-013', without('status', everywhere)),
  lab(62, 'priority-ignored', 'LIST-012 LIST-016', without('priority')),
  lab(63, 'assignee-by-prefix', 'LIST-034', {
    equal: (field, have, want) => (field === 'assignee_id' ? String(have).startsWith(want) : have === want),
  }),
  lab(64, 'project-filter-ignored', 'LIST-015', without('project_id')),
  lab(65, 'visibility-ignored', 'LIST-017', without('visibility')),
  mutant(66, 'encoded-brackets-unknown', 'LIST-018', () => async (call, next) => {
    const query = new URLSearchParams([...call.query].filter(([name]) => !name.startsWith('filter')));
    return next(call.encoded ? { ...call, query } : call);
  }),
  lab(67, 'medium-misses-the-default', 'LIST-012', {
    equal: (field, have, want) => (field === 'priority' && want === 'medium' ? false : have === want),
    match: nested,
  }),
  {
    ...lab(68, 'title-descends', 'SORT-001', { order: (rows, { sort }) => (sort === 'title' ? by(-1)(rows) : rows) }),
    hiddenBy: { 'sortable-fields': ['titleless'] },
  },
  {
    ...lab(69, 'minus-ignored', 'SORT-002', { order: (rows, { sort }) => (sort === '-title' ? by(1)(rows) : rows) }),
    hiddenBy: { 'sortable-fields': ['titleless'] },
  },
  lab(70, 'due-date-as-text', 'SORT-003', {
    order: (rows, { sort }) => {
      if (sort !== 'due_date') return rows;
      const text = (row: Loose) => String(row.due_date ?? '~').replace('.000Z', 'Z');
      return [...rows].sort((a, b) => (text(a) < text(b) ? -1 : 1));
    },
  }),
  mutant(undefined, 'updated-at-sorts-by-creation', 'SORT-006', () => async (call, next) => {
    const query = new URLSearchParams(call.query);
    const sort = query.get('sort') ?? '';
    if (sort.endsWith('updated_at')) query.set('sort', sort.replace('updated', 'created'));
    return next({ ...call, query });
  }),
  mutant(71, 'unknown-sort-200', 'SORT-007', () => async (call, next) => {
    const query = new URLSearchParams(call.query);
    if (/nonsense/.test(query.get('sort') ?? '')) query.delete('sort');
    return next({ ...call, query });
  }),
  mutant(
    72,
    'unknown-sort-422',
    'SORT-007',
    refuse((call) => /nonsense/.test(call.query.get('sort') ?? ''), 422, 'validation_error', 'sort'),
  ),
  lab(73, 'sorted-per-page', 'SORT-008', {
    slice: (rows, page) => rows.slice(page.from, page.from + page.limit),
    order: (rows, { sort, limit }) =>
      sort?.startsWith('-') && limit < 100 && rows.length > 20 ? perPage(rows, sort, limit) : rows,
  }),
  lab(undefined, 'wrong-on-page-3', 'LIST-006 LIST-007', {
    slice: (rows, page) => rows.slice(page.from, page.from + page.limit).slice(page.from === page.limit * 2 ? 1 : 0),
    match: nested,
  }),
  lab(undefined, 'total-unfiltered-on-page-2', 'META-012', {
    meta: (m, page) => (m.total += page.later && page.filters.length > 0 ? 3 : 0),
  }),
  lab(undefined, 'or-for-three-filters', 'LIST-009', { any: (filters) => filters.length > 2 }),
  lab(undefined, 'assignee-ignored-in-project', 'LIST-011', without('assignee_id', nested)),
  lab(undefined, 'status-ignored-in-project', 'LIST-010', without('status', nested)),
  lab(undefined, 'sort-lost-with-filter', 'SORT-011', {
    order: (rows, { sort }) => (sort ? [...rows].reverse() : rows),
    match: (call) => everywhere(call) && call.query.has('filter[project_id]') && call.query.has('sort'),
  }),
  mutant(undefined, 'limit-word-accepted', 'LIST-019', () => async (call, next) => {
    const query = new URLSearchParams(call.query);
    if (query.get('limit') === 'many') query.delete('limit');
    return next({ ...call, query });
  }),
  mutant(
    undefined,
    'total-is-text',
    'META-001',
    after(both(isList, ok), (a) => (a.json.meta.total = String(a.json.meta.total))),
  ),
  mutant(
    undefined,
    'projects-in-tasks-dropped',
    'EP-038',
    after(good('GET /tasks'), (a) => (a.json.items = a.json.items.slice(1))),
  ),
  mutant(
    198,
    'no-cursor-at-all',
    'META-011',
    after(
      both(isList, ok, (_c, a) => a.json.meta.has_more),
      (a) => delete a.json.meta.next_cursor,
    ),
  ),
  mutant(197, 'offset-honoured', 'VER-006', () => async (call, next) => {
    const skip = Number(call.query.get('offset') ?? 0);
    const query = new URLSearchParams(call.query);
    query.delete('offset');
    const answer = await next({ ...call, query });
    if (skip && answer.status === 200) answer.json.items = answer.json.items.slice(1);
    return answer;
  }),
];

const perPage = (rows: Loose[], sort: string, size: number): Loose[] => {
  const mixed = [...rows].reverse();
  const field = sort.slice(1);
  const key = (row: Loose) => String(row[field] ?? '');
  for (let at = 0; at < mixed.length; at += size) {
    mixed.splice(at, size, ...mixed.slice(at, at + size).sort((a, b) => (key(a) < key(b) ? 1 : -1)));
  }
  return mixed;
};
