// Requests that the handlers for MSW serve, and those that they leave to others, without a server of MSW.
import { describe, expect, test } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock/api/mock.ts';
import { keep } from '../test/closing.ts';
import { handlers } from './msw.ts';

const start = async (): Promise<Mock> => keep(await createMock({ now: '2025-01-20T09:00:00Z' }));

type Given = Parameters<typeof handlers>;
const at = { baseUrl: 'https://api.example.com/v1' };
const asker =
  (...given: Given) =>
  async (url: string, init: RequestInit = {}): Promise<Response | undefined> => {
    const all = handlers(...given);
    expect(all).toHaveLength(1);
    const result = await all[0]!.run({ request: new Request(url, init), requestId: 'one' });
    return result?.response;
  };
const statusOf = async (response: Promise<Response | undefined>) => (await response)?.status;

describe('Handlers', () => {
  test('respond below the base URL, beside it, and nowhere else', async () => {
    const mock = await start();
    const ask = asker(mock, { baseUrl: 'https://api.example.com/team/v1' });
    const headers = { ...mock.auth('read') };
    const statusAt = (path: string) => statusOf(ask(`https://api.example.com${path}`, { headers }));
    expect(await statusAt('/team/v1/tasks')).toBe(200);
    expect(await statusAt('/team/v1/tasks?limit=1')).toBe(200);
    expect(await statusAt('/team/_mock/health')).toBe(200);
    expect(await statusAt('/team/openapi.json')).toBe(200);
    expect(await statusAt('/worlds/none/v1/tasks')).toBe(404);
    for (const path of ['/team/other', '/v1/tasks', '/', '/team/v10'])
      expect([path, await statusAt(path)]).toEqual([path, undefined]);
    for (const origin of ['https://apixexample.com', 'http://api.example.com', 'https://x.test/https://api.example.com'])
      expect([origin, await statusOf(ask(`${origin}/team/v1/tasks`, { headers }))]).toEqual([origin, undefined]);
  });

  test('pass method, headers and body', async () => {
    const mock = await start();
    const ask = asker(mock, at);
    const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
    const response = await ask('https://api.example.com/v1/projects', { method: 'POST', headers, body: '{"name":"New"}' });
    expect(response?.status).toBe(201);
    expect(mock.world.store.projects.all().map(({ value }) => value.name)).toEqual(['New']);
  });

  test('serve the world that they are made of; its own paths, other worlds and the document are at the origin', async () => {
    const mock = await start();
    const world = mock.fork({ id: 'v1-side' });
    const ask = asker(world, at);
    const headers = { ...world.auth('write'), 'content-type': 'application/json' };
    await ask('https://api.example.com/v1/projects', { method: 'POST', headers, body: '{"name":"Aside"}' });
    expect([world.world.store.projects.size, mock.world.store.projects.size]).toEqual([1, 0]);
    expect(world.requests).toHaveLength(1);
    expect(await statusOf(ask('https://api.example.com/worlds/v1-side/v1/projects', { headers }))).toBe(200);
    expect(await statusOf(ask('https://api.example.com/worlds/none/v1/projects', { headers }))).toBe(404);
    expect(await statusOf(ask('https://api.example.com/openapi.json'))).toBe(200);
    expect(await statusOf(ask('https://api.example.com/openapi.yaml'))).toBe(200);
    expect(await statusOf(ask('https://api.example.com/_mock/health'))).toBe(200);
  });

  test('make a closed connection a network error, and hide no other', async () => {
    const mock = await start();
    const ask = asker(mock, at);
    mock.faults.add({ effect: { abort: true }, times: 1 });
    const response = await ask('https://api.example.com/v1/tasks');
    expect([response?.type, response?.status]).toEqual(['error', 0]);
    const app = { fetch: () => Promise.reject(new RangeError('broken')) };
    const broken = { baseUrl: mock.baseUrl, guard: mock.guard, app };
    await expect(asker(broken as never, at)('https://api.example.com/v1/tasks')).rejects.toThrow(new RangeError('broken'));
  });

  test('are at the origin of the page, and without a page where the command listens', async () => {
    const mock = await start();
    const headers = mock.auth('read');
    const where = async (location: unknown, url: string): Promise<number | undefined> => {
      const before = Object.getOwnPropertyDescriptor(globalThis, 'location');
      Object.defineProperty(globalThis, 'location', { value: location, configurable: true });
      try {
        return await statusOf(asker(mock)(url, { headers }));
      } finally {
        if (before) Object.defineProperty(globalThis, 'location', before);
        else Reflect.deleteProperty(globalThis, 'location');
      }
    };
    expect(await where(undefined, 'http://127.0.0.1:4700/v1/tasks')).toBe(200);
    expect(await where({}, 'http://127.0.0.1:4700/v1/tasks')).toBe(200);
    expect(await where({ origin: 'null' }, 'http://127.0.0.1:4700/v1/tasks')).toBe(200);
    expect(await where({ origin: 'https://app.test' }, 'https://app.test/v1/tasks')).toBe(200);
    expect(await where({ origin: 'https://app.test' }, 'http://127.0.0.1:4700/v1/tasks')).toBeUndefined();
  });

  test('need a base URL that ends in /v1', async () => {
    const mock = await start();
    expect(() => handlers(mock, { baseUrl: 'https://api.example.com/' })).toThrow(
      'handlers is refused: baseUrl: wrong value, expected the base URL that the app calls, which ends in /v1, such as http://127.0.0.1:4700/v1, got "https://api.example.com/". The types',
    );
  });
});
