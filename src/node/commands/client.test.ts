// `wm-mock client` on commands of this machine: what it finds, how that is repeated, accepted and proved, and how it ends.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ClientReport } from '../../client/client-report.ts';
import { keptIo } from '../../test/command-line.ts';
import { makeFileFolder } from '../../test/temp-folder.ts';
import { readArgs } from '../command-line/args.ts';
import { runClient } from './client.ts';

const folder = makeFileFolder();

/** Renames a task, while a list of tasks is read: each part takes something for granted, unless it is mended. */
const APP = `
const { WM_BASE_URL: base, WM_API_KEY_WRITE: key, MENDED } = process.env;
const ask = async (method, path, body) => {
  const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
  for (let turn = 0; ; turn++) {
    const response = await fetch(base + path, { method, headers, body: body && JSON.stringify(body) });
    if (turn > 4 || ![429, 503].includes(response.status)) return response;
    const reset = 1000 * Number(response.headers.get('x-ratelimit-reset')) - Date.now();
    await new Promise((next) => setTimeout(next, response.status === 429 ? Math.max(20, reset) : 20));
  }
};
const { items: [task] } = await (await ask('GET', '/tasks')).json();
let [shown, version] = ['', 0];
const show = async () => {
  const mine = ++version;
  const { data } = await (await ask('GET', '/tasks/' + task.id)).json();
  if (!MENDED || mine === version) shown = data.title;
};
const rename = async () => {
  const response = await ask('PATCH', '/tasks/' + task.id, { title: 'New' });
  if (MENDED ? !response.ok : response.status !== 200) throw new Error('not renamed: ' + response.status);
  version += 1;
  shown = 'New';
};
await Promise.all([show(), rename()]);
const fine = shown === 'New';
console.log(fine ? 'ok 1 - renames a task' : 'not ok 1 - renames a task');
process.exitCode = fine ? 0 : 1;
`;
writeFileSync(join(folder, 'app.mjs'), APP);

const seed = join(process.cwd(), 'fixtures/tiny.yaml');
const run = async (words: readonly string[] = [], env: Record<string, string> = {}, command = ['node', 'app.mjs']) => {
  const { io, said } = keptIo({ cwd: folder, env: { PATH: process.env.PATH, ...env } });
  const status = await runClient(readArgs(['client', '--seed', seed, ...words, '--', ...command], {}), io);
  return { status, said };
};
const readReport = (name: string): string => readFileSync(join(folder, 'wm-client-report', name), 'utf8');
const report = (): ClientReport => JSON.parse(readReport('client.json'));

/** The verdict on the app as it is, which other tests stand on. */
let verdict: ReturnType<typeof run> | undefined;
const judgeOnce = () => {
  verdict ??= run();
  return verdict;
};

const statusOf = ({ duties }: ClientReport, title: RegExp) => duties.find((one) => title.test(one.title))!.status;

