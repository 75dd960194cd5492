// One run of a command: what it is told, and how it is ended when it is stopped or takes too long.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wait } from '../../service/world/time.ts';
import { keptIo } from '../../test/command-line.ts';
import { makeFileFolder } from '../../test/temp-folder.ts';
import { runCommand } from './command-run.ts';

const folder = makeFileFolder();

const SEED = join(process.cwd(), 'fixtures/tiny.yaml');

/** A command that says when it has begun, and ends as its words say when it is asked to. */
writeFileSync(
  join(folder, 'app.mjs'),
  `import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const [name, how] = process.argv.slice(2);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => {
  if (how === 'deaf') return;
  writeFileSync(name + '.ended', 'yes');
  process.exit(3);
});
writeFileSync(name + '.began', process.env.WM_BASE_URL);
if (/^left/.test(how)) {
  const { folder } = JSON.parse(process.env.WM_MOCK_TRIAL);
  const writes = 'for (let n = 0, end = Date.now() + 3000; Date.now() < end; n++) require("fs").writeFileSync(' + JSON.stringify(folder) + ' + "/" + n, "");';
  const code = how === 'left-writing' ? writes : 'setTimeout(() => {}, 9000)';
  const left = spawn(process.execPath, ['-e', code], { stdio: 'inherit', detached: how !== 'left-in-group' });
  writeFileSync(name + '.left', String(left.pid));
  left.unref();
  console.log('its last word');
} else if (how !== 'once') setInterval(() => {}, 1000);
`,
);

const run = (name: string, how: string, stop?: AbortSignal, limitMs = 30_000) => {
  const { io } = keptIo({ cwd: folder, env: { PATH: process.env.PATH }, ...(stop && { stop }) });
  const words = ['node', 'app.mjs', name, how];
  return runCommand({ words, io, options: { seed: SEED } }, { behaviour: {} }, limitMs);
};

const untilBegun = async (name: string) => {
  while (!existsSync(join(folder, `${name}.began`))) await wait(20);
};

test('a command that is stopped is asked to end, and has a moment for it', async () => {
  const stop = new AbortController();
  const running = run('fair', 'fair', stop.signal);
  await untilBegun('fair');
  stop.abort('SIGINT');
  expect((await running).status).toBe(3);
  expect(existsSync(join(folder, 'fair.ended'))).toBe(true);
});

test('a command that does not end when it is asked to is ended', async () => {
  const stop = new AbortController();
  const running = run('deaf', 'deaf', stop.signal);
  await untilBegun('deaf');
  const stoppedAt = performance.now();
  stop.abort('SIGTERM');
  expect(await running).toMatchObject({ passed: false, status: 1 });
  expect(performance.now() - stoppedAt).toBeGreaterThan(1400);
});

test('a command that takes too long is ended, fails, and its output says why', async () => {
  const { passed, output } = await run('slow', 'fair', undefined, 1000);
  expect([passed, output]).toEqual([false, expect.stringContaining('wm-mock: the command had not ended after 1 s\n')]);
});

test.each(['left-detached', 'left-in-group', 'left-writing'])(
  'a command ends with itself, whatever it leaves behind (%s)',
  async (how) => {
    const { status, output, seconds } = await run(how, how);
    const left = Number(readFileSync(join(folder, `${how}.left`), 'utf8'));
    expect([status, output, seconds < 6]).toEqual([0, 'its last word\n', true]);
    if (how === 'left-detached') process.kill(left, 'SIGKILL');
  },
);

test('each run has an address of its own, which no other process is waiting for', async () => {
  await Promise.all([run('one', 'once'), run('two', 'once')]);
  const ports = ['one', 'two'].map((name) => new URL(readFileSync(join(folder, `${name}.began`), 'utf8')).port);
  expect([new Set(ports).size, ports.includes('4700')]).toEqual([2, false]);
});
