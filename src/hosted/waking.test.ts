// Events of a hosted world without a request: webhooks, wherever they may go, and its end; an alarm causes each.
import { afterEach, describe, expect, test } from 'vitest';
import type { FakeEngine } from '../test/fake-engine.ts';
import { AT, acme, hosted, OWNER, SEED, turn } from '../test/hosted.ts';

const real = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = real;
});

/** Receivers on the network: a function responds for each, and their URLs are recorded. */
const network = (respond: (url: string) => Response | Promise<Response>) => {
  const seen: string[] = [];
  globalThis.fetch = (async (url: string) => {
    seen.push(String(url));
    return respond(String(url));
  }) as typeof fetch;
  return seen;
};

const HOOK = 'https://hooks.acme.test/in';
const ALLOWED = { WM_OPTIONS: '{"receivers":["hooks.acme.test"],"worldIdleMs":3600000}' };
/** Sets the last use of a world this many milliseconds back. */
const aged = (
  engine: FakeEngine,
  id: string,
  ms: number,
  where: readonly ('WORLDS' | 'DIRECTORY')[] = ['WORLDS', 'DIRECTORY'],
) => {
  engine.restart();
  const used = Date.now() - ms;
  if (where.includes('WORLDS')) engine.storage('WORLDS', id).kept.set('used', used);
  const { kept } = engine.storage('DIRECTORY', id.split('~')[0]!);
  if (where.includes('DIRECTORY')) kept.set(`world/${id}`, { ...(kept.get(`world/${id}`) as object), used });
};
const now = ({ now: _, ...seed }: typeof SEED) => seed;

const listening = async (url: string, options: object = ALLOWED) => {
  const made = hosted(options);
  const { token } = await made.tenant('acme', { seed: now(SEED) });
  const hook = await made.ask('POST', '/worlds/acme/v1/webhooks', 'wm_a', { url, events: ['project.created'] });
  expect(hook.status).toBe(201);
  const create = (name: string) => made.ask('POST', '/worlds/acme/v1/projects', 'wm_a', { name });
  const deliveries = async () => (await made.ask('GET', '/worlds/acme/_mock/deliveries', token)).body.items;
  /** Due attempts end before the response. */
  const settled = () => made.ask('POST', '/worlds/acme/_mock/clock/advance', token, { by: 0 });
  return { ...made, token, settled, create, deliveries, alarm: () => made.engine.storage('WORLDS', 'acme').alarm };
};

