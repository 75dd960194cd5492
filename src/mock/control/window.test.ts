// The length of a workspace's rate window: over the wire, in a seed, on a running and on a frozen clock.
import { describe, expect, test } from 'vitest';
import { createMock, type MockOptions } from '../../node/index.ts';
import { keep } from '../../test/closing.ts';
import { ask as sent } from '../../test/sending.ts';

const KEY = { value: 'wm_admin', scope: 'admin', user_id: 'user_ada' };
const workspace = (more: object) => ({ id: 'ws', requests_per_minute: 2, users: [{ id: 'user_ada' }], api_keys: [KEY], ...more });

const start = async (more: object = {}, options: MockOptions = {}) => {
  const mock = keep(await createMock({ seed: { workspaces: [workspace(more)] }, ...options }));
  const { baseUrl } = await mock.listen({ port: 0 });
  const ask = async () => {
    const response = await fetch(`${baseUrl}/users/me`, { headers: { authorization: 'Bearer wm_admin' } });
    const numberOf = (name: string) => Number(response.headers.get(name));
    const reset = numberOf('x-ratelimit-reset') * 1000 - Date.parse(mock.clock.now);
    return { status: response.status, reset, after: numberOf('retry-after'), text: await response.text() };
  };
  const control = (method: string, path: string, body?: object) => sent(mock, method, `/_mock${path}`, body);
  return { mock, ask, control };
};

describe('a window of one second', () => {
  test('ends one second after the last request on a frozen clock; reset, Retry-After and message say so', async () => {
    const { mock, ask, control } = await start({}, { now: '2025-01-20T09:00:00Z' });
    const workspace = { id: 'ws', name: 'Ws', plan: 2, requests_per_minute: 2, window_ms: 1000 };
    expect((await control('PATCH', '/workspaces/ws', { window_ms: 1000 })).body).toEqual(workspace);
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused).toMatchObject({ status: 429, reset: 1000, after: 1 });
    expect(refused.text).toContain('The limit of 2 requests in 1 s is used up. Wait 1 s and try again.');
    await mock.clock.advance(999);
    expect((await ask()).status).toBe(429);
    await mock.clock.advance(1);
    expect((await ask()).status).toBe(200);
  });

  test('ends on a running clock for a client that waits as long as it is told', async () => {
    const { ask } = await start({ window_ms: 1000 });
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const refused = await ask();
    expect(refused.status).toBe(429);
    expect(refused.after).toBeLessThanOrEqual(2);
    await new Promise((done) => setTimeout(done, refused.reset));
    expect((await ask()).status).toBe(200);
  });
});

test('a longer window counts at once, with the requests that fall into it', async () => {
  const { mock, ask, control } = await start({ window_ms: 90_000 }, { now: '2025-01-20T09:00:00Z' });
  await ask();
  await mock.clock.advance('80s');
  await ask();
  expect((await ask()).status).toBe(429);
  await control('PATCH', '/workspaces/ws', { window_ms: 60_000 });
  expect((await ask()).status).toBe(200);
});

test('it is that of its workspace alone, also where keys have windows of their own', async () => {
  const { mock } = await start(
    { window_ms: 1000 },
    { now: '2025-01-20T09:00:00Z', choices: { 'rate-source': 'workspace-and-key' } },
  );
  const { headers } = await mock.fetch('/users/me', { headers: mock.auth('admin') });
  expect(Number(headers.get('x-ratelimit-reset')) * 1000 - Date.parse(mock.clock.now)).toBe(1000);
  const anonymous = await mock.fetch('/users/me');
  expect(Number(anonymous.headers.get('x-ratelimit-reset')) * 1000 - Date.parse(mock.clock.now)).toBe(60_000);
});

test('an exported state, a fork and a reset have it as they should', async () => {
  const { mock, control } = await start({}, { now: '2025-01-20T09:00:00Z' });
  await control('PATCH', '/workspaces/ws', { window_ms: 2000 });
  const state = (await control('GET', '/state')).body;
  expect(state.workspaces[0].window_ms).toBe(2000);
  const again = keep(await createMock({ seed: state }));
  expect([again.world.windowMsOf('ws'), mock.fork().world.windowMsOf('ws')]).toEqual([2000, 2000]);
  mock.reset();
  expect(mock.world.windowMsOf('ws')).toBe(60_000);
  expect((await control('GET', '/state')).body.workspaces[0]).not.toHaveProperty('window_ms');
});

test('a length that cannot be is refused, and a misspelt member: nothing changes', async () => {
  const { mock, control } = await start();
  for (const [body, issue] of [
    [{ window_ms: 999 }, 'must be at least 1000, got 999'],
    [{ window_ms: 3_600_001 }, 'must be at most 3600000, got 3600001'],
    [{ window_ms: 1.5 }, 'must be an integer, got 1.5'],
    [{ windowms: 1000 }, 'is unknown, expected one of plan, window_ms (did you mean window_ms?)'],
    [{ plan: 'free', window_ms: 1 }, 'must be at least 1000, got 1'],
    [{}, 'must be an object with one of plan, window_ms, got {}'],
  ] as const) {
    const { status, body: refusal } = await control('PATCH', '/workspaces/ws', body);
    expect([400, 422]).toContain(status);
    expect(refusal.error.details.fields.map((one: { issue: string }) => one.issue)).toEqual([issue]);
  }
  expect([mock.world.limitOf('ws'), mock.world.windowMsOf('ws')]).toEqual([2, 60_000]);
  expect(() => mock.world.setWindow('ws', 5)).toThrow(
    'world.setWindow is refused: unknown window, expected one of milliseconds from 1000',
  );
  await expect(createMock({ seed: { workspaces: [workspace({ window_ms: 10 })] } })).rejects.toThrow('window_ms');
});
