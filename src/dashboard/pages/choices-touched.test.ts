// Which open points each kind of request, and each delivery, has to do with: no more and no fewer.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Host } from '../../control/host.ts';
import { planted } from '../../control/snapshot.ts';
import { hostOptionsOf, mockOn, toSeed } from '../../mock/create.ts';
import type { Mock } from '../../mock/mock.ts';
import type { MockOptions } from '../../mock/options.ts';
import { golden } from '../../test/golden.ts';
import { touches } from './choices-touched.ts';

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

describe('Requests touch', () => {
  let host: Host;
  let mock: Mock;
  beforeAll(async () => {
    host = new Host(planted(await toSeed({ ...OPTIONS, seed: SEED })), hostOptionsOf(OPTIONS));
    mock = mockOn(host, OPTIONS);
  });
  afterAll(() => host.close());

  const ask = (method: string, path: string, body?: string, { key = 'wm_a', type = 'application/json' } = {}) =>
    mock
      .fetch(path, {
        method,
        headers: {
          ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': type }),
        },
        ...(body === undefined ? {} : { body }),
      })
      .catch(() => undefined);
  const found = () => [...touches(host.main)];
  const touched = async (...asked: Parameters<typeof ask>): Promise<string> => {
    host.main.journal.clear();
    const answer = await ask(...asked);
    const [method, path, body, more] = asked;
    const line = `${method} ${path}${body === undefined ? '' : ` ${body}`}${more ? ` ${JSON.stringify(more)}` : ''} ${answer?.status}`;
    return `${line}\n  ${found()
      .map(([id]) => id)
      .sort()
      .join(' ')}`;
  };

  test('what another answer to them could have changed', async () => {
    const lines: string[] = [];
    for (const path of [
      '/tasks',
      '/tasks?limit=100',
      '/tasks?limit=101',
      '/tasks?limit=1',
      '/tasks?limit=0',
      '/tasks?limit=x',
      '/tasks?sort=title',
      '/tasks?sort=-due_date',
      '/tasks?sort=due_date',
      '/tasks?sort=due_date,title',
      '/tasks?sort=xdue_date',
      '/tasks?sort=nothing',
      '/tasks?filter[status]=todo',
      '/tasks?filter[status]=nothing',
      '/tasks?filter[colour]=red',
      '/tasks?xfilter[status]=todo',
      '/tasks?filter[status]x=todo',
      '/tasks?filter[a%0Ab]=x',
      '/tasks?colour=red',
      '/tasks?page=2',
      '/tasks?offset=2',
      '/tasks?per_page=2',
      '/tasks?cursor=abc',
      '/projects/proj_a/tasks?filter[project_id]=proj_b',
      '/projects/proj_a/tasks?filter[status]=todo',
      '/tasks?filter[project_id]=proj_a',
      '/tasks/task_a',
      '/tasks/task_a?limit=500&sort=x&filter[status]=y&limit=0',
      '/tasks/task_a?page=1',
      '/tasks/nothing',
      '/nothing',
      '/me',
      '/projects',
      '/teams',
      '/teams/team_a',
      '/workspace/members',
      '/tasks/task_a/comments',
    ])
      lines.push(await touched('GET', path));
    for (const [method, path, body, more] of [
      ['PUT', '/tasks/task_a', '{}'],
      ['PATCH', '/nothing', '{}'],
      ['PATCH', '/tasks/task_a', '{"title":"x"}'],
      ['PATCH', '/tasks/task_a', '{"colour":"x"}'],
      ['PATCH', '/tasks/task_a', '{"title":""}'],
      ['PATCH', '/tasks/task_a', '{"title":5}'],
      ['PATCH', '/tasks/task_a', '{'],
      ['PATCH', '/tasks/nothing', '{}'],
      ['PATCH', '/tasks/task_a', '{"title":"x"}', { type: 'text/plain' }],
      ['PATCH', '/tasks/task_a', '{"title":"x"}', { type: 'Application/JSON; charset=utf-8' }],
      ['PATCH', '/tasks/task_a', '{"title":"x"}', { type: 'x/application/json' }],
      ['POST', '/teams', '{"name":"T"}'],
      ['POST', '/projects/proj_a/tasks', '{"title":"x","due_date":null}'],
      ['GET', '/tasks', undefined, { key: '' }],
      ['GET', '/tasks', undefined, { key: 'wrong' }],
      ['DELETE', '/tasks/task_a', undefined, { key: 'wm_read' }],
      ['DELETE', '/teams/team_a'],
    ] as const)
      lines.push(await touched(method, path, body, more));
    host.main.faults.add({ match: {}, effect: { status: 500 }, times: 1 });
    lines.push(`fault 500: ${await touched('GET', '/tasks/task_a')}`);
    host.main.faults.add({ match: {}, effect: { abort: true }, times: 1 });
    lines.push(`fault closed: ${await touched('GET', '/tasks/task_a')}`);
    host.main.faults.add({ match: {}, effect: { abort: true }, times: 1 });
    lines.push(`fault closed: ${await touched('PATCH', '/tasks/task_a', '{"title":""}')}`);
    for (let i = 0; i < 60; i++) await ask('GET', '/me', undefined, { key: 'wm_b' });
    lines.push(await touched('GET', '/me', undefined, { key: 'wm_b' }));
    golden('dashboard/choices-touched', lines.join('\n'));
  });

  test('so often, and the newest is told', async () => {
    host.main.journal.clear();
    const first = host.main.journal.next;
    await ask('GET', '/tasks?cursor=a');
    await ask('GET', '/tasks?cursor=b');
    await ask('GET', '/tasks/none');
    const marks = touches(host.main);
    expect([marks.get('broken-cursor'), marks.get('not-found-code')]).toEqual([
      { requests: 2, deliveries: 0, last: first + 1 },
      { requests: 1, deliveries: 0, last: first + 2 },
    ]);
    expect(touches(host.main)).toEqual(marks);
  });
});

