// Messages of matchers and reports, to the letter: people read them when a test of theirs has failed.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock/api/mock.ts';
import { judgeClientWarnings, judgeDelivered, judgeForwardCompat, judgeReceived, localMatchers } from './judgements.ts';
import { findNearest, formatPattern, matchesShape, requestFits, showValue } from './pattern.ts';
import {
  describeWorld,
  explainRequest,
  formatAttempts,
  formatBodyLines,
  formatDeliveryLine,
  formatRequestLine,
} from './show-lines.ts';

const SEED = {
  now: '2025-01-20T09:00:00Z',
  workspaces: [
    {
      id: 'ws_a',
      name: 'A',
      users: [{ id: 'user_a', name: 'Ann' }],
      api_keys: [{ id: 'key_a', value: 'wm_a', scope: 'admin', user_id: 'user_a' }],
      projects: [{ id: 'proj_a', owner_id: 'user_a', tasks: [{ id: 'task_a', title: 'First' }] }],
      webhooks: [
        { id: 'wh_a', url: 'http://127.0.0.1:9/hook', events: ['task.updated'], secret: 'whsec_quiet' },
        { id: 'wh_b', url: 'https://far.test/hook', events: ['task.updated', 'task.created'], secret: 'whsec_quiet' },
      ],
    },
  ],
};

