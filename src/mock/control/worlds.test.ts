// Worlds side by side: isolated, reached by path or key, deleted when idle, and equal to a world alone.
import { describe, expect, test } from 'vitest';
import { createMock, type Mock } from '../../node/index.ts';
import { type Asking, asking } from '../../test/asking.ts';
import { keep } from '../../test/closing.ts';
import { openReceiver } from '../../test/receiver.ts';
import { initOf, readResponse, ask as sent } from '../../test/sending.ts';

const start = async (): Promise<Asking> => keep(await asking());

describe('a world', () => {
  test('has data, clock, faults, limits, journal and deliveries of its own', async () => {
    const { control: ask, service: call } = await start();
    for (const id of ['a', 'b']) await ask('POST', '/worlds', { id });
    await call('POST', '/projects', { name: 'Only here' }, 'wm_tiny_admin', 'a');
    await call('POST', '/webhooks', { url: 'http://127.0.0.1:9/x' }, 'wm_tiny_admin', 'a');
    await ask('POST', '/clock/advance', { by: '1h' }, { world: 'a' });
    await ask('POST', '/faults', { effect: { status: 500 } }, { world: 'a' });
    expect((await call('GET', '/projects', undefined, 'wm_tiny_admin', 'a')).status).toBe(500);
    for (const world of ['b', undefined]) {
      const at = world === undefined ? {} : { world };
      const { status, body, headers } = await call('GET', '/projects', undefined, 'wm_tiny_admin', world);
      expect([status, body.meta.total, headers.get('x-ratelimit-remaining')]).toEqual([200, 1, '999']);
      expect((await ask('GET', '/clock', undefined, at)).body.now).toBe('2025-01-20T09:00:00.000Z');
      expect((await ask('GET', '/data/webhooks', undefined, at)).body.items).toEqual([]);
      expect((await ask('GET', '/requests', undefined, at)).body.items).toHaveLength(1);
    }
    const { items } = (await ask('GET', '/requests', undefined, { world: 'a' })).body;
    expect(items).toMatchObject(['/v1/projects', '/v1/webhooks', '/v1/projects'].map((path) => ({ path })));
  });

  test('begins from the seed, from the state as it is, from a snapshot, or from a seed of its own', async () => {
    const { control: ask, service: call } = await start();
    await call('POST', '/projects', { name: 'Two' });
    const { body: snapshot } = await ask('POST', '/snapshots');
    await call('POST', '/projects', { name: 'Three' });
    const seed = { workspaces: [{ id: 'ws_own', users: [{ id: 'user_x' }], api_keys: [{ value: 'wm_own' }] }] };
    for (const [body, key, total] of [
      [{ from: 'seed' }, 'wm_tiny_admin', 1],
      [{}, 'wm_tiny_admin', 1],
      [{ from: snapshot.id }, 'wm_tiny_admin', 2],
      [{ from: 'current' }, 'wm_tiny_admin', 3],
      [{ seed }, 'wm_own', 0],
      [{ seed: JSON.stringify(seed) }, 'wm_own', 0],
    ] as const) {
      const { body: world } = await ask('POST', '/worlds', body);
      expect((await call('GET', '/projects', undefined, key, world.id)).body.meta.total, JSON.stringify(body)).toBe(total);
      expect((await ask('GET', '/requests', undefined, { world: world.id })).body.items).toHaveLength(1);
      await ask('POST', '/reset', undefined, { world: world.id });
      expect((await call('GET', '/projects', undefined, key, world.id)).body.meta.total).toBe(total);
    }
  });

  test('is reached by its own keys at the plain base URL; they are a function of its id', async () => {
    const run = async () => {
      const { control: ask, service: call } = await start();
      const { body: a } = await ask('POST', '/worlds', { id: 'a', mint_keys: true });
      const { body: b } = await ask('POST', '/worlds', { id: 'b', mint_keys: true });
      const [own, foreign] = [a.keys[0].value, b.keys[0].value];
      const totalOf = async (key?: string, world?: string) => {
        const { status, body } = await call('GET', '/projects', undefined, key, world);
        return status === 200 ? body.meta.total : status;
      };
      expect((await call('POST', '/projects', { name: 'In a' }, own)).status).toBe(201);
      expect([await totalOf(own), await totalOf(own, 'a'), await totalOf(own, 'b')]).toEqual([2, 2, 401]);
      expect([await totalOf(foreign), await totalOf()]).toEqual([1, 1]);
      await ask('DELETE', '/worlds/a');
      expect(await totalOf(own)).toBe(401);
      return [a.keys, b.keys];
    };
    const [first, second] = [await run(), await run()];
    expect(second).toEqual(first);
    expect(new Set(first.flat().map(({ value }: { value: string }) => value)).size).toBe(6);
  });
});

/** A receiver that always refuses some of the events, and takes the others: its status depends on the event alone. */
const receiver = async (): Promise<string> => {
  const { url, received } = keep(
    await openReceiver((_, response) => {
      const { id } = JSON.parse(received.at(-1)!.body);
      response.writeHead(id.charCodeAt(5) % 4 === 0 ? 500 : 204).end();
    }),
  );
  return new URL(url).origin;
};