describe('a webhook', () => {
  test('for a receiver on the list is sent; its retry has an alarm, and is made once though every process has ended', async () => {
    let status = 500;
    const seen = network(() => new Response('no', { status }));
    const { create, deliveries, engine, settled, alarm } = await listening(HOOK);
    const before = Date.now();
    await create('One');
    await settled();
    expect(seen).toEqual([HOOK]);
    expect((await deliveries())[0]).toMatchObject({
      state: 'retrying',
      attempts: [{ outcome: 'response', status: 500, response_excerpt: 'no' }],
    });
    // That of the attempt comes first, and finds it ended.
    expect(alarm()! - before).toBeLessThan(16_000);
    engine.restart();
    await engine.ring('WORLDS', 'acme');
    expect(alarm()! - before).toBeGreaterThan(29_000);
    expect(alarm()! - before).toBeLessThan(31_500);
    engine.restart();
    status = 200;
    await turn(20);
    expect(seen).toHaveLength(1);
    // The engine wakes it without a request. Its time has come meanwhile.
    const { kept } = engine.storage('WORLDS', 'acme');
    for (const [key, text] of kept) {
      if (typeof text !== 'string' || !key.endsWith('/core')) continue;
      const core = JSON.parse(text);
      core.world.clock.value += 30_000;
      kept.set(key, JSON.stringify(core));
    }
    await engine.ring('WORLDS', 'acme');
    expect(seen).toHaveLength(2);
    engine.restart();
    await engine.ring('WORLDS', 'acme');
    expect([seen.length, (await deliveries())[0].state]).toEqual([2, 'delivered']);
  });

  test('is due once what it tells of is kept, also where many changes come at once', async () => {
    const seen = network(() => new Response(null));
    const { create, engine, settled } = await listening(HOOK);
    const { kept } = engine.storage('WORLDS', 'acme');
    const rows = () => [...kept.keys()].filter((key) => key.includes('/row/projects/')).length;
    const changes = ['One', 'Two', 'Three'].map(create);
    // Before any timer.
    for (let ticks = 0; ticks < 50; ticks++) await null;
    expect(rows()).toBe(3);
    await Promise.all(changes);
    await settled();
    expect(seen).toHaveLength(3);
  });

  test('in progress when its process dies has an alarm a quarter of a minute later', async () => {
    const firsts = network(() => new Promise(() => {}));
    const { create, alarm, engine } = await listening(HOOK);
    await create('One');
    await turn(20);
    await create('Two');
    expect(alarm()! - Date.now()).toBeGreaterThan(10_000);
    expect(alarm()! - Date.now()).toBeLessThanOrEqual(15_000);
    await expect.poll(() => firsts.length).toBe(2);
    const seen = network(() => new Response(null, { status: 204 }));
    engine.restart();
    await engine.ring('WORLDS', 'acme');
    expect(seen).toEqual([HOOK, HOOK]);
  });

  test('for a receiver that is not on the list is only simulated, and one on this machine is refused', async () => {
    const seen = network(() => new Response(null));
    const far = await listening('https://elsewhere.test/in');
    await far.create('One');
    await far.settled();
    expect((await far.deliveries())[0]).toMatchObject({ state: 'delivered', attempts: [{ simulated: true }] });
    const near = await listening('http://127.0.0.1:8000/in');
    await near.create('One');
    await near.settled();
    expect((await near.deliveries())[0]).toMatchObject({
      state: 'retrying',
      attempts: [
        {
          outcome: 'error',
          error:
            'not sent: 127.0.0.1 is not among the receivers of this service. Ask its owner; docs/hosted.md of wm-mock says more.',
        },
      ],
    });
    expect(seen).toEqual([]);
  });

  test('for a world of the same service goes through no network, and has no powers there', async () => {
    const seen = network(() => new Response(null));
    const { create, deliveries, ask, token, settled } = await listening(`${AT}/worlds/acme/_mock/inbox/box`);
    await ask('POST', '/worlds/acme/v1/webhooks', 'wm_a', { url: `${AT}/worlds/acme/_mock/reset`, events: ['project.created'] });
    await create('One');
    await settled();
    const [first, second] = await deliveries();
    expect([first.state, second.state, second.attempts[0].status]).toEqual(['delivered', 'retrying', 403]);
    const { body } = await ask('GET', '/worlds/acme/_mock/inbox/box/messages', token);
    expect([body.items.length, seen]).toEqual([1, []]);
  });
});

