// Overview and settings without a browser: each form does what its call of the control API does.
import { describe, expect, test } from 'vitest';
import { dashboards } from '../../test/dashboard.ts';

const start = dashboards();

describe('the overview', () => {
  test('shows the base URL, the keys of the seed that work, a curl line and what the world holds', async () => {
    const { get } = await start();
    const { text } = await get('/');
    for (const shown of ['http://127.0.0.1:4700/v1', 'wm_acme_admin', 'wm_acme_write', 'wm_globex_read', 'await fetch('])
      expect(text).toContain(shown);
    expect(text).not.toContain('wm_acme_old');
    expect(text).toMatch(/<span class="tile-number">82<\/span><span class="tile-label">tasks/);
  });

  test('exports the state as a seed that gives the same mock', async () => {
    const { get, act } = await start();
    await act('/dashboard/data/projects', { do: 'create', name: 'Made here' });
    const { text } = await get('/');
    const [yaml, json] = [...text.matchAll(/href="(\/_mock\/state[^"]*)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&'));
    expect((await get(yaml!)).text).toContain('name: Made here');
    const again = await start({ seed: JSON.parse((await get(json!)).text) });
    expect((await again.get('/dashboard/data/projects')).text).toContain('Made here');
  });

  test('snapshots, restores, forgets and resets', async () => {
    const { act, mock, get } = await start();
    const title = () => mock.world.store.tasks.get('task_launch_name')?.value.title;
    const patch = (to: string) =>
      mock.fetch('/tasks/task_launch_name', {
        method: 'PATCH',
        headers: { ...mock.auth('write'), 'content-type': 'application/json' },
        body: JSON.stringify({ title: to }),
      });
    const first = title();
    await patch('One');
    expect((await act('/', { do: 'snapshot' })).text).toContain('Saved as snap_1.');
    await patch('Two');
    await act('/', { do: 'restore', id: 'snap_1' });
    expect(title()).toBe('One');
    expect((await act('/', { do: 'reset' })).text).toContain('Back to the seed.');
    expect(title()).toBe(first);
    await act('/', { do: 'forget', id: 'snap_1' });
    expect((await get('/')).text).not.toContain('snap_1');
  });

  test('opens worlds, each with a dashboard of its own, and deletes them', async () => {
    const { act, get, post, mock } = await start();
    const made = await act('/', { do: 'createWorld', id: 'mine', from: 'seed', mint_keys: 'yes' });
    expect(made.to).toMatch(/^\/worlds\/mine\/\?note=/);
    expect(made.text).toContain('This is mine, a world of its own.');
    expect(made.text).toContain('http://127.0.0.1:4700/worlds/mine/v1');
    await act('/worlds/mine/dashboard/data/projects', { do: 'create', name: 'Only here' });
    expect((await get('/worlds/mine/dashboard/data/projects')).text).toContain('Only here');
    expect((await get('/dashboard/data/projects')).text).not.toContain('Only here');
    expect((await post('/', { do: 'createWorld', id: 'mine', from: 'seed' })).text).toContain(
      'id="createWorld-id-issue">Name is taken.',
    );
    expect((await post('/', { do: 'createWorld', id: 'a b', from: 'seed' })).status).toBe(422);
    expect((await act('/worlds/mine/', { do: 'deleteWorld', id: 'mine' })).to).toMatch(/^\/\?note=/);
    expect((await get('/worlds/mine/')).status).toBe(404);
    expect(mock.world.store.projects.size).toBe(7);
  });

  test('says once what was done', async () => {
    const { act, get } = await start();
    const { to, text } = await act('/', { do: 'snapshot' });
    expect(text).toContain('Saved as snap_1.');
    expect((await get(to)).text).not.toContain('Saved as snap_1.');
  });
});

describe('the settings', () => {
  const SETTINGS = '/dashboard/settings';
  test('make a key whose value is shown once, and revoke it', async () => {
    const { act, get, mock } = await start();
    const made = await act(SETTINGS, { do: 'createKey', name: 'CI', scope: 'write', user_id: 'user_ada' });
    const value = /<code>(wm_\w+)<\/code>/.exec(made.text)![1]!;
    const status = async () => (await mock.fetch('/tasks', { headers: { authorization: `Bearer ${value}` } })).status;
    expect(await status()).toBe(200);
    for (const path of [made.to, SETTINGS, '/']) expect((await get(path)).text).not.toContain(value);
    const { id } = mock.world.store.keys.all().at(-1)!.value;
    expect((await get(SETTINGS)).text).toMatch(new RegExp(`data-row="${id}"[\\s\\S]*?title="2025-01-20 09:00:00 UTC"`));
    await act(SETTINGS, { do: 'revokeKey', id });
    expect(await status()).toBe(401);
  });

  test('invite somebody, who then joins', async () => {
    const { act, get, mock } = await start();
    await act(SETTINGS, { do: 'inviteMember', name: 'Cy', email: 'cy@acme.test', role: 'member' });
    const { id, state } = mock.world.store.users.all().at(-1)!.value;
    expect([state, (await get(SETTINGS)).text.includes('Accept the invitation as Cy')]).toEqual(['invited', true]);
    await act(SETTINGS, { do: 'joinMember', id });
    expect(mock.world.store.users.get(id)?.value.state).toBe('joined');
  });

  test('change the plan of the workspace that is shown', async () => {
    const { act, mock } = await start();
    const path = `${SETTINGS}?workspace=ws_globex`;
    expect((await act(path, { do: 'setPlan', plan: 'free', requests_per_minute: '' })).text).toContain(
      'From now on 60 requests a minute.',
    );
    expect([mock.world.limitOf('ws_globex'), mock.world.limitOf('ws_acme')]).toEqual([60, 1000]);
    await act(path, { do: 'setPlan', plan: '', requests_per_minute: '7' });
    expect(mock.world.limitOf('ws_globex')).toBe(7);
  });

  test('change the release, and how far it is ahead of its clients', async () => {
    const { act, mock } = await start();
    const { text } = await act(SETTINGS, { do: 'setRelease', release: '1.1', forward_compat: 'fields' });
    expect(text).toContain('The service is v1.1.0, ahead by fields.');
    expect([mock.release, mock.forwardCompat]).toEqual(['1.1', ['fields']]);
    await act(SETTINGS, { do: 'setRelease', release: '1.3', forward_compat: 'none' });
    expect([mock.release, mock.forwardCompat]).toEqual(['1.3', []]);
  });

  test.each([
    [{ do: 'createKey', name: '', scope: 'read', user_id: 'user_ada' }, 'createKey-name'],
    [{ do: 'createKey', name: 'x', scope: 'root', user_id: 'user_ada' }, 'createKey-scope'],
    [{ do: 'createKey', name: 'x', scope: 'read', user_id: 'user_none' }, 'createKey-user_id'],
    [{ do: 'inviteMember', name: 'x', email: 'x', role: 'member' }, 'inviteMember-email'],
    [{ do: 'setRelease', release: '2.0' }, 'setRelease-release'],
    [{ do: 'setRelease', release: '1.0', forward_compat: 'colour' }, 'setRelease-forward_compat'],
    [{ do: 'setPlan', plan: 'gold' }, 'setPlan-plan'],
    [{ do: 'setPlan', plan: '', requests_per_minute: 'many' }, 'setPlan-plan'],
  ])('show at the field what is wrong with %j', async (fields, id) => {
    const { post } = await start();
    const { status, text } = await post(SETTINGS, fields);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(text).toMatch(new RegExp(`id="${id}-issue"`));
  });
});
