// What pages name and offer: forms, records by their names, the clock's other mode, faults that are on.
import { expect, test } from 'vitest';
import { dashboards } from '../test/dashboard.ts';

const open = dashboards();

test.each([
  ['/dashboard/data/users?new=1', '>Invite somebody<'],
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

test('a ready-made fault that is on shows as pressed, and no other', async () => {
  const { get, post } = await open();
  const pressed = async () => [
    ...(await get('/dashboard/faults')).text.matchAll(/value="([\w-]+)" class="preset" aria-pressed="true"/g),
  ];
  expect(await pressed()).toEqual([]);
  const [, name] = /name="preset" value="([\w-]+)"/.exec((await get('/dashboard/faults')).text)!;
  await post('/dashboard/faults', { do: 'preset', preset: name! });
  expect((await pressed()).map(([, one]) => one)).toEqual([name]);
});