describe('a world without requests', () => {
  test('is deleted when its time is over, by its alarm; a tenant stays', async () => {
    const { ask, engine, token } = await acme(ALLOWED);
    await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'side' });
    await ask('GET', '/worlds/acme~side/v1/tasks', 'wm_a');
    const storage = engine.storage('WORLDS', 'acme~side');
    expect(storage.alarm! - Date.now()).toBeGreaterThan(3_590_000);
    await ask('POST', '/worlds/acme/v1/projects', 'wm_a', { name: 'x' });
    expect(engine.storage('WORLDS', 'acme').alarm).toBeNull();
    // Too early: it had a request a moment ago.
    await engine.ring('WORLDS', 'acme~side');
    expect(storage.alarm! - Date.now()).toBeGreaterThan(3_590_000);
    aged(engine, 'acme~side', 3_600_000);
    await engine.ring('WORLDS', 'acme~side');
    expect(engine.holding('WORLDS')).toEqual(['acme']);
    expect((await ask('GET', '/worlds/acme~side/v1/tasks', 'wm_a')).status).toBe(404);
    expect((await ask('GET', '/worlds/acme/_mock/worlds', token)).body.items).toHaveLength(1);
    await engine.ring('WORLDS', 'acme~side');
  });

  test('stays as long as one below it is used, and looks again when that one may be idle', async () => {
    const { ask, engine, token } = await acme(ALLOWED);
    await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'side' });
    await ask('POST', '/worlds/acme~side/_mock/worlds', token, { id: 'busy' });
    await ask('GET', '/worlds/acme~side~busy/v1/tasks', 'wm_a');
    aged(engine, 'acme~side', 3_600_000);
    // It may have been used for ten seconds since it reported.
    aged(engine, 'acme~side~busy', 3_605_000);
    await engine.ring('WORLDS', 'acme~side');
    expect(engine.holding('WORLDS')).toEqual(['acme', 'acme~side', 'acme~side~busy']);
    aged(engine, 'acme~side~busy', 1_800_000);
    const storage = engine.storage('WORLDS', 'acme~side');
    storage.alarm = null;
    await engine.ring('WORLDS', 'acme~side');
    expect((await ask('GET', '/worlds/acme~side~busy/v1/tasks', 'wm_a')).status).toBe(200);
    const left = engine.storage('WORLDS', 'acme~side').alarm! - Date.now();
    expect([left > 1_800_000, left < 1_811_000]).toEqual([true, true]);
    aged(engine, 'acme~side~busy', 3_610_000);
    aged(engine, 'acme~side', 3_610_000);
    await engine.ring('WORLDS', 'acme~side');
    expect(engine.holding('WORLDS')).toEqual(['acme']);
  });

  test('is deleted also if it never was: its directory looks for such ones, and leaves those with requests alone', async () => {
    const { ask, engine, token } = await acme(ALLOWED, { worlds: 4 });
    const open = (id: string) => ask('POST', '/worlds/acme/_mock/worlds', token, { id });
    for (const id of ['never', 'asked', 'young']) await open(id);
    await ask('GET', '/worlds/acme~asked/v1/tasks', 'wm_a');
    const alarm = () => engine.storage('DIRECTORY', 'acme').alarm! - Date.now();
    expect([alarm() > 3_590_000, alarm() <= 3_600_000]).toEqual([true, true]);
    for (const id of ['acme~never', 'acme~asked']) aged(engine, id, 3_600_000, ['DIRECTORY']);
    aged(engine, 'acme~young', 3_000_000, ['DIRECTORY']);
    expect((await open('more')).status).toBe(409);
    await engine.ring('DIRECTORY', 'acme');
    const ids = (await ask('GET', '/worlds/acme/_mock/worlds', token)).body.items.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(['acme', 'acme~asked', 'acme~young']);
    expect(alarm()).toBeLessThan(601_000);
    expect((await open('more')).status).toBe(201);
  });

  test('is not deleted for what it believes of itself alone', async () => {
    const { ask, engine, token } = await acme(ALLOWED);
    const open = () => ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'side' });
    await open();
    await ask('GET', '/worlds/acme~side/v1/tasks', 'wm_a');
    aged(engine, 'acme~side', 3_600_000, ['WORLDS']);
    await engine.ring('WORLDS', 'acme~side');
    expect(engine.holding('WORLDS')).toEqual(['acme', 'acme~side']);
    // Remains of an earlier world of the id do not delete the one that has it now.
    const { kept } = engine.storage('WORLDS', 'acme~side');
    const birth = kept.get('birth') as { line: string[] };
    kept.set('birth', { ...birth, line: [birth.line[0], `${birth.line[1]}9`] });
    aged(engine, 'acme~side', 3_600_000);
    await engine.ring('WORLDS', 'acme~side');
    expect((await ask('GET', '/worlds/acme/_mock/worlds', token)).body.items).toHaveLength(2);
    expect(engine.storage('WORLDS', 'acme~side').alarm! - Date.now()).toBeGreaterThan(3_590_000);
  });

  test('stays where no time is set, and a week where nothing is said', async () => {
    for (const [options, minMs] of [
      [{ WM_OPTIONS: '{"worldIdleMs":0}' }, null],
      [{}, 6.99 * 86_400_000],
    ] as const) {
      const { ask, engine, token } = await acme(options);
      await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'side' });
      await ask('POST', '/worlds/acme~side/v1/projects', 'wm_a', { name: 'x' });
      const { alarm } = engine.storage('WORLDS', 'acme~side');
      if (minMs === null) expect(alarm).toBeNull();
      else expect([alarm! - Date.now() > minMs, alarm! - Date.now() <= 7 * 86_400_000]).toEqual([true, true]);
    }
  });
});

