// The library door in Node (INTERFACES: In a program).
import { describe, expect, test } from 'vitest';
import { createMock, SeedError } from './index.ts';

describe('createMock', () => {
  test('takes a path, a parsed seed or nothing, and answers with no socket', async () => {
    const parsed = {
      workspaces: [{ id: 'ws_a', users: [{ id: 'user_a' }], api_keys: [{ value: 'k', scope: 'read', user_id: 'user_a' }] }],
    };
    for (const seed of ['fixtures/demo.yaml', parsed, undefined]) {
      const mock = await createMock(seed === undefined ? {} : { seed });
      const answer = await mock.fetch('/tasks?limit=5', { headers: mock.auth('read') });
      expect(answer.status).toBe(200);
      expect((await answer.json()).meta.limit).toBe(5);
      await mock.close();
    }
  });

  test('throws with every problem of a broken seed, and with the name of a missing file', async () => {
    await expect(createMock({ seed: { workspaces: [] } })).rejects.toThrow(SeedError);
    await expect(createMock({ seed: 'fixtures/none.yaml' })).rejects.toThrow('none.yaml');
    await expect(createMock({ seed: 'fixtures/none.yaml' })).rejects.toMatchObject({
      message: expect.stringMatching(
        /^createMock: cannot read the seed file .*none\.yaml: there is no such file\. Give the path of a YAML or JSON file, or a parsed seed\.$/,
      ),
      code: 'ENOENT',
    });
    await expect(createMock({ seed: 'fixtures' })).rejects.toMatchObject({
      message: expect.stringContaining(': it is a folder. Give '),
      code: 'EISDIR',
    });
    await expect(createMock({ choices: { 'patch-status': 204 } })).rejects.toThrow('patch-status');
    await expect(createMock({ now: 'soon' })).rejects.toThrow('now: expected an ISO 8601 time');
  });

  test('goes back to the seed: data, limits and ids', async () => {
    const mock = await createMock({ seed: 'fixtures/tiny.yaml' });
    const create = async () => {
      const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
      const answer = await mock.fetch('/projects', { method: 'POST', headers, body: '{"name":"A"}' });
      return [answer.headers.get('x-ratelimit-remaining'), await answer.text()];
    };
    const first = await create();
    expect(await create()).not.toEqual(first);
    mock.reset();
    expect(await create()).toEqual(first);
  });

  test('two mocks share nothing', async () => {
    const [a, b] = await Promise.all([createMock({ seed: 'fixtures/tiny.yaml' }), createMock({ seed: 'fixtures/tiny.yaml' })]);
    await a.fetch('/tasks/task_talked', { method: 'DELETE', headers: a.auth('admin') });
    expect((await a.fetch('/tasks/task_talked', { headers: a.auth('read') })).status).toBe(404);
    expect((await b.fetch('/tasks/task_talked', { headers: b.auth('read') })).status).toBe(200);
  });

  test('listens on a free port and is gone when closed', async () => {
    const mock = await createMock({ seed: 'fixtures/tiny.yaml' });
    const server = await mock.listen({ port: 0 });
    expect((await fetch(`${server.baseUrl}/tasks`, { headers: mock.auth('read') })).status).toBe(200);
    await mock.close();
    await expect(fetch(`${server.baseUrl}/tasks`)).rejects.toThrow();
  });

  test('a place where nothing can listen is refused before anything is opened', async () => {
    const mock = await createMock();
    for (const where of [{ host: '0.0.0.0', port: 'abc' }, { host: 5 }])
      await expect(mock.listen(where as never)).rejects.toThrow(RangeError);
    expect(mock.guard.token).toBeUndefined();
    await mock.close();
  });

  test('auth names the scopes when the seed has no key of one', async () => {
    const mock = await createMock({
      seed: { workspaces: [{ id: 'w', users: [{ id: 'u' }], api_keys: [{ value: 'k', scope: 'read', user_id: 'u' }] }] },
    });
    expect(() => mock.auth('admin')).toThrow('expected a scope that a working key has (read), got "admin". Ask for another one');
  });
});
