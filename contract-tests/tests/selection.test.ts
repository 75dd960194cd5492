// A part of the suite: what is asked for is judged, and nothing else.
import { expect, test } from 'vitest';
import { CHECKS } from '../checks/index.ts';
import { exitStatus } from '../run.ts';
import { freshFolder, type RunOptions, runOn } from './runs.ts';

const folder = freshFolder();

const judged = (requirements: readonly { id: string; reason?: string }[]) =>
  requirements.filter(({ reason }) => reason !== 'NOT_SELECTED').map(({ id }) => id);

test('a requirement that is named is judged, the others are skipped as not selected, and the report says that it was a part', async () => {
  const report = await runOn([], { only: ['wm-meta-013'] });
  expect(judged(report.requirements)).toEqual(['WM-META-013']);
  expect(report.requirements.find(({ id }) => id === 'WM-META-013')!.status).toBe('passed');
  expect(report.verdict).toBe('partial');
  expect(exitStatus(report, true)).toBe(0);
  expect(report.part).toEqual({ only: ['wm-meta-013'], rerun_failed: false, requirements: 1 });
});

test('the beginning of a check selects what those checks judge', async () => {
  const report = await runOn([], { only: ['sorting/'] });
  const covered = CHECKS.filter(({ id }) => id.startsWith('sorting/')).flatMap(({ covers }) => covers);
  expect(judged(report.requirements).sort()).toEqual([...new Set(covered)].sort());
  expect(report.requests).toBeLessThan((await runOn([])).requests);
});

test('a violation outside the part is left out of the verdict', async () => {
  const report = await runOn(['patch-unchecked', 'has-more-on-exact'], { only: ['WM-META-013'] });
  expect(report.failures).toEqual(['WM-META-013']);
});

test('a finding of a selected check is told, whatever requirement it violates', async () => {
  const through: RunOptions['through'] = (next) => async (url, init) =>
    init?.method === 'PATCH' ? Response.json({}, { status: 500 }) : next(url, init);
  expect((await runOn([], { only: ['tasks/'], through })).failures).toContain('WM-ERR-014');
  expect((await runOn([], { only: ['WM-META-013'], through })).failures).not.toContain('WM-ERR-014');
});

test('a requirement that blocks the part is told', async () => {
  const report = await runOn([], {
    only: ['WM-META-013'],
    through: (next) => async (url, init) =>
      init?.method === 'POST' ? Response.json({ error: { code: 'x', message: 'no' } }, { status: 418 }) : next(url, init),
  });
  expect(report.failures).toEqual(['WM-EP-002']);
  expect(report.requirements.find(({ id }) => id === 'WM-META-013')).toMatchObject({
    status: 'blocked',
    consequence_of: 'WM-EP-002',
  });
});

test('requirements of the laws alone are judged on the responses of all checks', async () => {
  const report = await runOn([], {
    only: ['WM-GEN-002'],
    through: (next) => async (url, init) => {
      const response = await next(url, init);
      if (response.status !== 204) return response;
      return Object.defineProperty(new Response('{}', { headers: response.headers }), 'status', { value: 204 });
    },
  });
  expect(report.failures).toEqual(['WM-GEN-002']);
});

test.each([
  ['nonsense', 'no requirement and no check begins with "nonsense"'],
  ['WM-GEN-003', 'no request can show WM-GEN-003'],
])('--only %s is refused before the first request', async (word, message) => {
  const fetch = () => Promise.reject(new Error('asked'));
  await expect(runOn([], { only: [word], fetch, reportDir: folder.path })).rejects.toThrow(message);
});

test('a failed requirement is judged again, and a mended server is told so', async () => {
  const again = { reportDir: folder.path, rerunFailed: true };
  await runOn(['has-more-on-exact', 'patch-unchecked'], { reportDir: folder.path });
  const failed = folder.report().failures;
  const still = await runOn(['has-more-on-exact'], again);
  expect(judged(still.requirements).sort()).toEqual([...failed].sort());
  expect([still.failures, still.previous.still]).toEqual([['WM-META-013'], ['WM-META-013']]);
  expect([...still.previous.fixed].sort()).toEqual(failed.filter((id) => id !== 'WM-META-013').sort());
  const mended = await runOn([], again);
  expect([mended.failures, mended.previous.fixed]).toEqual([[], ['WM-META-013']]);
  expect(exitStatus(mended)).toBe(0);
});

test('a law that failed is judged again on the checks that showed it', async () => {
  const nameless: RunOptions['through'] = (next) => async (url, init) => {
    const response = await next(url, init);
    if (init?.method !== undefined && init.method !== 'GET') return response;
    if (!new URL(url).pathname.endsWith('/teams')) return response;
    return new Response((await response.text()).replaceAll('"member_count"', '"count"'), response);
  };
  const first = await runOn([], { through: nameless, reportDir: folder.path });
  expect(first.failures).toContain('WM-TEAM-009');
  const again = await runOn([], { through: nameless, reportDir: folder.path, rerunFailed: true });
  expect(again.failures).toContain('WM-TEAM-009');
  expect(again.requests).toBeLessThan(first.requests);
});

test('there must be something to judge again', async () => {
  const again = { reportDir: folder.path, rerunFailed: true };
  await expect(runOn([], again)).rejects.toThrow('report.json is missing or no report; run once without --rerun-failed');
  await runOn([], { reportDir: folder.path });
  await expect(runOn([], again)).rejects.toThrow('nothing failed in the run of');
});
