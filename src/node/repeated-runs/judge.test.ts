// What the commands that run another command many times read and write alike.
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { keptIo } from '../../test/command-line.ts';
import { makeFileFolder } from '../../test/temp-folder.ts';
import { readArgs } from '../command-line/args.ts';
import type { CommandRun } from './command-run.ts';
import { isFlaky, prepareRuns, quoteForShell, readCount, runBaseline, writeReport } from './judge.ts';

const folders = makeFileFolder();

test.each(['0', '-1', '1.5', '21', 'many', ''])('a number of runs is an integer from 1 to the most: %j is none', (given) => {
  expect(() => readCount({ repeat: given }, 'repeat', 20)).toThrow(`--repeat: expected an integer from 1 to 20, got "${given}".`);
});

test('a number of runs is what is given, else the usual one', () => {
  expect([readCount({}, 'repeat', 20), readCount({ repeat: '20' }, 'repeat', 20)]).toEqual([2, 20]);
});

test('a word is quoted where a shell would take it for more than one', () => {
  const results = ['--grep=a', 'two words', "it's", '$HOME', ''].map(quoteForShell);
  expect(results).toEqual(['--grep=a', "'two words'", "'it'\\''s'", "'$HOME'", "''"]);
});

const trial = (passed: boolean, seconds = 1, output = ''): CommandRun<unknown> => {
  return { passed, tests: [], status: passed ? 0 : 1, output, heard: undefined, seconds };
};
/** A judged command whose runs end as told, one after the other; the last again and again. */
const judgedBy = (ends: readonly CommandRun<unknown>[], env = {}) => {
  const { io, said } = keptIo({ env });
  const judge = { name: 'race', example: '', finds: '', usual: 'as usual', heard: () => undefined };
  const folder = mkdtempSync(join(folders, 'judged-'));
  let runs = 0;
  const run = async () => ends[Math.min(runs++, ends.length - 1)]!;
  return { judged: { judge, io, command: 'npm test', folder }, run, said, runs: () => runs };
};

test('a command is run twice before anything else: from the slowest follows when a run has lasted too long', async () => {
  const { judged, run, said, runs } = judgedBy([trial(true, 2), trial(true, 3)]);
  const baseline = await runBaseline(judged, run);
  expect([baseline?.limitMs, baseline?.trials.map(({ seconds }) => seconds), runs(), said.err]).toEqual([132_000, [2, 3], 2, '']);
});

test.each([
  [[trial(false, 1, 'one\n')], 'fails'],
  [[trial(true), trial(false, 1, 'one\n\n')], 'is flaky: it fails intermittently'],
])('a command that does not pass both times is not judged', async (ends, how) => {
  const { judged, run, said } = judgedBy(ends);
  expect(await runBaseline(judged, run)).toBeUndefined();
  const mend = 'Fix that first: race reports only what passes otherwise.';
  expect(said.err).toBe(`wm-mock: npm test ${how} as usual. ${mend} Output:\n\none\n`);
});

