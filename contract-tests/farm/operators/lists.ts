// Operators on filters, sorts, limits, page seams and what a list says of itself.
import { type OperatorMutant, operator } from './operator.ts';
import { hasFilter, matches, matchesAll, pages, type Query, type Steps, sortField, sortKey } from './pages.ts';
import { FILTERS, LISTS, SHOWN, SORTS, VALUES } from './tables.ts';
import { changed, isOp, type Loose } from './tamper.ts';

const lists = LISTS.map(({ id }) => id);

const hash = (id: string): number => {
  let h = 2166136261;
  for (const letter of id) h = Math.imul(h ^ letter.charCodeAt(0), 16777619);
  return h >>> 0;
};
const shuffled = (rows: Loose[]): Loose[] => [...rows].sort((a, b) => hash(a.id) - hash(b.id));
const pairsOf = <T>(list: readonly T[]): [T, T][] => list.flatMap((a, i) => list.slice(i + 1).map((b): [T, T] => [a, b]));

/** Sorts anew, what has no value at the end. */
const sortBy = (rows: Loose[], key: (row: Loose) => string | number | undefined, down: boolean): Loose[] =>
  [...rows].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? 1 : -1;
    return (x < y ? -1 : x > y ? 1 : 0) * (down ? -1 : 1);
  });

const without = (query: Query, field: string) => query.filters.filter(([name]) => name !== field);
const has = (query: Query, field: string) => query.filters.some(([name]) => name === field);

/** Filters of one field: when it is ignored, and what it takes for a match. */
const FILTER_FAULTS: Readonly<Record<string, (row: Loose, query: Query, field: string) => boolean>> = {
  ignored: (row, query, field) => matchesAll(row, without(query, field)),
  'ignored beside another': (row, query, field) =>
    matchesAll(row, query.filters.length > 1 ? without(query, field) : query.filters),
  'ignored beside a sort': (row, query, field) => matchesAll(row, query.sort ? without(query, field) : query.filters),
  'ignored on later pages': (row, query, field) => matchesAll(row, query.from > 0 ? without(query, field) : query.filters),
  'kept by no cursor': (row, query, field) =>
    matchesAll(row, query.repeated.some(([name]) => name === field) ? query.filters : without(query, field)),
  'ignored beside a limit': (row, query, field) =>
    matchesAll(row, query.asked === undefined ? query.filters : without(query, field)),
  'matches nothing': (row, query, field) => !has(query, field) && matchesAll(row, query.filters),
  inverted: (row, query, field) =>
    matchesAll(row, without(query, field)) && query.filters.every((filter) => filter[0] !== field || !matches(row, filter)),
  'matches what has no value': (row, query, field) =>
    matchesAll(row, without(query, field)) &&
    query.filters.every((filter) => filter[0] !== field || matches(row, filter) || !row[field]),
  'by the first letters': (row, query, field) =>
    matchesAll(row, without(query, field)) &&
    query.filters.every(([name, value]) => name !== field || String(row[field] ?? '').slice(0, 2) === value.slice(0, 2)),
};

/** Fields whose values share their first two letters, or have none. */
const shares = (field: string) =>
  VALUES[field] !== undefined && new Set(VALUES[field]!.map((word) => word.slice(0, 2))).size < VALUES[field]!.length;
const fits = (name: string, field: string): boolean => {
  if (name === 'by the first letters') return shares(field);
  return name !== 'matches what has no value' || field === 'assignee_id';
};

const filters: readonly OperatorMutant[] = Object.entries(FILTERS).flatMap(([list, fields]) =>
  fields.flatMap((field) => [
    ...Object.entries(FILTER_FAULTS)
      .filter(([name]) => fits(name, field) && !(name === 'ignored beside another' && fields.length === 1))
      .map(([name, keep]) =>
        operator('filter', 'filters')(
          `${list}.${field} ${name}`,
          pages({ list, match: (call) => call.query.has(`filter[${field}]`), keep: (row, query) => keep(row, query, field) }),
        ),
      ),
    ...(VALUES[field] ?? []).flatMap((value, i, words) => {
      const make = operator('filter-value', 'filters');
      const only = (test: (row: Loose) => boolean): Steps => ({
        list,
        match: (call) => call.query.get(`filter[${field}]`) === value,
        keep: (row, query) =>
          query.filters.some(([name, word]) => name === field && word === value)
            ? test(row) && matchesAll(row, without(query, field))
            : matchesAll(row, query.filters),
      });
      const near = words[(i + 1) % words.length];
      return [
        make(`${list}.${field} ${value} matches nothing`, pages(only(() => false))),
        make(`${list}.${field} ${value} matches everything`, pages(only(() => true))),
        make(`${list}.${field} ${value} matches ${near}, too`, pages(only((row) => row[field] === value || row[field] === near))),
        make(`${list}.${field} ${value} matches ${near}`, pages(only((row) => row[field] === near))),
      ];
    }),
    ...(SORTS[list] ?? []).map((sort) =>
      operator('filter-with-sort', 'filters')(
        `${list}.${field} ignored beside ${sort}`,
        pages({
          list,
          match: (call) => call.query.has(`filter[${field}]`) && sortField(call.query.get('sort') ?? '') === sort,
          keep: (row, query) => matchesAll(row, without(query, field)),
        }),
      ),
    ),
  ]),
);