/** Rounds of seven requests; every night as many as make 300 requests. */
const ROUNDS = Number(process.env.WM_WORLD_ROUNDS ?? 15);

/** Requests of every kind, with advances and events; each response is used in what follows. */
const session = async (base: string, control: string, hook: string): Promise<string> => {
  const ask = async (url: string, method: string, body?: unknown, key = 'wm_tiny_admin') =>
    (await readResponse(await fetch(url, initOf(method, body, { authorization: `Bearer ${key}` })))).body;
  const api = (method: string, path: string, body?: unknown, key?: string) => ask(base + path, method, body, key);
  await api('POST', '/webhooks', { url: hook });
  await api('POST', '/webhooks', { url: 'https://public.example/hook', events: ['task.created'] });
  const { data: project } = await api('POST', '/projects', { name: 'Session' });
  await ask(`${control}/faults`, 'POST', { match: { method: 'GET' }, effect: { status: 503 }, probability: 0.1 });
  let cursor = '';
  for (let i = 0; i < ROUNDS; i++) {
    const draft = { title: `Task ${i}`, priority: ['low', 'high'][i % 2], extra: i };
    const { data: task } = await api('POST', `/projects/${project.id}/tasks`, draft);
    await api('PATCH', `/tasks/${task.id}`, { status: 'done', due_date: i % 3 === 0 ? null : '2025-02-01T00:00:00Z' });
    const page = await api('GET', `/tasks?limit=5&sort=-created_at${cursor}`, undefined, 'wm_tiny_read');
    cursor = page.meta?.next_cursor ? `&cursor=${page.meta.next_cursor}` : '';
    await api('GET', `/tasks/${task.id}?page=2`);
    await api('GET', '/tasks/task_none', undefined, 'wm_nobody');
    await api('POST', '/teams', { name: `Team ${i % 10}` });
    await api('POST', '/projects', { name: '' }, 'wm_tiny_read');
    if (i % 4 === 0) await api('DELETE', `/tasks/${task.id}`);
    if (i % 5 === 0) await ask(`${control}/clock/advance`, 'POST', { by: '31s' });
    if (i % 9 === 0) await ask(`${control}/clock/advance`, 'POST', { to: 'next' });
    if (i === 10)
      await ask(`${control}/data/users`, 'POST', { workspace_id: 'ws_tiny', name: 'Cy', email: 'cy@x.test', state: 'invited' });
  }
  await ask(`${control}/clock/advance`, 'POST', { by: '4h' });
  const { items: requests } = await ask(`${control}/requests`, 'GET');
  const { items: deliveries } = await ask(`${control}/deliveries`, 'GET');
  expect(requests.length).toBeGreaterThanOrEqual(7 * ROUNDS);
  expect(deliveries.length).toBeGreaterThanOrEqual(Math.floor(1.9 * ROUNDS));
  expect(new Set(deliveries.map(({ state }: { state: string }) => state))).toEqual(new Set(['delivered', 'failed']));
  return JSON.stringify({ requests, deliveries });
};

const OF_MINUTES = { timeout: 60_000 };
test(
  'eight clients in eight worlds at once have journals and delivery logs equal to those of a run alone',
  OF_MINUTES,
  async () => {
    const hook = await receiver();
    const alone = keep(await createMock({ seed: 'fixtures/tiny.yaml' }));
    const single = await alone.listen();
    const expected = await session(single.baseUrl, `${single.origin}/_mock`, `${hook}/same`);
    const mock: Mock = keep(await createMock({ seed: 'fixtures/tiny.yaml' }));
    const { origin } = await mock.listen();
    const worlds = Array.from({ length: 8 }, (_, i) => mock.fork({ id: `w${i}` }).id);
    const runs = await Promise.all(
      worlds.map((id) => session(`${origin}/worlds/${id}/v1`, `${origin}/worlds/${id}/_mock`, `${hook}/same`)),
    );
    for (const run of runs) expect(run === expected).toBe(true);
  },
);

test('a seed whose generated records cannot fit is refused', async () => {
  const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml', memory: 64 }));
  const generate = { projects: 10, tasks_per_project: 9000 };
  const seed = { workspaces: [{ id: 'ws', users: [{ id: 'u' }], api_keys: [{ scope: 'admin', user_id: 'u' }], generate }] };
  const { status, body } = await sent(mock, 'POST', '/_mock/worlds', { seed });
  expect(status).toBe(409);
  expect(body.error.message).toMatch(/^There is no room for another world: 1 MB of 64 MB/);
});

const FIELDS = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`field_${i}`, 1]));
const WORKSPACES = [{ id: 'ws', users: [{ id: 'u' }], api_keys: [{ scope: 'admin', user_id: 'u' }] }];
test.each([
  ['body', 400, FIELDS],
  ['seed', 422, { seed: { workspaces: WORKSPACES, ...FIELDS } }],
])('a %s with 3000 unknown fields is refused with the first hundred and a count', async (field, refused, draft) => {
  const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml' }));
  const { status, body } = await sent(mock, 'POST', '/_mock/worlds', draft);
  expect([status, body.error.details.fields.length]).toEqual([refused, 101]);
  expect(body.error.details.fields.at(-1)).toEqual({ field, issue: 'and 2,900 more' });
});
