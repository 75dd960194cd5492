// A kept mock answers only what is safe: what could not be kept has not happened, whoever else has the state.
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Memory, type Shelf } from '../saving/shelf.ts';
import { KeptMock } from './serve.ts';

const demo = await readFile('fixtures/demo.yaml', 'utf8');
const BASE = 'http://127.0.0.1:8080/v1';

const kept = (shelf: Shelf, more: { readonly baseUrl?: string; readonly seed?: string } = {}) =>
  new KeptMock({
    baseUrl: more.baseUrl ?? BASE,
    madeOf: 'demo',
    now: '2025-01-20T09:00:00Z',
    shelf: async () => shelf,
    pages: async () => [],
    readSeed: async () => more.seed ?? demo,
  });

const ask = async (mock: KeptMock, method: string, path: string, body?: object) => {
  const headers = { authorization: 'Bearer wm_acme_admin', ...(body ? { 'content-type': 'application/json' } : {}) };
  const answer = await mock.answer(
    new Request(BASE + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }),
  );
  return { status: answer.status, text: await answer.text() };
};

test('a request whose effect cannot be kept is answered 500 with the reason, and has not happened', async () => {
  const shelf = new Memory().shelf();
  let full = false;
  const mock = kept({
    read: () => shelf.read(),
    write: (change) => (full ? Promise.reject(new Error('the quota is used up')) : shelf.write(change)),
  });
  expect((await ask(mock, 'POST', '/projects', { name: 'Fits' })).status).toBe(201);
  full = true;
  const refused = await Promise.all([1, 2].map(() => ask(mock, 'POST', '/projects', { name: 'Does not fit' })));
  for (const { status, text } of refused) {
    expect(status).toBe(500);
    expect(JSON.parse(text).error).toMatchObject({
      code: 'internal_error',
      message: expect.stringContaining('the quota is used up'),
    });
  }
  full = false;
  const { text } = await ask(mock, 'GET', '/projects?limit=100');
  expect(text).toContain('Fits');
  expect(text).not.toContain('Does not fit');
});

test('two workers that take turns on one state answer as one', async () => {
  const memory = new Memory();
  const [one, two] = [kept(memory.shelf()), kept(memory.shelf())];
  for (let n = 0; n < 6; n++) {
    expect((await ask(n % 2 ? one : two, 'POST', '/projects', { name: `Turn ${n}` })).status).toBe(201);
  }
  const { items } = JSON.parse((await ask(one, 'GET', '/projects?limit=100&sort=created_at')).text);
  expect(items.map(({ name }: { name: string }) => name).filter((name: string) => name.startsWith('Turn'))).toEqual(
    [0, 1, 2, 3, 4, 5].map((n) => `Turn ${n}`),
  );
  const { items: requests } = JSON.parse((await ask(two, 'GET', '/../_mock/requests?operation=createProject')).text);
  expect(requests).toHaveLength(6);
});

test('a seed that breaks a rule is an answer that says so, and is read again at the next request', async () => {
  const shelf = new Memory().shelf();
  const broken = kept(shelf, { seed: 'workspaces: [{ id: 5 }]' });
  const { status, text } = await ask(broken, 'GET', '/tasks');
  expect([status, text]).toEqual([500, expect.stringContaining('seed:1:')]);
  await expect(broken.mock()).rejects.toThrow('seed:1:');
});

test('it owns the paths below its base URL, and no other', () => {
  const mock = kept(new Memory().shelf(), { baseUrl: 'https://api.example.com/team/v1' });
  for (const path of ['/team/v1/tasks', '/team/v1', '/team/_mock/health', '/team/openapi.json', '/worlds/a/v1/tasks'])
    expect(mock.owns(`https://api.example.com${path}`), path).toBe(true);
  for (const path of ['/v1/tasks', '/team/v10', '/team/', '/team/docs', '/_mock/health'])
    expect(mock.owns(`https://api.example.com${path}`), path).toBe(false);
  expect(mock.owns('https://api.example.com.evil.example/team/v1/tasks')).toBe(false);
  expect(() => kept(new Memory().shelf(), { baseUrl: 'https://api.example.com/v2' })).toThrow('Give the one that your app calls');
});
