// Worlds of many tenants behind one address: opened, called, kept over the end of every process, deleted; nothing crosses.
import { describe, expect, test } from 'vitest';
import { AT, acme, hosted, OWNER, SEED, turn } from '../test/hosted.ts';

describe('a tenant', () => {
  test('is made by the owner: its world has its seed, its control API asks for its token', async () => {
    const { ask, tenant } = hosted();
    const made = await ask('POST', '/_hosted/tenants', OWNER, { id: 'acme', seed: SEED });
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: 'acme',
        release: expect.any(String),
        keys: [expect.objectContaining({ value: 'wm_a', scope: 'admin' }), expect.objectContaining({ value: 'wm_r' })],
        token: expect.stringMatching(/^[0-9a-f]{40}$/),
        base_url: `${AT}/worlds/acme/v1`,
        control_url: `${AT}/worlds/acme/_mock`,
      },
    ]);
    expect((await ask('GET', '/worlds/acme/v1/tasks', 'wm_a')).body.items).toHaveLength(2);
    expect((await ask('GET', '/worlds/acme/_mock/data/keys')).status).toBe(401);
    expect((await ask('GET', '/worlds/acme/_mock/data/keys', made.body.token)).body.items).toHaveLength(2);
    expect((await ask('GET', '/worlds/acme/_mock/data/keys', OWNER)).status).toBe(401);
    const other = await tenant('other');
    expect(other.token).not.toBe(made.body.token);
    expect((await ask('GET', '/worlds/acme/_mock/data/keys', other.token)).status).toBe(401);
  });

  test('is refused to others than the owner, and with what makes no sense', async () => {
    const { ask, tenant, engine } = hosted();
    const refused = async (body: unknown, token = OWNER) => {
      const { status, body: said } = await ask('POST', '/_hosted/tenants', token, body);
      return [status, said.error.details?.fields ?? said.error.message];
    };
    expect(await refused({ id: 'acme' }, 'wrong')).toEqual([
      401,
      "Tenants are for the owner. Send Authorization: Bearer with the owner's token.",
    ]);
    expect((await ask('GET', '/_hosted/tenants')).status).toBe(401);
    for (const id of ['Acme', '-a', 'a~b', 'a_b', 'x'.repeat(33), 7]) {
      const issue = `must be 1 to 32 lower-case letters, digits or dashes, no dash first, got ${JSON.stringify(id)}`;
      expect(await refused({ id })).toEqual([422, [{ field: 'id', issue }]]);
    }
    expect(await refused({})).toEqual([422, [{ field: 'id', issue: 'is required' }]]);
    expect(await refused({ id: 'a', worlds: 0, bytes: 1.5, requests: '9', world: 1, seed: 5 })).toEqual([
      422,
      [
        {
          field: 'world',
          issue: 'is unknown, expected one of id, seed, now, worlds, bytes, requests (did you mean worlds?)',
        },
        { field: 'seed', issue: 'must be a string or an object, got 5 (quote it)' },
        { field: 'worlds', issue: 'must be at least 1, got 0' },
        { field: 'bytes', issue: 'must be an integer, got 1.5' },
        { field: 'requests', issue: 'must be an integer, got "9"' },
      ],
    ]);
    expect(await refused({ id: 'a', seed: null })).toEqual([
      422,
      [{ field: 'seed', issue: 'must be a string or an object, got null' }],
    ]);
    expect(await refused('{')).toEqual([400, 'The body must be valid JSON.']);
    const big = await ask('POST', '/_hosted/tenants', OWNER, '{}', { 'content-length': String(2 ** 32) });
    expect([big.status, big.body.error.message]).toEqual([413, 'The body is too large. Send at most 67108864 bytes.']);
    expect((await ask('GET', '/_hosted/tenants')).body.error.code).toBe('unauthorized');
    expect(await refused('null')).toEqual([422, [{ field: 'body', issue: 'must be an object, got null' }]]);
    expect(await refused({ id: 'a', seed: { workspaces: 1 } })).toEqual([
      422,
      [{ field: 'seed', issue: expect.stringContaining('workspaces') }],
    ]);
    const issue = 'expected an ISO 8601 time with its time zone, from 1970 to 9999, such as 2025-01-20T09:00:00Z, got "soon"';
    expect(await refused({ id: 'a', now: 'soon' })).toEqual([422, [{ field: 'now', issue }]]);
    expect(await refused({ id: 'a', now: 5 })).toEqual([422, [{ field: 'now', issue: 'must be a string, got 5 (quote it)' }]]);
    expect(engine.holding('WORLDS')).toEqual([]);
    await tenant();
    expect(await refused({ id: 'acme' })).toEqual([409, [{ field: 'id', issue: 'is taken' }]]);
    expect((await tenant('x'.repeat(32))).token).toHaveLength(40);
  });

  test('gets each creation once, though each response between machines is lost once', async () => {
    const { ask, engine } = hosted();
    const lose = (...methods: string[]) => {
      for (const method of methods) engine.loses.add(method);
    };
    const all = ['close', 'begin', 'hold', 'size', 'put', 'claim', 'birth', 'enrolled', 'get'];
    lose(...all);
    const { status, body } = await ask('POST', '/_hosted/tenants', OWNER, { id: 'acme', seed: SEED, worlds: 2 });
    expect(status).toBe(201);
    lose(...all);
    const made = await ask('POST', '/worlds/acme/_mock/worlds', body.token, { mint_keys: true });
    expect([made.status, made.body.id]).toEqual([201, 'acme~world_2']);
    lose(...all);
    expect((await ask('GET', '/v1/tasks', made.body.keys[0].value)).status).toBe(200);
    lose('birth', 'leave', 'end', 'drop');
    const remove = () => ask('DELETE', '/worlds/acme/_mock/worlds/acme~world_2', body.token);
    expect([(await remove()).status, (await remove()).status]).toEqual([204, 404]);
    lose('tenants', 'birth', 'use');
    expect((await ask('GET', '/_hosted/tenants', OWNER)).body.items).toMatchObject([{ id: 'acme', worlds: 1 }]);
    lose('close', 'deleteTenant', 'end', 'drop');
    expect((await ask('DELETE', '/_hosted/tenants/acme', OWNER)).status).toBe(204);
    expect((['WORLDS', 'ORIGINS'] as const).flatMap((space) => engine.holding(space))).toEqual([]);
  });

  test('whose making broke off is free again a minute later', async () => {
    const { ask, tenant, engine } = hosted();
    const directory = engine.storage('DIRECTORY', 'acme');
    directory.fails = new Error('no room');
    expect((await ask('POST', '/_hosted/tenants', OWNER, { id: 'acme' })).status).toBe(500);
    directory.fails = undefined;
    expect((await ask('POST', '/_hosted/tenants', OWNER, { id: 'acme' })).status).toBe(409);
    const all = engine.storage('DIRECTORY', '~');
    const row = all.kept.get('tenant/acme') as { serial: number; since: number };
    all.kept.set('tenant/acme', { ...row, since: row.since - 60_000 });
    expect((await tenant()).token).toHaveLength(40);
  });

  test('is listed with what it uses, and goes with all that it had', async () => {
    const { ask, tenant, engine, token } = await acme(undefined, { worlds: 5 });
    expect((await ask('POST', '/_hosted/tenants', OWNER, { id: 'least', worlds: 1, bytes: 1, requests: 1 })).status).toBe(201);
    expect((await ask('DELETE', '/_hosted/tenants/least', OWNER)).status).toBe(204);
    await tenant('other');
    await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'side', mint_keys: true });
    await ask('POST', '/worlds/acme~side/_mock/worlds', token, { from: 'current' });
    await ask('GET', '/worlds/acme~side/v1/tasks', 'wm_a');
    const { body } = await ask('GET', '/_hosted/tenants', OWNER);
    expect(
      body.items.map(({ id, worlds, quotas }: { id: string; worlds: number; quotas: object }) => [id, worlds, quotas]),
    ).toEqual([
      ['acme', 3, { worlds: 5 }],
      ['other', 1, {}],
    ]);
    expect(body.items[0].token).toBe(token);
    expect(body.items[0].bytes).toBeGreaterThan(1000);
    expect((await ask('DELETE', '/_hosted/tenants/acme', token)).status).toBe(401);
    expect((await ask('DELETE', '/_hosted/tenants/acme', OWNER)).status).toBe(204);
    expect((await ask('DELETE', '/_hosted/tenants/acme', OWNER)).status).toBe(404);
    expect((await ask('DELETE', '/_hosted/tenants/~', OWNER)).status).toBe(404);
    for (const method of ['PUT', 'GET', 'POST']) {
      const { status, body: none } = await ask(method, '/_hosted/tenants/other', OWNER);
      expect([status, none.error.message]).toEqual([
        404,
        expect.stringContaining(
          `There is no ${method} /_hosted/tenants/other: use POST or GET /_hosted/tenants, or PATCH or DELETE /_hosted/tenants/{id} of an existing one.`,
        ),
      ]);
    }
    const left = (['WORLDS', 'ORIGINS', 'DIRECTORY'] as const).flatMap((space) => engine.holding(space));
    expect(left.filter((name) => name.startsWith('acme'))).toEqual([]);
    expect((await ask('GET', '/worlds/acme/v1/tasks', 'wm_a')).status).toBe(404);
    expect((await ask('GET', '/worlds/other/v1/tasks', 'wm_a')).status).toBe(200);
    // The next tenant of this id has another token.
    expect((await tenant()).token).not.toBe(token);
    expect((await ask('GET', '/worlds/acme/_mock/data/keys', token)).status).toBe(401);
  });

  test('cannot be made where the owner has no token, or a short one', async () => {
    for (const [token, status] of [
      [undefined, 503],
      ['x'.repeat(23), 503],
      ['x'.repeat(24), 201],
    ] as const) {
      const { ask } = hosted({ WM_OWNER_TOKEN: token } as object);
      const { status: said, body } = await ask('POST', '/_hosted/tenants', token ?? '', { id: 'a' });
      expect(said).toBe(status);
      if (said === 503) {
        expect(body.error).toMatchObject({
          code: 'service_unavailable',
          message:
            'This service has no owner: WM_OWNER_TOKEN is not set, or has fewer than 24 characters. Set it as a secret of the worker; docs/hosted.md of wm-mock says how.',
        });
      }
    }
  });
});

