// Operators on dates: how they are written, and when they move.
import type { Loose } from './answer.ts';
import { type Call, isOp } from './call.ts';
import { type OperatorMutant, operator, put } from './core.ts';
import { LISTS, SHOWN, SINGLES } from './tables.ts';

const at = (value: string) => new Date(Date.parse(value));

/** Forms that are no ISO 8601 datetime in UTC. */
const FORMS: Readonly<Record<string, (value: string) => unknown>> = {
  'epoch seconds': (value) => Math.floor(at(value).getTime() / 1000),
  'RFC 1123': (value) => at(value).toUTCString(),
  'another zone': (value) => `${new Date(at(value).getTime() + 7_200_000).toISOString().slice(0, 19)}+02:00`,
  'date alone': (value) => at(value).toISOString().slice(0, 10),
};

/** Writes a date of each row in another way. */
const rewritten = (rows: readonly Loose[], name: string, write: (value: string) => unknown): boolean => {
  const dated = rows.filter((row) => typeof row[name] === 'string');
  for (const row of dated) row[name] = write(row[name]);
  return dated.length > 0;
};

const forms: readonly OperatorMutant[] = [...SINGLES, ...LISTS].flatMap(({ id, shape }) =>
  SHOWN[shape]
    .filter(({ kind }) => kind === 'date')
    .flatMap(({ name }) =>
      Object.entries(FORMS).map(([form, write]) =>
        operator('date-form', 'timestamps')(`${id}.${name}, ${form}`, {
          at: id,
          when: ({ answer }) => answer.ok,
          does: ({ answer }) => rewritten(answer.rows, name, write),
        }),
      ),
    ),
);

const SHAPES = ['project', 'task'] as const;
const showing = (shape: string) => [...SINGLES, ...LISTS].filter((op) => op.shape === shape).map(({ id }) => id);

type Move = (row: Loose, scene: { call: Call; updates: number }) => boolean;
const later = (value: string, ms: number) => new Date(Date.parse(value) + ms).toISOString();

/** Each time that a resource was updated counts; at none a date is as it should be. */
const MOVES: Readonly<Record<string, Move>> = {
  'created_at moves with each update': (row, { updates }) =>
    updates > 0 && put(row, 'created_at', later(row.created_at, updates * 1000)),
  'created_at becomes updated_at': (row, { updates }) => updates > 0 && put(row, 'created_at', row.updated_at),
  'updated_at goes back': (row, { updates }) => updates > 0 && put(row, 'updated_at', later(row.created_at, -1000 * updates)),
  'updated_at moves with each read': (row, { call }) =>
    call.method === 'GET' && put(row, 'updated_at', later(row.updated_at, 60_000)),
};

const moves: readonly OperatorMutant[] = SHAPES.flatMap((shape) => {
  const where: Readonly<Record<string, readonly string[]>> = {
    everywhere: showing(shape),
    ...Object.fromEntries(showing(shape).map((op) => [op, [op]])),
  };
  const all: Readonly<Record<string, Move>> = {
    ...MOVES,
    // Only a project's updated_at is said to change.
    ...(shape === 'project'
      ? { 'updated_at stays': ((row, { updates }) => updates > 0 && put(row, 'updated_at', row.created_at)) as Move }
      : {}),
  };
  return Object.entries(all).flatMap(([name, move]) =>
    Object.entries(where)
      .filter(([place]) => !place.startsWith('create') && !(name.endsWith('read') && !/^(everywhere|read|list)/.test(place)))
      .map(([place, ops]) =>
        operator('date-moves', 'timestamps')(`${shape}, ${place}: ${name}`, (lab) => {
          const updated = new Map<string, number>();
          return async (call, next) => {
            const answer = await next(call);
            if (call.op?.id === `update_${shape}` && answer.ok) updated.set(call.id!, (updated.get(call.id!) ?? 0) + 1);
            if (!isOp(...ops)(call) || !answer.ok) return answer;
            for (const row of answer.rows) lab.hit(move(row, { call, updates: updated.get(row.id) ?? 0 }));
            return answer;
          };
        }),
      ),
  );
});

/** A clock that shows local time as if it were UTC. */
const zones: readonly OperatorMutant[] = [...SINGLES, ...LISTS]
  .map(({ shape }) => shape)
  .filter((shape, i, all) => all.indexOf(shape) === i && ['project', 'task', 'team'].includes(shape))
  .flatMap((shape) =>
    [2, -5].map((hours) =>
      operator('date-local', 'timestamps')(`${shape}, ${hours} h`, {
        when: ({ call: { op }, answer }) => answer.ok && (op?.shape === shape || (shape === 'team' && op?.shape === 'team-read')),
        does: ({ answer }) =>
          ['created_at', 'updated_at']
            .map((name) => rewritten(answer.rows, name, (value) => later(value, hours * 3_600_000)))
            .includes(true),
      }),
    ),
  );

export const dateMutants: readonly OperatorMutant[] = [...forms, ...moves, ...zones];
