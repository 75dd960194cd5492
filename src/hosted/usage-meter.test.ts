// Reports of the usage of a world, their times, and refusals once a quota is used up.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { FakeEngine } from '../test/fake-engine.ts';
import type { ExceededQuota, WorldUsage } from './directory.ts';
import { UsageMeter } from './usage-meter.ts';

beforeEach(() => void vi.useFakeTimers({ now: 20_000 }));
afterEach(() => void vi.useRealTimers());

const using = (report: () => Promise<ExceededQuota | undefined> = async () => undefined) => {
  const storage = new FakeEngine().storage('WORLDS', 'any');
  const reports: WorldUsage[] = [];
  const used = new UsageMeter(storage, (usage) => {
    reports.push(usage);
    return report();
  });
  const at = async (now: number) => {
    await vi.advanceTimersByTimeAsync(now - Date.now());
    used.noteRequest(true);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { storage, reports, used, at };
};

describe('the usage of a world', () => {
  test('is reported every ten seconds, and again when a report failed', async () => {
    let fails = true;
    const { storage, reports, at } = using(async () => {
      if (fails) throw new Error('lost');
      return undefined;
    });
    for (const now of [20_000, 21_000, 25_000, 29_999]) await at(now);
    fails = false;
    await at(30_000);
    await at(31_000);
    expect(reports).toMatchObject([
      { requests: 1, used: 20_000 },
      { requests: 5, used: 30_000 },
    ]);
    expect(storage.kept.get('used')).toBe(30_000);
  });

  test('is reported when it falls quiet, once, with the bytes of then, and no timer is left behind', async () => {
    const { storage, reports, at } = using();
    for (let now = 20_000; now <= 28_500; now += 500) await at(now);
    storage.kv.put('large', 'x'.repeat(2_300_000));
    expect(reports).toMatchObject([{ requests: 1, used: 20_000 }]);
    await vi.advanceTimersByTimeAsync(4999);
    expect(reports).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(reports.slice(1)).toMatchObject([{ requests: 17, used: 28_500 }]);
    expect([reports[1]!.bytes > 2_300_000, vi.getTimerCount()]).toEqual([true, 0]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reports).toHaveLength(2);
  });

  test('since the last report is returned at its end; after a failed report no timer tries again', async () => {
    const { reports, used, at } = using(() => Promise.reject(new Error('lost')));
    await at(20_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([reports.length, vi.getTimerCount()]).toEqual([1, 0]);
    await at(80_000);
    await at(80_001);
    const results = [used.end(), vi.getTimerCount(), used.end()];
    expect(results).toEqual([{ requests: 3, bytes: expect.any(Number), used: 80_001 }, 0, undefined]);
  });

  test('is reported at the first request after its end, however soon that comes', async () => {
    const { reports, used, at } = using();
    await at(20_000);
    used.end();
    await at(20_500);
    expect(reports.map((one) => one.used)).toEqual([20_000, 20_500]);
  });
});

const look = new Request('https://mock.test/worlds/acme/v1/tasks');
const add = new Request('https://mock.test/worlds/acme/v1/tasks', { method: 'POST' });

test('a used-up quota refuses requests as long as it is used up, and no longer', async () => {
  const results: (ExceededQuota | undefined)[] = [];
  const { used, at } = using(async () => results.shift());
  const reportAt = async (now: number, over: ExceededQuota | undefined) => {
    results.push(over);
    await at(now);
  };
  await reportAt(20_000, { what: 'requests', most: 5, until: 30_500 });
  await at(29_600);
  expect(() => used.admit(look)).toThrow('The 5 requests of today are used up.');
  try {
    used.admit(add);
  } catch (error) {
    expect((error as { headers: object }).headers).toEqual({ 'retry-after': '1' });
  }
  await at(29_999);
  expect(() => used.admit(add)).toThrow();
  await reportAt(30_500, { what: 'requests', most: 5, until: 30_500 });
  used.admit(add);
  await reportAt(40_500, { what: 'bytes', most: 9, until: 40_500 });
  used.admit(look);
  expect(() => used.admit(add)).toThrow('All worlds together store more than 9 bytes.');
  await reportAt(50_500, undefined);
  used.admit(add);
});

test('a used-up quota still permits signing in, deleting and restoring', async () => {
  const { used, at } = using(async () => results.shift());
  const results: ExceededQuota[] = [];
  const passes = async (what: ExceededQuota['what']) => {
    results.push({ what, most: 1, until: Number.MAX_SAFE_INTEGER });
    await at(Date.now() + 10_000);
    return [
      'GET /',
      'GET /v1/tasks',
      'POST /dashboard/login',
      'GET /dashboard/login',
      'POST /dashboard/logout',
      'POST /dashboard/worlds',
      'POST /v1/projects',
      'DELETE /v1/tasks/a',
      'DELETE /_mock/worlds/acme~a',
      'POST /_mock/worlds',
      'POST /_mock/reset',
      'POST /_mock/snapshots',
      'POST /_mock/snapshots/snap_1/restore',
      'POST /_mock/inbox/box',
    ].filter((call) => {
      const [method, path] = call.split(' ');
      try {
        used.admit(new Request(`https://mock.test/worlds/acme${path}`, { method: method! }));
        return true;
      } catch {
        return false;
      }
    });
  };
  expect(await passes('requests')).toEqual([
    'POST /dashboard/login',
    'GET /dashboard/login',
    'POST /dashboard/logout',
    'DELETE /_mock/worlds/acme~a',
  ]);
  expect(await passes('bytes')).toEqual([
    'GET /',
    'GET /v1/tasks',
    'POST /dashboard/login',
    'GET /dashboard/login',
    'POST /dashboard/logout',
    'DELETE /v1/tasks/a',
    'DELETE /_mock/worlds/acme~a',
    'POST /_mock/reset',
    'POST /_mock/snapshots/snap_1/restore',
  ]);
});
