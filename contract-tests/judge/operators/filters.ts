// Operators on filters: alone, together, beside a sort, on later pages.
import type { Loose } from './answer.ts';
import { changed } from './call.ts';
import { type OperatorMutant, operator } from './core.ts';
import { matches, matchesAll, pages, type Query, type Steps, sortField } from './pages.ts';
import { FILTERS, SORTS, VALUES } from './tables.ts';

const pairsOf = <T>(list: readonly T[]): [T, T][] => list.flatMap((a, i) => list.slice(i + 1).map((b): [T, T] => [a, b]));

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
};
const KEPT: Readonly<Record<string, 'member' | 'project'>> = { assignee_id: 'member', project_id: 'project' };

const loose: readonly OperatorMutant[] = Object.entries(FILTERS).flatMap(([list, fields]) =>
  fields.flatMap((field) =>
    Object.entries(LOOSE).map(([name, resembles]) =>
      operator('filter-loose', 'filters')(`${list}.${field} ${name}`, {
        at: list,
        when: ({ call, answer }) => answer.status !== 401 && answer.rows.length === 0 && call.query.has(`filter[${field}]`),
        does: async ({ lab, call, next }) => {
          const asked = call.query.get(`filter[${field}]`)!;
          const kept = lab
            .memory(call)
            .all(KEPT[field] ?? 'member')
            .map(({ row }) => String(row.id));
          const value = (VALUES[field] ?? kept).find((known) => asked && known !== asked && resembles(asked, known));
          if (value === undefined) return false;
          const query = new URLSearchParams(call.query);
          query.set(`filter[${field}]`, value);
          return next(changed(call, { query }));
        },
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

export const filterMutants: readonly OperatorMutant[] = [...filters, ...loose, ...encoded, ...combined];