test('of what a command said its last thirty lines are shown', async () => {
  const { judged, run, said } = judgedBy([trial(false, 1, Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n'))]);
  await runBaseline(judged, run);
  expect(said.err.split('\n\n')[1]!.split('\n')).toEqual([...Array.from({ length: 30 }, (_, i) => `line ${i + 10}`), '']);
});

test('a command is doubted fifteen times, or until it fails', async () => {
  const sound = judgedBy([trial(true)]);
  expect([await isFlaky(sound.judged, sound.run), sound.runs(), sound.said.err]).toEqual([false, 15, '']);
  const flaky = judgedBy([trial(true), trial(true), trial(false)]);
  expect([await isFlaky(flaky.judged, flaky.run), flaky.runs()]).toEqual([true, 3]);
  expect(flaky.said.err).toContain('npm test is flaky: it fails intermittently as usual. Fix that first');
});

test('a report is written in each of its forms, and told to a workflow and to whoever reads', async () => {
  const forms = { text: () => 'text\n', markdown: () => 'summary', junit: () => '<xml/>', page: () => '<html>' };
  const summary = join(judgedBy([]).judged.folder, 'summary.md');
  const { judged, said } = judgedBy([], { GITHUB_STEP_SUMMARY: summary });
  const folder = join(judged.folder, 'deep');
  await writeReport({ ...judged, folder }, { found: 1 }, forms);
  const written = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
  expect(Object.fromEntries(written)).toEqual({
    'race.json': '{\n  "found": 1\n}',
    'race.xml': '<xml/>',
    'index.html': '<html>',
  });
  expect([readFileSync(summary, 'utf8'), said.out]).toEqual(['summary', `text\n${join(folder, 'index.html')}\n`]);
  const alone = judgedBy([]);
  await writeReport(alone.judged, {}, forms);
  expect(readdirSync(alone.judged.folder)).toHaveLength(3);
});

test('ids that somebody has accepted stand in an earlier report, or in a list of their own', async () => {
  const folder = mkdtempSync(join(folders, 'known-'));
  const known = async (text: string) => {
    writeFileSync(join(folder, 'known'), text);
    const { io } = keptIo({ cwd: folder });
    const judge = { name: 'race', example: 'npm test', finds: 'findings', usual: '', heard: () => [] };
    const begin = prepareRuns(judge, readArgs(['race', '--baseline', 'known', '--', 'npm', 'run a'], {}), io);
    return begin.then(({ known: ids, command }) => [...ids, command]);
  };
  expect(await known('{"findings":[{"id":"a"},"b"]}')).toEqual(['a', 'b', "npm 'run a'"]);
  expect(await known('- c')).toEqual(['c', "npm 'run a'"]);
  await expect(known('assumptions: []')).rejects.toThrow('--baseline: known holds neither findings nor a list of their ids.');
});

describe('what is judged', () => {
  const judge = { name: 'race', example: 'npm test', finds: 'findings', usual: '', heard: () => 'heard' };
  const begin = (flags: readonly string[], command: readonly string[]) => {
    const { io, said } = keptIo({ cwd: folders, env: { PATH: process.env.PATH } });
    const report = ['--report', join(folders, 'kept')];
    return { said, judged: prepareRuns(judge, readArgs(['race', ...report, ...flags, '--', ...command], {}), io) };
  };

  test('is run and told of, run by run', async () => {
    const { said, judged } = begin([], ['node', '-e', 'process.exit(process.env.WM_BASE_URL ? 0 : 3)']);
    const { run, seconds } = await judged;
    expect(await run({ flips: [] }, () => 'as it is', 60_000)).toMatchObject({ passed: true, status: 0, heard: 'heard' });
    await run({ flips: [] }, () => 'once more', 60_000);
    expect(said.err).toMatch(/^ {3}1 {2}passes {2} +\d+\.\d s {2}as it is\n {3}2 {2}passes {2} +\d+\.\d s {2}once more\n$/);
    expect(seconds()).toBeGreaterThan(0);
    expect(seconds()).toBeLessThan(60);
    const failing = begin([], ['node', '-e', 'process.exit(3)']);
    await (await failing.judged).run({ flips: [] }, () => 'so', 60_000);
    expect(failing.said.err).toMatch(/^ {3}1 {2}fails {3} +\d+\.\d s {2}so\n$/);
  });

  test('is taken up where it was stopped, unless it is something else', async () => {
    const ended = async (flags: readonly string[], command: readonly string[], now: string) =>
      (await (await begin(flags, command).judged).keepEnds<string>())('one', async () => now);
    expect(await ended([], ['a'], 'first')).toBe('first');
    await vi.waitFor(() => expect(readFileSync(join(folders, 'kept/race-runs.json'), 'utf8')).toContain('first'));
    expect(await ended(['--resume'], ['a'], 'second')).toBe('first');
    expect(await ended(['--resume'], ['b'], 'third')).toBe('third');
  });

  test.each([
    [['--repeat', '21'], '--repeat: expected an integer from 1 to 20, got "21".'],
    [['--workers', '65'], '--workers: expected an integer from 1 to 64, got "65".'],
  ])('is refused where %j cannot be', (flags, says) => expect(begin(flags, ['a']).judged).rejects.toThrow(says));

  test('needs the seed that it names', async () => {
    const says = `cannot read the seed file ${join(folders, 'none.yaml')}`;
    await expect(begin(['--seed', 'none.yaml'], ['a']).judged).rejects.toThrow(says);
  });
});
