// Attacks over a socket, each as somebody found it: the mock answers, stays within its bounds, and does what its owner wants.
import { afterEach, describe, expect, test } from 'vitest';
import { createMock, type Mock, type MockOptions, type Server } from './index.ts';

const mocks: Mock[] = [];
afterEach(async () => {
  for (const mock of mocks.splice(0)) await mock.close();
});

const attacked = async (options: MockOptions = {}): Promise<Server & { readonly mock: Mock }> => {
  const mock = await createMock({ seed: 'fixtures/tiny.yaml', plan: 'unlimited', ...options });
  mocks.push(mock);
  return { ...(await mock.listen()), mock };
};

const MB = 1_000_000;
const JSON_BODY = { 'content-type': 'application/json' };
const asWriter = { ...JSON_BODY, authorization: 'Bearer wm_tiny_admin' };
const post = (url: string, body: unknown, headers: Record<string, string> = JSON_BODY) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
const read = async (url: string) => (await fetch(url)).json();
const TASKS = 'projects/proj_one/tasks';

describe('one budget in bytes', () => {
  test('floods of the inbox, cross-site and without a token, stay within it, and the newest are kept', async () => {
    const { origin } = await attacked({ memory: 8 });
    const headers = { 'content-type': 'text/plain', origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    for (let n = 0; n < 24; n++)
      await fetch(`${origin}/_mock/inbox/n${n % 12}`, { method: 'POST', headers, body: 'x'.repeat(800_000) });
    let kept = 0;
    for (let n = 0; n < 12; n++)
      for (const { text } of (await read(`${origin}/_mock/inbox/n${n}/messages`)).items) kept += text.length;
    expect(kept).toBeLessThan(8 * MB);
    expect((await read(`${origin}/_mock/inbox/n11/messages`)).items.at(-1).text).toHaveLength(800_000);
    const { memory } = await read(`${origin}/_mock/health`);
    expect([memory.limit, memory.used <= 8 * MB, memory.by.inbox >= 2 * kept]).toEqual([8 * MB, true, true]);
  });

  test('journals of many worlds share it: the oldest exchange goes first, wherever it is', async () => {
    const server = await attacked({ memory: 8 });
    for (let n = 0; n < 10; n++) await post(`${server.origin}/_mock/worlds`, { id: `w${n}` });
    const body = { title: 'a', nothing: 'x'.repeat(30_000) };
    for (let i = 0; i < 20; i++)
      for (let n = 0; n < 10; n++) await post(`${server.origin}/worlds/w${n}/v1/${TASKS}`, body, asWriter);
    expect((await read(`${server.origin}/_mock/health`)).memory.used).toBeLessThan(8 * MB);
    const lengths: number[] = [];
    for (let n = 0; n < 10; n++) lengths.push((await read(`${server.origin}/worlds/w${n}/_mock/requests`)).items.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
    expect(Math.min(...lengths)).toBeGreaterThan(2);
  });

  test('deliveries of long bodies are forgotten, those that are settled before those that wait', async () => {
    const server = await attacked({ memory: 8, now: '2025-01-20T09:00:00Z' });
    const hook = async (url: string) => (await (await post(`${server.baseUrl}/webhooks`, { url }, asWriter)).json()).data.id;
    await hook('https://example.com/public');
    const waiting = await hook(`${server.origin}/_mock/inbox/down`);
    await post(`${server.origin}/_mock/webhooks/${waiting}/simulate`, { outcomes: Array.from({ length: 200 }, () => 500) });
    const description = '\u{1f600}'.repeat(10_000);
    for (let i = 0; i < 60; i++) await post(`${server.baseUrl}/${TASKS}`, { title: `t${i}`, description }, asWriter);
    await server.mock.webhooks.settled();
    expect((await read(`${server.origin}/_mock/health`)).memory.used).toBeLessThan(8 * MB + 60 * 100_000);
    const log = (await read(`${server.origin}/_mock/deliveries`)).items as { state: string }[];
    expect(log.length).toBeLessThan(80);
    expect(log.some(({ state }) => state === 'retrying')).toBe(true);
  });

  test('snapshots keep their journals within it, and one that has no room is refused with what to do', async () => {
    const server = await attacked({ memory: 8 });
    const ids: string[] = [];
    const task = (description: string) => post(`${server.baseUrl}/${TASKS}`, { title: 'a', description }, asWriter);
    for (let i = 0; i < 20; i++) {
      await task('x'.repeat(1000));
      ids.push((await (await post(`${server.origin}/_mock/snapshots`, {})).json()).id);
    }
    for (let i = 0; i < 450; i++) await task('x'.repeat(10_000));
    const refused = [await post(`${server.origin}/_mock/snapshots`, {}), await post(`${server.origin}/_mock/worlds`, {})];
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect((await refused[0]!.json()).error.message).toMatch(
      /^There is no room for another snapshot: \d+ MB of 8 MB are used.* Delete worlds or snapshots, .*--memory.*docs\/security\.md/,
    );
    await post(`${server.origin}/_mock/reset`, {});
    expect((await post(`${server.origin}/_mock/snapshots`, {})).status).toBe(201);
    expect((await post(`${server.origin}/_mock/snapshots/${ids[3]}/restore`, {})).status).toBe(200);
    expect(server.mock.world.store.tasks.size).toBe(2 + 4);
  });

  test('an inline seed is counted', async () => {
    const { origin } = await attacked({ memory: 8 });
    const users = Array.from({ length: 20_000 }, (_, i) => ({ id: `u${i}`, name: 'x'.repeat(100) }));
    const seed = { workspaces: [{ id: 'ws', users, api_keys: [{ value: 'k_long', scope: 'admin', user_id: 'u1' }] }] };
    expect((await post(`${origin}/_mock/worlds`, { seed })).status).toBe(409);
  });

  test('a client that leaves is not kept waiting by a hold or a delay', async () => {
    const { origin, baseUrl, mock } = await attacked();
    for (const effect of [{ hold: true }, { delay_ms: 3_600_000 }]) {
      const { id } = await (await post(`${origin}/_mock/faults`, { effect })).json();
      const gone = new AbortController();
      const asked = Array.from({ length: 50 }, () => fetch(`${baseUrl}/users/me`, { headers: asWriter, signal: gone.signal }));
      await expect.poll(async () => (await read(`${origin}/_mock/health`)).memory.by.held).toBeGreaterThan(50 * 20_000);
      gone.abort();
      await Promise.allSettled(asked);
      await expect.poll(async () => (await read(`${origin}/_mock/health`)).memory.by.held).toBe(0);
      expect((await read(`${origin}/_mock/faults/${id}`)).held).toBe(0);
      mock.faults.clear();
    }
  });
});
