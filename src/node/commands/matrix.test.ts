// `wm-mock matrix` on commands that are there: what it names, what it leaves alone, and how it ends.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MatrixReport } from '../../client/matrix/matrix-report.ts';
import { playTraffic } from '../../client/matrix/traffic.ts';
import { keptIo } from '../../test/command-line.ts';
import { makeFileFolder } from '../../test/temp-folder.ts';
import { readArgs } from '../command-line/args.ts';
import { buildMock } from '../create-mock.ts';
import { findFailedTests } from '../repeated-runs/command-run.ts';
import { encodeBehaviour, readTraffic } from '../repeated-runs/judged-mock.ts';
import { runMatrix } from './matrix.ts';

const folder = makeFileFolder();

/** A test of an app: it changes a task twice, and takes some things for granted. */
const APP = `
const { WM_BASE_URL: base, WM_API_KEY_WRITE: key } = process.env;
const ask = async (method, path, body) => {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  for (let turn = 0; ; turn++) {
    const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
    if (turn > 2 || ![429, 503].includes(response.status) || process.env.IMPATIENT) return response;
    await new Promise((next) => setTimeout(next, 10));
  }
};
const { items: [task] } = await (await ask('GET', '/tasks')).json();
const response = await ask('PATCH', '/tasks/' + task.id, { description: null });
const fine = process.env.TOLERANT ? response.ok : response.status === 200 && (await response.json()).data.description === null;
console.log(fine ? 'ok 1 - clears a description' : 'not ok 1 - clears a description');
process.exitCode = fine ? 0 : 1;
`;
writeFileSync(join(folder, 'app.mjs'), APP);

const seed = join(process.cwd(), 'fixtures/tiny.yaml');
const run = async (env: Record<string, string>, words: readonly string[] = [], command = ['node', 'app.mjs']) => {
  const { io, said } = keptIo({ cwd: folder, env: { PATH: process.env.PATH, ...env } });
  const status = await runMatrix(readArgs(['matrix', '--seed', seed, ...words, '--', ...command], {}), io);
  const report = (): MatrixReport => JSON.parse(readFileSync(join(folder, 'matrix-report/matrix.json'), 'utf8'));
  return { status, said, report };
};

