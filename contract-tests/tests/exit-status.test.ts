// The exit statuses: 0 conforms, 1 a violation, 2 the run could not be made, 3 something skipped and completeness required.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { CHECKS } from '../checks/index.ts';
import { exitStatus } from '../run.ts';
import { PART, runOn } from './runs.ts';
import { TestServer } from './test-server.ts';

test('a run without violation exits 0, and 3 when completeness is required and something was skipped', async () => {
  const report = await runOn([]);
  expect(report.verdict).toBe('partial');
  expect(exitStatus(report)).toBe(0);
  expect(exitStatus(report, true)).toBe(3);
});

test('a violation exits 1, also when completeness is required', async () => {
  const report = await runOn(['patch-unchecked'], { only: PART });
  expect(report.verdict).toBe('violations');
  expect(exitStatus(report)).toBe(1);
  expect(exitStatus(report, true)).toBe(1);
});

test('a refused key is one clear error and exits 2', async () => {
  const report = await runOn([], { keys: { write: 'not-a-key' } });
  expect(report.verdict).toBe('error');
  expect(report.error).toContain('the write key is refused with 401');
  expect(report.failures).toEqual([]);
  expect(exitStatus(report)).toBe(2);
});

test.each([
  ['http://127.0.0.1/api', 'must end in /v1'],
  ['nowhere', 'is no URL'],
  ['localhost:47555/v1', 'must begin with https:// or http://'],
  ['http://127.0.0.1/v1?x=1', 'must hold no query'],
  ['http://ada@127.0.0.1/v1', 'must hold no user name'],
])('the base URL %s is refused: it %s', async (baseUrl, message) => {
  const report = await runOn([], { baseUrl });
  expect(report.error).toContain(message);
  expect(exitStatus(report)).toBe(2);
});

test('a broken document exits 2', async () => {
  const report = await runOn([], { document: { openapi: '3.1.0', paths: {} } });
  expect(report.error).toContain('the OpenAPI document is broken');
  expect(exitStatus(report)).toBe(2);
});

test('a receiver port that another run has is one clear error and exits 2', async () => {
  const other = createServer();
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const { port } = other.address() as AddressInfo;
  const report = await runOn([], { profile: 'full', allow: ['webhooks'], receiverPort: port });
  expect(report.error).toContain(`no receiver on port ${port}: another process listens there`);
  expect(exitStatus(report)).toBe(2);
  other.close();
});

test('a task with comments that is not there is one clear error and exits 2', async () => {
  const report = await runOn([], { taskWithComments: 'task_nowhere' });
  expect(report.error).toContain('the task with comments, task_nowhere, returns 404');
  expect(report.failures).toEqual([]);
  expect(exitStatus(report)).toBe(2);
});

test('a check that breaks off is a fault of the suite, and hides no violation', async () => {
  const broken = vi.spyOn(CHECKS.find(({ id }) => id === 'lists/first-page')!, 'run').mockRejectedValue(new TypeError('of ours'));
  const run = (...faults: string[]) => runOn(new TestServer({ faults, limit: 1000 }), { only: [...PART, 'lists/first-page'] });
  const conforming = await run();
  expect(conforming.error).toMatch(/^the check lists\/first-page broke off, which is a fault of the suite: TypeError: of ours/);
  expect(exitStatus(conforming)).toBe(2);
  expect(exitStatus(await run('patch-unchecked'))).toBe(1);
  broken.mockRestore();
});
