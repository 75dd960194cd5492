// The vitest door, by a suite that the real runner runs in a child: worlds side by side, matchers, the report of a failure.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { replay } from '../replay.ts';
import { makeFileFolder } from '../test/temp-folder.ts';

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { title: string; status: string; failureMessages: string[] }[];
  }[];
}

const folder = makeFileFolder();
let report: Report;
let output: string;
beforeAll(async () => {
  const file = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'src/test/suites/vitest/vitest.config.ts', ...reporters];
  // The child is a run of its own: what this one tells its workers is not meant for it.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
  output = await new Promise<string>((done) =>
    execFile(process.execPath, words, { env: { ...env, NO_COLOR: '1', FORCE_COLOR: '0' } }, (_error, _out, err) => done(err)),
  );
  report = JSON.parse(await readFile(file, 'utf8')) as Report;
}, 60_000);

const FAILING = 'fails on purpose';
const results = () => report.testResults.flatMap(({ assertionResults }) => assertionResults);

test('every test of the suite holds but the one that is to fail, whose message shows the nearest request', () => {
  const failed = results().filter(({ status }) => status !== 'passed');
  expect(failed.map(({ title, failureMessages: [message] }) => [title, message])).toEqual([
    [
      FAILING,
      expect.stringMatching(/expected a request with operation "deleteTask", status "2xx"[\s\S]*expected "2xx", got 403/),
    ],
  ]);
  expect(results().length).toBeGreaterThanOrEqual(8);
});

test('a failed test prints the clock, the journal with its reasons and the deliveries, once', () => {
  expect(output.match(/wm-mock world /g)).toHaveLength(1);
  expect(output).toContain('clock 2025-01-20T09:00:00.000Z (frozen)');
  expect(output).toMatch(/req_1 .* DELETE \/v1\/tasks\/task_dated\?page=2 → 403 {2}deleteTask/);
  expect(output).toMatch(/^ +scope +403: .*needs a key of scope write/m);
  expect(output).toContain('warning   removed-parameter');
  expect(output).toContain('Deliveries: 0');
});

test('and leaves a repro file and a page of its world, where the test has not turned that off', async () => {
  const place = 'wm-mock-failures/src-test-suites-vitest-worlds.spec.ts-fails-on-purpose';
  expect(output).toContain(`wm-mock: see what happened in ${place}.html, repeat it with: npx wm-mock replay ${place}.wm.json`);
  expect(output.match(/wm-mock: see what happened/g)).toHaveLength(1);
  expect((await replay(await readFile(`${place}.wm.json`, 'utf8'))).difference).toBeUndefined();
  const page = await readFile(`${place}.html`, 'utf8');
  expect(page).toContain('DELETE /v1/tasks/task_dated?page=2 → 403');
  expect(page).toMatch(/<h1>[^\n]*\n<pre[^>]*>expected a request with operation [\s\S]*\nat .*worlds\.spec\.ts:\d+:\d+<\/pre>/);
});