describe('client', () => {
  test('names each duty that a command breaks, with the request, the sentence and the failure', async () => {
    const { status, said } = await judgeOnce();
    expect(status, said.err).toBe(1);
    const found = report();
    const broken = found.duties.filter((one) => one.status === 'broken').map(({ title }) => title);
    expect(broken).toEqual([
      'Take any 2xx for a successful PATCH',
      'Bear responses in any order: each request is complete in itself',
    ]);
    expect(found).toMatchObject({ version: 1, command: 'node app.mjs', verdict: 'broken' });
    const patch = found.findings.find(({ duty }) => duty === found.duties.find(({ title }) => title === broken[0])!.id)!;
    expect(patch).toMatchObject({ conditions: [{ kind: 'choice', name: 'patch-status' }], flaky: false });
    expect(patch.failure).toContain('not renamed: 20');
    expect(patch.code).toMatch(/^app\.mjs:\d+$/);
    expect(patch.requests[0]!.method).toBe('PATCH');
    expect([201, 202]).toContain(patch.requests[0]!.status);
    expect(patch.repeat).toBe(`npx wm-mock client --rerun ${patch.id} --seed=${seed} -- node app.mjs`);
    expect([statusOf(found, /^Wait after a 429/), statusOf(found, /^Handle an event once/)]).toEqual(['kept', 'unseen']);
  });

  test('writes a page, a summary and JUnit, and says what it found', async () => {
    const { said } = await judgeOnce();
    expect(said.out).toContain('The client breaks its side of the contract:');
    expect(readReport('report.html')).toContain('<h1>The client breaks its side of the contract</h1>');
    expect(readReport('summary.md')).toContain('### wm-mock client: broken');
    expect(readReport('junit.xml')).toContain('failures="2"');
  });

  test('repeats each finding, which is gone from the mended app', async () => {
    await judgeOnce();
    for (const { id, duty } of report().findings.filter((one) => one.duty.startsWith('WM-CLI'))) {
      expect([duty, (await run(['--rerun', id])).status]).toEqual([duty, 1]);
      expect([duty, (await run(['--rerun', id], { MENDED: '1' })).status]).toEqual([duty, 0]);
    }
  });

  test('ends with 0 when each finding is accepted, until that expires, and when there is none', async () => {
    await judgeOnce();
    const { findings } = report();
    const accept = (expires: string) => {
      const rows = findings.map(({ id }) => ({ id, owner: 'web', reason: 'known', expires }));
      writeFileSync(join(folder, 'accepted.json'), JSON.stringify(rows));
      return run(['--baseline', 'accepted.json', '--report', 'accepted', '--only', 'WM-CLI-018']);
    };
    expect([(await accept('2999-01-01')).status, (await accept('2001-01-01')).status]).toEqual([0, 1]);
    const mended = await run(['--report', 'mended'], { MENDED: '1' });
    expect(mended.status, mended.said.err + mended.said.out).toBe(0);
  });

  test('gives no verdict on a command that fails on the mock as it is', async () => {
    const failing = ['node', '-e', 'console.log("no such luck"); process.exit(3)'];
    const { status, said } = await run(['--report', 'unfit'], {}, failing);
    expect([status, said.out]).toEqual([2, expect.stringMatching(/fails on the mock as it is[\s\S]*no such luck/)]);
  });

  test('tries conditions in the worlds of wm-mock/vitest, and names the test that breaks', async () => {
    const command = ['node', 'node_modules/vitest/vitest.mjs', 'run', '--config', 'src/test/suites/client/vitest.config.ts'];
    // The child is a run of its own: what this one tells its workers is not meant for it.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
    const { io, said } = keptIo({ cwd: process.cwd(), env: Object.fromEntries(own) });
    const words = ['client', '--report', join(folder, 'worlds'), '--only', 'order', '--', ...command];
    expect(await runClient(readArgs(words, {}), io), said.err).toBe(1);
    const { findings } = JSON.parse(readFileSync(join(folder, 'worlds/client.json'), 'utf8')) as ClientReport;
    expect(findings.map((one) => [one.tests, one.says])).toEqual([
      [
        ['src/test/suites/client/search.spec.ts > search > without a guard'],
        'It fails when the response to GET /tasks?filter[priority]=low comes after that to GET /tasks?filter[priority]=high.',
      ],
    ]);
  }, 180_000);

  test('proves a fix: a finding is there on a ref and gone here', async () => {
    const app = join(folder, 'repository');
    mkdirSync(app);
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...words], { cwd: app });
    git('init', '-q', '-b', 'main');
    writeFileSync(join(app, 'app.mjs'), APP);
    git('add', '.');
    git('commit', '-qm', 'app');
    const prove = async () => {
      const { io, said } = keptIo({ cwd: app, env: { PATH: process.env.PATH } });
      const words = ['client', '--seed', seed, '--only', 'WM-CLI-018', '--prove', 'main', '--', 'node', 'app.mjs'];
      return { status: await runClient(readArgs(words, {}), io), said };
    };
    expect((await prove()).status).toBe(1);
    writeFileSync(join(app, 'app.mjs'), APP.replace('MENDED ? !response.ok : response.status !== 200', '!response.ok'));
    const { status, said } = await prove();
    expect([status, said.out]).toEqual([0, expect.stringContaining('gone since main: WM-CLI-018-')]);
  });

  test('lists the duties with their lines', async () => {
    const { status, said } = await run(['--list']);
    expect([status, said.out]).toEqual([0, expect.stringContaining('line 192: Clients must not build or alter cursors.')]);
  });

  test.each([
    ['no command', [], [], 'client: expected a command'],
    ['an unknown duty', ['--only', 'WM-CLI-999'], ['node'], '--only: expected ids of duties or any of conduct'],
    ['a finding of no report', ['--rerun', 'WM-CLI-001-0', '--report', 'worlds'], ['node'], 'has no finding "WM-CLI-001-0"'],
    ['a number that is none', ['--workers', 'all'], ['node'], '--workers: expected an integer from 1 to 64, got "all".'],
  ])('refuses %s', async (_, words, command, says) => {
    await expect(run(words, {}, [...command])).rejects.toThrow(says);
  });
});
