// How the runs of a verdict are shared: which plans go together, and what each gets of a run.
import { expect, test } from 'vitest';
import { wait } from '../service/world/time.ts';
import type { Note } from './notes.ts';
import { queueRuns } from './run-queue.ts';
import type { TrialPlan } from './trial-fetch.ts';
import type { JudgeOptions, TrialRun } from './trial-run.ts';

const noteOf = (world: string, passed: boolean): Note => ({ what: 'test', world, test: `all › ${world}`, passed, at: 1 });

const ranWith = (notes: readonly Note[]): TrialRun => {
  const failed = notes.flatMap((note) => (note.what === 'test' && !note.passed ? [note] : []));
  const tests = failed.map(({ test }) => `a.spec.ts › ${test}`);
  return { passed: failed.length === 0, tests, status: 0, output: tests.join('\n'), seconds: 0.01, notes };
};

const first = ranWith([noteOf('a', true), noteOf('b', true), noteOf('c', true)]);

/** @param breaks worlds whose tests fail when their choice is `bad` */
const start = (breaks: readonly string[] = [], workers = 1) => {
  const runs: TrialPlan[] = [];
  const run: JudgeOptions['run'] = async (plan) => {
    runs.push(plan);
    await wait(20);
    const { worlds = [], behaviours = {} } = plan;
    const isBad = (world: string) => breaks.includes(world) && (behaviours[world] ?? plan.behaviour).choices?.value === 'bad';
    return ranWith(worlds.map((world) => noteOf(world, !isBad(world))));
  };
  const queue = queueRuns({ run, workers, repeat: 2, only: [], service: {} as never }, first);
  const ask = (value: string, ...worlds: string[]) => queue.run({ behaviour: { choices: { value } }, worlds }, () => value);
  return { ...queue, runs, ask };
};

test('plans for different tests share a run, and each hears of its own tests alone', async () => {
  const { ask, runs } = start(['a']);
  const ends = await Promise.all([ask('bad', 'a'), ask('good', 'b'), ask('bad', 'c')]);
  expect(runs).toMatchObject([{ worlds: ['a', 'b', 'c'], behaviours: { b: { choices: { value: 'good' } } } }]);
  expect(ends.map(({ passed, tests }) => `${passed} ${tests}`)).toEqual(['false a.spec.ts › all › a', 'true ', 'true ']);
  expect(ends.map(({ notes }) => notes)).toEqual([[noteOf('a', false)], [noteOf('b', true)], [noteOf('c', true)]]);
});

test('a plan for tests that others use now goes in parts, and its end is that of all parts', async () => {
  const { ask, runs } = start(['b']);
  const [one, other] = await Promise.all([ask('good', 'a', 'b'), ask('bad', 'b', 'c')]);
  expect(runs.map(({ worlds }) => worlds)).toEqual([['a', 'b', 'c'], ['b']]);
  expect([one.passed, other.passed, other.notes.length]).toEqual([true, false, 2]);
});

test('a test that a failed run left out has not passed', async () => {
  const run = async () => ranWith([noteOf('a', false)]);
  const queue = queueRuns({ run, workers: 1, repeat: 2, only: [], service: {} as never }, first);
  const ask = (world: string) => queue.run({ behaviour: {}, worlds: [world] }, () => world);
  expect((await Promise.all([ask('a'), ask('b')])).map(({ passed }) => passed)).toEqual([false, false]);
});

test('a plan for the whole command has a run of its own', async () => {
  const { run, ask, runs } = start();
  await Promise.all([run({ behaviour: {} }, () => 'whole'), ask('good', 'a'), ask('good', 'b')]);
  expect(runs.map(({ worlds }) => worlds)).toEqual([undefined, ['a', 'b']]);
});

test('after a run that finds its port in use, one goes at a time', async () => {
  let [active, most] = [0, 0];
  const run: JudgeOptions['run'] = async () => {
    active += 1;
    most = Math.max(most, active);
    const isAlone = active === 1;
    await wait(50);
    active -= 1;
    return { ...ranWith([]), passed: isAlone };
  };
  const queue = queueRuns({ run, workers: 2, repeat: 2, only: [], service: {} as never }, first);
  const ask = () => queue.run({ behaviour: {} }, () => 'a run');
  const ends = await Promise.all([ask(), ask()]);
  expect([ends.every(({ passed }) => passed), queue.isSerial(), most]).toEqual([true, true, 2]);
  most = 0;
  expect([(await Promise.all([ask(), ask(), ask()])).every(({ passed }) => passed), most]).toEqual([true, 1]);
});

test('a run that is stopped stops the verdict', async () => {
  const run = () => Promise.reject(new Error('stopped'));
  const queue = queueRuns({ run, workers: 1, repeat: 2, only: [], service: {} as never }, first);
  await expect(queue.run({ behaviour: {} }, () => 'a run')).rejects.toThrow('stopped');
});
