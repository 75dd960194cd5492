// A kept mock responds only after saving: an unsaved change has not happened, whichever worker has the state.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Shelf, ShelfTaken } from '../mock/saving/shelf.ts';
import { Memory } from '../test/memory-shelf.ts';
import type { Client } from './page-sender.ts';
import { keepMock } from './serve.ts';

const demo = await readFile('fixtures/demo.yaml', 'utf8');
const BASE = 'http://127.0.0.1:8080/v1';

const kept = (
  shelf: Shelf,
  more: { readonly baseUrl?: string; readonly seed?: string; readonly pages?: readonly Client[] } = {},
) =>
  keepMock({
    baseUrl: more.baseUrl ?? BASE,
    madeOf: 'demo',
    now: '2025-01-20T09:00:00Z',
    shelf: async () => shelf,
    pages: async () => more.pages ?? [],
    readSeed: async () => more.seed ?? demo,
  });

const ask = async (mock: ReturnType<typeof kept>, method: string, path: string, body?: object) => {
  const headers = { authorization: 'Bearer wm_acme_admin', ...(body ? { 'content-type': 'application/json' } : {}) };
  const response = await mock.serve(
    new Request(BASE + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }),
  );
  return { status: response.status, text: await response.text() };
};

/** A mock whose disk may be full. */
const onDisk = () => {
  const shelf = new Memory().shelf();
  const disk = { full: false };
  const write: Shelf['write'] = async (change) => {
    if (disk.full) throw new Error('the quota is used up');
    return shelf.write(change);
  };
  return { mock: kept({ read: () => shelf.read(), write }), disk };
};

test('a request whose effect cannot be kept gets 500 with the reason, and has not happened', async () => {
  const { mock, disk } = onDisk();
  expect((await ask(mock, 'POST', '/projects', { name: 'Fits' })).status).toBe(201);
  disk.full = true;
  const refused = await Promise.all([1, 2].map(() => ask(mock, 'POST', '/projects', { name: 'Does not fit' })));
  for (const { status, text } of refused) {
    const { code, message } = JSON.parse(text).error;
    expect([status, code, message]).toEqual([500, 'internal_error', expect.stringContaining('the quota is used up')]);
  }
  disk.full = false;
  const { text } = await ask(mock, 'GET', '/projects?limit=100');
  expect(text).toContain('Fits');
  expect(text).not.toContain('Does not fit');
});

test('two workers that take turns on one state respond as one', async () => {
  const memory = new Memory();
  const [one, two] = [kept(memory.shelf()), kept(memory.shelf())];
  for (let n = 0; n < 6; n++) expect((await ask(n % 2 ? one : two, 'POST', '/projects', { name: `Turn ${n}` })).status).toBe(201);
  const { items } = JSON.parse((await ask(one, 'GET', '/projects?limit=100&sort=created_at')).text);
  expect(items.map(({ name }: { name: string }) => name).filter((name: string) => name.startsWith('Turn'))).toEqual(
    [0, 1, 2, 3, 4, 5].map((n) => `Turn ${n}`),
  );
  for (const worker of [two, one]) {
    const { items: requests } = JSON.parse((await ask(worker, 'GET', '/../_mock/requests')).text);
    expect(requests).toHaveLength(7);
  }
});

test('a worker whose state another one has taken over reads it again, also where it has nothing to write', async () => {
  const memory = new Memory();
  const [one, two] = [kept(memory.shelf()), kept(memory.shelf())];
  const count = async (mock: ReturnType<typeof kept>) =>
    JSON.parse((await ask(mock, 'GET', '/../_mock/requests')).text).items.length;
  expect(await count(one)).toBe(0);
  expect(await count(one)).toBe(0);
  await ask(two, 'GET', '/tasks');
  expect([await count(one), await count(two), await count(one)]).toEqual([1, 1, 1]);
});

test('a seed that breaks a rule is named in the response, and read again at the next request', async () => {
  const shelf = new Memory().shelf();
  const broken = kept(shelf, { seed: 'workspaces: [{ id: 5 }]' });
  const { status, text } = await ask(broken, 'GET', '/tasks');
  expect([status, text]).toEqual([500, expect.stringContaining('seed:1:')]);
  await expect(broken.mock()).rejects.toThrow('seed:1:');
});

