// The overview without a browser: which keys it shows, and what it says when none works any more.
import { beforeEach, describe, expect, test } from 'vitest';
import { type DashboardBench, startDashboard as start } from '../../test/dashboard.ts';
import { linesOf, mainOf } from '../../test/reading.ts';
import { tellOutcome } from '../../testing/worlds.ts';

const key = (id: string, scope: string, more = {}) => ({ id, value: `wm_${id}`, name: id, scope, user_id: 'user_a', ...more });
const SEED = {
  workspaces: [
    {
      id: 'ws_a',
      name: 'A',
      users: [{ id: 'user_a', name: 'Ann' }],
      api_keys: [
        key('old', 'read', { revoked: true }),
        key('one', 'read'),
        key('two', 'read'),
        key('three', 'write'),
        key('four', 'admin'),
      ],
    },
    { id: 'ws_b', name: 'B', users: [{ id: 'user_b', name: 'Bo' }], api_keys: [key('five', 'read', { user_id: 'user_b' })] },
  ],
};

test('the overview names the five newest failed worlds, also deleted ones', async () => {
  const { mock, get } = await start({ seed: SEED, record: true });
  expect((await get('/')).text).toContain('<p class="notice bad" id="failed" data-live=""></p>');
  for (let i = 1; i < 8; i++) {
    const world = mock.fork({ id: `w${i}`, ...(i !== 4 && { title: `test ${i}` }) });
    await world.fetch('/teams');
    await tellOutcome(world, i === 5);
    if (i > 5) await world.close();
  }
  expect((await get('/')).text).toContain('The default world with A and B.');
  expect((await get('/worlds/w1/')).text).toContain('World w1 with A and B.');
  const failed = linesOf(mainOf((await get('/')).text)).join(' ');
  expect([...failed.matchAll(/Failed: \(([^)]*)\) (\w+(?: \d)?)/g)].map(([, ...one]) => one)).toEqual([
    ['/worlds/w4/dashboard/requests', 'w4'],
    ['/worlds/w3/dashboard/requests', 'test 3'],
    ['/worlds/w2/dashboard/requests', 'test 2'],
    ['/worlds/w1/dashboard/requests', 'test 1'],
    ['/worlds/w7/dashboard/requests', 'test 7'],
  ]);
});

describe('The keys', () => {
  let bench: DashboardBench;
  beforeEach(async () => {
    bench = await start({ seed: SEED, now: '2025-01-20T09:00:00Z' });
  });
  const shown = async () => {
    const text = mainOf((await bench.get('/')).text);
    const copies = text.matchAll(/data-copy="(\w+)" aria-label="Copy the (\w+) key of (\w+)"/g);
    const keys = [...copies].map(([, value, scope, workspace]) => `${scope} ${workspace} ${value}`);
    const snippets = [...text.matchAll(/<code>[^<]*Bearer (\w+|&lt;key&gt;)/g)].map(([, key]) => key);
    return { keys, snippets, text };
  };
  const revoke = (id: string) => bench.act('/dashboard/settings', { do: 'revokeKey', id });

  test('are one that works of each scope and workspace; the lines to copy have one that may write', async () => {
    const { keys, snippets } = await shown();
    expect(keys).toEqual(['read ws_a wm_one', 'write ws_a wm_three', 'admin ws_a wm_four', 'read ws_b wm_five']);
    expect(snippets).toEqual(['wm_three', 'wm_three']);
  });

  test('are others when some were revoked, and none that was made later', async () => {
    await revoke('one');
    await revoke('three');
    await bench.act('/dashboard/settings', { do: 'createKey', name: 'New', scope: 'write', user_id: 'user_a' });
    const { keys, snippets } = await shown();
    expect(keys).toEqual(['read ws_a wm_two', 'admin ws_a wm_four', 'read ws_b wm_five']);
    expect(snippets).toEqual(['wm_two', 'wm_two']);
  });

  test('are none when all were revoked', async () => {
    for (const id of ['one', 'two', 'three', 'four', 'five']) await revoke(id);
    const { keys, snippets, text } = await shown();
    expect([keys, snippets]).toEqual([[], ['&lt;key&gt;', '&lt;key&gt;']]);
    expect(text).toContain('No key of the seed works any more');
    expect(text).toContain('Make one under');
  });
});
