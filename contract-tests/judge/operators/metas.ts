// Operators on meta: each of its fields × where the page stands.
import type { Answer, Loose } from './answer.ts';
import { type Call, changed, isOp } from './call.ts';
import { type OperatorMutant, operator } from './operator.ts';
import { LISTS, SORTS } from './tables.ts';
import { blank, refuse } from './tamper.ts';

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
const set = (meta: Loose, name: string, value: unknown): boolean => meta[name] !== value && Reflect.set(meta, name, value);

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

const FORMS: Readonly<Record<string, Change>> = Object.fromEntries(
  ['total', 'limit', 'has_more', 'next_cursor'].flatMap((name) => [
    [`${name} missing`, ((meta) => meta[name] !== null && delete meta[name]) as Change],
    [`${name} null`, ((meta) => set(meta, name, null)) as Change],
    [
      `${name} as text`,
      ((meta) => typeof meta[name] !== 'string' && meta[name] !== null && set(meta, name, String(meta[name]))) as Change,
    ],
    [`${name} as a number`, ((meta) => typeof meta[name] !== 'number' && meta[name] !== null && set(meta, name, 1)) as Change],
    [
      `${name} renamed`,
      ((meta) => meta[name] !== null && Reflect.set(meta, `${name}_`, meta[name]) && delete meta[name]) as Change,
    ],
  ]),
);

const onMeta =
  (list: string, applies: (place: Place) => boolean, change: Change): OperatorMutant['make'] =>
  (lab) =>
  async (call, next) => {
    const answer: Answer = await next(call);
    const meta = isOp(list)(call) && answer.ok ? answer.json?.meta : undefined;
    if (!meta) return answer;
    const count = answer.json.items.length;
    const filtered = [...call.query.keys()].some((name) => name.startsWith('filter['));
    const place = { later: call.query.has('cursor'), more: meta.has_more, count, filtered, sorted: call.query.has('sort') };
    if (applies(place)) lab.hit(change(meta, count, call));
    return answer;
  };

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

/** A valid query that is refused, and a sort that is not supported but taken. */
const queries: readonly OperatorMutant[] = LISTS.flatMap(({ id }) => {
  const refused = (name: string, test: (query: URLSearchParams) => boolean) =>
    operator('refuse-query', 'lists')(`${id}, ${name}`, (lab) => async (call, next) => {
      if (!isOp(id)(call) || !test(call.query)) return next(call);
      const honest = await next(call);
      if (!honest.ok) return honest;
      lab.hit();
      return refuse(await blank(lab, call, next), 400, name);
    });
  const filters = (query: URLSearchParams) => [...query.keys()].filter((name) => name.startsWith('filter[')).length;
  const sort = operator('unsupported-sort', 'sorting');
  const taken = (name: string, test: RegExp) =>
    sort(`${id}, ${name}`, (lab) => async (call, next) => {
      const answer = await next(call);
      if (!isOp(id)(call) || answer.status !== 400 || !test.test(call.query.get('sort') ?? '')) return answer;
      const query = new URLSearchParams(call.query);
      query.delete('sort');
      const without = await next(changed(call, { query }));
      lab.hit(without.ok);
      return without.ok ? without : answer;
    });
  const as = (status: number) =>
    sort(`${id}, as ${status}`, (lab) => async (call, next) => {
      const answer = await next(call);
      if (!isOp(id)(call) || answer.status !== 400 || !call.query.has('sort')) return answer;
      lab.hit();
      return refuse(answer, status, 'sort');
    });
  return [
    refused('cursor', (query) => query.has('cursor')),
    refused('limit 100', (query) => query.get('limit') === '100'),
    refused('limit 20', (query) => query.get('limit') === '20'),
    ...(SORTS[id]
      ? [
          refused('a filter', (query) => filters(query) > 0 && !query.has('cursor')),
          refused('a filter and a limit', (query) => filters(query) > 0 && query.has('limit') && !query.has('cursor')),
          ...(id === 'list_projects' ? [] : [refused('two filters', (query) => filters(query) > 1 && !query.has('cursor'))]),
        ]
      : []),
    taken('ascending', /^[^-]/),
    taken('descending', /^-/),
    as(422),
    as(404),
  ];
});

export const metaMutants: readonly OperatorMutant[] = [...metas, ...queries];