test('an error at opening is named, whatever was thrown', async () => {
  const broken = kept({
    read: () => {
      throw 'no shelf';
    },
    write: async () => {},
  });
  const { status, text } = await ask(broken, 'GET', '/tasks');
  const { code, message } = JSON.parse(text).error;
  expect([status, code, message]).toEqual([500, 'internal_error', 'The mock in this browser cannot respond: no shelf']);
});

test('a state that was taken over again and again gets 500, after one more try', async () => {
  let writes = 0;
  const shelf = new Memory().shelf();
  const mock = kept({
    read: () => shelf.read(),
    write: async () => {
      if (++writes > 5) throw new Error('tried too often');
      throw new ShelfTaken();
    },
  });
  const { status, text } = await ask(mock, 'GET', '/tasks');
  expect([status, writes, text.includes('another worker has taken the state over')]).toEqual([500, 2, true]);
});

test('a connection that a fault closes is a network error, kept as such; other errors are named as they are', async () => {
  const mock = kept(new Memory().shelf());
  const { faults, app } = await mock.mock();
  faults.add({ effect: { abort: true }, times: 1 });
  const response = await mock.serve(new Request(`${BASE}/tasks`));
  expect([response.type, response.status]).toEqual(['error', 0]);
  app.fetch = () => {
    throw new RangeError('broken inside');
  };
  expect((await ask(mock, 'GET', '/tasks')).text).toContain('broken inside');
});

test('a webhook for the mock itself reaches its inbox, and one that is due is made and kept when it rests', async () => {
  const memory = new Memory();
  const mock = kept(memory.shelf());
  const inbox = 'http://127.0.0.1:8080/_mock/inbox/mine';
  expect((await ask(mock, 'POST', '/webhooks', { url: inbox, events: ['project.created'] })).status).toBe(201);
  expect((await ask(mock, 'POST', '/projects', { name: 'Told' })).status).toBe(201);
  await mock.rest();
  const { text } = await ask(mock, 'GET', '/../_mock/inbox/mine/messages');
  expect(JSON.parse(text).items).toMatchObject([{ method: 'POST', body: { event: 'project.created' } }]);
  const again = kept(memory.shelf());
  const delivery = (await again.mock()).deliveries.find(({ url }) => url === inbox);
  expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 200, outcome: 'response' }] });
});

test('it rests when what is due was done, however long that takes', async () => {
  let taken = false;
  const page = {
    postMessage: (_message: unknown, [port]: MessagePort[]) => {
      port!.postMessage({ taken: true });
      setTimeout(() => {
        taken = true;
        port!.postMessage({ status: 202, excerpt: 'late' });
      }, 60);
    },
  };
  const memory = new Memory();
  const mock = kept(memory.shelf(), { pages: [page] });
  await ask(mock, 'POST', '/webhooks', { url: 'https://far.test/hooks', events: ['project.created'] });
  await ask(mock, 'POST', '/projects', { name: 'Told' });
  await mock.rest();
  expect(taken).toBe(true);
  const again = kept(memory.shelf());
  const delivery = (await again.mock()).deliveries.find(({ url }) => url === 'https://far.test/hooks');
  expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 202, response_excerpt: 'late' }] });
});

test('a failed save at rest rejects its promise, and the next request begins at the last saved state', async () => {
  const { mock, disk } = onDisk();
  await ask(mock, 'POST', '/projects', { name: 'Fits' });
  const before = await mock.mock();
  disk.full = true;
  await before.fetch('/projects', { headers: { authorization: 'Bearer wm_acme_admin' } });
  await expect(mock.rest()).rejects.toThrow('the quota is used up');
  disk.full = false;
  expect(await mock.mock()).not.toBe(before);
  expect((await mock.mock()).requests).toHaveLength(1);
  await (await mock.mock()).close();
});

test('it is reached by the name in its base URL, and opens its shelf once', async () => {
  let reads = 0;
  const shelf = new Memory().shelf();
  const read = () => {
    reads++;
    return shelf.read();
  };
  const mock = kept({ read, write: (change) => shelf.write(change) }, { baseUrl: 'https://api.example.com/v1' });
  const at = (path: string) => mock.serve(new Request(`https://api.example.com${path}`));
  expect([(await at('/_mock/health')).status, (await at('/v1/tasks')).status, reads]).toEqual([200, 401, 1]);
});