describe('quotas', () => {
  test('for worlds refuse the one that is too many', async () => {
    const { ask, token } = await acme(undefined, { worlds: 2 });
    const open = () => ask('POST', '/worlds/acme/_mock/worlds', token, {});
    expect((await open()).status).toBe(201);
    const refused = await open();
    expect([refused.status, refused.body.error.message]).toEqual([409, 'There are 2 worlds already. Delete some.']);
    const { items } = (await ask('GET', '/worlds/acme/_mock/worlds', token)).body;
    await ask('DELETE', `/worlds/acme/_mock/worlds/${items[1].id}`, token);
    expect((await open()).status).toBe(201);
  });

  test('for requests refuse with the time to wait, until the next day', async () => {
    const { ask, engine, token } = await acme(undefined, { requests: 2 });
    const list = () => ask('GET', '/worlds/acme/v1/tasks', 'wm_a');
    const later = () => {
      engine.restart();
    };
    for (const status of [200, 200, 200]) {
      expect((await list()).status).toBe(status);
      later();
    }
    expect((await list()).status).toBe(200);
    await turn();
    const refused = await list();
    expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
      429,
      'quota_exceeded',
      'The 2 requests of today are used up. Try again tomorrow (UTC), or ask the owner of this service for more (PATCH /_hosted/tenants/{id}); docs/hosted.md of wm-mock says how.',
    ]);
    const left = Number(refused.headers.get('retry-after'));
    expect(Math.abs(left - Math.ceil((86_400_000 - (Date.now() % 86_400_000)) / 1000))).toBeLessThanOrEqual(2);
    expect((await ask('GET', '/_hosted/tenants', OWNER)).body.items[0].requests).toBe(4);
    const about = engine.storage('DIRECTORY', 'acme').kept;
    about.set('about', { ...(about.get('about') as object), day: 0 });
    engine.restart();
    expect((await list()).status).toBe(200);
    await turn();
    expect([(await list()).status, (await ask('GET', '/worlds/acme/_mock/clock', token)).status]).toEqual([200, 200]);
  });

  test('count also the requests of a world that is deleted a moment later', async () => {
    const { ask, token } = await acme();
    for (let round = 0; round < 3; round++) {
      await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'brief' });
      for (let n = 0; n < 20; n++) await ask('GET', '/worlds/acme~brief/v1/tasks', 'wm_a');
      await ask('DELETE', '/worlds/acme/_mock/worlds/acme~brief', token);
    }
    // Only the first of the tenant's own six requests has been reported.
    expect((await ask('GET', '/_hosted/tenants', OWNER)).body.items[0].requests).toBe(61);
  });

  test("for requests are used up by a tenant's own keys and tokens, not by strangers", async () => {
    const { ask, token } = await acme();
    const requests = async () => {
      await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'asked' });
      await ask('POST', '/worlds/acme~asked/_mock/inbox/box', undefined, { any: 1 });
      await ask('GET', '/worlds/acme~asked/v1/tasks');
      await ask('GET', '/worlds/acme~asked/v1/tasks', 'wm_unknown');
      await ask('GET', '/worlds/acme~asked/v1/nothing', 'wm_unknown');
      await ask('GET', '/worlds/acme~asked/_mock/clock', 'wm_a');
      await ask('GET', '/worlds/acme~asked/openapi.json');
      await ask('GET', '/worlds/acme~asked/dashboard/login');
      await ask('GET', '/worlds/acme~asked/');
      const counted = [
        await ask('GET', '/worlds/acme~asked/v1/tasks', 'wm_r'),
        await ask('GET', '/worlds/acme~asked/v1/nothing', 'wm_r'),
        await ask('POST', '/worlds/acme~asked/v1/projects', 'wm_r', { name: 'x' }),
        await ask('GET', '/worlds/acme~asked/_mock/clock', token),
        await ask('GET', `/worlds/acme~asked/?token=${token}`),
      ];
      expect(counted.map(({ status }) => status)).toEqual([200, 404, 403, 200, 303]);
      await ask('DELETE', '/worlds/acme/_mock/worlds/acme~asked', token);
      return (await ask('GET', '/_hosted/tenants', OWNER)).body.items[0].requests;
    };
    // The first one of the tenant's own is reported at once.
    expect(await requests()).toBe(6);
  });

  test('are changed by the owner, and null lifts one', async () => {
    const { ask, engine, token } = await acme(undefined, { worlds: 1, bytes: 100 });
    const patch = (body: unknown, id = 'acme', by = OWNER) => ask('PATCH', `/_hosted/tenants/${id}`, by, body);
    const open = () => ask('POST', '/worlds/acme/_mock/worlds', token, {});
    expect((await open()).status).toBe(409);
    const { status, body } = await patch({ worlds: 2, bytes: null, requests: 9000 });
    expect([status, body.quotas]).toEqual([200, { worlds: 2, requests: 9000 }]);
    expect((await ask('GET', '/_hosted/tenants', OWNER)).body.items).toEqual([body]);
    engine.restart();
    expect([(await open()).status, (await open()).status]).toEqual([201, 409]);
    expect((await patch({})).body.quotas).toEqual({ worlds: 2, requests: 9000 });
    expect((await patch({ worlds: null }, 'acme', token)).status).toBe(401);
    expect((await patch({ worlds: null }, 'unknown')).status).toBe(404);
    const refused = await patch({ worlds: 0, bytes: '5', seed: 'demo' });
    expect([refused.status, refused.body.error.details.fields]).toEqual([
      422,
      [
        { field: 'seed', issue: 'is unknown, expected one of worlds, bytes, requests' },
        { field: 'worlds', issue: 'must be at least 1, got 0' },
        { field: 'bytes', issue: expect.stringContaining('must be an integer') },
      ],
    ]);
  });

  test('for bytes refuse additions, and permit reads and deletions', async () => {
    const { ask, token } = await acme(undefined, { bytes: 100 });
    expect((await ask('GET', '/worlds/acme/v1/tasks', 'wm_a')).status).toBe(200);
    await turn();
    const refused = await ask('POST', '/worlds/acme/v1/projects', 'wm_a', { name: 'More' });
    expect([refused.status, refused.body.error]).toMatchObject([
      507,
      {
        code: 'quota_exceeded',
        message:
          'All worlds together store more than 100 bytes. Delete some, or ask the owner of this service for more (PATCH /_hosted/tenants/{id}); docs/hosted.md of wm-mock says how.',
      },
    ]);
    expect((await ask('POST', '/worlds/acme/_mock/inbox/box', undefined, { any: 1 })).status).toBe(507);
    expect((await ask('GET', '/worlds/acme/v1/tasks', 'wm_a')).status).toBe(200);
    expect((await ask('DELETE', '/worlds/acme/v1/tasks/task_a', 'wm_a')).status).toBe(204);
    expect((await ask('POST', '/worlds/acme/_mock/reset', token)).status).toBe(200);
    const { body } = await ask('GET', '/worlds/acme/_mock/worlds', token);
    expect(Date.now() - Date.parse(body.items[0].last_used_at)).toBeLessThan(5000);
  });
});

