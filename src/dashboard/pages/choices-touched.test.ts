// Open points that each kind of request and delivery touches: no more and no fewer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostOptionsOf, mockOn, toSeed } from '../../mock/api/create.ts';
import type { Mock } from '../../mock/api/mock.ts';
import type { MockOptions } from '../../mock/api/options.ts';
import { Host } from '../../mock/control/host.ts';
import { plantSeed } from '../../mock/control/snapshot.ts';
import { dashboardBench } from '../../test/dashboard.ts';
import { linesOf, mainOf } from '../../test/reading.ts';
import { ask, initOf } from '../../test/sending.ts';
import { countTouches } from './choices-touched.ts';

const OPTIONS: MockOptions = { now: '2025-01-20T09:00:00Z', sender: async () => ({ kind: 'response', status: 500, took: 0 }) };
const SEED = {
  workspaces: [
    {
      id: 'ws_a',
      name: 'A',
      plan: 'unlimited',
      users: [{ id: 'user_a', name: 'Ann' }],
      api_keys: [
        { value: 'wm_a', scope: 'admin', user_id: 'user_a' },
        { value: 'wm_read', scope: 'read', user_id: 'user_a' },
      ],
      projects: [{ id: 'proj_a', owner_id: 'user_a', tasks: [{ id: 'task_a', title: 'First' }] }],
      teams: [{ id: 'team_a', name: 'T', member_ids: ['user_a'] }],
    },
    {
      id: 'ws_b',
      name: 'B',
      plan: 'free',
      users: [{ id: 'user_b', name: 'Bo' }],
      api_keys: [{ value: 'wm_b', scope: 'read', user_id: 'user_b' }],
    },
  ],
};