/** Compares loosely: what matches nothing, or is refused, finds the value that it resembles. */
const LOOSE: Readonly<Record<string, (asked: string, value: string) => boolean>> = {
  'in any case': (asked, value) => asked.toLowerCase() === value.toLowerCase(),
  'by its beginning': (asked, value) => value.startsWith(asked),
  'without spaces': (asked, value) => asked.trim() === value,
};
const KEPT: Readonly<Record<string, 'member' | 'project'>> = { assignee_id: 'member', project_id: 'project' };

const loose: readonly OperatorMutant[] = Object.entries(FILTERS).flatMap(([list, fields]) =>
  fields.flatMap((field) =>
    Object.entries(LOOSE).map(([name, resembles]) =>
      operator('filter-loose', 'filters')(`${list}.${field} ${name}`, (lab) => {
        const memory = lab.remember();
        return async (call, next) => {
          const answer = await next(call);
          const asked = isOp(list)(call) ? call.query.get(`filter[${field}]`) : null;
          if (!asked || answer.status === 401 || answer.rows.length > 0) return answer;
          const kept = memory(call)
            .all(KEPT[field] ?? 'member')
            .map(({ row }) => String(row.id));
          const value = (VALUES[field] ?? kept).find((known) => known !== asked && resembles(asked, known));
          if (value === undefined) return answer;
          const query = new URLSearchParams(call.query);
          query.set(`filter[${field}]`, value);
          const found = await next(changed(call, { query }));
          lab.hit(found.rows.length > 0);
          return found;
        };
      }),
    ),
  ),
);

/** Percent-encoded brackets are not read. */
const encoded: readonly OperatorMutant[] = Object.entries(FILTERS).flatMap(([list, fields]) =>
  fields.map((field) =>
    operator('filter', 'filters')(
      `${list}.${field} ignored when encoded`,
      pages({
        list,
        match: (call) => call.encoded && call.query.has(`filter[${field}]`),
        keep: (row, query) => matchesAll(row, without(query, field)),
      }),
    ),
  ),
);

const COMBINED: Readonly<Record<string, (row: Loose, query: Query, first: string, second: string) => boolean>> = {
  or: (row, { filters: all }) => all.some((filter) => matches(row, filter)),
  'drops the first': (row, query, first) => matchesAll(row, without(query, first)),
  'drops the second': (row, query, _first, second) => matchesAll(row, without(query, second)),
  'or on later pages': (row, { filters: all, from }) =>
    from > 0 ? all.some((filter) => matches(row, filter)) : matchesAll(row, all),
  'drops the first on later pages': (row, query, first) =>
    matchesAll(row, query.from > 0 ? without(query, first) : query.filters),
  'drops the second on later pages': (row, query, _first, second) =>
    matchesAll(row, query.from > 0 ? without(query, second) : query.filters),
};

const combined: readonly OperatorMutant[] = Object.entries(FILTERS).flatMap(([list, fields]) =>
  pairsOf(fields).flatMap(([first, second]) =>
    Object.entries(COMBINED).map(([name, keep]) =>
      operator('filters-together', 'filters')(
        `${list} ${first}+${second} ${name}`,
        pages({
          list,
          match: ({ query }) => query.has(`filter[${first}]`) && query.has(`filter[${second}]`),
          keep: (row, query) => keep(row, query, first, second),
        }),
      ),
    ),
  ),
);

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

export const listMutants: readonly OperatorMutant[] = [
  ...filters,
  ...loose,
  ...encoded,
  ...combined,
  ...sorts,
  ...seams,
  ...sizes,
];