test('Deliveries touch how they are signed, retried and filled, once they were attempted', async () => {
  const host = new Host(planted(await toSeed({ ...OPTIONS, seed: SEED })), hostOptionsOf(OPTIONS));
  const mock = mockOn(host, OPTIONS);
  const headers = { authorization: 'Bearer wm_a', 'content-type': 'application/json' };
  const ask = (method: string, path: string, body: object) => mock.fetch(path, { method, headers, body: JSON.stringify(body) });
  const marks = () =>
    [...touches({ ...host.main.running, journal: { first: 0, next: 0 } } as never)]
      .map(([id, { deliveries, requests, last }]) => [id, deliveries, requests, last])
      .sort();
  const events = ['task.updated', 'project.created', 'project.deleted', 'member.invited'];
  await ask('POST', '/webhooks', { url: 'http://127.0.0.1:9/hook', events });
  expect(marks()).toEqual([]);
  await ask('POST', '/projects', { name: 'P' });
  expect(marks()).toEqual([]);
  await mock.webhooks.settled();
  expect(marks()).toEqual([['signature', 1, 0, undefined]]);
  await mock.clock.advance('30s');
  expect(marks()).toEqual([
    ['retry-counted-from', 1, 0, undefined],
    ['signature', 1, 0, undefined],
  ]);
  await ask('PATCH', '/tasks/task_a', { title: 'B' });
  await ask('DELETE', '/projects/proj_a', {});
  await mock.app.fetch(
    new Request('http://wm-mock.test/_mock/members/invite', {
      method: 'POST',
      headers,
      body: JSON.stringify({ workspace_id: 'ws_a', name: 'C', email: 'c@a.test', role: 'member' }),
    }),
  );
  await mock.webhooks.settled();
  expect(marks()).toEqual([
    ['member-snapshot', 1, 0, undefined],
    ['project-delete-events', 1, 0, undefined],
    ['retry-counted-from', 1, 0, undefined],
    ['signature', 4, 0, undefined],
    ['task-snapshot', 1, 0, undefined],
  ]);
  host.close();
});
