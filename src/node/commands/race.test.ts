// `wm-mock race` on a command that is there: what it finds, how that is seen again, and how it ends.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RaceReport } from '../../client/race/race-report.ts';
import { keptIo } from '../../test/command-line.ts';
import { makeFileFolder } from '../../test/temp-folder.ts';
import { readArgs } from '../command-line/args.ts';
import { runRace } from './race.ts';

const folder = makeFileFolder();

/** A list that is read anew while a task is deleted: a late list brings the task back. */
const APP = `
const { WM_BASE_URL: base, WM_API_KEY_WRITE: key } = process.env;
const ask = (method, path) => fetch(base + path, { method, headers: { authorization: 'Bearer ' + key } });
const { items: [task] } = await (await ask('GET', '/tasks')).json();
let shown = [task.id];
let changes = 0;
const refetch = async () => {
  const began = changes;
  const { items } = await (await ask('GET', '/tasks')).json();
  if (!process.env.MENDED || began === changes) shown = items.map(({ id }) => id);
};
const remove = async () => {
  changes += 1;
  await ask('DELETE', '/tasks/' + task.id);
  shown = shown.filter((id) => id !== task.id);
};
const reading = refetch();
await Promise.race([reading, new Promise((next) => setTimeout(next, 100))]);
await Promise.all([remove(), reading]);
const fine = !shown.includes(task.id);
console.log(fine ? 'ok 1 - a deleted task stays away' : 'not ok 1 - a deleted task stays away');
process.exitCode = fine ? 0 : 1;
`;
writeFileSync(join(folder, 'app.mjs'), APP);

const seed = join(process.cwd(), 'fixtures/tiny.yaml');
const run = async (words: readonly string[] = [], env: Record<string, string> = {}, command = ['node', 'app.mjs']) => {
  const { io, said } = keptIo({ cwd: folder, env: { PATH: process.env.PATH, ...env } });
  const status = await runRace(readArgs(['race', '--seed', seed, ...words, '--', ...command], {}), io);
  return { status, said };
};
/** What the command leaves as it is: a report with one race. */
let found: ReturnType<typeof run> | undefined;
const foundOnce = () => {
  found ??= run(['--repeat', '1']);
  return found;
};
const report = (): RaceReport => JSON.parse(readFileSync(join(folder, 'race-report/race.json'), 'utf8'));

describe('race', () => {
  test('names the order of responses that breaks a command, and repeats it', async () => {
    const { status, said } = await foundOnce();
    expect(status, said.err).toBe(1);
    const { findings, orders } = report();
    expect(
      findings.map(({ order, test: name }) => [name, ...order.map(({ request }) => request.replace(/task_\w+/, 'task'))]),
    ).toEqual([['a deleted task stays away', 'DELETE /tasks/task', 'GET /tasks #2']]);
    expect(orders.tried).toBeGreaterThan(0);
    expect(said.out).toContain('1 race found:');
    expect(readFileSync(join(folder, 'race-report/index.html'), 'utf8')).toContain('Your app has 1 race');
    const again = await run(['--replay', findings[0]!.id]);
    expect([again.status, again.said.out]).toEqual([1, expect.stringContaining(': fails\n')]);
    const mended = await run(['--replay', join(folder, 'race-report/race.json')], { MENDED: '1' });
    expect([mended.status, mended.said.out]).toEqual([0, expect.stringContaining(': passes\n')]);
  });

  test('ends with 0 when what is found is accepted, or nothing is', async () => {
    await foundOnce();
    const known = join(folder, 'known.json');
    writeFileSync(known, readFileSync(join(folder, 'race-report/race.json')));
    const accepted = await run(['--repeat', '1', '--baseline', known, '--resume']);
    expect([accepted.status, report().findings.map((one) => one.known)]).toEqual([0, [true]]);
    const mended = await run(['--orders', '1'], { MENDED: '1' });
    expect([mended.status, report().findings]).toEqual([0, []]);
  });

  test('tries an order in the world of each test of wm-mock/vitest, and names the test that breaks', async () => {
    const command = ['node', 'node_modules/vitest/vitest.mjs', 'run', '--config', 'src/test/suites/races/vitest.config.ts'];
    // The child is a run of its own: what this one tells its workers is not meant for it.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
    const { io, said } = keptIo({ cwd: process.cwd(), env: Object.fromEntries(own) });
    const to = join(folder, 'race-report');
    const status = await runRace(readArgs(['race', '--report', to, '--orders', '3', '--repeat', '1', '--', ...command], {}), io);
    expect(status, said.err).toBe(1);
    expect(report().findings.map((one) => [one.test, one.says])).toEqual([
      [
        'src/test/suites/races/search.spec.ts > search > without a guard',
        'the response to GET /tasks?filter[priority]=low comes after that to GET /tasks?filter[priority]=high',
      ],
    ]);
    expect(said.err).toContain('2 orders');
  }, 180_000);

  test('judges no command that fails in the usual order', async () => {
    const { status, said } = await run([], {}, ['node', '-e', 'console.log("no such luck"); process.exit(3)']);
    expect([status, said.err]).toEqual([2, expect.stringMatching(/fails in the usual order[\s\S]*no such luck/)]);
  });

  test.each([
    ['no command', ['race'], 'race: expected a command'],
    ['a finding that is not there', ['race', '--replay', '00000000', '--', 'node', 'app.mjs'], 'has no finding "00000000"'],
    ['an order that is no number', ['race', '--orders', 'all', '--', 'node'], '--orders: expected an integer from 1 to 100000'],
  ])('refuses %s', async (_, words, says) => {
    const { io } = keptIo({ cwd: folder, env: { PATH: process.env.PATH } });
    await expect(runRace(readArgs(words, {}), io)).rejects.toThrow(says);
  });
});
