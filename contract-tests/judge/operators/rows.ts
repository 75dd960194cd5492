// Operators on the fields of resources, in single answers and in the rows of lists.
import type { Operation } from '../../engine/operations.ts';
import type { Loose } from './answer.ts';
import { type Call, family } from './call.ts';
import { type OperatorMutant, operator, put, type Rule } from './core.ts';
import type { Memory } from './memory.ts';
import { LISTS, type Part, SHOWN, SINGLES, SORTS } from './tables.ts';

interface Scene {
  readonly memory: Memory;
  readonly call: Call;
  readonly rows: readonly Loose[];
}

/** Spoils a field of a row; says whether it did. */
type Change = (row: Loose, part: Part, scene: Scene) => boolean;

/** A conforming client may see what is not set as null or not at all: only what is set can be spoilt. */
const isSet = (row: Loose, { name }: Part): boolean => row[name] !== undefined && row[name] !== null;

const other: Readonly<Record<Part['kind'], (value: Loose, part: Part) => Loose>> = {
  id: (value) => `${value}x`,
  reference: (value) => `${value}x`,
  text: (value) => `${value.slice(0, 90)} changed`,
  email: (value) => `x${value}`,
  url: (value) => `${value}x`,
  enum: (value, { values = [] }) => values[(values.indexOf(value) + 1) % values.length],
  date: (value) => new Date(Date.parse(value) - 3_600_000).toISOString(),
  count: (value) => value + 1,
  references: (value) => value,
  events: (value) => value,
  members: (value) => (value.length > 0 ? value.slice(1) : value),
};

const CHANGES: Readonly<Record<string, Change>> = {
  drop: (row, part) => isSet(row, part) && delete row[part.name],
  null: (row, part) => isSet(row, part) && put(row, part.name, null),
  rename: (row, part) => {
    if (!isSet(row, part)) return false;
    row[part.name.includes('_') ? part.name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()) : `${part.name}_value`] =
      row[part.name];
    return delete row[part.name];
  },
  type: (row, part) => isSet(row, part) && put(row, part.name, part.kind === 'count' ? String(row[part.name]) : 7),
  wrap: (row, part) => isSet(row, part) && put(row, part.name, [row[part.name]]),
  change: (row, part) => isSet(row, part) && put(row, part.name, other[part.kind](row[part.name], part)),
  swap: (row, part, { memory, call, rows }) => {
    const near = rows.find((candidate) => candidate.id !== row.id && isSet(candidate, part));
    const twin =
      near ?? memory.all(family(call.op!.shape)).findLast(({ row: known }) => known.id !== row.id && isSet(known, part))?.row;
    return twin !== undefined && isSet(row, part) && put(row, part.name, twin[part.name]);
  },
  stale: (row, part, { memory }) => {
    const known = memory.alive.get(row.id);
    return known?.before !== undefined && part.name in known.before && put(row, part.name, known.before[part.name]);
  },
};

const never = ['id', 'project_id', 'created_at', 'member_count', 'members', 'name of a team'];

/** Whether a change of that field can be told from a conforming answer by some request. */
const tells = (change: string, { shape }: Operation, { name, kind }: Part): boolean => {
  if (change === 'stale') return ['project', 'task'].includes(shape) && !never.includes(name);
  // The comments of the fixtures are of one author and one moment.
  if (change === 'swap' && shape === 'comment') return ['id', 'body'].includes(name);
  if (change === 'swap') return shape !== 'profile' && !(shape === 'team-read' && kind === 'members');
  // A picture is shown nowhere else, nor is the date of a profile, and a picture may be missing.
  if (shape === 'profile' && change === 'change') return !['avatar_url', 'created_at'].includes(name);
  if (shape === 'profile' && change === 'null') return name !== 'avatar_url';
  return true;
};

const apply = (op: Operation, part: Part, change: Change, pick: (rows: Loose[], call: Call) => Loose[]): Rule => ({
  at: op.id,
  when: ({ answer }) => answer.ok,
  does: ({ lab, call, answer }) => {
    const rows = answer.rows.map((row) => ({ ...row }));
    const scene = { memory: lab.memory(call), call, rows };
    return pick(answer.rows, call)
      .map((row) => change(row, part, scene))
      .includes(true);
  },
});

const singles: readonly OperatorMutant[] = SINGLES.flatMap((op) =>
  SHOWN[op.shape].flatMap((part) =>
    Object.entries(CHANGES)
      .filter(([name]) => tells(name, op, part) && !(name === 'stale' && op.id.startsWith('create')))
      .map(([name, change]) =>
        operator(`field-${name}`, `fields of ${op.shape}`)(
          `${op.id}.${part.name}`,
          apply(op, part, change, (rows) => rows),
        ),
      ),
  ),
);

const last = (rows: Loose[]): Loose[] => rows.slice(-1);
const PICKS: Readonly<Record<string, (rows: Loose[], call: Call) => Loose[]>> = {
  'every row': (rows) => rows,
  'last row': last,
  'later pages': (rows, call) => (call.query.has('cursor') ? rows : []),
  filtered: (rows, call) => ([...call.query.keys()].some((name) => name.startsWith('filter')) ? rows : []),
  sorted: (rows, call) => (call.query.has('sort') ? rows : []),
};

/** Nothing but the list shows a comment: what is wrong in the same way always is told only where its author is known. */
const unseenComment = (op: Operation, change: string, pick: string): boolean =>
  op.shape === 'comment' && pick === 'every row' && ['change'].includes(change);

/** What is wrong in form is wrong in every row; values are worth more rows to look at. */
const picked = (change: string, pick: string, op: Operation): boolean => {
  if (change === 'wrap') return pick === 'every row';
  return !['filtered', 'sorted'].includes(pick) || (SORTS[op.id] !== undefined && ['change', 'swap', 'stale'].includes(change));
};

const listed: readonly OperatorMutant[] = LISTS.flatMap((op) =>
  SHOWN[op.shape].flatMap((part) =>
    Object.entries(CHANGES).flatMap(([name, change]) =>
      Object.entries(PICKS)
        .filter(([pick]) => tells(name, op, part) && picked(name, pick, op))
        .filter(([pick]) => !(unseenComment(op, name, pick) && ['id', 'created_at'].includes(part.name)))
        .map(([pick, rows]) =>
          operator(`row-${name}`, `fields of ${op.shape}`)(
            `${op.id}.${part.name}, ${pick}`,
            apply(op, part, change, rows),
            unseenComment(op, name, pick) ? { on: 'mock', control: true } : {},
          ),
        ),
    ),
  ),
);

const invented = (op: Operation): OperatorMutant =>
  operator('field-invented', 'fields of task')(
    `${op.id}.due_date`,
    apply(
      op,
      { name: 'due_date', kind: 'date', needed: false },
      (row, { name }) => !row[name] && put(row, name, '2031-05-05T00:00:00Z'),
      (rows) => rows,
    ),
  );

export const rowMutants: readonly OperatorMutant[] = [
  ...singles,
  ...listed,
  ...[...SINGLES, ...LISTS].filter(({ shape }) => shape === 'task').map(invented),
];
