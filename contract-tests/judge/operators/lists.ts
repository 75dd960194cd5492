// Operators on sorts, limits, page seams, meta, and on which queries a list takes.
import { type OperatorMutant, operator, put, type Rule, refuse, refused, type Scene } from './core.ts';
import { type Call, filtersOf, type Loose, withQuery } from './exchange.ts';
import { pages, type Query, type Steps, sortKey } from './pages.ts';
import { FILTERS, LISTS, SHOWN, SORTS } from './tables.ts';

const lists = LISTS.map(({ id }) => id);

const hash = (id: string): number => {
  let h = 2166136261;
  for (const letter of id) h = Math.imul(h ^ letter.charCodeAt(0), 16777619);
  return h >>> 0;
};
const shuffled = (rows: Loose[]): Loose[] => [...rows].sort((a, b) => hash(a.id) - hash(b.id));
const reversed = (rows: Loose[]): Loose[] => [...rows].reverse();
/** Sorts again, what has no value at the end. */
const sortBy = (rows: Loose[], key: (row: Loose) => string | number | undefined, down: boolean): Loose[] =>
  [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  });

type Order = (rows: Loose[], query: Query & { sort: string }) => Loose[];

const perPage: Order = (rows, { limit, sort }) => {
  const mixed = shuffled(rows);
  const cut = (at: number) => sortBy(mixed.slice(at, at + limit), (row) => sortKey(row, sort), sort.startsWith('-'));
  return mixed.flatMap((_row, i) => (i % limit === 0 ? cut(i) : []));
};

const ORDERS: Readonly<Record<string, Order>> = {
  reversed,
  ignored: shuffled,
  'within the page alone': perPage,
  'ignored on later pages': (rows, { from }) => (from > 0 ? shuffled(rows) : rows),
  'reversed on later pages': (rows, { from }) => (from > 0 ? reversed(rows) : rows),
  'ignored beside a filter': (rows, { filters }) => (filters.length > 0 ? shuffled(rows) : rows),
  'reversed beside a filter': (rows, { filters }) => (filters.length > 0 ? reversed(rows) : rows),
  'drops what has no value': (rows, { sort }) => rows.filter((row) => sortKey(row, sort) !== undefined),
  'first and last exchanged': (rows) => (rows.length > 1 ? [rows.at(-1), ...rows.slice(1, -1), rows[0]] : rows),
  'last two exchanged': (rows) => (rows.length > 1 ? [...rows.slice(0, -2), rows.at(-1), rows.at(-2)] : rows),
};

/** Where a cursor that compares keys goes wrong among equal ones. */
const tied = (rows: Loose[], at: number, sort: string): boolean =>
  at > 0 && at < rows.length && sortKey(rows[at], sort) === sortKey(rows[at - 1], sort);
const TIES: Readonly<Record<string, NonNullable<Steps['next']>>> = {
  'skips ties at a seam': (rows, { sort, from }, size) => {
    let at = from + size;
    while (tied(rows, at, sort!)) at++;
    return at;
  },
  'repeats ties at a seam': (rows, { sort, from }, size) => {
    let at = from + size;
    while (at > from + 1 && tied(rows, at, sort!)) at--;
    return at;
  },
};

const sortsOf = (list: string, field: string, sort: string): OperatorMutant[] => {
  const down = sort.startsWith('-');
  const spoil = (name: string, says: string, steps: Omit<Steps, 'list'>) =>
    operator(name, 'sorting')(`${list}.${sort} ${says}`, pages({ list, match: (query) => query.get('sort') === sort, ...steps }));
  const order =
    (change: Order): Steps['order'] =>
    (rows, query) =>
      query.sort ? change(rows, { ...query, sort: query.sort }) : rows;
  const others = SHOWN[list === 'list_projects' ? 'project' : 'task'].filter(
    ({ name, kind }) => name !== field && (kind === 'date' || kind === 'id' || name === 'status'),
  );
  return [
    ...Object.entries(ORDERS)
      .filter(([name]) => name !== 'drops what has no value' || field === 'due_date')
      .map(([name, change]) => spoil('sort', name, { order: order(change)! })),
    ...others.map(({ name }) =>
      spoil('sort', `by ${name}`, { order: (rows) => sortBy(rows, (row) => row[name] ?? undefined, down) }),
    ),
    ...Object.entries(TIES).map(([name, next]) => spoil('sort-ties', name, { next })),
    ...FILTERS[list]!.map((filter) =>
      spoil('sort-with-filter', `ignored beside ${filter}`, {
        match: (query) => query.get('sort') === sort && query.has(`filter[${filter}]`),
        order: shuffled,
      }),
    ),
  ];
};

const sorts: readonly OperatorMutant[] = Object.entries(SORTS).flatMap(([list, fields]) =>
  fields.flatMap((field) => [field, `-${field}`].flatMap((sort) => sortsOf(list, field, sort))),
);