test('the inboxes of a world keep a megabyte, whichever client fills them, and the newest messages of all names', async () => {
  const { ask, engine, token } = await acme();
  const text = 'x'.repeat(100_000);
  const post = (name: string) =>
    ask('POST', `/worlds/acme/_mock/inbox/${name}`, undefined, text, { 'content-type': 'text/plain' });
  const kept = async (name: string) =>
    (await ask('GET', `/worlds/acme/_mock/inbox/${name}/messages`, token)).body.items.map(({ id }: { id: string }) => id);
  for (const name of ['a', 'b', 'a', 'b', 'a', 'b']) expect((await post(name)).status).toBe(200);
  expect([await kept('a'), await kept('b')]).toEqual([
    ['msg_2', 'msg_3'],
    ['msg_2', 'msg_3'],
  ]);
  engine.restart();
  for (const name of ['c', 'd']) await post(name);
  expect([await kept('c'), await kept('d')]).toEqual([['msg_1'], ['msg_1']]);
  expect([...(await kept('a')), ...(await kept('b'))]).toHaveLength(2);
  await ask('POST', '/worlds/acme/_mock/inbox/large', undefined, 'x'.repeat(600_000), { 'content-type': 'text/plain' });
  expect([await kept('large'), await kept('d')]).toEqual([['msg_1'], []]);
});

