import { expect, extendTest } from 'wm-mock/vitest';

const test = extendTest({ seed: 'demo' });
test('a project is created', async ({ mock, baseUrl }) => {
  const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
  await fetch(baseUrl + '/projects', { method: 'POST', headers, body: '{"name":"Site"}' });
  expect(mock).toHaveReceived({ operation: 'createProject', body: { name: 'Site' } });
  expect(mock).not.toHaveReceived('deleteTask');
});
test('a key of the seed does not reach a world that tests share', async ({ mock, sharedUrl }) => {
  const at = (headers: Record<string, string>) => fetch(sharedUrl + '/users/me', { headers }).then(({ status }) => status);
  expect([await at({ authorization: 'Bearer wm_acme_read' }), await at(mock.auth('read'))]).toEqual([401, 200]);
});