/** Points that go together, by a name for each group. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  list: ['absent-values', 'default-order'],
  rate: ['rate-source', 'rate-window'],
  error: ['error-details', 'error-status-field'],
  pages: ['page-and-offset'],
  body: ['date-only', 'invited-members', 'length-unit', 'null-in-body'],
  fault: ['check-order', 'mixed-faults', 'value-fault-status'],
};
const named = (points: readonly string[]): string => {
  const left = new Set(points);
  const groups = Object.entries(GROUPS).filter(([, group]) => group.every((point) => left.has(point)));
  for (const point of groups.flatMap(([, group]) => group)) left.delete(point);
  return [...groups.map(([name]) => name), ...[...left].sort()].join(' ');
};

type More = { readonly key?: string; readonly type?: string };
type TouchRow = [method: string, path: string, status: string, points: string, body?: string | undefined, more?: More];
const TOUCHED: readonly TouchRow[] = [
  ['GET', '/tasks', '200', 'list rate'],
  ['GET', '/tasks?limit=100', '200', 'list rate'],
  ['GET', '/tasks?limit=101', '400', 'rate error default-order limit-above-100'],
  ['GET', '/tasks?limit=1', '200', 'list rate'],
  ['GET', '/tasks?limit=0', '400', 'rate error default-order limit-below-1'],
  ['GET', '/tasks?limit=x', '400', 'rate error default-order limit-below-1'],
  ['GET', '/tasks?sort=title', '200', 'rate absent-values sortable-fields'],
  ['GET', '/tasks?sort=-due_date', '200', 'rate absent-values null-due-date sortable-fields'],
  ['GET', '/tasks?sort=due_date', '200', 'rate absent-values null-due-date sortable-fields'],
  ['GET', '/tasks?sort=due_date,title', '400', 'rate error sortable-fields unsupported-sort-code'],
  ['GET', '/tasks?sort=xdue_date', '400', 'rate error sortable-fields unsupported-sort-code'],
  ['GET', '/tasks?sort=nothing', '400', 'rate error sortable-fields unsupported-sort-code'],
  ['GET', '/tasks?filter[status]=todo', '200', 'list rate filter-value'],
  ['GET', '/tasks?filter[status]=nothing', '400', 'rate error default-order filter-value'],
  ['GET', '/tasks?filter[colour]=red', '400', 'rate error default-order filter-value unknown-filter'],
  ['GET', '/tasks?xfilter[status]=todo', '200', 'list rate unknown-query'],
  ['GET', '/tasks?filter[status]x=todo', '200', 'list rate unknown-query'],
  ['GET', '/tasks?filter[a%0Ab]=x', '400', 'rate error default-order filter-value unknown-filter'],
  ['GET', '/tasks?colour=red', '200', 'list rate unknown-query'],
  ['GET', '/tasks?page=2', '200', 'list rate pages'],
  ['GET', '/tasks?offset=2', '200', 'list rate pages'],
  ['GET', '/tasks?per_page=2', '200', 'list rate unknown-query'],
  ['GET', '/tasks?cursor=abc', '400', 'rate error broken-cursor cursor-conflict cursor-limit default-order'],
  [
    'GET',
    '/projects/proj_a/tasks?filter[project_id]=proj_b',
    '200',
    'list rate filter-value project-filter-in-project unknown-filter',
  ],
  ['GET', '/projects/proj_a/tasks?filter[status]=todo', '200', 'list rate filter-value'],
  ['GET', '/tasks?filter[project_id]=proj_a', '200', 'list rate filter-value'],
  ['GET', '/tasks/task_a', '200', 'rate absent-values datetime-format'],
  ['GET', '/tasks/task_a?limit=500&sort=x&filter[status]=y&limit=0', '200', 'rate absent-values datetime-format'],
  ['GET', '/tasks/task_a?page=1', '200', 'rate pages absent-values datetime-format'],
  ['GET', '/tasks/nothing', '404', 'rate error not-found-code'],
  ['GET', '/nothing', '404', 'rate error not-found-code'],
  ['GET', '/me', '404', 'rate error not-found-code'],
  ['GET', '/projects', '200', 'rate default-order owner-field'],
  ['GET', '/teams', '200', 'rate default-order'],
  ['GET', '/teams/team_a', '200', 'rate datetime-format'],
  ['GET', '/workspace/members', '200', 'rate default-order invited-members'],
  ['GET', '/tasks/task_a/comments', '200', 'rate default-order'],
  ['PUT', '/tasks/task_a', '404', 'rate error not-found-code wrong-method', '{}'],
  ['PATCH', '/nothing', '404', 'rate error not-found-code', '{}'],
  ['PATCH', '/tasks/task_a', '200', 'rate body noop-patch patch-status', '{"title":"x"}'],
  ['PATCH', '/tasks/task_a', '200', 'rate body noop-patch patch-status unknown-body-fields', '{"colour":"x"}'],
  ['PATCH', '/tasks/task_a', '422', 'rate error fault', '{"title":""}'],
  ['PATCH', '/tasks/task_a', '400', 'rate error fault', '{"title":5}'],
  ['PATCH', '/tasks/task_a', '400', 'rate error fault', '{'],
  ['PATCH', '/tasks/nothing', '404', 'rate error check-order not-found-code', '{}'],
  ['PATCH', '/tasks/task_a', '400', 'rate error fault content-type', '{"title":"x"}', { type: 'text/plain' }],
  ['PATCH', '/tasks/task_a', '200', 'rate body noop-patch patch-status', '{"title":"x"}', { type: 'Application/JSON; a=b' }],
  ['PATCH', '/tasks/task_a', '400', 'rate error fault content-type', '{"title":"x"}', { type: 'x/application/json' }],
  ['POST', '/projects/proj_a/tasks', '201', 'rate body id-style', '{"title":"x","due_date":null}'],
  ['GET', '/tasks', '401', 'error anonymous-limit default-order www-authenticate', undefined, { key: '' }],
  ['GET', '/tasks', '401', 'error anonymous-limit default-order www-authenticate', undefined, { key: 'wrong' }],
  ['DELETE', '/tasks/task_a', '403', 'rate error', undefined, { key: 'wm_read' }],
  ['DELETE', '/teams/team_a', '204', 'rate team-scope'],
];

describe('Requests touch', () => {
  let host: Host;
  let mock: Mock;
  beforeAll(async () => {
    host = new Host(plantSeed(await toSeed({ ...OPTIONS, seed: SEED })), hostOptionsOf(OPTIONS));
    mock = mockOn(host, OPTIONS);
  });
  afterAll(() => host.close());

  const sendAs = (method: string, path: string, body?: string, { key = 'wm_a', type = 'application/json' }: More = {}) => {
    const authorization = key === '' ? {} : { authorization: `Bearer ${key}` };
    const content = body === undefined ? {} : { 'content-type': type };
    return mock.fetch(path, initOf(method, body, { ...authorization, ...content })).catch(() => undefined);
  };
  const touched = async (...asked: Parameters<typeof sendAs>): Promise<[status: string, points: string]> => {
    host.main.journal.clear();
    const response = await sendAs(...asked);
    return [String(response?.status), named([...countTouches(host.main).keys()])];
  };

  test.each<TouchRow>(TOUCHED)('%s %s is %s and touches %s', async (method, path, status, points, body, more) => {
    expect(await touched(method, path, body, more)).toEqual([status, points]);
  });

  test('a response of a fault or the limit touches what shaped it alone', async () => {
    const { faults } = host.main;
    faults.add({ match: {}, effect: { status: 500 }, times: 1 });
    expect(await touched('GET', '/tasks/task_a')).toEqual(['500', 'rate error internal-code']);
    for (const [method, body] of [['GET'], ['PATCH', '{"title":""}']] as const) {
      faults.add({ match: {}, effect: { abort: true }, times: 1 });
      expect(await touched(method, '/tasks/task_a', body)).toEqual(['undefined', 'rate']);
    }
    for (let i = 0; i < 60; i++) await sendAs('GET', '/me', undefined, { key: 'wm_b' });
    const [status, points] = await touched('GET', '/me', undefined, { key: 'wm_b' });
    expect([status, points]).toEqual(['429', 'rate error refused-requests retry-after']);
  });

  test('a touch has its counts and the newest requests', async () => {
    host.main.journal.clear();
    const first = host.main.journal.next;
    for (const path of ['/tasks?cursor=a', '/tasks?cursor=b', '/tasks/none']) await sendAs('GET', path);
    const marks = countTouches(host.main);
    expect([marks.get('broken-cursor'), marks.get('not-found-code')]).toEqual([
      { requests: 2, deliveries: 0, latest: [first + 1, first] },
      { requests: 1, deliveries: 0, latest: [first + 2] },
    ]);
    expect(countTouches(host.main)).toEqual(marks);
  });
});

test('Deliveries touch how they are signed, retried and filled, once they were attempted', async () => {
  const host = new Host(plantSeed(await toSeed({ ...OPTIONS, seed: SEED })), hostOptionsOf(OPTIONS));
  const mock = mockOn(host, OPTIONS);
  const marks = () =>
    [...countTouches({ ...host.main.running, journal: { first: 0, next: 0 } } as never)]
      .map(([id, { deliveries, requests }]) => [id, deliveries, requests])
      .sort();
  const events = ['task.updated', 'project.created', 'project.deleted', 'member.invited'];
  await ask(mock, 'POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events });
  expect(marks()).toEqual([]);
  await ask(mock, 'POST', '/projects', { name: 'P' });
  expect(marks()).toEqual([]);
  await mock.webhooks.settled();
  expect(marks()).toEqual([['signature', 1, 0]]);
  await mock.clock.advance('30s');
  expect(marks()).toEqual([
    ['retry-counted-from', 1, 0],
    ['signature', 1, 0],
  ]);
  await ask(mock, 'PATCH', '/tasks/task_a', { title: 'B' });
  await ask(mock, 'DELETE', '/projects/proj_a');
  const invited = { workspace_id: 'ws_a', name: 'C', email: 'c@a.test', role: 'member', state: 'invited' };
  await ask(mock, 'POST', '/_mock/data/users', invited);
  await mock.webhooks.settled();
  expect(marks()).toEqual([
    ['member-snapshot', 1, 0],
    ['project-delete-events', 1, 0],
    ['retry-counted-from', 1, 0],
    ['signature', 4, 0],
    ['task-snapshot', 1, 0],
  ]);
  host.close();
});

test('an open point shows what each other option changes in the responses to the last requests that touch it', async () => {
  const { get, mock } = await dashboardBench();
  const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
  await mock.fetch('/tasks?limit=200&sort=title', { headers });
  await mock.fetch('/tasks/task_none', { headers });
  await mock.fetch('/projects', { method: 'POST', headers, body: '{"name":"Made once"}' });
  const state = () => JSON.stringify([mock.read.projects(), mock.clock.now, mock.requests.length, mock.deliveries.length]);
  const before = state();
  const compare = async (point: string) => linesOf(mainOf((await get(`/dashboard/choices?compare=${point}`)).text)).join(' ');
  const limit = await compare('limit-above-100');
  expect(limit).toMatch(/GET \(\/dashboard\/requests\/req_1\) \/v1\/tasks\?limit=200&sort=title \S+ 400 clamped \S+ 200 Field/);
  expect(limit).toContain('status | was 400 | is 200 body | was {"error":{"code":"validation_error"');
  expect(await compare('not-found-code')).toContain('body.error.code | was not_found | is resource_not_found');
  expect(await compare('owner-field')).toMatch(
    /POST .* \/v1\/projects \S+ 201 owner_id \S+ 201 Field \| Before \| After body.data.owner_id \| — \| is user_/,
  );
  expect(state()).toBe(before);
});
