// A random walk blames no service that conforms, shrinks what it finds to the fewest requests, and repeats by its seed.
import { expect, test } from 'vitest';
import { DEVIATIONS, FAULTS } from '../judge/faults.ts';
import { STYLE_NAMES } from '../judge/reference/styles.ts';
import { exitStatus, optionsFromEnvironment, terminal } from '../run.ts';
import type { Step } from '../walk/step.ts';
import { shrink } from '../walk/walk.ts';
import { blames, runOnReference, type Staging } from './reference.ts';
import { freshFolder, someOf } from './runs.ts';

const folder = freshFolder();
const serverOf = (id: string): Staging => {
  const { style, alter } = FAULTS.find((fault) => fault.id === id)!;
  return { style, alter };
};
const walkOn = (staging: Staging, seed = 1, options: Staging['options'] = {}) =>
  runOnReference({ ...staging, options: { walk: { seed, steps: 150 }, ...options } });

test('a service that conforms is not blamed, whatever its style', async () => {
  const servers = [...STYLE_NAMES.map((style) => ({ id: style, style })), ...someOf(DEVIATIONS, 40)];
  for (const [i, { id, ...staging }] of servers.entries()) {
    const outcome = await walkOn(staging, i + 1);
    expect([id, blames(outcome), outcome.report.left_behind, exitStatus(outcome.report)]).toEqual([id, [], [], 0]);
    expect(outcome.report.walk).toEqual({ seed: i + 1, steps: 150 });
  }
});

test.each([
  ['team-created_at-not-in-created', 'WM-TEAM-013', 1],
  ['error-is-text-401', 'WM-ENV-004', 2],
  ['status-review-unassigned', 'WM-TASK-010', 2],
  ['write-may-not-deleteTask', 'WM-SCOPE-017', 3],
])('%s is named and shrunk to the fewest requests', async (id, requirement, requests) => {
  const { report } = await walkOn(serverOf(id), 1, { walk: { seed: 1, steps: 400 } });
  expect([report.failures[0], exitStatus(report), report.left_behind]).toEqual([requirement, 1, []]);
  expect(report.walk!.shortest).toHaveLength(requests);
  expect(terminal(report)).toContain(report.walk!.shortest!.at(-1));
  expect(terminal(report)).toContain('--walk --seed 1');
});

test.each([20, 50])('a target that stops to respond after %i requests takes neither the seed nor what was found', async (max) => {
  let sent = 0;
  const between: Staging['between'] = (next) => (url, init) =>
    ++sent > max ? Promise.reject(new TypeError('fetch failed')) : next(url, init);
  const { report } = await walkOn({ ...serverOf('status-review-unassigned'), between });
  expect([exitStatus(report), report.walk?.seed, report.walk?.shortest]).toEqual([2, 1, undefined]);
  expect(report.failures).toEqual(max === 20 ? [] : ['WM-TASK-010']);
  expect(terminal(report)).toContain('--walk --seed 1');
});

test('the shrunk session is a script in the report folder', async () => {
  await walkOn(serverOf('status-review-unassigned'), 1, { walk: { seed: 1, steps: 400 }, reportDir: folder.path });
  const { requirements } = folder.report();
  const script = folder.read(requirements.find(({ status }) => status === 'failed')!.script!);
  expect(script.match(/^send \d+ \d+ POST /gm)).toHaveLength(2);
});

test('a seed gives the same requests each time, and another seed others', async () => {
  const sentWith = async (seed: number) => {
    const sent: string[] = [];
    await walkOn(
      {
        style: 'a',
        between: (next) => (url, init) => {
          sent.push(`${init?.method} ${url.replace(/[^/?]*\d[^/?]*/g, '…')}`);
          return next(url, init);
        },
      },
      seed,
    );
    return sent;
  };
  expect(await sentWith(3)).toEqual(await sentWith(3));
  expect(await sentWith(3)).not.toEqual(await sentWith(4));
});

test('a walk with the profile read-only sends GET alone', async () => {
  const methods = new Set<string | undefined>();
  const between: Staging['between'] = (next) => (url, init) => {
    methods.add(init?.method);
    return next(url, init);
  };
  expect(blames(await walkOn({ between }, 1, { profile: 'read-only' }))).toEqual([]);
  expect([...methods]).toEqual(['GET']);
});

test('a violation that a baseline accepts does not end the walk', async () => {
  const known = { requirement: 'WM-TASK-010', owner: 'Ada', reason: 'ticket 7', expires: '2999-12-31' };
  const { report } = await walkOn(serverOf('status-review-unassigned'), 1, { baseline: [known] });
  expect([report.walk, exitStatus(report)]).toEqual([{ seed: 1, steps: 150 }, 0]);
});

test('a step that others need goes with them, and no step that is left can be missed', async () => {
  const step = (id: number, target = '/projects'): Step => ({ id, method: 'POST', as: 'write', target });
  const session = [step(0), step(1), step(2, '/projects/⟦made 0⟧/tasks'), step(3), step(4), step(5)];
  const shows = async (tried: readonly Step[]) => {
    const ids = tried.map(({ id }) => id);
    for (const id of ids) if (id === 2) expect(ids).toContain(0);
    return [2, 4, 5].every((id) => ids.includes(id)) ? tried : undefined;
  };
  expect((await shrink(session, shows))?.map(({ id }) => id)).toEqual([0, 2, 4, 5]);
  expect(await shrink(session, async () => undefined)).toBeUndefined();
});

test('the environment says how far to walk, and no steps without a walk', () => {
  const env = { WM_BASE_URL: 'http://127.0.0.1/v1' };
  expect(optionsFromEnvironment({ ...env, WM_WALK: '1', WM_SEED: '7' }).walk).toEqual({ seed: 7, steps: 300 });
  expect(optionsFromEnvironment(env).walk).toBeUndefined();
  expect(() => optionsFromEnvironment({ ...env, WM_STEPS: '9' })).toThrow('give --walk');
});
