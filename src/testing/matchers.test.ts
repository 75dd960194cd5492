// Matchers: what passes, what fails, and what a failure says.
import { beforeEach, describe, expect, test } from 'vitest';
import { createMock } from '../mock/create.ts';
import type { Mock } from '../mock/mock.ts';
import { toHaveDelivered, toHaveNoClientWarnings, toHaveReceived, toHaveSurvivedForwardCompat } from './matchers.ts';
import { reportOf } from './report.ts';

let mock: Mock;
beforeEach(async () => {
  mock = await createMock({
    seed: {
      now: '2025-01-20T09:00:00Z',
      workspaces: [
        {
          id: 'ws_a',
          users: [{ id: 'user_a', name: 'Ann' }],
          api_keys: [{ value: 'wm_a', scope: 'admin', user_id: 'user_a' }],
          projects: [{ id: 'proj_a', owner_id: 'user_a', tasks: [{ id: 'task_a', title: 'First' }] }],
          webhooks: [{ id: 'wh_a', url: 'http://127.0.0.1:9/hook', events: ['task.updated'], secret: 'whsec_quiet' }],
        },
      ],
    },
    sender: async () => ({ kind: 'response', status: 204, took: 1 }),
  });
});
const ask = (path: string, init: RequestInit = {}) =>
  mock.fetch(path, { ...init, headers: { authorization: 'Bearer wm_a', 'content-type': 'application/json' } });
const patch = (body: string) => ask('/tasks/task_a', { method: 'PATCH', body });

describe('toHaveReceived', () => {
  beforeEach(async () => {
    await patch('{"status":"done","tags":["a","b"]}');
    await ask('/tasks?limit=5&filter[status]=todo');
    await ask('/tasks/none');
  });

  test.each([
    ['updateTask', true],
    ['deleteTask', false],
    [{}, true],
    [{ method: 'patch' }, true],
    [{ path: '/tasks' }, true],
    [{ path: '/v1/tasks' }, true],
    [{ path: 'tasks/*' }, true],
    [{ path: '/tasks?limit=5*' }, true],
    [{ path: '/tasks?limit=6*' }, false],
    [{ path: /task_a$/ }, true],
    [{ path: '/projects' }, false],
    [{ query: { limit: '5' } }, true],
    [{ query: { limit: '5', 'filter[status]': /^to/ } }, true],
    [{ query: { limit: 5 } }, false],
    [{ status: 404 }, true],
    [{ status: '4xx' }, true],
    [{ status: '5xx' }, false],
    [{ body: { status: 'done' } }, true],
    [{ body: { status: 'todo' } }, false],
    [{ body: { tags: ['a'] } }, false],
    [{ body: { status: expect.any(String) } }, true],
    [{ answer: { error: { code: expect.stringContaining('not_found') } } }, true],
    [{ headers: { 'content-type': /json/ } }, true],
    [{ operation: 'updateTask', status: 404 }, false],
  ] as const)('%j: %s', (pattern, pass) => {
    expect(toHaveReceived(mock, pattern as never).pass).toBe(pass);
  });

  test('a number is exact', () => {
    expect([1, 2, 3].map((times) => toHaveReceived(mock, { operation: 'getTask' }, times).pass)).toEqual([true, false, false]);
    expect(toHaveReceived(mock, 'deleteTask', 0).pass).toBe(true);
    expect(toHaveReceived(mock, { path: '/tasks*' }, 3).pass).toBe(true);
  });

  test('an unknown part of a pattern and what is no mock are mistakes of the test', () => {
    expect(() => toHaveReceived(mock, { verb: 'GET' } as never)).toThrow('expected one of operation, method, path');
    expect(() => toHaveReceived({} as never, 'getTask')).toThrow('toHaveReceived: expected a mock');
  });
});

describe('toHaveDelivered', () => {
  test('passes once a receiver has acknowledged, and with what the pattern says', async () => {
    expect(toHaveDelivered(mock, 'task.updated').pass).toBe(false);
    await patch('{"status":"done"}');
    await mock.webhooks.settled();
    expect(toHaveDelivered(mock, 'task.updated').pass).toBe(true);
    expect(toHaveDelivered(mock, 'task.updated', { webhook: 'wh_a', data: { task: { status: 'done' } }, times: 1 }).pass).toBe(
      true,
    );
    expect(toHaveDelivered(mock, 'task.updated', { times: 2 }).pass).toBe(false);
    expect(toHaveDelivered(mock, 'task.updated', { data: { task: { status: 'todo' } } }).pass).toBe(false);
  });

  test('a delivery that is retried is not delivered yet, and the failure shows its attempts', async () => {
    mock.webhooks.simulate('wh_a', [500, 500]);
    await patch('{"status":"done"}');
    await mock.webhooks.settled();
    const { pass, message } = toHaveDelivered(mock, 'task.updated');
    expect(pass).toBe(false);
    expect(message()).toMatch(
      /^expected a delivery of task.updated with \{"state":"delivered"\}, at least once\nfound 0, of 1 delivery/,
    );
    expect(message()).toMatch(/attempt 1 .* event {2}500 {2}scripted/);
    expect(toHaveDelivered(mock, 'task.updated', { state: 'retrying', attempts: 1 }).pass).toBe(true);
  });
});

