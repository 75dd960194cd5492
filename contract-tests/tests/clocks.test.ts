// Clocks apart: how far that of the target is ahead, and how sure that is.
import { expect, test } from 'vitest';
import { CLOCKS_APART, Skew, type Time } from '../engine/time.ts';
import { IS_WHOLE, runOn } from './runs.ts';
import { TestServer } from './test-server.ts';

const MINUTE = 60_000;

/** A clock that a test puts forward, and the target's, which is ahead of it. */
const clocks = (ahead: number) => {
  let now = 1_900_000_000_000;
  const time = { now: () => now } as Time;
  return {
    skew: new Skew(time),
    time,
    /** A response that is made halfway between its request and its arrival. */
    response(ms: number, of: 'date' | 'made', skew: Skew): void {
      const sent = now;
      const made = sent + ms / 2 + ahead;
      now = sent + ms;
      if (of === 'date') skew.date(new Date(Math.floor(made / 1000) * 1000).toUTCString(), sent, now);
      else skew.made(Math.floor(made / 1000) * 1000, sent, now);
      now += 777;
    },
    target: () => now + ahead,
  };
};

test.each([
  ['date', 5 * MINUTE],
  ['date', -5 * MINUTE],
  ['date', 37 * MINUTE],
  ['made', 5 * MINUTE],
  ['made', -5 * MINUTE],
] as const)('%s headers and moments of creation tell the difference of %i ms to a second', (of, ahead) => {
  const { skew, response, target } = clocks(ahead);
  for (let n = 0; n < 20; n++) response(40 + (n % 5) * 100, of, skew);
  const { at, within } = skew.now();
  expect(Math.abs(at - target())).toBeLessThanOrEqual(within);
  expect(within).toBeLessThan(1500);
});

test('a created_at a quarter of an hour off is no clock: it may be in a wrong zone', () => {
  const { skew, response } = clocks(60 * MINUTE);
  for (let n = 0; n < 5; n++) response(100, 'made', skew);
  expect(skew.now().within).toBe(CLOCKS_APART);
});

test('a clock that another run moved on is known by the response that shows it', () => {
  const [here, moved] = [clocks(0), clocks(10 * MINUTE)];
  for (let n = 0; n < 5; n++) here.response(40, n === 0 ? 'made' : 'date', here.skew);
  const moment = here.target() + 10 * MINUTE;
  expect(here.skew.fits(moment, MINUTE, MINUTE)).toBe(false);
  moved.response(40, 'date', here.skew);
  expect(here.skew.fits(moment, MINUTE, MINUTE)).toBe(true);
});

test('before a record is made its clock may be apart from that of the Date headers', () => {
  const { skew, response, target } = clocks(0);
  response(40, 'date', skew);
  expect(skew.fits(target() + 9 * MINUTE, 0, 0)).toBe(true);
  response(40, 'made', skew);
  expect(skew.fits(target() + 9 * MINUTE, 0, 0)).toBe(false);
});

test('a Date header whose year has more than four digits says nothing of a clock', () => {
  const { skew, time } = clocks(0);
  skew.date('Sat, 13 Sep 275760 00:00:00 GMT', time.now() - 100, time.now());
  expect(skew.now()).toEqual({ at: time.now(), within: CLOCKS_APART });
});

test('before anything is known a moment fits by any clock that was never set', () => {
  const { skew, time } = clocks(0);
  expect(skew.fits(time.now() + 9 * MINUTE, 0, 0)).toBe(true);
  expect(skew.fits(time.now() + 11 * MINUTE, 0, 0)).toBe(false);
});

test('a moment is held against the time at which it was named, however late that is done', () => {
  const { skew, response, time } = clocks(0);
  response(100, 'made', skew);
  response(100, 'date', skew);
  const arrival = time.now() - 777;
  const reset = arrival + 60_000;
  for (let n = 0; n < 3; n++) response(40_000, 'date', skew);
  expect(skew.fits(reset, 2000, 62_000)).toBe(false);
  expect(skew.fits(reset, 2000, 62_000, arrival)).toBe(true);
});

test('a clock that was put forward by hours is known again after thirty responses', () => {
  const { skew, response, time } = clocks(0);
  for (let n = 0; n < 20; n++) response(100, 'date', skew);
  const later = 6 * 60 * MINUTE;
  for (let n = 0; n < 30; n++) skew.date(new Date(time.now() + later).toUTCString(), time.now() - 50, time.now());
  expect(Math.abs(skew.now().at - time.now() - later)).toBeLessThan(2000);
});

const ahead = (server: TestServer, ms: number): Time => ({
  now: () => server.clock.now() - ms,
  sleep: (wait) => server.clock.sleep(wait),
  after: (wait, job) => server.clock.after(wait, job),
  settle: () => server.clock.settle(),
  virtual: true,
});

test.each([5 * MINUTE, -5 * MINUTE])(
  'a target %i ms ahead, without Date, is not blamed, and on the Free plan no 429 is caused',
  async (ms) => {
    const server = new TestServer({ limit: 60 });
    const report = await runOn(server, { time: ahead(server, ms) });
    expect([report.failures, report.error, report.requests_429]).toEqual([[], undefined, 0]);
  },
);

test.each([
  ['a Reset ten minutes in the past', 'WM-RATE-009', 5 * MINUTE, -600, 0],
  ['a Reset an hour ahead', 'WM-RATE-009', -5 * MINUTE, 3600, 0],
  ['a created_at in a zone an hour off', 'WM-GEN-008', 5 * MINUTE, 0, 3600],
])('%s is found, though clocks differ', async (_says, requirement, ms, reset, made) => {
  for (const apart of IS_WHOLE ? [5 * MINUTE, -5 * MINUTE, 0] : [ms]) {
    const server = new TestServer({ limit: 5000 });
    const report = await runOn(server, {
      time: ahead(server, apart),
      fetch: async (url, init) => {
        const response = await server.fetch(url, init);
        const headers = new Headers(response.headers);
        headers.set('x-ratelimit-reset', String(Number(headers.get('x-ratelimit-reset')) + reset));
        const shift = (_: string, name: string, at: string) =>
          `"${name}":"${new Date(Date.parse(at) + made * 1000).toISOString()}"`;
        const text = (await response.text()).replace(/"(created_at|updated_at)":"([^"]+)"/g, shift);
        return new Response(response.status === 204 ? null : text, { status: response.status, headers });
      },
    });
    expect(report.failures, `${apart} ms apart`).toContain(requirement);
  }
});
