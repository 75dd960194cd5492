import { expect, extendTest } from 'wm-mock/vitest';

extendTest({ seed: 'demo' })('in a page', async ({ mock }) => {
  expect(location.protocol).toBe('http:');
  await mock.fetch('/projects', { headers: mock.auth('read') });
  expect(mock).toHaveReceived('listProjects', 1);
  if (import.meta.env.VITE_FAULT) expect(mock).not.toHaveReceived('listProjects');
});
