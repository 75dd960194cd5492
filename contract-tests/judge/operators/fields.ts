// Operators on the fields of resources and on their dates, in single responses and in the rows of lists.
import type { Operation } from '../../engine/operations.ts';
import { isSet, type Make, type OperatorMutant, operator, put, type Rule, type Scene, shifted } from './core.ts';
import { type Call, family, filtersOf, isOp, type Loose } from './exchange.ts';
import { LISTS, type Part, SHOWING, SHOWN, SINGLES, SORTS } from './tables.ts';

/** Spoils a field of a row; `rows` are all of them as they were. */
type Change = (row: Loose, part: Part, scene: Scene & { readonly rows: readonly Loose[] }) => void;

const other: Readonly<Partial<Record<Part['kind'], (value: Loose, part: Part) => Loose>>> = {
  text: (value) => `${value.slice(0, 90)} changed`,
  email: (value) => `x${value}`,
  enum: (value, { values = [] }) => values[(values.indexOf(value) + 1) % values.length],
  date: (value) => shifted(value, -3_600_000),
  count: (value) => value + 1,
  members: (value) => (value.length > 0 ? value.slice(1) : value),
};

const camel = (name: string) =>
  name.includes('_') ? name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()) : `${name}_value`;
/** A conforming client may see what is not set as null or not at all: only what is set can be spoilt. */
const where =
  (change: Change): Change =>
  (row, part, scene) =>
    isSet(row, part.name) && change(row, part, scene);

const CHANGES: Readonly<Record<string, Change>> = {
  drop: where((row, { name }) => delete row[name]),
  null: where((row, { name }) => put(row, name, null)),
  rename: where((row, { name }) => {
    put(row, camel(name), row[name]);
    delete row[name];
  }),
  type: where((row, { name, kind }) => put(row, name, kind === 'count' ? String(row[name]) : 7)),
  wrap: where((row, { name }) => put(row, name, [row[name]])),
  change: where((row, part) => put(row, part.name, (other[part.kind] ?? ((value) => `${value}x`))(row[part.name], part))),
  swap: where((row, { name }, { lab, call, rows }) => {
    const known = lab.memory(call).all(family(call.op!.shape));
    const differs = (twin: Loose) => twin.id !== row.id && isSet(twin, name);
    const twin = rows.find(differs) ?? known.map((each) => each.row).findLast(differs);
    if (twin) put(row, name, twin[name]);
  }),
  stale: (row, { name }, { lab, call }) => {
    const { before } = lab.memory(call).alive.get(row.id) ?? {};
    if (before && name in before) put(row, name, before[name]);
  },
};

const never = ['id', 'project_id', 'created_at', 'member_count', 'members', 'name of a team'];

/** Whether a change of that field can be told from a conforming response by some request. */
const tells = (change: string, { shape }: Operation, { name, kind }: Part): boolean => {
  if (change === 'stale') return ['project', 'task'].includes(shape) && !never.includes(name);
  // The comments of the fixtures are of one author and one moment.
  if (change === 'swap' && shape === 'comment') return ['id', 'body'].includes(name);
  if (change === 'swap') return shape !== 'profile' && !(shape === 'team-read' && kind === 'members');
  // A picture is shown nowhere else, nor is the date of a profile, and a picture may be missing.
  if (shape === 'profile' && change === 'change') return !['avatar_url', 'created_at'].includes(name);
  return !(shape === 'profile' && change === 'null') || name !== 'avatar_url';
};

const apply = (op: Operation, part: Part, change: Change, pick = (rows: Loose[], _call: Call) => rows): Rule => ({
  at: op.id,
  on: 'ok',
  does: (scene) => {
    const rows = scene.response.rows.map((row) => ({ ...row }));
    for (const row of pick(scene.response.rows, scene.call)) change(row, part, { ...scene, rows });
  },
});

const singles: readonly OperatorMutant[] = SINGLES.flatMap((op) =>
  SHOWN[op.shape].flatMap((part) =>
    Object.entries(CHANGES)
      .filter(([name]) => tells(name, op, part) && !(name === 'stale' && op.id.startsWith('create')))
      .map(([name, change]) =>
        operator(`field-${name}`, `fields of ${op.shape}`)(`${op.id}.${part.name}`, apply(op, part, change)),
      ),
  ),
);

const PICKS: Readonly<Record<string, (rows: Loose[], call: Call) => Loose[]>> = {
  'every row': (rows) => rows,
  'last row': (rows) => rows.slice(-1),
  'later pages': (rows, { query }) => (query.has('cursor') ? rows : []),
  filtered: (rows, { query }) => (filtersOf(query).length > 0 ? rows : []),
  sorted: (rows, { query }) => (query.has('sort') ? rows : []),
};

/** Nothing but the list shows a comment: what is wrong in the same way always is told only where its author is known. */
const isUnseen = ({ shape }: Operation, change: string, pick: string): boolean =>
  shape === 'comment' && pick === 'every row' && change === 'change';

/** A fault of form is in every row; values are worth more rows to look at. */
const isPicked = (change: string, pick: string, op: Operation, { name }: Part): boolean => {
  if (change === 'wrap') return pick === 'every row';
  if (isUnseen(op, change, pick) && ['id', 'created_at'].includes(name)) return false;
  return !['filtered', 'sorted'].includes(pick) || (SORTS[op.id] !== undefined && ['change', 'swap', 'stale'].includes(change));
};