describe('the options of a service', () => {
  test('are named at every request if they do not fit, and open nothing', async () => {
    for (const [text, says] of [
      ['{bad', 'it must be valid JSON'],
      ['{"receivers":"example.com"}', 'receivers: wrong type'],
      ['{"worldIdleMs":"1d"}', 'worldIdleMs: wrong type'],
      ['{"worldIdleMs":-1}', 'worldIdleMs: '],
      ['{"worldIdelMs":1}', 'did you mean worldIdleMs?'],
      ['{"url":"mock.example.com"}', 'https://mock.example.com'],
      ['[]', 'wrong type'],
    ] as const) {
      const { engine, ask } = hosted({ WM_OPTIONS: text });
      for (const path of ['/_hosted/health', '/worlds/acme/v1/tasks', '/_hosted/tenants']) {
        const { status, body } = await ask('GET', path, OWNER);
        expect([status, body.error.message]).toEqual([503, expect.stringContaining(says)]);
      }
      expect([...engine.storages.values()].every(({ kept }) => kept.size === 0)).toBe(true);
    }
  });

  test('name the address at which clients find it, whichever address a request came to', async () => {
    const { ask } = hosted({ WM_OPTIONS: '{"url":"https://public.example"}' });
    const { body } = await ask('POST', '/_hosted/tenants', OWNER, { id: 'acme', seed: SEED });
    expect(body.base_url).toBe('https://public.example/worlds/acme/v1');
    const fork = await ask('POST', '/worlds/acme/_mock/worlds', body.token, { id: 'a' });
    const hook = { url: 'https://public.example/worlds/acme/_mock/inbox/own', events: ['project.created'] };
    await ask('POST', '/worlds/acme/_mock/data/webhooks', body.token, hook);
    await ask('POST', '/worlds/acme/_mock/data/projects', body.token, { name: 'Told' });
    await expect
      .poll(async () => (await ask('GET', '/worlds/acme/_mock/deliveries', body.token)).body.items[0]?.state)
      .toBe('delivered');
    expect(fork.body.base_url).toBe('https://public.example/worlds/acme~a/v1');
  });
});