describe('the dashboard of a world', () => {
  const page = { accept: 'text/html' };

  test('asks for its token, keeps it for this world alone, and shows no other one', async () => {
    const { ask, token } = await acme();
    await ask('POST', '/worlds/acme/_mock/worlds', token, { id: 'side' });
    const refused = await ask('GET', '/worlds/acme/', undefined, undefined, page);
    expect(refused.status).toBe(401);
    expect(refused.body).toContain('action="/dashboard/login?back=%2Fworlds%2Facme%2F"');
    const entered = await ask('GET', `/worlds/acme/?token=${token}`, undefined, undefined, page);
    const cookie = `wm_mock_token_80=${token}`;
    const results = [entered.status, entered.headers.get('location'), entered.headers.get('set-cookie')];
    expect(results).toEqual([303, '/worlds/acme/', `${cookie}; Path=/worlds/acme/; HttpOnly; SameSite=Strict`]);
    const seen = await ask('GET', '/worlds/acme/', undefined, undefined, { ...page, cookie });
    expect(seen.status).toBe(200);
    expect(seen.body).toContain('href="/worlds/acme/" aria-current="true"');
    expect(seen.body).not.toContain('>default<');
    expect(seen.body).toContain('href="/worlds/acme/dashboard/worlds"');
    const form = { ...page, cookie, origin: AT, 'content-type': 'application/x-www-form-urlencoded' };
    const made = await ask('POST', '/worlds/acme/dashboard/worlds', undefined, 'do=createWorld&id=mine&from=current', form);
    expect(made.status).toBe(303);
    expect((await ask('GET', '/worlds/acme/_mock/worlds', token)).body.items.map(({ id }: { id: string }) => id)).toContain(
      'acme~mine',
    );
    const left = await ask('POST', '/worlds/acme/dashboard/logout', undefined, '', form);
    expect([left.headers.get('location'), left.headers.get('set-cookie')]).toEqual([
      '/worlds/acme/dashboard/login',
      'wm_mock_token_80=; Path=/worlds/acme/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
    const login = await ask('GET', '/worlds/acme/dashboard/login', undefined, undefined, page);
    expect([login.status, login.body.includes('back=%2Fworlds%2Facme%2F"')]).toEqual([200, true]);
  });

  test('is entered by the form, which leads back; its assets need no token', async () => {
    const { ask, token } = await acme();
    const form = { ...page, origin: AT, 'content-type': 'application/x-www-form-urlencoded' };
    const enter = (given: string) => ask('POST', '/dashboard/login?back=%2Fworlds%2Facme%2F', undefined, `token=${given}`, form);
    expect((await enter('wrong')).status).toBe(401);
    const entered = await enter(token);
    const values = [entered.status, entered.headers.get('location'), entered.headers.get('set-cookie')];
    expect(values).toEqual([303, '/worlds/acme/', `wm_mock_token_80=${token}; Path=/worlds/acme/; HttpOnly; SameSite=Strict`]);
    expect((await ask('GET', '/dashboard/assets/style.css')).headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect((await ask('GET', '/dashboard/assets/none.css')).status).toBe(404);
  });
});

test('an attempt due within a second needs no engine', async () => {
  const seen = network(() => new Response('no', { status: 500 }));
  const { create, token, ask, settled, alarm } = await listening(HOOK);
  await create('One');
  await settled();
  const { body } = await ask('GET', '/worlds/acme/_mock/deliveries', token);
  const due = Date.parse(body.items[0].next_attempt_at) - Date.now();
  await ask('POST', '/worlds/acme/_mock/clock/advance', token, { by: due - 300 });
  expect(seen).toHaveLength(1);
  await turn(600);
  expect([seen.length, alarm()! > Date.now() - 2000]).toEqual([2, true]);
});

test('a fault that closes the connection breaks the body off', async () => {
  const { ask, fetch, token } = await acme();
  await ask('POST', '/worlds/acme/_mock/faults', token, { match: {}, effect: { abort: true } });
  const response = await fetch(new Request(`${AT}/worlds/acme/v1/tasks`, { headers: { authorization: 'Bearer wm_a' } }));
  expect(response.status).toBe(502);
  await expect(response.text()).rejects.toThrow('a fault closed the connection');
});
