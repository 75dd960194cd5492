// Operators on sorts, limits and page seams.
import type { Loose } from './answer.ts';
import { type OperatorMutant, operator } from './core.ts';
import { hasFilter, pages, type Query, type Steps, sortKey } from './pages.ts';
import { FILTERS, LISTS, SHOWN, SORTS } from './tables.ts';

const lists = LISTS.map(({ id }) => id);

const hash = (id: string): number => {
  let h = 2166136261;
  for (const letter of id) h = Math.imul(h ^ letter.charCodeAt(0), 16777619);
  return h >>> 0;
};
const shuffled = (rows: Loose[]): Loose[] => [...rows].sort((a, b) => hash(a.id) - hash(b.id));
/** Sorts anew, what has no value at the end. */
const sortBy = (rows: Loose[], key: (row: Loose) => string | number | undefined, down: boolean): Loose[] =>
  [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  });

type Order = (rows: Loose[], query: Query & { sort: string }) => Loose[];

const perPage = (rows: Loose[], size: number, sort: (rows: Loose[]) => Loose[]): Loose[] => {
  const mixed = shuffled(rows);
  return Array.from({ length: Math.ceil(mixed.length / size) }, (_, i) => sort(mixed.slice(i * size, (i + 1) * size))).flat();
};
const honestly = (sort: string) => (rows: Loose[]) => sortBy(rows, (row) => sortKey(row, sort), sort.startsWith('-'));

const ORDERS: Readonly<Record<string, Order>> = {
  reversed: (rows) => [...rows].reverse(),
  ignored: shuffled,
  'within the page alone': (rows, { sort, limit }) => perPage(rows, limit, honestly(sort)),
  'ignored on later pages': (rows, { from }) => (from > 0 ? shuffled(rows) : rows),
  'reversed on later pages': (rows, { from }) => (from > 0 ? [...rows].reverse() : rows),
  'ignored beside a filter': (rows, query) => (query.filters.length > 0 ? shuffled(rows) : rows),
  'reversed beside a filter': (rows, query) => (query.filters.length > 0 ? [...rows].reverse() : rows),
  'drops what has no value': (rows, { sort }) => rows.filter((row) => sortKey(row, sort) !== undefined),
  'first and last exchanged': (rows) => (rows.length > 1 ? [rows.at(-1), ...rows.slice(1, -1), rows[0]] : rows),
  'last two exchanged': (rows) => (rows.length > 1 ? [...rows.slice(0, -2), rows.at(-1), rows.at(-2)] : rows),
};

const byOther = (field: string, shape: 'project' | 'task') =>
  SHOWN[shape]
    .filter(({ name, kind }) => name !== field && (kind === 'date' || kind === 'id' || name === 'status'))
    .map(({ name }) => name);

/** Where a cursor that compares keys goes wrong among equal ones. */
const TIES: Readonly<Record<string, NonNullable<Steps['next']>>> = {
  'skips ties at a seam': (rows, { sort, from }, size) => {
    let at = from + size;
    while (at < rows.length && at > 0 && sortKey(rows[at], sort!) === sortKey(rows[at - 1], sort!)) at++;
    return at;
  },
  'repeats ties at a seam': (rows, { sort, from }, size) => {
    let at = from + size;
    while (at > from + 1 && at < rows.length && sortKey(rows[at], sort!) === sortKey(rows[at - 1], sort!)) at--;
    return at;
  },
};

const sorts: readonly OperatorMutant[] = Object.entries(SORTS).flatMap(([list, fields]) =>
  fields.flatMap((field) =>
    [field, `-${field}`].flatMap((sort) => {
      const make = operator('sort', 'sorting');
      const when = { list, match: (call: { query: URLSearchParams }) => call.query.get('sort') === sort };
      const mine = (steps: Omit<Steps, 'list' | 'match'>) => pages({ ...when, ...steps });
      const shape = list === 'list_projects' ? 'project' : 'task';
      return [
        ...Object.entries(ORDERS)
          .filter(([name]) => name !== 'drops what has no value' || field === 'due_date')
          .map(([name, order]) =>
            make(
              `${list}.${sort} ${name}`,
              mine({ order: (rows, query) => (query.sort ? order(rows, { ...query, sort: query.sort }) : rows) }),
            ),
          ),
        ...byOther(field, shape).map((other) =>
          make(
            `${list}.${sort} by ${other}`,
            mine({ order: (rows) => sortBy(rows, (row) => row[other] ?? undefined, sort.startsWith('-')) }),
          ),
        ),
        ...Object.entries(TIES).map(([name, next]) =>
          operator('sort-ties', 'sorting')(`${list}.${sort} ${name}`, mine({ next })),
        ),
        ...FILTERS[list]!.map((filter) =>
          operator('sort-with-filter', 'sorting')(
            `${list}.${sort} ignored beside ${filter}`,
            pages({
              list,
              match: (call) => call.query.get('sort') === sort && call.query.has(`filter[${filter}]`),
              order: shuffled,
            }),
          ),
        ),
      ];
    }),
  ),
);

const SEAMS: Readonly<Record<string, Pick<Steps, 'next' | 'slice'>>> = {
  'skips one': { next: (_rows, { from }, size) => from + size + 1 },
  'repeats one': { next: (_rows, { from }, size) => from + Math.max(1, size - 1) },
  'skips a page': { next: (_rows, { from }, size) => from + 2 * size },
  'loses the last of a page': {
    slice: (rows, { from }, size) => rows.slice(from, from + size).slice(0, from + size < rows.length ? -1 : undefined),
  },
  'loses the first of a later page': { slice: (rows, { from }, size) => rows.slice(from, from + size).slice(from > 0 ? 1 : 0) },
  'loses the last of all': {
    slice: (rows, { from }, size) => rows.slice(from, Math.min(from + size, Math.max(1, rows.length - 1))),
  },
  'repeats the last of all': {
    slice: (rows, { from }, size) =>
      from + size >= rows.length && from > 0 ? [...rows.slice(from, from + size), rows.at(-1)] : rows.slice(from, from + size),
  },
  'begins anew': { slice: (rows, _query, size) => rows.slice(0, size) },
  'ends early': { next: (rows, { from }, size) => (from > 0 ? rows.length : from + size) },
};

/** A seam that repeats one where pages have one record never ends: the next page then begins one further. */
const WHERE: Readonly<Record<string, (call: { query: URLSearchParams }) => boolean>> = {
  plain: ({ query }) => !query.has('sort') && ![...query.keys()].some((name) => name.startsWith('filter[')),
  filtered: (call) => hasFilter(call as never),
  sorted: ({ query }) => query.has('sort'),
  'filtered and sorted': (call) => hasFilter(call as never) && call.query.has('sort'),
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

/** Of the larger ones a client sees no more than that a page is shorter, unless a list has as many records. */
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
      .map(([name, size]) =>
        operator('limit', 'lists')(
          `${list} ${limit} ${name}`,
          pages({
            list,
            match: (call) => call.query.get('limit') === String(limit),
            size: (query) => (query.asked === limit ? size(limit) : query.limit),
          }),
          { crowded: true },
        ),
      ),
  ),
  ...[10, 19, 21, 25].map((preset) =>
    operator('limit-default', 'lists')(
      `${list} ${preset}`,
      pages({
        list,
        match: ({ query }) => !query.has('limit'),
        size: ({ asked, limit }) => (asked === undefined ? preset : limit),
      }),
      { crowded: true },
    ),
  ),
]);

export const listMutants: readonly OperatorMutant[] = [...sorts, ...seams, ...sizes];