describe('a world', () => {
  test('is opened below another: its token opens it and what is below it, and nothing else', async () => {
    const { ask, token } = await acme();
    const side = await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'pr-1', from: 'current' });
    expect([side.status, side.body]).toEqual([
      201,
      {
        id: 'acme~pr-1',
        release: expect.any(String),
        base_url: `${AT}/worlds/acme~pr-1/v1`,
        control_url: `${AT}/worlds/acme~pr-1/_mock`,
        keys: [expect.objectContaining({ value: 'wm_a' }), expect.objectContaining({ value: 'wm_r' })],
        token: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    ]);
    const below = (await ask('POST', '/worlds/acme~pr-1/_mock/worlds', side.body.token, {})).body;
    expect(below.id).toBe('acme~pr-1~world_3');
    const sibling = (await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'pr-10' })).body;
    const opens = async (world: string, by: string) => (await ask('GET', `/worlds/${world}/_mock/clock`, by)).status;
    expect([await opens('acme', token), await opens('acme~pr-1', token), await opens(below.id, token)]).toEqual([200, 200, 200]);
    expect([
      await opens('acme', side.body.token),
      await opens('acme~pr-1', side.body.token),
      await opens(below.id, side.body.token),
    ]).toEqual([401, 200, 200]);
    expect([await opens('acme~pr-1', below.token), await opens(sibling.id, side.body.token)]).toEqual([401, 401]);
    const listed = async (world: string, by: string) =>
      (await ask('GET', `/worlds/${world}/_mock/worlds`, by)).body.items.map(({ id }: { id: string }) => id);
    expect(await listed('acme', token)).toEqual(['acme', 'acme~pr-1', 'acme~pr-10', 'acme~pr-1~world_3']);
    expect(await listed('acme~pr-1', side.body.token)).toEqual(['acme~pr-1', 'acme~pr-1~world_3']);
    const taken = await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'pr-1' });
    expect([taken.status, taken.body.error.details.fields]).toEqual([409, [{ field: 'id', issue: 'is taken' }]]);
    // No world deletes one that is not below it, nor a tenant.
    for (const id of ['acme', 'acme~pr-10', 'acme~none', 'other~x'])
      expect([id, (await ask('DELETE', `/worlds/acme~pr-1/_mock/worlds/${id}`, side.body.token)).status]).toEqual([id, 404]);
    const own = await ask('DELETE', '/worlds/acme/_mock/worlds/acme', token);
    expect([own.status, own.body.error.message]).toEqual([
      404,
      "A tenant's own world is not deleted here: DELETE /_hosted/tenants/{id}, with the owner's token, deletes the tenant and everything in it. docs/hosted.md of wm-mock says more.",
    ]);
  });

  test('has a title and an outcome, which those above it and itself can give and see', async () => {
    const { ask, engine, token } = await acme();
    const made = await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'pr-1', title: 'Of a pull request' });
    expect([made.status, made.body.title]).toEqual([201, 'Of a pull request']);
    const noted = await ask('PATCH', '/worlds/acme/_mock/worlds/acme~pr-1', token, { outcome: 'failed' });
    expect([noted.status, noted.body]).toEqual([
      200,
      {
        id: 'acme~pr-1',
        title: 'Of a pull request',
        outcome: 'failed',
        release: made.body.release,
        base_url: `${AT}/worlds/acme~pr-1/v1`,
        control_url: `${AT}/worlds/acme~pr-1/_mock`,
      },
    ]);
    await ask('PATCH', '/worlds/acme~pr-1/_mock/worlds/acme~pr-1', made.body.token, { title: 'Its own words' });
    engine.restart();
    const { items } = (await ask('GET', '/worlds/acme/_mock/worlds', token)).body;
    expect(items[1]).toMatchObject({ id: 'acme~pr-1', title: 'Its own words', outcome: 'failed' });
    for (const id of ['acme', 'acme~none', 'other'])
      expect((await ask('PATCH', `/worlds/acme~pr-1/_mock/worlds/${id}`, made.body.token, { title: 'x' })).status).toBe(404);
  });

  test('whose id would be too long for an address is refused with its field and the bound', async () => {
    const { ask, tenant } = hosted();
    const part = 'x'.repeat(64);
    const { token } = await tenant('t'.repeat(32));
    let id = 't'.repeat(32);
    const open = (body: object) => ask('POST', `/worlds/${id}/_mock/worlds`, token, body);
    for (let n = 0; n < 3; n++) id = (await open({ id: part })).body.id;
    expect(id).toHaveLength(227);
    const refused = await open({ id: 'y'.repeat(23) });
    expect([refused.status, refused.body.error.details.fields]).toEqual([
      422,
      [{ field: 'id', issue: `must have, after ${id}~, at most 250 characters in all` }],
    ]);
    id = (await open({ id: 'y'.repeat(22) })).body.id;
    expect([id.length, (await ask('GET', `/worlds/${id}/v1/tasks`, 'wm_a')).status]).toEqual([250, 200]);
    expect((await open({})).status).toBe(422);
  });

  test('has keys of its own, which lead to it at the plain /v1 and cannot be guessed from its id', async () => {
    const { ask, token } = await acme();
    const { body } = await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'a.b_c', mint_keys: true });
    expect(
      body.keys.map(({ scope, value }: { scope: string; value: string }) => [scope, value.replace(/[0-9a-f]{24}$/, '#')]),
    ).toEqual([
      ['admin', 'wm_acme~a.b_c_#'],
      ['read', 'wm_acme~a.b_c_#'],
    ]);
    const [admin, read] = body.keys.map(({ value }: { value: string }) => value) as [string, string];
    expect(admin).not.toBe(read);
    expect((await ask('POST', '/v1/projects', admin, { name: 'Mine' })).status).toBe(201);
    expect((await ask('GET', '/v1/projects', read)).body.items).toHaveLength(2);
    expect((await ask('GET', '/worlds/acme/v1/projects', 'wm_a')).body.items).toHaveLength(1);
    const again = await hosted().tenant();
    expect(again.token).toBe(token);
    expect(
      (await hosted({ WM_OWNER_TOKEN: `${OWNER}!` }).ask('POST', '/_hosted/tenants', `${OWNER}!`, { id: 'acme' })).body.token,
    ).not.toBe(token);
  });

  test('continues after every process has ended: acknowledged changes are there, and its own keys lead to it', async () => {
    const { ask, engine, token } = await acme();
    const { body } = await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'side', mint_keys: true });
    for (let n = 0; n < 5; n++) {
      expect((await ask('POST', '/worlds/acme~side/v1/projects', 'wm_a', { name: `Kept ${n}` })).status).toBe(201);
      engine.restart();
    }
    await ask('POST', '/worlds/acme~side/_mock/snapshots', token);
    await ask('DELETE', '/worlds/acme~side/v1/projects/proj_a', 'wm_a');
    engine.restart();
    expect((await ask('GET', '/v1/projects', body.keys[0].value)).body.items).toHaveLength(5);
    expect((await ask('POST', '/worlds/acme~side/_mock/snapshots/snap_1/restore', token)).status).toBe(200);
    engine.restart();
    expect((await ask('GET', '/v1/projects', body.keys[0].value)).body.items).toHaveLength(6);
    expect((await ask('GET', '/worlds/acme~side/_mock/data/keys', body.token)).body.items).toHaveLength(4);
  });

  test('keeps its own changes alone: its origin is kept once for all that begin as it', async () => {
    const { ask, tenant, engine } = hosted();
    const tasks = Array.from({ length: 600 }, (_, n) => ({ id: `task_${n}`, title: `Task number ${n}` }));
    const [workspace] = SEED.workspaces;
    const seed = { now: SEED.now, workspaces: [{ ...workspace, projects: [{ id: 'proj_a', owner_id: 'user_a', tasks }] }] };
    const { token } = await tenant('acme', { seed });
    for (const id of ['a', 'b', 'c']) await ask('POST', '/worlds/acme/_mock/worlds', token, { id, mint_keys: true });
    expect(engine.holding('ORIGINS')).toHaveLength(1);
    await ask('PATCH', '/worlds/acme~a/v1/tasks/task_7', 'wm_a', { title: 'Mine' });
    await ask('POST', '/worlds/acme~a/_mock/worlds', token, { id: 'below', from: 'current' });
    const sizes = engine
      .holding('ORIGINS')
      .map((name) => engine.storage('ORIGINS', name).sql.databaseSize)
      .sort((a, b) => a - b);
    expect(sizes).toHaveLength(2);
    expect(sizes[0]! * 20).toBeLessThan(sizes[1]!);
    await ask('PATCH', '/worlds/acme~a~below/v1/tasks/task_8', 'wm_a', { title: 'Below' });
    expect(engine.storage('WORLDS', 'acme~a~below').sql.databaseSize).toBeLessThan(20_000);
    await ask('DELETE', '/worlds/acme/_mock/worlds/acme~a~below', token);
    engine.restart();
    const title = async (world: string, task: string) =>
      (await ask('GET', `/worlds/${world}/v1/tasks/${task}`, 'wm_a')).body.data?.title;
    expect([await title('acme~a', 'task_7'), await title('acme~b', 'task_7')]).toEqual(['Mine', 'Task number 7']);
    await ask('POST', '/worlds/acme~a/_mock/worlds', token, { id: 'below', from: 'current' });
    engine.restart();
    expect(await title('acme~a~below', 'task_7')).toBe('Mine');
  });

  test('is deleted with all below it; unused origins are collected, and used ones stay', async () => {
    const { ask, engine, token } = await acme();
    await ask('PATCH', '/worlds/acme/v1/tasks/task_a', 'wm_a', { title: 'Changed' });
    await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'a', from: 'current' });
    await ask('PATCH', '/worlds/acme~a/v1/tasks/task_b', 'wm_a', { title: 'Changed too' });
    const { body } = await ask('POST', '/worlds/acme~a/_mock/worlds', token, { id: 'b', from: 'current' });
    expect((await ask('GET', '/worlds/acme~a~b/v1/tasks', 'wm_a')).status).toBe(200);
    expect(engine.holding('ORIGINS')).toHaveLength(3);
    // As connect() deletes a world: by its id, at the root.
    expect((await ask('DELETE', '/_mock/worlds/acme~a', token)).status).toBe(204);
    expect(engine.holding('WORLDS')).toEqual(['acme']);
    for (const world of ['acme~a', 'acme~a~b']) expect((await ask('GET', `/worlds/${world}/v1/tasks`, 'wm_a')).status).toBe(404);
    expect((await ask('GET', '/worlds/acme~a~b/_mock/clock', body.token)).status).toBe(404);
    // An origin of a moment ago may still be in use.
    expect(engine.holding('ORIGINS')).toHaveLength(3);
    const directory = engine.storage('DIRECTORY', 'acme');
    expect(directory.alarm).toBeGreaterThan(Date.now() + 50_000);
    for (const [key, row] of directory.kept)
      if (key.startsWith('origin/')) directory.kept.set(key, { ...(row as object), until: 0 });
    await engine.ring('DIRECTORY', 'acme');
    expect(engine.holding('ORIGINS')).toHaveLength(1);
    expect([...directory.kept.keys()].filter((key) => key.startsWith('origin/'))).toHaveLength(1);
    expect((await ask('GET', '/worlds/acme/v1/tasks/task_b', 'wm_a')).body.data.title).toBe('Second');
    // The id is free, and its next world has another token.
    const again = (await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'a' })).body;
    expect((await ask('GET', '/worlds/acme~a/v1/tasks/task_b', 'wm_a')).body.data.title).toBe('Second');
    expect([again.id, again.token === body.token]).toEqual(['acme~a', false]);
  });

  test('whose deletion breaks off is deleted by the next alarm, and belongs to no tenant meanwhile', async () => {
    const { ask, engine, token } = await acme();
    await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'a' });
    await ask('GET', '/worlds/acme~a/v1/tasks', 'wm_a');
    const storage = engine.storage('WORLDS', 'acme~a');
    const { deleteAll } = storage;
    storage.deleteAll = () => Promise.reject(new Error('the machine is gone'));
    expect((await ask('DELETE', '/worlds/acme/_mock/worlds/acme~a', token)).status).toBe(500);
    storage.deleteAll = deleteAll;
    expect((await ask('GET', '/worlds/acme/_mock/worlds', token)).body.items).toHaveLength(1);
    expect((await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'a' })).status).toBe(409);
    engine.restart();
    await engine.ring('DIRECTORY', 'acme');
    expect(engine.holding('WORLDS')).toEqual(['acme']);
    expect((await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'a' })).status).toBe(201);
  });

  test('is itself and no other, whatever a request says that reaches its object', async () => {
    const { engine, ask, tenant } = hosted();
    const [acme, evil] = [await tenant(), await tenant('evil')];
    await ask('POST', '/worlds/acme/_mock/worlds', acme.token, { id: 'fresh' });
    const object = () => engine.instance('WORLDS', 'acme~fresh');
    await ask('GET', '/worlds/acme~fresh/v1/users/me', 'wm_r');
    const astray = new Request(`${AT}/worlds/evil/_mock/state`, { headers: { authorization: `Bearer ${evil.token}` } });
    for (const again of [false, true]) {
      if (again) engine.restart();
      expect(((await object().fetch!(astray)) as Response).status).toBe(404);
      await object().end!('evil');
      expect((await ask('GET', '/worlds/acme~fresh/v1/users/me', 'wm_r')).status).toBe(200);
    }
  });

  test('runs no script in the origin of the dashboards, sets no cookie and no service worker, whatever a fault orders', async () => {
    const { ask, fetch, token } = await acme();
    const order = (effect: object) => ask('POST', '/worlds/acme/_mock/faults', token, { effect, times: 1 });
    const get = (headers: Record<string, string> = {}) => ask('GET', '/worlds/acme/v1/users', undefined, undefined, headers);
    const SAFE = { 'content-security-policy': 'sandbox', 'x-content-type-options': 'nosniff' };
    const FOR_ORIGIN = [
      'set-cookie service-worker-allowed clear-site-data nel report-to reporting-endpoints strict-transport-security alt-svc',
      'accept-ch critical-ch origin-agent-cluster refresh www-authenticate proxy-authenticate link public-key-pins expect-ct',
      'permissions-policy document-policy sourcemap x-accel-redirect x-sendfile speculation-rules use-as-dictionary',
    ].flatMap((names) => names.split(' '));
    for (const effect of [
      { status: 200, raw: '<script>1</script>', headers: { 'content-type': 'text/html' } },
      { status: 200, raw: '<script>1</script>' },
      { status: 200, raw: '{}', headers: { 'content-type': 'application/json, text/html' } },
      { status: 200, raw: '1', headers: { 'content-type': 'text/javascript', 'service-worker-allowed': '/' } },
      ...FOR_ORIGIN.map((name) => ({ status: 500, headers: { [name]: 'Basic realm="a"' } })),
    ]) {
      expect((await order(effect)).status).toBe(201);
      const { status, headers } = await get();
      expect(status).toBe(effect.status);
      expect(Object.fromEntries(headers)).toMatchObject(SAFE);
      for (const name of FOR_ORIGIN) expect(headers.has(name)).toBe(false);
    }
    const safe = { 'www-authenticate': 'Bearer realm="a"', 'x-request-id': '1', 'retry-after': '2', location: '/a', etag: '"b"' };
    await order({ status: 401, headers: safe });
    expect(Object.fromEntries((await get()).headers)).toMatchObject(safe);
    expect((await get()).headers.has('content-security-policy')).toBe(false);
    expect((await get({ 'service-worker': 'script' })).status).toBe(404);
    const page = await fetch(new Request(`${AT}/worlds/acme/`, { headers: { authorization: `Bearer ${token}` } }));
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  });

  test('is not there before it is opened, and a request to it leaves nothing behind', async () => {
    const { ask, engine } = await acme();
    const { status, body } = await ask('GET', '/worlds/acme~none/v1/tasks', 'wm_a');
    expect([status, body.error.code, body.error.message]).toEqual([
      404,
      'not_found',
      'No world has the id "acme~none". A world is at /worlds/{id}/v1, its dashboard at /worlds/{id}/. docs/hosted.md of wm-mock says more.',
    ]);
    const long = `/worlds/a${'~b'.repeat(200)}/v1`;
    for (const path of ['/', '/v1/tasks', '/worlds/Acme/v1', '/worlds/a~/v1', long, '/dashboard/login', '/_hosted/x']) {
      expect([path, (await ask('GET', path, path === '/_hosted/x' ? OWNER : 'wm_a')).status]).toEqual([path, 404]);
    }
    expect(engine.holding('WORLDS')).toEqual([]);
    expect((await ask('GET', '/_hosted/health')).body).toEqual({ status: 'ok' });
    expect((await hosted({ WM_START: 'first' }).ask('GET', '/_hosted/health')).body).toEqual({ status: 'ok', start: 'first' });
  });

  test('whose change cannot be kept says so, and has not changed', async () => {
    const { ask, engine } = await acme();
    expect((await ask('POST', '/worlds/acme/v1/projects', 'wm_a', { name: 'Fits' })).status).toBe(201);
    const storage = engine.storage('WORLDS', 'acme');
    storage.fails = new Error('the disk is full');
    const { status, body } = await ask('POST', '/worlds/acme/v1/projects', 'wm_a', { name: 'Does not' });
    expect([status, body.error.message]).toEqual([500, 'This world cannot respond: the disk is full.']);
    storage.fails = undefined;
    const names = (await ask('GET', '/worlds/acme/v1/projects', 'wm_a')).body.items.map(({ name }: { name: string }) => name);
    expect([names.includes('Fits'), names.includes('Does not')]).toEqual([true, false]);
  });

  test('keeps changes that come at once in one writing, and says none of them, nor what was seen of them, before', async () => {
    const { ask, engine } = await acme();
    const create = (name: string) => ask('POST', '/worlds/acme/v1/projects', 'wm_a', { name });
    const list = () => ask('GET', '/worlds/acme/v1/projects', 'wm_a');
    const storage = engine.storage('WORLDS', 'acme');
    await create('First');
    const alone = create('Alone');
    for (let ticks = 0; ticks < 50; ticks++) await null;
    // Before any timer: a single change waits for no other.
    expect(storage.keys().filter((key) => key.includes('/row/projects/'))).toHaveLength(2);
    await alone;
    const { transactions } = storage;
    const responses = await Promise.all([create('A'), create('B'), create('C'), list()]);
    expect([responses.map(({ status }) => status), storage.transactions - transactions]).toEqual([[201, 201, 201, 200], 1]);
    storage.fails = new Error('the disk is full');
    const changes = [create('D'), create('E')];
    for (let ticks = 0; ticks < 50; ticks++) await null;
    const failed = await Promise.all([...changes, list()]);
    expect(failed.map(({ status }) => status)).toEqual([500, 500, 500]);
    storage.fails = undefined;
    expect((await list()).body.items).toHaveLength(6);
  });

  test('keeps reads a moment later, and no response waits for that', async () => {
    const { ask, engine, token } = await acme();
    await ask('GET', '/worlds/acme/v1/tasks', 'wm_a');
    await turn(1100);
    await ask('GET', '/worlds/acme/v1/tasks', 'wm_a');
    const journal = () =>
      engine
        .storage('WORLDS', 'acme')
        .keys()
        .filter((key) => key.includes('/exchange/')).length;
    expect(journal()).toBe(1);
    await turn(1100);
    expect(journal()).toBe(2);
    engine.restart();
    expect((await ask('GET', '/worlds/acme/_mock/requests', token)).body.items).toHaveLength(2);
  });

  test('keeps a change at once and its entry in the journal a moment later, many in one row', async () => {
    const { ask, engine, token } = await acme();
    const create = (name: string) => ask('POST', '/worlds/acme/v1/projects', 'wm_a', { name });
    const journalIds = async () =>
      (await ask('GET', '/worlds/acme/_mock/requests', token)).body.items.map(({ id }: { id: string }) => id);
    const rows = (part: string) =>
      engine
        .storage('WORLDS', 'acme')
        .keys()
        .filter((key) => key.includes(part)).length;
    await create('First');
    await create('Second');
    expect([rows('/row/projects/'), rows('/exchange/')]).toEqual([2, 0]);
    await turn(1100);
    expect(rows('/exchange/')).toBe(1);
    await create('Third');
    engine.restart();
    // The numbers continue after those in storage.
    await ask('GET', '/worlds/acme/v1/projects', 'wm_a');
    expect([await journalIds(), rows('/row/projects/')]).toEqual([['req_1', 'req_2', 'req_3'], 3]);
  });

  test('writes two rows for a list after a pause, and no more for five; at most four for a create; one more every ten seconds', async () => {
    const { ask, tenant, engine } = hosted();
    const rowsOf = async (id: string, times: number, ...operation: [method: string, path: string, body?: object]) => {
      await tenant(id);
      const call = () => ask(operation[0], `/worlds/${id}/v1${operation[1]}`, 'wm_a', operation[2]);
      await call();
      await turn(1100);
      const { writes } = engine.storage('WORLDS', id);
      await Promise.all(Array.from({ length: times }, call));
      await turn(1100);
      return engine.storage('WORLDS', id).writes - writes;
    };
    const create = ['POST', '/projects/proj_a/tasks', { title: 'New' }] as const;
    const rows = await Promise.all([
      rowsOf('one-list', 1, 'GET', '/tasks'),
      rowsOf('lists', 5, 'GET', '/tasks'),
      rowsOf('one-create', 1, ...create),
      rowsOf('creates', 5, ...create),
    ]);
    rows.forEach((found, i) => void expect(found).toBeLessThanOrEqual([3, 3, 5, 9][i]!));
  });

  test('refuses to begin again when its storage cannot be read, and leaves it as it is', async () => {
    const { ask, engine } = await acme();
    await ask('POST', '/worlds/acme/v1/projects', 'wm_a', { name: 'Precious' });
    const { kept } = engine.storage('WORLDS', 'acme');
    const whole = kept.get('kept/host');
    kept.set('kept/host', JSON.stringify({ ...JSON.parse(String(whole)), format: 99 }));
    engine.restart();
    const { status, body } = await ask('GET', '/worlds/acme/v1/projects', 'wm_a');
    expect([status, body.error.message]).toEqual([
      500,
      expect.stringContaining('the state was kept in format 99, and this wm-mock reads formats 2 to 3'),
    ]);
    engine.storage('WORLDS', 'acme').kept.set('kept/host', whole);
    expect((await ask('GET', '/worlds/acme/v1/projects', 'wm_a')).body.items).toHaveLength(2);
  });
});
