// Suite: each test sees its own world alone, in process and on a socket, also when tests run at once.
import { describe } from 'vitest';
import type { Mock } from 'wm-mock';
import { expect, extendTest } from 'wm-mock/vitest';

const test = extendTest({ seed: 'fixtures/tiny.yaml' });
const worlds = new Set<string>();

describe.concurrent('side by side', () => {
  for (const n of [1, 2, 3, 4]) {
    test(`world ${n} holds ${n} new projects`, async ({ mock, expect }) => {
      worlds.add(mock.id);
      const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
      for (let i = 0; i < n; i++) {
        await mock.fetch('/projects', { method: 'POST', headers, body: `{"name":"Mine ${i}"}` });
        await new Promise((done) => setTimeout(done, 10));
      }
      const { items } = (await (await mock.fetch('/projects', { headers })).json()) as { items: unknown[] };
      expect(items).toHaveLength(1 + n);
      expect(mock).toHaveReceived('createProject', n);
      expect(mock).toHaveReceived({ operation: 'createProject', body: { name: expect.stringMatching(/^Mine/) } }, n);
      expect(mock).not.toHaveReceived('deleteProject');
      expect(mock).toHaveNoClientWarnings();
    });
  }
});

test('no world was shared', () => {
  expect(worlds.size).toBe(4);
});

test('the world is reached by its address, and by a key of its own', async ({ mock, baseUrl, sharedUrl }) => {
  const response = await fetch(`${baseUrl}/tasks`, { headers: mock.auth('read') });
  expect(response.status).toBe(200);
  expect(mock).toHaveReceived('listTasks', 1);
  expect(sharedUrl).toBe(baseUrl.replace(/\/worlds\/[^/]+/, ''));
  await fetch(`${sharedUrl}/teams`, { headers: mock.auth('read') });
  expect(mock).toHaveReceived('listTeams');
});

test('events are seen when they have been delivered', async ({ mock, baseUrl }) => {
  const headers = { ...mock.auth('admin'), 'content-type': 'application/json' };
  const url = `${baseUrl.replace(/\/v1$/, '')}/_mock/inbox/board`;
  await mock.fetch('/webhooks', { method: 'POST', headers, body: JSON.stringify({ url, events: ['task.updated'] }) });
  await mock.fetch('/tasks/task_dated', { method: 'PATCH', headers, body: '{"status":"done"}' });
  await mock.webhooks.settled();
  expect(mock).toHaveDelivered('task.updated', { data: { task: { id: 'task_dated', status: 'done' } }, times: 1, attempts: 1 });
  expect(mock).not.toHaveDelivered('task.deleted');
});

test('a listener of a world gets requests of that world alone', async ({ mock }) => {
  const paths: string[] = [];
  mock.onRequest(({ path }, world) => paths.push(`${world === mock.id} ${path}`));
  await mock.fork().fetch('/teams', { headers: mock.auth('read') });
  await mock.fetch('/tasks', { headers: mock.auth('read') });
  expect(paths).toEqual(['true /v1/tasks']);
});

let fork: Mock | undefined;
test('a copy of the world has keys of its own', async ({ mock, sharedUrl }) => {
  fork = mock.fork();
  expect((await fetch(`${sharedUrl}/tasks`, { headers: fork.auth('read') })).status).toBe(200);
  expect(fork).toHaveReceived('listTasks', 1);
  expect(mock).not.toHaveReceived('listTasks');
});

test('and ends with its test', async ({ mock, baseUrl }) => {
  expect((await fetch(`${baseUrl.replace(mock.id, fork!.id)}/tasks`, { headers: mock.auth('read') })).status).toBe(404);
});

test('fails on purpose', async ({ mock }) => {
  await mock.fetch('/tasks/task_dated?page=2', { method: 'DELETE', headers: mock.auth('read') });
  expect(mock).toHaveReceived({ operation: 'deleteTask', status: '2xx' });
});
