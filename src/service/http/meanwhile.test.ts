// A body takes time to be read: a request meets its world as it stands when all of it is there.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Mock } from '../../mock/api/mock.ts';

const post = (mock: Mock, path: string, body: object = { name: 'Own' }) =>
  mock.fetch(path, {
    method: 'POST',
    headers: { ...mock.auth('admin'), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test.each([false, true])(
  'a request is performed in the world that was put in place of its own meanwhile (recorded: %s)',
  async (record) => {
    const mock = await createMock({ record });
    const posting = post(mock, '/projects');
    mock.reset();
    expect((await posting).status).toBe(201);
    expect(mock.read.projects().map(({ name }) => name)).toEqual(['Own']);
    await mock.close();
  },
);

test('a request to a world that was closed meanwhile is told so', async () => {
  const mock = await createMock();
  const fork = mock.fork();
  const posting = post(fork, '/projects');
  await fork.close();
  const response = await posting;
  expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'not_found' } }]);
  await mock.close();
});

test('a request is judged by the release that its world has come to meanwhile', async () => {
  const mock = await createMock();
  const [{ id }] = [mock.create.task({ title: 'One' })];
  const posting = post(mock, `/tasks/${id}/comments`, { body: 'Words' });
  mock.become('1.0');
  expect((await posting).status).toBe(404);
  await mock.close();
});
