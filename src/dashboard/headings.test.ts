// What pages name: their forms, and records by their names.
import { expect, test } from 'vitest';
import { dashboards } from '../test/dashboard.ts';

const open = dashboards();

test.each([
  ['/dashboard/data/users', 'Invite somebody'],
  ['/dashboard/data/tasks', 'Website relaunch'],
  ['/dashboard/webhooks', 'End the next attempts of'],
])('the page %s names %s', async (path, says) => {
  const { get } = await open();
  expect((await get(path)).text).toContain(says);
});

test('the clock offers to freeze where it runs, and to run where it is frozen', async () => {
  const { get, mock } = await open();
  const offered = async () => /name="do" value="(run|freeze)"/.exec((await get('/dashboard/requests')).text)?.[1];
  await mock.clock.freeze();
  const frozen = await offered();
  await mock.clock.run();
  expect([frozen, await offered()]).toEqual(['run', 'freeze']);
});