let mock: Mock;
const start = async (more: object = {}): Promise<Mock> => {
  mock = await createMock({ seed: SEED, sender: async () => ({ kind: 'response', status: 204, took: 1 }), ...more });
  return mock;
};
afterEach(() => mock.close());
const ask = (method: string, path: string, body?: string) =>
  mock.fetch(path, {
    method,
    headers: { authorization: 'Bearer wm_a', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });

describe('After some traffic', () => {
  beforeEach(async () => {
    await start();
    mock.webhooks.simulate('wh_a', [500, 'timeout', 200]);
    await ask('PATCH', '/tasks/task_a', '{"status":"done","tags":["a","b"]}');
    await ask('GET', '/tasks?limit=5&filter[status]=todo');
    await ask('GET', '/tasks/none');
    await ask('GET', '/tasks?page=2');
    await ask('DELETE', '/nowhere');
    await ask('POST', '/projects/proj_a/tasks', JSON.stringify({ title: 'Long', description: 'x'.repeat(600) }));
    mock.faults.add({ match: { operation: 'listTeams' }, effect: { abort: true }, times: 1 });
    await ask('GET', '/teams').catch(() => undefined);
    await mock.webhooks.settled();
    await mock.clock.advance('30s');
    await mock.clock.advance('2m');
    mock.webhooks.simulate('wh_b', ['dns', 'dns', 'dns']);
    await ask('PATCH', '/tasks/task_a', '{"title":"Second"}');
    await mock.webhooks.settled();
    await mock.clock.advance('6m');
  });

  test('a report tells everything, failed requests first', async () => {
    await expect(describeWorld(mock)).toMatchFileSnapshot('golden/report.txt');
  });

  test('a failure to receive or to deliver tells what came nearest', async () => {
    const received: readonly (readonly [pattern: unknown, times?: number])[] = [
      [{ operation: 'deleteTask' }],
      [{ operation: 'updateTask', body: { status: 'todo' }, status: '5xx' }],
      ['getTask', 1],
      [{ method: 'get', path: /^none/, status: 200, headers: { a: 'b' }, key: 'key_b', operation: 'getTask' }],
    ];
    const delivered = [
      ['task.deleted', {}],
      ['task.updated', { webhook: 'wh_a', times: 2 }],
      ['task.created', {}],
      ['task.created', { times: 1, url: /far/, simulated: true }],
      ['task.created', { data: { task: { title: 'y' } }, attempts: 3 }],
    ] as const;
    const says = [
      ...received.map(([pattern, times]) => judgeReceived(mock, pattern as never, times).message()),
      ...delivered.map(([event, pattern]) => judgeDelivered(mock, event, pattern).message()),
    ];
    await expect(`${says.join('\n\n')}\n`).toMatchFileSnapshot('golden/failures.txt');
  });

  test.each([
    [{}, true],
    [{ webhook: 'wh_b' }, false],
    [{ webhook: 'wh_b', simulated: true }, true],
    [{ webhook: 'wh_a' }, true],
    [{ webhook: 'wh_a', state: 'retrying' }, false],
    [{ webhook: 'wh_b', state: 'retrying' }, true],
    [{ state: 'failed' }, false],
    [{ url: 'https://far.test/hook', simulated: true }, true],
    [{ url: 'https://far.test/' }, false],
    [{ url: /far/, simulated: true }, true],
    [{ url: /near/ }, false],
    [{ attempts: 1 }, true],
    [{ attempts: 2 }, false],
    [{ attempts: 2, state: 'retrying' }, false],
    [{ attempts: 3, state: 'retrying' }, true],
    [{ data: { task: { id: 'task_a' } } }, true],
    [{ data: { task: { id: 'task_b' } } }, false],
    [{ times: 1 }, false],
    [{ times: 3, simulated: true }, true],
    [{ times: 0 }, false],
    [{ times: 2 }, true],
    [{ webhook: 'wh_none', times: 0 }, true],
  ] as const)('deliveries of task.updated with %j: %s', (pattern, pass) => {
    expect(judgeDelivered(mock, 'task.updated', pattern).pass).toBe(pass);
  });

  test('a number of requests is exact', () => {
    expect([1, 2, 3].map((times) => judgeReceived(mock, { operation: 'getTask' }, times).pass)).toEqual([true, false, false]);
    expect(judgeReceived(mock, 'deleteTask', 0).pass).toBe(true);
    expect(judgeReceived(mock, { path: '/tasks*' }, 5).pass).toBe(true);
  });

  test('warnings are listed with their requests, or that there are none', async () => {
    const says = [judgeClientWarnings(mock).message(), judgeClientWarnings(mock, { except: ['removed-parameter'] }).message()];
    mock.reset();
    says.push(judgeClientWarnings(mock).message());
    await expect(`${says.join('\n\n')}\n`).toMatchFileSnapshot('golden/warnings.txt');
  });

  test('patterns tell requests apart', async () => {
    const fitting = (pattern: object) => mock.requests.filter((one) => requestFits(pattern, one)).map(({ id }) => id);
    const found = [
      { operation: 'listTasks' },
      { operation: undefined },
      { method: 'PATCH' },
      { method: 'delete' },
      { path: '/tasks' },
      { path: 'v1/tasks' },
      { path: '/v1/tasks?page=2' },
      { path: '/v1?x' },
      { path: '*none' },
      { path: '/v1x' },
      { path: 'nowhere' },
      { path: /\?/ },
      { path: /^.v1/ },
      { path: 'xv1/tasks' },
      { path: '/v1' },
      { path: 'v1' },
      { path: '/v1/v1/tasks' },
      { path: /^\/v1\/tasks$/ },
      { query: {} },
      { query: { page: '2' } },
      { query: { page: '3' } },
      { status: 404 },
      { status: '404' },
      { status: '2xx' },
      { status: 0 },
      { status: '0xx' },
      { body: null },
      { body: { tags: ['a', 'b'] } },
      { answer: { error: { code: 'not_found' } } },
      { headers: { 'content-type': 'application/json' } },
      { headers: { 'content-type': 'text/plain' } },
      { key: /^key_/ },
      { key: 'key_none' },
    ].map((pattern) => `${formatPattern(pattern as object)}: ${fitting(pattern as object).join(' ')}`);
    await expect(`${found.join('\n')}\n`).toMatchFileSnapshot('golden/patterns.txt');
  });

  test('the nearest requests are those that differ in least, and never those that fit', async () => {
    const near = (pattern: object, most: number) =>
      findNearest(pattern, mock.requests, most).map(({ request, says }) => [request.id, ...says]);
    const rows = [
      near({ operation: 'updateTask', status: 404 }, 9),
      near({ path: '/tasks/none', status: 200, body: 1, method: 'GET' }, 2),
      near({ method: 'GET', status: 500 }, 3),
      near({ key: 'key_none' }, 1),
      near({ method: 'PATCH', status: 404 }, 2),
      near({}, 3),
    ];
    await expect(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`).toMatchFileSnapshot('golden/nearest.txt');
  });
});

describe('A client of a service that is ahead', () => {
  const survived = () => {
    const { pass, message } = judgeForwardCompat(mock);
    return `${pass}\n${message()}`;
  };
  test('is judged by what was seen', async () => {
    const says: string[] = [];
    await start();
    says.push(survived());
    await start({ forwardCompat: 'fields,order' });
    says.push(survived());
    await ask('PATCH', '/tasks/task_a', '{"status":"done"}');
    await mock.webhooks.settled();
    says.push(survived());
    await ask('PATCH', '/tasks/task_a', '{"status":"blocked"}');
    says.push(survived());
    const { pass } = judgeForwardCompat(mock, { except: ['echoed-value'] });
    says.push(String(pass));
    await start({ forwardCompat: true, sender: async () => ({ kind: 'response', status: 400, took: 1 }) });
    await ask('PATCH', '/tasks/task_a', '{"status":"done"}');
    await mock.webhooks.settled();
    says.push(survived());
    await expect(`${says.join('\n\n')}\n`).toMatchFileSnapshot('golden/survived.txt');
  });

  test.each([
    [1, 0, false],
    [0, 1, false],
    [1, 1, false],
    [0, 0, true],
  ])('with %d warnings and %d refused deliveries: %s', async (warned, refused, pass) => {
    await start();
    const sign = { code: 'echoed-value', says: 'so', request: 'req_1', delivery: 'dlv_1', event: 'task.created' };
    const list = (length: number) => Array.from({ length }, () => sign);
    const compatibility = {
      forward_compat: ['fields'],
      answers: 1,
      delivered: 1,
      survived: pass,
      warnings: list(warned),
      refused: list(refused),
    };
    const witness = { requests: [], deliveries: [], compatibility };
    expect(judgeForwardCompat(witness as never).pass).toBe(pass);
    expect(judgeForwardCompat({ ...witness, compatibility: { ...compatibility, survived: null } } as never).pass).toBe(false);
  });

  test('cannot be judged by a mock of an older version', async () => {
    await start();
    const { requests, deliveries } = mock;
    expect(() => judgeForwardCompat({ requests, deliveries } as never)).toThrow(
      new TypeError('toHaveSurvivedForwardCompat: expected a mock of this version, which has `compatibility`'),
    );
  });
});

describe('A matcher', () => {
  beforeEach(() => start());
  test.each(Object.keys(localMatchers))('%s takes a mock and nothing else', (name) => {
    const matcher = localMatchers[name as keyof typeof localMatchers] as (received: unknown, expected?: unknown) => unknown;
    for (const [received, got] of [
      [undefined, 'nothing'],
      [null, 'null'],
      [5, '5'],
      [{ requests: [] }, '{"requests":[]}'],
      [{ deliveries: [] }, '{"deliveries":[]}'],
    ] as const)
      expect(() => matcher(received, 'getTask')).toThrow(
        new TypeError(`${name}: expected a mock, as in expect(mock).${name}(…), got ${got}.`),
      );
  });

  test('is described by the parts of its pattern', () => {
    expect(formatPattern({})).toBe('any request');
    expect(formatPattern({ method: undefined as never, path: '/a', status: 1 })).toBe('path "/a", status 1');
  });
});

describe('a misspelt word is a mistake of the test, also where nothing came in and under a negation', () => {
  beforeEach(() => start());
  const received = (...given: unknown[]) => judgeReceived(mock, ...(given as ['listTasks']));
  const delivered = (...given: unknown[]) => judgeDelivered(mock, ...(given as ['task.updated']));
  test.each<[says: string, act: (...given: unknown[]) => unknown, ...given: unknown[]]>([
    ['operation: unknown value (did you mean listTasks?), expected one of listProjects, ', received, 'listTask'],
    ['verb: unknown field, expected one of operation, method, path', received, { verb: 'GET' }],
    ['method: unknown value, expected one of GET, POST, ', received, { method: 'GTE' }],
    [
      'times: too small, expected an integer, 0 or more, got -1. The types of wm-mock say what it takes.',
      received,
      'listTasks',
      -1,
    ],
    ['wrong type, expected an object, got null.', received, null],
    ['event: unknown value (did you mean task.updated?), expected one of ', delivered, 'task.update'],
    ['event: wrong type, expected a string, got null', delivered, undefined],
    [
      'state: unknown value, expected one of pending, retrying, delivered, failed, got "retry".',
      delivered,
      'task.updated',
      { state: 'retry' },
    ],
    [
      'status: unknown field (did you mean state?), expected one of state, webhook, url, simulated, attempts, data, times, got "status".',
      delivered,
      'task.updated',
      { status: 'retrying' },
    ],
    ['attempts: wrong value, expected an integer, 0 or more, got 1.5', delivered, 'task.updated', { attempts: 1.5 }],
    ['times: too small, expected an integer, 0 or more, got -1', delivered, 'task.updated', { times: -1 }],
  ])('%s', (says, act, ...given) => {
    const name = act === received ? 'toHaveReceived' : 'toHaveDelivered';
    expect(() => act(...given)).toThrow(`${name} is refused: ${says}`);
    expect(() => act(...given)).toThrow(TypeError);
  });

  test.each(['2XX', '6xx', 'ok', 99, 600, -1, '4x', null])('%j is no status', (status) => {
    expect(() => received({ status })).toThrow(/status: .*expected a status such as 404/);
  });

  test.each([
    ['except[0]: unknown value (did you mean tight-loop?), expected one of removed-parameter, ', { except: ['tight-loops'] }],
    ['except: wrong type, expected an array, got "tight-loop".', { except: 'tight-loop' }],
    ['without: unknown field, expected one of except, got "without".', { without: [] }],
  ])('%s', (says, options) => {
    for (const judge of [judgeClientWarnings, judgeForwardCompat]) {
      expect(() => judge(mock, options as never)).toThrow(says);
      expect(() => judge(mock, options as never)).toThrow(TypeError);
    }
  });

  test('an event of a later release is accepted as a name', () => {
    expect(judgeDelivered(mock, 'task.moved' as never).pass).toBe(false);
  });
});

describe('Lines', () => {
  const request = {
    id: 'req_1',
    at: '2025-01-20T09:00:00.000Z',
    method: 'GET',
    path: '/v1/tasks',
    operation: null,
    fault: null,
    why: [],
    warnings: [],
    request: { body: null },
    response: { body: { a: 1 } },
  };
  const delivery = {
    id: 'dlv_1',
    event: { event: 'task.created' },
    url: 'http://a.test/',
    state: 'failed',
    next_attempt_at: null,
  };

  test.each([
    [199, true],
    [200, false],
    [299, false],
    [300, true],
    [0, true],
  ])('show the response of status %d: %s', (status, shows) => {
    expect(explainRequest({ ...request, status } as never)).toEqual(shows ? ['response  {"a":1}'] : []);
  });

  test('name the known parts of a request or a delivery, and no others', () => {
    expect(formatRequestLine({ ...request, status: 200 } as never)).toBe(
      'req_1  09:00:00.000  GET /v1/tasks → 200  no operation',
    );
    expect(formatDeliveryLine(delivery as never)).toBe('dlv_1  task.created → http://a.test/  failed');
    expect(formatDeliveryLine({ ...delivery, stopped: 'the registration was deleted' } as never)).toBe(
      'dlv_1  task.created → http://a.test/  failed, the registration was deleted',
    );
    const attempts = [
      { n: 1, at: 'now', trigger: 'event', outcome: 'response', status: 500 },
      { n: 2, at: 'now', trigger: 'retry', outcome: 'timeout' },
      { n: 3, at: 'now', trigger: 'retry', outcome: 'reset', error: 'cut off', late_timestamp: 'it is late' },
    ];
    expect(formatAttempts({ attempts } as never)).toEqual([
      'attempt 1  now  event  500',
      'attempt 2  now  retry  timeout',
      'attempt 3  now  retry  reset: cut off  warning: it is late',
    ]);
  });
});

describe('Values', () => {
  const any = { asymmetricMatch: (value: unknown) => value === 7, toString: () => 'Seven' };
  test.each<[unknown, unknown, boolean]>([
    [1, 1, true],
    [1, '1', false],
    [Number.NaN, Number.NaN, true],
    [null, null, true],
    [null, undefined, false],
    [undefined, undefined, true],
    [any, 7, true],
    [any, 8, false],
    [/b/, 'abc', true],
    [/b/, 'ac', false],
    [/5/, 5, false],
    [[], [], true],
    [[], {}, false],
    [[1, any], [1, 7], true],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [[1], { 0: 1, length: 1 }, false],
    [{}, {}, true],
    [{}, [], false],
    [{}, null, false],
    [{}, 'text', false],
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: 1 }, { b: 2 }, false],
    [{ a: { b: /c/ } }, { a: { b: 'c', d: 1 } }, true],
    [{ asymmetricMatch: 5 }, { asymmetricMatch: 5 }, true],
    ['a', ['a'], false],
  ])('%j fits %j: %s', (expected, found, says) => expect(matchesShape(expected, found)).toBe(says));

  test.each([/x/g, /x/y])('%s matches the same text each time, whatever its flags remember', (pattern) => {
    expect([1, 2, 3].map(() => matchesShape({ title: pattern }, { title: 'x' }))).toEqual([true, true, true]);
  });

  test.each<[unknown, string]>([
    [/a"b/g, '/a"b/g'],
    [any, 'Seven'],
    [{ a: /b/, c: [any, 1] }, '{"a":"/b/","c":["Seven",1]}'],
    [undefined, 'nothing'],
    [null, 'null'],
    ['x', '"x"'],
    [{ asymmetricMatch: 1 }, '{"asymmetricMatch":1}'],
  ])('%j is shown as %s', (value, says) => expect(showValue(value)).toBe(says));

  test('a wanted path without the base path matches at the start alone', () => {
    const at = (path: string, wanted: string) => requestFits({ path: wanted }, { path } as never);
    expect([
      at('/v1/tasks', '/v1/tasks'),
      at('/v1', '/v1'),
      at('/v1', '/'),
      at('/a/v1/b', '/a/b'),
      at('/a/v1/b', '/a/v1/b'),
    ]).toEqual([true, true, false, false, true]);
  });

  test('a long body is cut and counted', () => {
    expect(formatBodyLines('x'.repeat(600))).toBe('x'.repeat(600));
    expect(formatBodyLines('x'.repeat(601))).toBe(`${'x'.repeat(600)} … (601 characters)`);
    expect(formatBodyLines({ a: [1] })).toBe('{"a":[1]}');
  });
});

test('ten requests with warnings are listed, of more the number', async () => {
  await start();
  const lines = () => judgeClientWarnings(mock).message().split('\n');
  for (let i = 0; i < 10; i++) await ask('GET', `/tasks?page=${i}`);
  expect([lines().length, lines().at(-1)]).toEqual([
    21,
    '    removed-parameter: page was removed in v1.2.0; follow meta.next_cursor',
  ]);
  await ask('GET', '/tasks?page=2');
  expect([lines().length, lines().at(-1)]).toEqual([22, '  … and 1 more']);
});

test('a report of a hundred leaves out none, and ends with a line end', async () => {
  await start();
  for (let i = 0; i < 100; i++) mock.faults.add({ match: { path: `/${i}` }, effect: { status: 503 } });
  const lines = describeWorld(mock).split('\n');
  expect(lines.slice(0, 8)).toEqual([
    'wm-mock world default, clock 2025-01-20T09:00:00.000Z (frozen)',
    '',
    'Requests: 0',
    '',
    'Deliveries: 0',
    '',
    'Faults: 100',
    '  {"match":{"path":"/0"},"effect":{"status":503},"id":"fault_1","seen":0,"hits":0,"released":false,"held":0}',
  ]);
  expect([lines.length, lines.at(-1)]).toEqual([108, '']);
});

test('text of a client controls no terminal, in a report as in a failure', async () => {
  await start();
  mock.faults.add({ match: { path: '/\u202e' }, effect: { status: 503 } });
  await ask('POST', '/projects', '\u001b]0;x\u0007 \u202e \u2028');
  const shown = describeWorld(mock) + judgeReceived(mock, 'deleteTask').message();
  expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}]/u);
  expect(shown).toContain('\\u001b]0;x\\u0007 \\u202e \\u2028');
});

test('a report leaves out what is earlier than the last hundred, and says so', async () => {
  await start();
  mock.webhooks.simulate('wh_a', [200]);
  for (let i = 0; i < 102; i++) await ask('PATCH', '/tasks/task_a', `{"title":"${i}"}`);
  for (let i = 0; i < 101; i++) mock.faults.add({ match: { path: `/${i}` }, effect: { status: 503 } });
  await mock.webhooks.settled();
  const lines = describeWorld(mock).split('\n');
  const ids = lines.filter((line) => /^ {2}req_/.test(line)).map((line) => line.trim().split(' ')[0]);
  expect([ids[0], ids.at(-1), ids.length]).toEqual(['req_3', 'req_102', 100]);
  expect(lines.filter((line) => /^\w+: \d+$| earlier /.test(line))).toEqual([
    'Requests: 102',
    '  … 2 earlier ones are left out',
    'Deliveries: 204',
    '  … 104 earlier ones are left out',
    'Faults: 101',
    '  … 1 earlier ones are left out',
  ]);
  expect(lines.filter((line) => /^ {2}dlv_/.test(line))).toHaveLength(100);
  expect(lines.filter((line) => /"fault_/.test(line)).map((line) => /fault_\d+/.exec(line)![0])).toEqual(
    Array.from({ length: 100 }, (_, i) => `fault_${i + 2}`),
  );
  mock.faults.clear();
  expect(describeWorld(mock)).not.toContain('Faults');
  expect(describeWorld(mock).split('\n').at(-2)).toMatch(/^ {4}attempt 1 /);
});
