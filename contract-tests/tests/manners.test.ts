// Good manners on a shared target.
import { spawn } from 'node:child_process';
import process from 'node:process';
import { expect, test } from 'vitest';
import { shipped } from '../engine/register.ts';
import { IS_WHOLE, type RunOptions, runOn } from './runs.ts';
import { TestServer } from './test-server.ts';

const run = (server: TestServer, options: RunOptions = {}) => runOn(server, { profile: 'full', ...options });

test('the read-only profile sends GET alone, and finds a task with comments by itself', async () => {
  const server = new TestServer({ limit: 1000 });
  server.commented();
  const methods = new Set<string>();
  const { requirements } = await run(server, {
    profile: 'read-only',
    keys: { read: server.roles().read },
    through: (next) => (url, init) => {
      if (new Headers(init?.headers).has('authorization')) methods.add(init?.method ?? 'GET');
      return next(url, init);
    },
  });
  expect([...methods]).toEqual(['GET']);
  expect(requirements.find(({ id }) => id === 'WM-LIST-032')).toMatchObject({ status: 'passed' });
});

test('core takes at most 200 requests, and on the Free plan four minutes without a single 429, below a path of any name', async () => {
  const server = new TestServer({ limit: 60 });
  const began = server.clock.now();
  const fetch: typeof server.fetch = (url, init) => server.fetch(String(url).replace('/worlds/x/', '/'), init);
  const report = await run(server, { profile: 'core', baseUrl: 'http://127.0.0.1/worlds/x/v1', fetch });
  expect([report.verdict, report.failures, report.requests_429]).toEqual(['partial', [], 0]);
  expect(report.requests).toBeLessThanOrEqual(200);
  expect(server.clock.now() - began).toBeLessThan(240_000);
});

test('full takes at most 560 requests and leaves nothing behind that it may delete', async () => {
  const server = new TestServer({ limit: 5000 });
  const full = await run(server, { allow: ['webhooks', 'slow'], taskWithComments: server.commented() });
  expect(full.requests).toBeLessThanOrEqual(560);
  expect(server.litter()).toEqual([]);
  expect(full.left_behind.every(({ path }) => path.startsWith('/webhooks'))).toBe(true);
  expect(full.left_behind.length).toBeGreaterThan(2);
});

test('on the Free plan full ends within ten minutes without a single 429', async () => {
  const server = new TestServer({ limit: 60 });
  const taskWithComments = server.commented();
  const began = server.clock.now();
  const report = await run(server, { taskWithComments });
  expect(report.requests_429).toBe(0);
  expect(server.clock.now() - began).toBeLessThan(600_000);
  expect(report.failures).toEqual([]);
});

test('the run never sends more requests a minute than it may', async () => {
  const server = new TestServer({ limit: 5000 });
  const at: number[] = [];
  await run(server, {
    profile: 'core',
    maxRpm: 30,
    fetch: (url, init) => {
      at.push(server.clock.now());
      return server.fetch(url, init);
    },
  });
  const busiest = Math.max(...at.map((from) => at.filter((time) => time >= from && time < from + 60_000).length));
  expect(busiest).toBeLessThanOrEqual(30);
});

test('a run that is told to stop removes what it made, and its verdict is error', async () => {
  const server = new TestServer({ limit: 5000 });
  const stop = new AbortController();
  let most = 0;
  const report = await run(server, {
    stop: stop.signal,
    fetch: async (url, init) => {
      const response = await server.fetch(url, init);
      most = Math.max(most, server.litter().length);
      if (most === 2) stop.abort();
      return response;
    },
  });
  expect([report.verdict, report.error, most, server.litter()]).toEqual(['error', 'the run was told to stop', 2, []]);
});

test('a run that is told to stop before it begins makes no request', async () => {
  const server = new TestServer({ limit: 5000 });
  let requestCount = 0;
  const fetch = () => {
    requestCount += 1;
    return Promise.reject(new Error('no'));
  };
  const report = await run(server, { stop: AbortSignal.abort(), fetch });
  expect([report.verdict, report.error, requestCount]).toEqual(['error', 'the run was told to stop', 0]);
});

test('a run that is told to stop ends though the target no longer responds, and says who cleans up', async () => {
  const server = new TestServer({ limit: 5000 });
  const stop = new AbortController();
  const lines: string[] = [];
  const report = await run(server, {
    stop: stop.signal,
    log: (line) => lines.push(line),
    fetch: (url, init) => {
      if (server.litter().length < 2) return server.fetch(url, init);
      stop.abort();
      return new Promise<never>(() => {});
    },
  });
  expect([report.verdict, report.error]).toEqual(['error', 'the run was told to stop']);
  expect(lines.at(-1)).toBe('cleanup: no response in time; the next run removes the rest');
});

test('a run that was killed is cleaned up by the next', async () => {
  const server = new TestServer({ limit: 5000 });
  const baseUrl = await server.listen();
  const entry = shipped('contract-tests/tests/start-run.mjs');
  if (!shipped('dist/contract-tests/run.js')) return server.close();
  const child = spawn(process.execPath, [entry!, baseUrl, JSON.stringify(server.roles())], { stdio: 'ignore' });
  while (server.litter().length < 2 && child.exitCode === null) await new Promise((done) => setTimeout(done, 10));
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
  expect(server.litter().length).toBeGreaterThan(0);
  await run(server, { profile: 'core' });
  expect(server.litter()).toEqual([]);
  await server.close();
});

test('the order of the checks does not change the verdict', async () => {
  for (let order = 1; order <= (IS_WHOLE ? 10 : 2); order++) {
    const server = new TestServer({ limit: 5000 });
    const report = await run(server, { order, taskWithComments: server.commented() });
    expect(report.failures, `order ${order}`).toEqual([]);
  }
});
