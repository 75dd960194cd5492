import { expect, extendTest } from 'wm-mock/vitest';
import { completeTask, listTasks } from './tasks.js';

const test = extendTest({ seed: 'demo' });

test('a completed task leaves the list', async ({ mock, baseUrl }) => {
  const [first, ...others] = await listTasks(baseUrl, mock.auth('write'));
  await completeTask(baseUrl, first.id, mock.auth('write'));
  expect((await listTasks(baseUrl, mock.auth('write'))).map(({ id }) => id)).toEqual(others.map(({ id }) => id));
});

test('an error of the service is told', async ({ mock, baseUrl }) => {
  mock.faults.add({ match: { operation: 'listTasks' }, effect: { status: 503 } });
  await expect(listTasks(baseUrl, mock.auth('read'))).rejects.toThrow('503');
});
