// Where the early part of a recording is gone, pages say so, and lead back to no moment of it.
import { expect, test } from 'vitest';
import { createMock } from '../node/index.ts';
import { DEMO_AT } from '../test/dashboard.ts';

test('pages tell that early steps were dropped, and only later entries lead to the world of then', async () => {
  const mock = await createMock({ ...DEMO_AT, record: 'recent', memory: 8, plan: 'unlimited' });
  const read = async (path: string) => (await mock.app.request(`http://127.0.0.1${path}`)).text();
  expect(await read('/')).not.toContain('without the first');
  for (let i = 0; i < 300; i++) await mock.fetch('/projects', { headers: mock.auth('read') });
  const { dropped } = await mock.save();
  expect(await read('/')).toContain(`without the first ${dropped} steps`);
  const timeline = await read('/dashboard/timeline');
  expect(timeline).toContain('whose steps were dropped (--record keeps all)');
  expect(timeline).toContain('aria-label="Compare no. 300"');
  expect(await read('/dashboard/compare?at=300')).toContain('Nothing differs');
  expect(await read('/dashboard/compare?at=1')).toContain('It was not recorded, or is too long ago.');
  await mock.close();
});