const isEnd = (page: Loose[], rows: Loose[], from: number): boolean => from + page.length >= rows.length;
const SEAMS: Readonly<Record<string, Pick<Steps, 'next' | 'slice'>>> = {
  'skips one': { next: (_rows, { from }, size) => from + size + 1 },
  // Where pages have one record the next one begins one further, or the walk has no end.
  'repeats one': { next: (_rows, { from }, size) => from + Math.max(1, size - 1) },
  'skips a page': { next: (_rows, { from }, size) => from + 2 * size },
  'loses the last of a page': { slice: (page, rows, { from }) => (isEnd(page, rows, from) ? page : page.slice(0, -1)) },
  'loses the first of a later page': { slice: (page, _rows, { from }) => page.slice(from > 0 ? 1 : 0) },
  'loses the last of all': {
    slice: (page, rows, { from }) => (isEnd(page, rows, from) && rows.length > 1 ? page.slice(0, -1) : page),
  },
  'repeats the last of all': {
    slice: (page, rows, { from }) => (isEnd(page, rows, from) && from > 0 ? [...page, rows.at(-1)] : page),
  },
  'begins anew': { slice: (_page, rows, _query, size) => rows.slice(0, size) },
  'ends early': { next: (rows, { from }, size) => (from > 0 ? rows.length : from + size) },
};

const hasFilter = (query: URLSearchParams): boolean => filtersOf(query).length > 0;
const WHERE: Readonly<Record<string, (query: URLSearchParams) => boolean>> = {
  plain: (query) => !query.has('sort') && !hasFilter(query),
  filtered: hasFilter,
  sorted: (query) => query.has('sort'),
  'filtered and sorted': (query) => hasFilter(query) && query.has('sort'),
};

const seams: readonly OperatorMutant[] = lists.flatMap((list) =>
  Object.entries(WHERE)
    .filter(([where]) => where === 'plain' || SORTS[list])
    .flatMap(([where, match]) =>
      Object.entries(SEAMS).map(([name, steps]) =>
        operator('seam', 'lists')(`${list}, ${where}, ${name}`, pages({ list, match, ...steps })),
      ),
    ),
);

/** Larger sizes show a client only that a page is shorter, unless a list has as many records. */
const LIMITS = [1, 2, 5, 7, 20, 50, 100];
const SIZES: Readonly<Record<string, (limit: number) => number>> = {
  'one more': (limit) => limit + 1,
  'one fewer': (limit) => limit - 1,
  ignored: () => 20,
};

const sizes: readonly OperatorMutant[] = lists.flatMap((list) => [
  ...LIMITS.flatMap((limit) =>
    Object.entries(SIZES)
      .filter(([, size]) => size(limit) > 0 && size(limit) !== limit && size(limit) <= 100)
      .filter(([name]) => limit <= 20 || list === 'list_tasks' || name === 'ignored')
      .map(([name, size]) => {
        const match = (query: URLSearchParams) => query.get('limit') === String(limit);
        const sized = pages({ list, match, size: (query) => (query.asked === limit ? size(limit) : query.limit) });
        return operator('limit', 'lists', { crowded: true })(`${list} ${limit} ${name}`, sized);
      }),
  ),
  ...[10, 19, 21, 25].map((preset) => {
    const match = (query: URLSearchParams) => !query.has('limit');
    const sized = pages({ list, match, size: (query) => (query.asked === undefined ? preset : query.limit) });
    return operator('limit-default', 'lists', { crowded: true })(`${list} ${preset}`, sized);
  }),
]);

export const listMutants: readonly OperatorMutant[] = [...sorts, ...seams, ...sizes];

interface Place {
  readonly later: boolean;
  readonly more: boolean;
  readonly count: number;
  readonly query: URLSearchParams;
}

const PLACES: Readonly<Record<string, (place: Place) => boolean>> = {
  only: ({ later, more, count }) => !later && !more && count > 0,
  first: ({ later, more }) => !later && more,
  middle: ({ later, more }) => later && more,
  last: ({ later, more }) => later && !more,
  empty: ({ count, later }) => count === 0 && !later,
  filtered: ({ query }) => hasFilter(query),
  sorted: ({ query }) => query.has('sort'),
};

type Change = (meta: Loose, count: number, query: URLSearchParams) => void;

/** The change, and where a page is when it cannot be told. */
const VALUES: Readonly<Record<string, readonly [change: Change, unseen?: string]>> = {
  'total one more': [(meta) => put(meta, 'total', meta.total + 1)],
  'total one fewer': [(meta) => put(meta, 'total', Math.max(0, meta.total - 1)), 'empty'],
  'total of the page': [(meta, count) => put(meta, 'total', count), 'only empty'],
  'limit one more': [(meta) => put(meta, 'limit', meta.limit + 1)],
  'limit always 20': [(meta) => put(meta, 'limit', 20)],
  'limit of the page': [(meta, count) => put(meta, 'limit', count), 'empty first middle'],
  'no more': [(meta) => Object.assign(meta, { has_more: false, next_cursor: null }), 'only last empty'],
  'has_more turned': [(meta) => put(meta, 'has_more', !meta.has_more)],
  'no cursor': [(meta) => put(meta, 'next_cursor', null), 'only last empty'],
  'a cursor at the end': [(meta) => put(meta, 'next_cursor', meta.next_cursor ?? 'end'), 'first middle'],
  'the same cursor': [
    (meta, _count, query) => meta.has_more && put(meta, 'next_cursor', query.get('cursor')),
    'only first last empty filtered sorted',
  ],
};

