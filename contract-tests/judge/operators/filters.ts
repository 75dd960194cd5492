// Operators on filters: alone, together, beside a sort, on later pages.
import { type OperatorMutant, operator } from './core.ts';
import { type Loose, withQuery } from './exchange.ts';
import { matches, matchesAll, pages, type Query, type Steps, sortField } from './pages.ts';
import { FILTERS, SORTS, VALUES } from './tables.ts';

type Keep = (row: Loose, query: Query, field: string, second: string) => boolean;

const has = ({ filters }: Query, field: string) => filters.some(([name]) => name === field);
/** A filter that is ignored where that holds. */
const ignored =
  (where: (query: Query, field: string) => boolean): Keep =>
  (row, query, field) =>
    matchesAll(row, where(query, field) ? query.filters.filter(([name]) => name !== field) : query.filters);
/** A filter that matches as that says. */
const matching =
  (fits: (value: Loose, asked: string) => boolean): Keep =>
  (row, { filters }, field) =>
    filters.every((filter) => (filter[0] === field ? fits(row[field], filter[1]) : matches(row, filter)));
const second =
  (keep: Keep): Keep =>
  (row, query, first, other) =>
    keep(row, query, other, first);
const or: Keep = (row, { filters }) => filters.some((filter) => matches(row, filter));

/** Filters of one field: when it is ignored, and what it takes for a match. */
const FILTER_FAULTS: Readonly<Record<string, Keep>> = {
  ignored: ignored(() => true),
  'ignored beside another': ignored(({ filters }) => filters.length > 1),
  'ignored beside a sort': ignored(({ sort }) => Boolean(sort)),
  'ignored on later pages': ignored(({ from }) => from > 0),
  'kept by no cursor': ignored(({ repeated }, field) => !repeated.some(([name]) => name === field)),
  'ignored beside a limit': ignored(({ asked }) => asked !== undefined),
  'matches nothing': (row, query, field) => !has(query, field) && matchesAll(row, query.filters),
  inverted: matching((value, asked) => value !== asked),
  'matches what has no value': matching((value, asked) => value === asked || !value),
  'by the first letters': matching((value, asked) => String(value ?? '').slice(0, 2) === asked.slice(0, 2)),
};

/** Fields whose values share their first two letters, or have none. */
const shares = (words: readonly string[] = []) => new Set(words.map((word) => word.slice(0, 2))).size < words.length;
const fits = (name: string, field: string, fields: readonly string[]): boolean => {
  if (name === 'by the first letters') return shares(VALUES[field]);
  if (name === 'ignored beside another') return fields.length > 1;
  return name !== 'matches what has no value' || field === 'assignee_id';
};

const one = (list: string, field: string, keep: Keep, match?: Steps['match'], other = '') =>
  pages({
    list,
    match: (query, call) => query.has(`filter[${field}]`) && (match?.(query, call) ?? true),
    keep: (row, query) => keep(row, query, field, other),
  });

/** A filter by one value of an enumeration; `near` is the next of its values. */
const VALUE_FAULTS: Readonly<Record<string, (value: string, wanted: string, near: string) => boolean>> = {
  'matches nothing': () => false,
  'matches everything': () => true,
  'matches near, too': (value, wanted, near) => value === wanted || value === near,
  'matches near': (value, _wanted, near) => value === near,
};

const filters: readonly OperatorMutant[] = Object.entries(FILTERS).flatMap(([list, fields]) =>
  fields.flatMap((field) => [
    ...Object.entries(FILTER_FAULTS)
      .filter(([name]) => fits(name, field, fields))
      .map(([name, keep]) => operator('filter', 'filters')(`${list}.${field} ${name}`, one(list, field, keep))),
    ...(VALUES[field] ?? []).flatMap((wanted, i, words) => {
      const near = words[(i + 1) % words.length]!;
      return Object.entries(VALUE_FAULTS).map(([name, test]) => {
        const keep = matching((value, asked) => (asked === wanted ? test(value, wanted, near) : value === asked));
        const mine = (query: URLSearchParams) => query.get(`filter[${field}]`) === wanted;
        const says = `${list}.${field} ${wanted} ${name.replace('near', near)}`;
        return operator('filter-value', 'filters')(says, one(list, field, keep, mine));
      });
    }),
    ...(SORTS[list] ?? []).map((sort) => {
      const mine = (query: URLSearchParams) => sortField(query.get('sort') ?? '') === sort;
      const says = `${list}.${field} ignored beside ${sort}`;
      return operator('filter-with-sort', 'filters')(says, one(list, field, FILTER_FAULTS.ignored!, mine));
    }),
  ]),
);

/** Compares loosely: what matches nothing, or is refused, finds the value that it resembles. */
const LOOSE: Readonly<Record<string, (asked: string, value: string) => boolean>> = {
  'in any case': (asked, value) => asked.toLowerCase() === value.toLowerCase(),
  'by its beginning': (asked, value) => value.startsWith(asked),
};

const loose: readonly OperatorMutant[] = Object.entries(FILTERS).flatMap(([list, fields]) =>
  fields.flatMap((field) =>
    Object.entries(LOOSE).map(([name, resembles]) =>
      operator('filter-loose', 'filters')(`${list}.${field} ${name}`, {
        at: list,
        when: ({ call, response }) => response.status !== 401 && response.rows.length === 0 && call.query.has(`filter[${field}]`),
        does: ({ lab, call, next }) => {
          const wanted = call.query.get(`filter[${field}]`)!;
          const known = lab.memory(call).all(field === 'project_id' ? 'project' : 'member');
          const values = VALUES[field] ?? known.map(({ row }) => String(row.id));
          const value = values.find((each) => wanted && each !== wanted && resembles(wanted, each));
          return value !== undefined && next(withQuery(call, `filter[${field}]`, value));
        },
      }),
    ),
  ),
);

/** Percent-encoded brackets are not read. */
const encoded: readonly OperatorMutant[] = Object.entries(FILTERS).flatMap(([list, fields]) =>
  fields.map((field) => {
    const spoilt = one(list, field, FILTER_FAULTS.ignored!, (_query, call) => call.encoded);
    return operator('filter', 'filters')(`${list}.${field} ignored when encoded`, spoilt);
  }),
);

const COMBINED: Readonly<Record<string, Keep>> = {
  or,
  'drops the first': ignored(() => true),
  'drops the second': second(ignored(() => true)),
  'or on later pages': (row, query, ...names) => (query.from > 0 ? or(row, query, ...names) : matchesAll(row, query.filters)),
  'drops the first on later pages': ignored(({ from }) => from > 0),
  'drops the second on later pages': second(ignored(({ from }) => from > 0)),
};

const combined: readonly OperatorMutant[] = Object.entries(FILTERS).flatMap(([list, fields]) =>
  fields.flatMap((first, i) =>
    fields.slice(i + 1).flatMap((other) =>
      Object.entries(COMBINED).map(([name, keep]) => {
        const spoilt = one(list, first, keep, (query) => query.has(`filter[${other}]`), other);
        return operator('filters-together', 'filters')(`${list} ${first}+${other} ${name}`, spoilt);
      }),
    ),
  ),
);

export const filterMutants: readonly OperatorMutant[] = [...filters, ...loose, ...encoded, ...combined];