describe('toHaveNoClientWarnings', () => {
  test('a warning fails, with the request and its words, unless the test knows of it', async () => {
    await ask('/tasks');
    expect(toHaveNoClientWarnings(mock).pass).toBe(true);
    await ask('/tasks?page=2');
    const { pass, message } = toHaveNoClientWarnings(mock);
    expect(pass).toBe(false);
    expect(message()).toMatch(/on 1 of 2 requests\n.*GET \/v1\/tasks\?page=2[\s\S]*removed-parameter: page was removed/);
    expect(toHaveNoClientWarnings(mock, { except: ['removed-parameter'] }).pass).toBe(true);
    for (let i = 0; i < 11; i++) await ask('/tasks?page=2');
    expect(toHaveNoClientWarnings(mock).message()).toMatch(/on 12 of 13 requests[\s\S]*… and 2 more$/);
  });
});

describe('a misspelt word is a mistake of the test, also where nothing came in and under a negation', () => {
  const mistakes: readonly (readonly [() => unknown, string])[] = [
    [
      () => toHaveReceived(mock, 'listTask' as never),
      'toHaveReceived is refused: operation: unknown value (did you mean listTasks?), expected one of listProjects, ',
    ],
    [
      () => toHaveReceived(mock, { verb: 'GET' } as never),
      'toHaveReceived is refused: verb: unknown field, expected one of operation, method, path',
    ],
    [
      () => toHaveReceived(mock, { method: 'GTE' }),
      'toHaveReceived is refused: method: unknown value, expected one of GET, POST, ',
    ],
    ...['2XX', '6xx', 'ok', 99, 600, -1, '4x', null].map(
      (status) => [() => toHaveReceived(mock, { status } as never), 'expected a status such as 404'] as const,
    ),
    [
      () => toHaveReceived(mock, 'listTasks', -1),
      'toHaveReceived is refused: times: too small, expected an integer, 0 or more, got -1. The types of wm-mock say what it takes.',
    ],
    [() => toHaveReceived(mock, null as never), 'toHaveReceived is refused: wrong type, expected an object, got null.'],
    [
      () => toHaveDelivered(mock, 'task.update' as never),
      'toHaveDelivered is refused: event: unknown value (did you mean task.updated?), expected one of ',
    ],
    [
      () => toHaveDelivered(mock, undefined as never),
      'toHaveDelivered is refused: event: wrong type, expected a string, got null',
    ],
    [
      () => toHaveDelivered(mock, 'task.updated', { state: 'retry' as never }),
      'toHaveDelivered is refused: state: unknown value, expected one of pending, retrying, delivered, failed, got "retry".',
    ],
    [
      () => toHaveDelivered(mock, 'task.updated', { status: 'retrying' } as never),
      'toHaveDelivered is refused: status: unknown field (did you mean state?), expected one of state, webhook, url, attempts, data, times, got "status".',
    ],
    [
      () => toHaveDelivered(mock, 'task.updated', { attempts: 1.5 }),
      'toHaveDelivered is refused: attempts: wrong value, expected an integer, 0 or more, got 1.5',
    ],
    [
      () => toHaveDelivered(mock, 'task.updated', { times: -1 }),
      'toHaveDelivered is refused: times: too small, expected an integer, 0 or more, got -1',
    ],
    ...[toHaveNoClientWarnings, toHaveSurvivedForwardCompat].flatMap((matcher): (readonly [() => unknown, string])[] => [
      [
        () => matcher(mock, { except: ['tight-loops' as never] }),
        'except[0]: unknown value (did you mean tight-loop?), expected one of removed-parameter, ',
      ],
      [() => matcher(mock, { except: 'tight-loop' as never }), 'except: wrong type, expected an array, got "tight-loop".'],
      [() => matcher(mock, { without: [] } as never), 'without: unknown field, expected one of except, got "without".'],
    ]),
  ];
  test.each(mistakes.map(([act, says]) => ({ act, says })))('$says', ({ act, says }) => {
    expect(act).toThrow(says);
    expect(act).toThrow(TypeError);
  });

  test('what a later release might announce is an event', () => {
    expect(toHaveDelivered(mock, 'task.moved' as never).pass).toBe(false);
  });
});

test('a report tells clock, requests with reasons, deliveries with attempts and faults, and no key and no secret', async () => {
  mock.faults.add({ match: { operation: 'listTasks' }, effect: { status: 503 } });
  await patch('{"status":"done"}');
  await ask('/tasks');
  await mock.webhooks.settled();
  const text = reportOf(mock);
  expect(text).toMatch(/^wm-mock world default, clock 2025-01-20T09:00:00.000Z \(frozen\)\n\nRequests: 2\n/);
  expect(text).toMatch(/GET \/v1\/tasks → 503 {2}listTasks {2}struck by fault_1/);
  expect(text).toMatch(/task\.updated → http:\/\/127\.0\.0\.1:9\/hook {2}delivered\n +attempt 1/);
  expect(text).toMatch(/Faults: 1\n/);
  expect(text).not.toMatch(/wm_a|whsec_quiet/);
});