/** How a field of meta is spoilt in form; what is null already may be so, or missing. */
const FORM: Readonly<Record<string, (meta: Loose, name: string) => void>> = {
  missing: (meta, name) => delete meta[name],
  null: (meta, name) => put(meta, name, null),
  'as text': (meta, name) => put(meta, name, String(meta[name])),
  'as a number': (meta, name) => typeof meta[name] !== 'number' && put(meta, name, 1),
  renamed: (meta, name) => {
    put(meta, `${name}_`, meta[name]);
    delete meta[name];
  },
};
const HARMLESS = ['next_cursor null', 'next_cursor as text', 'total as a number', 'limit as a number'];
const FORMS: readonly (readonly [string, Change])[] = ['total', 'limit', 'has_more', 'next_cursor'].flatMap((name) =>
  Object.entries(FORM)
    .filter(([form]) => !HARMLESS.includes(`${name} ${form}`))
    .map(([form, change]) => [`${name} ${form}`, (meta) => meta[name] !== null && change(meta, name)] as const),
);

const onMeta = (at: string, applies: (place: Place) => boolean, change: Change): Rule => ({
  at,
  on: 'ok',
  does: ({ call: { query }, response: { json } }) => {
    const { meta, items } = json;
    const place = { later: query.has('cursor'), more: meta?.has_more, count: items?.length, query };
    if (meta && applies(place)) change(meta, items.length, query);
  },
});

/** Lists that can be there in every workspace. */
const stands = (list: string, place: string): boolean => {
  if (place === 'empty') return ['list_tasks', 'list_project_tasks', 'list_comments'].includes(list);
  return SORTS[list] !== undefined || (place !== 'filtered' && place !== 'sorted');
};

const metas: readonly OperatorMutant[] = lists.flatMap((list) => [
  ...Object.entries(PLACES).flatMap(([place, applies]) =>
    Object.entries(VALUES)
      .filter(([, [, unseen = '']]) => stands(list, place) && !unseen.split(' ').includes(place))
      .map(([name, [change]]) => operator('meta', 'list metadata')(`${list}, ${place}: ${name}`, onMeta(list, applies, change))),
  ),
  ...FORMS.map(([name, change]) =>
    operator('meta-form', 'list metadata')(
      `${list}: ${name}`,
      onMeta(list, () => true, change),
    ),
  ),
]);

/** Valid queries: what they have, and how many filters a list must know to show it. */
const VALID: Readonly<Record<string, readonly [test: (query: URLSearchParams) => boolean, filters: 0 | 1 | 2]>> = {
  cursor: [(query) => query.has('cursor'), 0],
  'limit 100': [(query) => query.get('limit') === '100', 0],
  'limit 20': [(query) => query.get('limit') === '20', 0],
  'a filter': [(query) => hasFilter(query) && !query.has('cursor'), 1],
  'a filter and a limit': [(query) => hasFilter(query) && query.has('limit') && !query.has('cursor'), 1],
  'two filters': [(query) => filtersOf(query).length > 1 && !query.has('cursor'), 2],
};

const sortOf = (call: Call) => call.query.get('sort') ?? '';
type SortRule = Pick<Rule, 'when' | 'does'>;
const sortTaken = (pattern: RegExp): SortRule => ({
  when: ({ call }) => pattern.test(sortOf(call)),
  does: async ({ call, next }) => {
    const without = await next(withQuery(call, 'sort'));
    return without.ok && without;
  },
});
const sortRefused = (status: number): SortRule => ({
  when: ({ call }) => call.query.has('sort'),
  does: ({ response }) => refuse(response, status, 'sort'),
});
/** A sort that is not supported: taken, or refused with another status. */
const SORTED: Readonly<Record<string, SortRule>> = {
  ascending: sortTaken(/^[^-]/),
  descending: sortTaken(/^-/),
  'as 422': sortRefused(422),
  'as 404': sortRefused(404),
};

/** A valid query that is refused, and a sort that is not supported but taken. */
const queries: readonly OperatorMutant[] = lists.flatMap((list) => [
  ...Object.entries(VALID)
    .filter(([, [, filters]]) => filters <= (FILTERS[list]?.length ?? 0))
    .map(([name, [test]]) => {
      const taken = async ({ call, next }: Pick<Scene, 'call' | 'next'>) => test(call.query) && (await next(call)).ok;
      return operator('refuse-query', 'lists')(`${list}, ${name}`, refused(list, 400, taken, name));
    }),
  ...Object.entries(SORTED).map(([name, rule]) =>
    operator('unsupported-sort', 'sorting')(`${list}, ${name}`, { ...rule, at: list, on: 400 }),
  ),
]);

export const metaMutants: readonly OperatorMutant[] = [...metas, ...queries];
