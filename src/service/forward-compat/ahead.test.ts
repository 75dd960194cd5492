// What a later release adds, by itself: values in records, fields, words and headers of responses, events.
import { beforeAll, expect, test } from 'vitest';
import { toSeed } from '../../mock/api/create.ts';
import { plantSeed } from '../../mock/control/snapshot.ts';
import { BUSY } from '../../test/busy.ts';
import { isLaterValue, LATER_VALUES, takesLater } from '../contract/forward.ts';
import { termsOf } from '../contract/terms.ts';
import type { Seed } from '../world/records.ts';
import type { World } from '../world/world.ts';
import {
  addLaterParts,
  bodyText,
  forwardHeaders,
  forwardResponse,
  forwardWords,
  isLaterField,
  laterEventOf,
} from './responses.ts';
import { moveAhead } from './values.ts';

let seed: Seed;
beforeAll(async () => {
  seed = await toSeed({ seed: BUSY });
});
const plant = (more: Partial<Seed> = {}): World => plantSeed({ ...seed, ...more }).world;

test('a world that is ahead has later values in some records, unless it goes on', () => {
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
  world.store.tasks.put({
    ...world.store.tasks.get('task_1')!,
    value: { ...world.store.tasks.get('task_1')!.value, status: 'todo' },
  });
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
  const value = { data: { id: 1, list: [{ id: 2 }, { name: 3 }, null, 'x'] }, meta: { total: 0, took_ms: 9 } };
  expect(addLaterParts(value, ['fields'])).toEqual({
    data: {
      id: 1,
      list: [
        { id: 2, revision: 1, archived_at: null, tags: ['later'], links: { self: { href: '/later', templated: false } } },
        { name: 3 },
        null,
        'x',
      ],
      revision: 1,
      archived_at: null,
      tags: ['later'],
      links: { self: { href: '/later', templated: false } },
    },
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

test('a service that is ahead says the same in other words, in another order, with more headers', () => {
  const of = (...forward: ('messages' | 'order' | 'headers' | 'fields')[]) => termsOf({ forward });
  const problem = { status: 418, message: 'a', fields: [{ field: 'b', issue: 'c' }] };
  expect(forwardWords(problem, of('messages'))).toEqual({
    message: 'It did not work out.',
    fields: [{ field: 'b', issue: 'does not fit' }],
  });
  expect(forwardWords(problem, of('fields'))).toBe(problem);
  expect([bodyText([1], of()), bodyText({ a: 1, b: 2 }, of('order'))]).toEqual(['[1]', '{"b":2,"a":1}']);
  const more = { 'x-service-release': '1.4.0', 'x-service-region': 'later-1' };
  expect(forwardHeaders(of('headers'), { date: 'd' })).toEqual({ date: 'd', ...more });
  expect(forwardHeaders(of('fields'), { date: 'd' })).toEqual({ date: 'd' });
});

test('an endpoint of a later release is an empty list to those who may ask, and nothing to anybody else', () => {
  const replied = (method: string, path: string, status: number, forward: readonly ('endpoints' | 'fields')[] = ['endpoints']) =>
    forwardResponse(
      termsOf({ forward }),
      { method, path },
      { status, text: 'no', headers: {}, problem: 'why' as string | undefined },
    );
  const text = '{"items":[],"meta":{"total":0,"limit":20,"has_more":false,"next_cursor":null}}';
  expect(replied('GET', '/v1/labels', 404)).toEqual({ status: 200, text, headers: {}, problem: undefined });
  const none = [replied('GET', '/v1/labels', 401), replied('POST', '/v1/labels', 404), replied('GET', '/labels', 404)];
  expect([...none, replied('GET', '/v1/labels', 404, ['fields'])].map((reply) => reply.text)).toEqual(Array(4).fill('no'));
});
