import { deepEqual as check } from 'node:assert/strict';
import test from 'node:test';
import { createMock } from 'wm-mock';

test('a project', async () => {
  const mock = await createMock({ now: '2025-01-20T09:00:00Z' });
  const server = await mock.listen();
  const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
  const response = await mock.fetch(server.baseUrl + '/projects', { method: 'POST', headers, body: '{"name":"Site"}' });
  const { data } = await response.json();
  const [request] = mock.requests;
  await mock.close();
  check([response.status, data.name, request.operation], [201, 'Site', 'createProject']);
});
