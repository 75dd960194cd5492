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
