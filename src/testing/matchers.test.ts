// Matchers: exact numbers, and words that are misspelt.
import { beforeEach, describe, expect, test } from 'vitest';
import { createMock } from '../mock/create.ts';
import type { Mock } from '../mock/mock.ts';
import { toHaveDelivered, toHaveNoClientWarnings, toHaveReceived, toHaveSurvivedForwardCompat } from './matchers.ts';

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

  test('a number is exact', () => {
    expect([1, 2, 3].map((times) => toHaveReceived(mock, { operation: 'getTask' }, times).pass)).toEqual([true, false, false]);
    expect(toHaveReceived(mock, 'deleteTask', 0).pass).toBe(true);
    expect(toHaveReceived(mock, { path: '/tasks*' }, 3).pass).toBe(true);
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
