// Operators on meta: each of its fields × where the page stands.
import type { Loose } from './answer.ts';
import { type Call, changed, isOp } from './call.ts';
import { blank, type OperatorMutant, operator, type Rule, refuse, put as set } from './core.ts';
import { LISTS, SORTS } from './tables.ts';

interface Place {
  readonly later: boolean;
  readonly more: boolean;
  readonly count: number;
  readonly filtered: boolean;
  readonly sorted: boolean;
}

const PLACES: Readonly<Record<string, (place: Place) => boolean>> = {
  only: ({ later, more, count }) => !later && !more && count > 0,
  first: ({ later, more }) => !later && more,
  middle: ({ later, more }) => later && more,
  last: ({ later, more }) => later && !more,
  empty: ({ count, later }) => count === 0 && !later,
  filtered: ({ filtered }) => filtered,
  sorted: ({ sorted }) => sorted,
};

type Change = (meta: Loose, count: number, call: Call) => boolean;

const VALUES: Readonly<Record<string, Change>> = {
  'total one more': (meta) => set(meta, 'total', meta.total + 1),
  'total one fewer': (meta) => meta.total > 0 && set(meta, 'total', meta.total - 1),
  'total of the page': (meta, count) => set(meta, 'total', count),
  'limit one more': (meta) => set(meta, 'limit', meta.limit + 1),
  'limit always 20': (meta) => set(meta, 'limit', 20),
  'limit of the page': (meta, count) => set(meta, 'limit', count),
  'no more': (meta) => meta.has_more && Object.assign(meta, { has_more: false, next_cursor: null }) !== null,
  'has_more turned': (meta) => set(meta, 'has_more', !meta.has_more),
  'no cursor': (meta) => set(meta, 'next_cursor', null),
  'a cursor at the end': (meta) => meta.next_cursor === null && set(meta, 'next_cursor', 'end'),
  'the same cursor': (meta, _count, call) =>
    meta.has_more && call.query.has('cursor') && set(meta, 'next_cursor', call.query.get('cursor')),
};

/** How a field of meta is spoilt in form; what is null already may be so, or missing. */
const FORM: Readonly<Record<string, (meta: Loose, name: string) => boolean>> = {
  missing: (meta, name) => delete meta[name],
  null: (meta, name) => set(meta, name, null),
  'as text': (meta, name) => set(meta, name, String(meta[name])),
  'as a number': (meta, name) => typeof meta[name] !== 'number' && set(meta, name, 1),
  renamed: (meta, name) => set(meta, `${name}_`, meta[name]) && delete meta[name],
};
const FORMS: Readonly<Record<string, Change>> = Object.fromEntries(
  ['total', 'limit', 'has_more', 'next_cursor'].flatMap((name) =>
    Object.entries(FORM).map(([form, change]): [string, Change] => [
      `${name} ${form}`,
      (meta) => meta[name] !== null && change(meta, name),
    ]),
  ),
);

const onMeta = (at: string, applies: (place: Place) => boolean, change: Change): Rule => ({
  at,
  when: ({ answer }) => answer.ok && answer.json?.meta !== undefined,
  does: ({ call, answer }) => {
    const { meta, items } = answer.json;
    const filtered = [...call.query.keys()].some((name) => name.startsWith('filter['));
    const where = { later: call.query.has('cursor'), more: meta.has_more, count: items.length };
    return applies({ ...where, filtered, sorted: call.query.has('sort') }) && change(meta, items.length, call);
  },
});

/** Changes that can be made where the page stands, and lists that can stand there in every workspace. */
const possible = (list: string, place: string, name: string): boolean => {
  if ((place === 'filtered' || place === 'sorted') && !SORTS[list]) return false;
  if (place === 'empty' && !['list_tasks', 'list_project_tasks', 'list_comments'].includes(list)) return false;
  const more = ['no more', 'no cursor', 'the same cursor'].includes(name);
  if (name === 'the same cursor') return place === 'middle';
  if (more) return !['only', 'last', 'empty'].includes(place);
  if (name === 'a cursor at the end') return !['first', 'middle'].includes(place);
  if (name === 'total one fewer' || name === 'limit of the page')
    return place !== 'empty' && !(name.startsWith('limit') && ['first', 'middle'].includes(place));
  return !(name === 'total of the page' && ['only', 'empty'].includes(place));
};

const FIELD_OF_META = operator('meta', 'list metadata');

const metas: readonly OperatorMutant[] = LISTS.flatMap(({ id }) => [
  ...Object.entries(PLACES).flatMap(([place, applies]) =>
    Object.entries(VALUES)
      .filter(([name]) => possible(id, place, name))
      .map(([name, change]) => FIELD_OF_META(`${id}, ${place}: ${name}`, onMeta(id, applies, change))),
  ),
  ...Object.entries(FORMS)
    .filter(([name]) => !['next_cursor null', 'next_cursor as text', 'total as a number', 'limit as a number'].includes(name))
    .map(([name, change]) =>
      operator('meta-form', 'list metadata')(
        `${id}: ${name}`,
        onMeta(id, () => true, change),
      ),
    ),
]);

const filtersOf = (query: URLSearchParams) => [...query.keys()].filter((name) => name.startsWith('filter[')).length;

/** Valid queries: what they have, and whether only lists that can be filtered, or filtered twice, can show it. */
const VALID: Readonly<Record<string, readonly [test: (query: URLSearchParams) => boolean, filters: 0 | 1 | 2]>> = {
  cursor: [(query) => query.has('cursor'), 0],
  'limit 100': [(query) => query.get('limit') === '100', 0],
  'limit 20': [(query) => query.get('limit') === '20', 0],
  'a filter': [(query) => filtersOf(query) > 0 && !query.has('cursor'), 1],
  'a filter and a limit': [(query) => filtersOf(query) > 0 && query.has('limit') && !query.has('cursor'), 1],
  'two filters': [(query) => filtersOf(query) > 1 && !query.has('cursor'), 2],
};

/** A valid query that is refused, and a sort that is not supported but taken. */
const queries: readonly OperatorMutant[] = LISTS.flatMap(({ id }) => {
  const most = SORTS[id] === undefined ? 0 : id === 'list_projects' ? 1 : 2;
  const sort = operator('unsupported-sort', 'sorting');
  const taken = (pattern: RegExp): Rule => ({
    at: id,
    when: ({ call, answer }) => answer.status === 400 && pattern.test(call.query.get('sort') ?? ''),
    does: async ({ call, next }) => {
      const query = new URLSearchParams(call.query);
      query.delete('sort');
      const without = await next(changed(call, { query }));
      return without.ok && without;
    },
  });
  return [
    ...Object.entries(VALID)
      .filter(([, [, filters]]) => filters <= most)
      .map(([name, [test]]) =>
        operator('refuse-query', 'lists')(`${id}, ${name}`, (lab) => async (call, next) => {
          const honest = await next(call);
          if (!isOp(id)(call) || !test(call.query) || !honest.ok) return honest;
          lab.hit();
          return refuse(await blank(lab, call, next), 400, name);
        }),
      ),
    sort(`${id}, ascending`, taken(/^[^-]/)),
    sort(`${id}, descending`, taken(/^-/)),
    ...[422, 404].map((status) =>
      sort(`${id}, as ${status}`, {
        at: id,
        when: ({ call, answer }) => answer.status === 400 && call.query.has('sort'),
        does: ({ answer }) => refuse(answer, status, 'sort'),
      }),
    ),
  ];
});

export const metaMutants: readonly OperatorMutant[] = [...metas, ...queries];
