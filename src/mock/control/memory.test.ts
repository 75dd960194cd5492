// One budget in bytes: when room is made, what goes, what stays, and what is refused.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { keep } from '../../test/closing.ts';
import { ask } from '../../test/sending.ts';
import type { Mock } from '../api/mock.ts';

const MB = 1_000_000;
const CONTROL = 'http://127.0.0.1/_mock';

const small = async (): Promise<Mock> => keep(await createMock({ seed: 'demo', memory: 8, plan: 'unlimited' }));
const post = (mock: Mock, path: string, body: unknown, type = 'application/json') =>
  mock.app.request(`${CONTROL}/${path}`, { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(body) });
const read = async (mock: Mock, path: string) => (await mock.app.request(`${CONTROL}/${path}`)).json();
const memory = async (mock: Mock) => (await read(mock, 'health')).memory;

/** Messages of some bytes each, and what is used after each of them. */
const flood = async (mock: Mock, count: number, bytes: number): Promise<number[]> => {
  const used: number[] = [];
  for (let i = 0; i < count; i++) {
    await post(mock, 'inbox/flood', 'x'.repeat(bytes / 2 - 502), 'text/plain');
    used.push((await memory(mock)).used);
  }
  return used;
};
const messages = async (mock: Mock): Promise<number[]> =>
  (await read(mock, 'inbox/flood/messages')).items.map(({ id }: { id: string }) => Number(id.replace(/\D/g, '')));

test('room is made once seven eighths are used, down to five sevenths of that', async () => {
  const mock = await small();
  const by = { journal: 0, deliveries: 0, inbox: 0, snapshots: 0, worlds: 4000, held: 0 };
  expect(await memory(mock)).toEqual({ limit: 8 * MB, used: 4000, by });
  const used = await flood(mock, 40, MB / 4);
  const [most, least] = [Math.max(...used), Math.min(...used.slice(used.indexOf(Math.max(...used))))];
  expect([most > 6.7 * MB, most <= 7 * MB, least > 4.7 * MB, least <= 5.1 * MB]).toEqual([true, true, true, true]);
  const kept = await messages(mock);
  expect(kept).toEqual(Array.from({ length: kept.length }, (_, i) => 41 - kept.length + i));
  expect((await memory(mock)).by.inbox).toBeGreaterThan(kept.length * (MB / 4 - 1000));
});

test('data that is never evicted leaves the rest to data that may be, and nothing more fits at the end', async () => {
  const mock = await small();
  const fault = () => post(mock, 'faults', { effect: { status: 500, raw: 'x'.repeat(900_000) }, match: { path: '/none' } });
  for (let i = 0; i < 2; i++) expect((await fault()).status).toBe(201);
  const used = await flood(mock, 30, MB / 4);
  // 3.6 of 7 MB stay, and five sevenths of the rest, 2.4.
  expect([Math.max(...used) <= 7 * MB, Math.min(...used.slice(-12)) > 5.7 * MB]).toEqual([true, true]);
  expect((await messages(mock)).at(-1)).toBe(30);
  expect([(await fault()).status, (await fault()).status]).toEqual([201, 201]);
  expect(await messages(mock)).toEqual([]);
  const refused = [await fault(), await post(mock, 'snapshots', undefined), await post(mock, 'worlds', {})];
  expect(refused.map(({ status }) => status)).toEqual([409, 201, 201]);
  expect((await refused[0]!.json()).error.message).toMatch(
    /^There is no room for another fault: 8 MB of 8 MB are used, and nothing of it may be forgotten\. Delete worlds or snapshots, reset, or start the mock with a larger --memory\. GET \/_mock\/health says what uses how much; docs\/security\.md says more\.$/,
  );
  const { by } = await memory(mock);
  expect([by.snapshots, by.worlds > 7.2 * MB]).toEqual([20_000, true]);
  await mock.app.request(`${CONTROL}/faults`, { method: 'DELETE' });
  const after = (await memory(mock)).by;
  expect([after.worlds < 0.1 * MB, after.snapshots > 7.2 * MB]).toEqual([true, true]);
});

test('data that copies share is counted once', async () => {
  const mock = await small();
  const draft = { name: 'x'.repeat(100), description: 'd'.repeat(5000) };
  for (let i = 0; i < 20; i++) await ask(mock, 'POST', '/projects', draft);
  const before = (await memory(mock)).used;
  for (let i = 0; i < 3; i++) expect((await post(mock, 'snapshots', undefined)).status).toBe(201);
  const { used, by } = await memory(mock);
  expect([used - before, by.snapshots - 3 * 20_000]).toEqual([3 * 20_000, by.snapshots - 60_000]);
  expect(before).toBeGreaterThan(20 * 2 * 5000);
});