describe('matrix', () => {
  const only = ['--only', 'patch-status,absent-values,unavailable,default-order,release', '--workers', '2'];

  test('names what an app takes for granted, and what permits otherwise', async () => {
    const { status, said, report } = await run({}, only);
    expect(status, said.err).toBe(1);
    const { assumptions, flips } = report();
    const results = assumptions.map(({ id }) => id).sort();
    expect(results).toEqual(['choice:absent-values=left-out', 'choice:patch-status=201', 'choice:patch-status=202']);
    const found = assumptions.find(({ id }) => id.endsWith('202'))!;
    expect(found).toMatchObject({ test: 'clears a description', spec: 'Endpoints', known: false });
    expect(found.request).toMatch(/^PATCH \/v1\/tasks\/\w+: 202 in place of 200$/);
    expect(found.reproduce).toBe('wm-mock exec --choice patch-status=202 -- node app.mjs');
    expect(flips.filter(({ kind, status: is }) => kind === 'fault' && is === 'same').length).toBe(2);
    expect(readFileSync(join(folder, 'matrix-report/index.html'), 'utf8')).toContain('Your app has 3 assumptions');
    expect(said.out).toContain('3 assumptions found:');
  });

  test('ends with 0 when all of them are accepted, or there is none', async () => {
    const accepted = join(folder, 'accepted.json');
    writeFileSync(accepted, readFileSync(join(folder, 'matrix-report/matrix.json')));
    const known = await run({}, [...only, '--baseline', accepted, '--resume']);
    expect([known.status, known.report().assumptions.every((one) => one.known)]).toEqual([0, true]);
    const tolerant = await run({ TOLERANT: '1' }, only);
    expect([tolerant.status, tolerant.report().assumptions]).toEqual([0, []]);
  });

  test('finds a client that takes no failure', async () => {
    const { status, report } = await run({ TOLERANT: '1', IMPATIENT: '1' }, ['--only', 'unavailable']);
    expect([status, report().assumptions.map(({ id }) => id)]).toEqual([
      1,
      ['fault:unavailable=listTasks', 'fault:unavailable=updateTask'],
    ]);
  });

  test('says so when the command fails on the mock as it is, and when it is flaky', async () => {
    const fails = await run({}, [], ['node', '-e', 'console.log("no such luck"); process.exit(3)']);
    expect([fails.status, fails.said.err]).toEqual([2, expect.stringMatching(/fails on the mock as it is[\s\S]*no such luck/)]);
    const turns = join(folder, 'turns');
    writeFileSync(turns, '');
    const flaky = `const fs = require('fs'); fs.appendFileSync(${JSON.stringify(turns)}, 'x'); process.exit(fs.statSync(${JSON.stringify(turns)}).size === 2 ? 1 : 0)`;
    const unsteady = await run({}, [], ['node', '-e', flaky]);
    expect([unsteady.status, unsteady.said.err]).toEqual([2, expect.stringContaining('is flaky')]);
  });

  test.each([
    ['node:test', 'not ok 4 - renames a task\n', 'renames a task'],
    ['pytest', 'FAILED test_app.py::test_sorts[by title] - assert 1 == 2\n1 failed', 'test_app.py::test_sorts[by title]'],
    [
      'unittest',
      'FAIL: test_renames (test_app.Tasks.test_renames)\n\nFAILED (failures=1)',
      'test_renames (test_app.Tasks.test_renames)',
    ],
    ['vitest', ' FAIL  src/app.test.ts > renames a task\n', 'src/app.test.ts > renames a task'],
    ['go test', '--- FAIL: TestRenames (0.01s)', 'TestRenames'],
  ])('reads the names of failed tests of %s', (_, output, name) => expect(findFailedTests(output)).toEqual([name]));

  test('waits for the window of a smaller plan, on a clock that runs', async () => {
    // All at once: one after the other they may take longer than the window, on a busy machine.
    const many = (limited: string) => {
      const url = "process.env.WM_BASE_URL + '/tasks', { headers: { authorization: 'Bearer ' + process.env.WM_API_KEY_READ } }";
      const ask = `const { status, headers } = await fetch(${url}); if (status !== 200) { ${limited} return ask(); }`;
      return ['node', '-e', `const ask = async () => { ${ask} }; Promise.all(Array.from({ length: 62 }, ask))`];
    };
    const hasty = many('process.exit(1);');
    const plans = ['--only', 'plan,release:release=1.2', '--repeat', '1'];
    const names = async (from: string, command: string[]) =>
      (await run({}, ['--seed', from, ...plans], command)).report().assumptions.map(({ id }) => id);
    const wait = "await new Promise((next) => setTimeout(next, 1000 * headers.get('retry-after')));";
    expect(await names('demo', many(wait))).toEqual([]);
    expect(await names('demo', hasty)).toEqual(['plan:plan=free']);
    expect(await names(seed, hasty)).toEqual([]);
  });

  test('leaves no report of a command that turns out to be flaky', async () => {
    const turns = join(folder, 'more-turns');
    writeFileSync(turns, '');
    const each = `fetch(process.env.WM_BASE_URL + '/tasks').then(() => { const fs = require('fs'); fs.appendFileSync(${JSON.stringify(turns)}, 'x'); process.exit(fs.statSync(${JSON.stringify(turns)}).size % 4 === 3 ? 1 : 0); })`;
    rmSync(join(folder, 'matrix-report'), { recursive: true, force: true });
    const { status, said, report } = await run({}, ['--only', 'forward-compat,www-authenticate'], ['node', '-e', each]);
    expect([status, said.err]).toEqual([2, expect.stringContaining('is flaky')]);
    expect(report).toThrow('ENOENT');
  });

  test('told to stop it ends its command and says so by its status, and takes up what it was at', async () => {
    const stop = new AbortController();
    const out = { err: '' };
    const err = (text: string) => {
      out.err += text;
      if (text.includes('may be noticed')) stop.abort('SIGINT');
    };
    const words = ['matrix', '--seed', seed, '--only', 'patch-status', '--', 'node', 'app.mjs'];
    const { io } = keptIo({ cwd: folder, env: { PATH: process.env.PATH }, stop: stop.signal, err });
    expect([await runMatrix(readArgs(words, {}), io), out.err]).toEqual([130, expect.stringContaining('--resume to continue')]);
    const early = keptIo({ cwd: folder, env: { PATH: process.env.PATH }, stop: AbortSignal.abort('SIGTERM') });
    expect(await runMatrix(readArgs(words, {}), early.io)).toBe(143);
  });

  test('refuses to run nothing, and numbers that are none', async () => {
    await expect(run({}, [], [])).rejects.toThrow('matrix: expected a command, as in wm-mock matrix -- npm test.');
    await expect(run({}, ['--workers', 'two'])).rejects.toThrow('--workers: expected an integer from 1 to 64, got "two".');
    await expect(run({}, ['--only', 'patchstatus'])).rejects.toThrow('--only: expected kinds, names or ids of flips');
  });
});

test('a mock that a program makes by itself under the matrix has the flips as well, and notes its traffic', async () => {
  const traffic = mkdtempSync(join(folder, 'traffic-'));
  const flips = [
    { options: { choices: { 'patch-status': '202' } }, faults: [{ match: { operation: 'listTasks' }, effect: { status: 503 } }] },
  ];
  const mock = await buildMock({ seed, now: '2025-01-20T09:00:00Z' }, encodeBehaviour({ flips, folder: traffic } as never));
  const world = mock.fork({ id: 'of-a-test', from: 'seed' });
  expect((await world.fetch('/tasks', { headers: world.auth('read') })).status).toBe(503);
  const headers = { ...world.auth('write'), 'content-type': 'application/json' };
  const [row] = world.world.store.tasks.all();
  expect((await world.fetch(`/tasks/${row!.value.id}`, { method: 'PATCH', headers, body: '{"title":"New"}' })).status).toBe(202);
  await mock.close();
  const [noted] = readTraffic(traffic);
  expect(noted).toMatchObject({ options: { seed }, operations: ['listTasks', 'updateTask'], events: false });
  expect(noted!.steps.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    'GET /worlds/of-a-test/v1/tasks 503',
    `PATCH /worlds/of-a-test/v1/tasks/${row!.value.id} 202`,
  ]);
  const { responses } = await playTraffic({ ...noted!.options, seed: readFileSync(seed, 'utf8') }, [], noted!.steps);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
});
