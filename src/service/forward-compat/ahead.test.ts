// Additions of a later release, by themselves: values in records, fields, words and headers of responses, events.
import { expect, test } from 'vitest';
import { toSeed } from '../../mock/api/create.ts';
import { plantSeed } from '../../mock/control/snapshot.ts';
import { BUSY } from '../../test/busy.ts';
import { isLaterValue, LATER_VALUES, takesLater } from '../contract/forward.ts';
import { termsOf } from '../contract/terms.ts';
import type { Seed } from '../world/records.ts';
import type { World } from '../world/world.ts';
import { addLaterParts, forwardWords, isLaterField, laterEventOf, moveAhead } from './responses.ts';

const seed = await toSeed({ seed: BUSY });
const plant = (more: Partial<Seed> = {}): World => plantSeed({ ...seed, ...more }).world;

test('a world that is ahead has later values in some records, unless it is restored', () => {
  const later = (world: World) =>
    (['tasks', 'projects', 'users'] as const).flatMap((name) =>
      world.store[name]
        .all()
        .filter(({ value }) => ['blocked', 'critical', 'organization', 'guest'].some((one) => Object.values(value).includes(one)))
        .map(({ value: { id } }) => id),
    );
  const put = ['task_1', 'task_2', 'task_4', 'task_5', 'task_far', 'proj_one', 'proj_far', 'user_bo'];
  expect(later(plant())).toEqual([]);
  expect(later(plant({ forward: ['enums'] }))).toEqual(put);
  expect(later(plant({ forward: ['fields'] }))).toEqual([]);
  expect(later(plant({ forward: ['enums'], progress: { sequence: 0, drawn: [] } }))).toEqual([]);
  const world = plant();
  moveAhead(world, ['fields']);
  expect([later(world), world.terms.forward]).toEqual([[], ['fields']]);
  moveAhead(world, ['enums', 'order']);
  expect([later(world), world.terms.forward]).toEqual([put, ['enums', 'order']]);
  const row = world.store.tasks.get('task_1')!;
  world.store.tasks.put({ ...row, value: { ...row.value, status: 'todo' } });
  moveAhead(world, ['enums']);
  expect(world.store.tasks.get('task_1')!.value.status).toBe('todo');
  moveAhead(world, []);
  expect(later(world)).toEqual(put.slice(1));
});

test('a world of few records has later values too, but for a priority that is the default', () => {
  const world = plant({ workspaces: seed.workspaces.slice(1), forward: ['enums'] });
  const task = world.store.tasks.get('task_far')!.value;
  expect([task.status, task.priority]).toEqual(['blocked', 'medium']);
  expect(world.store.users.all().map(({ value }) => value.role)).toEqual(['guest']);
  expect(world.store.projects.all().map(({ value }) => value.visibility)).toEqual(['organization']);
});

test('a later release is known by its values and fields', () => {
  expect(Object.entries(LATER_VALUES).every(([field, value]) => isLaterValue(field, value))).toBe(true);
  expect([isLaterValue('status', 'todo'), isLaterValue('title', 'blocked')]).toEqual([false, false]);
  expect([isLaterValue('toString', Object.prototype.toString), isLaterValue('x', undefined)]).toEqual([false, false]);
  const fields = ['request_id', 'took_ms', 'tags', 'retryable', 'hint', 'rule'];
  expect([...fields, 'title'].filter(isLaterField)).toEqual(fields);
});

test('a later release adds its fields where they belong, and leaves those that are there', () => {
  const record = { revision: 1, archived_at: null, tags: ['later'], links: { self: { href: '/later', templated: false } } };
  const value = { data: { id: 1, list: [{ id: 2 }, { name: 3 }, null, 'x'] }, meta: { total: 0, took_ms: 9 } };
  expect(addLaterParts(value, ['fields'])).toEqual({
    data: { id: 1, list: [{ id: 2, ...record }, { name: 3 }, null, 'x'], ...record },
    meta: { total: 0, took_ms: 9, sorted_by: null },
    request_id: 'req_later',
    included: [],
  });
  expect(JSON.stringify(addLaterParts({ a: 1, b: { c: 2, d: 3 } }, ['order']))).toBe('{"b":{"d":3,"c":2},"a":1}');
  expect(addLaterParts({ error: { details: { fields: [{ field: 'a' }] } } }, ['messages'])).toEqual({
    error: { details: { fields: [{ field: 'a' }] } },
  });
  expect(addLaterParts({ secret: 'x' }, ['fields'], 'data')).toMatchObject({ secret: 'x', revision: 1 });
});

test('events of a later release are announced by new comments and moved tasks', () => {
  const of = (change: object, forward: readonly string[] = ['enums']) => laterEventOf({ forward } as never, change as never);
  const [todo, done] = [{ status: 'todo' }, { status: 'done' }];
  expect(of({ name: 'comments', after: {} })).toBe('comment.created');
  expect(of({ name: 'comments', before: {}, after: {} })).toBeUndefined();
  expect(of({ name: 'tasks', before: todo, after: done })).toBe('task.moved');
  expect(of({ name: 'tasks', before: todo, after: todo })).toBeUndefined();
  expect(of({ name: 'tasks', after: done })).toBeUndefined();
  expect(of({ name: 'tasks', before: todo })).toBeUndefined();
  expect(of({ name: 'projects', before: todo, after: done })).toBeUndefined();
  expect(of({ name: 'tasks', before: todo, after: done }, ['fields'])).toBeUndefined();
});

test('a service takes values of a later release when it shows them', () => {
  const [enums, fields] = [termsOf({ forward: ['enums'] }), termsOf({ forward: ['fields'] })];
  expect([takesLater(enums, 'status', 'blocked'), takesLater(enums, 'status', 'none')]).toEqual([true, false]);
  expect([takesLater(fields, 'status', 'blocked'), takesLater(termsOf(), 'status', 'blocked')]).toEqual([false, false]);
});

test('a service that is ahead has other words for every status', () => {
  const problem = { status: 418, message: 'a', fields: [{ field: 'b', issue: 'c' }] };
  const fields = [{ field: 'b', issue: 'does not fit' }];
  expect(forwardWords(problem, termsOf({ forward: ['messages'] }))).toEqual({ message: 'It did not work out.', fields });
  expect(forwardWords(problem, termsOf({ forward: ['fields'] }))).toBe(problem);
});