const listed: readonly OperatorMutant[] = LISTS.flatMap((op) =>
  SHOWN[op.shape].flatMap((part) =>
    Object.entries(CHANGES).flatMap(([name, change]) =>
      Object.entries(PICKS)
        .filter(([pick]) => tells(name, op, part) && isPicked(name, pick, op, part))
        .map(([pick, rows]) =>
          operator(`row-${name}`, `fields of ${op.shape}`)(
            `${op.id}.${part.name}, ${pick}`,
            apply(op, part, change, rows),
            isUnseen(op, name, pick) ? { on: 'mock', control: true } : {},
          ),
        ),
    ),
  ),
);

const invented: readonly OperatorMutant[] = SHOWING.filter(({ shape }) => shape === 'task').map((op) =>
  operator('field-invented', 'fields of task')(`${op.id}.due_date`, {
    at: op.id,
    on: 'ok',
    does: ({ response }) => {
      for (const row of response.rows) row.due_date ||= '2031-05-05T00:00:00Z';
    },
  }),
);

export const fieldMutants: readonly OperatorMutant[] = [...singles, ...listed, ...invented];

/** Forms that are no ISO 8601 datetime in UTC. */
const FORMS: Readonly<Record<string, (value: string) => unknown>> = {
  'epoch seconds': (value) => Math.floor(Date.parse(value) / 1000),
  'RFC 1123': (value) => new Date(value).toUTCString(),
  'another zone': (value) => `${shifted(value, 7_200_000).slice(0, 19)}+02:00`,
  'date alone': (value) => shifted(value, 0).slice(0, 10),
};

/** Writes a date of each row in another way. */
const rewritten = (rows: readonly Loose[], name: string, write: (value: string) => unknown): void => {
  for (const row of rows) if (typeof row[name] === 'string') row[name] = write(row[name]);
};

const forms: readonly OperatorMutant[] = SHOWING.flatMap(({ id, shape }) =>
  SHOWN[shape]
    .filter(({ kind }) => kind === 'date')
    .flatMap(({ name }) =>
      Object.entries(FORMS).map(([form, write]) =>
        operator('date-form', 'timestamps')(`${id}.${name}, ${form}`, {
          at: id,
          on: 'ok',
          does: ({ response }) => rewritten(response.rows, name, write),
        }),
      ),
    ),
);

/** Moves a date of a row that was updated so often; GET is a read. */
type Move = readonly [when: 'updates' | 'reads', change: (row: Loose, updates: number) => void, only?: 'project'];
const MOVES: Readonly<Record<string, Move>> = {
  'created_at moves with each update': ['updates', (row, n) => put(row, 'created_at', shifted(row.created_at, n * 1000))],
  'created_at becomes updated_at': ['updates', (row) => put(row, 'created_at', row.updated_at)],
  'updated_at goes back': ['updates', (row, n) => put(row, 'updated_at', shifted(row.created_at, -1000 * n))],
  'updated_at moves with each read': ['reads', (row) => put(row, 'updated_at', shifted(row.updated_at, 60_000))],
  // Only a project's updated_at is said to change.
  'updated_at stays': ['updates', (row) => put(row, 'updated_at', row.created_at), 'project'],
};

const moves = (shape: string, ops: readonly string[], [when, change]: Move): Make => {
  return (lab) => {
    const updates = new Map<string, number>();
    return async (call, next) => {
      const response = await next(call);
      if (call.op?.id === `update_${shape}` && response.ok) updates.set(call.id!, (updates.get(call.id!) ?? 0) + 1);
      if (!isOp(...ops)(call) || !response.ok || (when === 'reads' && call.method !== 'GET')) return response;
      const before = response.print;
      for (const row of response.rows) if (when === 'reads' || updates.has(row.id)) change(row, updates.get(row.id) ?? 0);
      lab.hit(response.print !== before);
      return response;
    };
  };
};

const moved: readonly OperatorMutant[] = ['project', 'task'].flatMap((shape) => {
  const all = SHOWING.filter((op) => op.shape === shape).map(({ id }) => id);
  const places = [['everywhere', all] as const, ...all.map((op) => [op, [op]] as const)];
  return Object.entries(MOVES).flatMap(([name, move]) =>
    places
      .filter(
        ([place]) =>
          (move[2] ?? shape) === shape && !place.startsWith('create') && !(move[0] === 'reads' && /^update/.test(place)),
      )
      .map(([place, ops]) => operator('date-moves', 'timestamps')(`${shape}, ${place}: ${name}`, moves(shape, ops, move))),
  );
});

/** A clock that shows local time as if it were UTC. */
const zones: readonly OperatorMutant[] = ['project', 'task', 'team'].flatMap((shape) =>
  [2, -5].map((hours) =>
    operator('date-local', 'timestamps')(`${shape}, ${hours} h`, {
      at: SHOWING.filter((op) => family(op.shape) === shape).map(({ id }) => id),
      on: 'ok',
      does: ({ response }) => {
        for (const name of ['created_at', 'updated_at'])
          rewritten(response.rows, name, (value) => shifted(value, hours * 3_600_000));
      },
    }),
  ),
);

export const dateMutants: readonly OperatorMutant[] = [...forms, ...moved, ...zones];
