import assert from 'node:assert/strict';
import test from 'node:test';
import { setupServer } from 'msw/node';
import { createMock } from 'wm-mock';
import { handlers } from 'wm-mock/msw';

test('asked by fetch', async () => {
  const mock = await createMock({ seed: 'demo' });
  const server = setupServer(...handlers(mock, { baseUrl: 'https://api.example.com/v1' }));
  server.listen();
  const response = await fetch('https://api.example.com/v1/projects', { headers: mock.auth('read') });
  assert.deepEqual([response.status, mock.requests.length], [200, 1]);
  server.close();
});
