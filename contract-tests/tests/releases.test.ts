// The suite knows the releases: it passes on each, sees which one a target is, and says so when it was told another.
import { describe, expect, test } from 'vitest';
import { latestRelease, readRegister } from '../engine/register.ts';
import { isIn, type Release, releasesUpTo } from '../engine/releases.ts';
import { mockExists, mockTarget, type Target } from '../judge/targets.ts';
import { terminal } from '../report/terminal.ts';
import { type ContractOptions, optionsFromEnvironment, runContract } from '../run.ts';

const RELEASES = releasesUpTo(latestRelease());
const there = await mockExists();

const runOn = async (target: Target, options: Partial<ContractOptions> = {}) => {
  try {
    return await runContract({
      ...target.options,
      fetch: target.fetch,
      reportDir: false,
      allow: ['webhooks', 'quota'],
      ...options,
    });
  } finally {
    await target.close();
  }
};
const has = (id: string, release: Release) => isIn(readRegister().find((row) => row.id === id)!, release);

describe.skipIf(!there).each(RELEASES)('a mock of v%s', (release) => {
  test('shows which release it is, conforms to its requirements, and is seen whole by at most 560 requests', async () => {
    const report = await runOn(await mockTarget({}, true, release));
    expect(report.failures).toEqual([]);
    expect(report.verdict).toBe('conformant');
    expect(report.release).toMatchObject({ judged: release, seen: release });
    expect(report.spec).toBe(`Work-Management Service REST API v${release}.0`);
    const judged = new Set(report.requirements.map(({ id }) => id));
    for (const id of ['WM-LIST-004', 'WM-TEAM-004', 'WM-TASK-008', 'WM-EVT-011', 'WM-REL-003', 'WM-REL-009'])
      expect(judged.has(id), id).toBe(has(id, release));
    expect(report.requirements.filter(({ status }) => status === 'skipped')).toEqual([]);
    expect(report.requests - report.quota_requests).toBeLessThanOrEqual(560);
  });

  test('with every key and a control API, a read-only run asks at most 80 times and changes nothing', async () => {
    const target = await mockTarget({}, true, release);
    const methods: string[] = [];
    const fetch: typeof target.fetch = (url, init) => {
      if (String(url).includes('/v1/')) methods.push(init?.method ?? 'GET');
      return target.fetch(url, init);
    };
    const report = await runOn({ ...target, fetch }, { profile: 'read-only', allow: [] });
    expect(report.failures).toEqual([]);
    expect(new Set(methods)).toEqual(new Set(['GET']));
    expect(methods.length).toBeLessThanOrEqual(80);
  });

  test.each(RELEASES.filter((other) => other !== release))('judged as v%s, is said to be what it is', async (other) => {
    const report = await runOn(await mockTarget({}, false, release), {
      profile: 'core',
      release: other,
      only: ['releases/shown'],
      allow: [],
    });
    expect(report.verdict).toBe('violations');
    expect(report.failures).toContain('WM-REL-001');
    expect(report.release).toMatchObject({ judged: other, seen: release });
    expect(terminal(report)).toContain(`THE TARGET IS v${release}`);
  });
});

test.skipIf(!there)('a mock that is ahead of its clients conforms: v1 allows all that it changes', async () => {
  const report = await runOn(await mockTarget({}, true, latestRelease(), true), { allow: ['webhooks'] });
  expect(report.failures).toEqual([]);
  expect(report.verdict).toBe('conformant');
});

test('a release is named in the environment, and an unknown one is refused', () => {
  const env = { WM_BASE_URL: 'http://127.0.0.1/v1' };
  expect(optionsFromEnvironment({ ...env, WM_RELEASE: 'v1.1.0' }).release).toBe('1.1');
  expect(optionsFromEnvironment(env).release).toBeUndefined();
  expect(() => optionsFromEnvironment({ ...env, WM_RELEASE: '2' })).toThrow('expected one of 1.0, 1.1, 1.2, 1.3');
});

test('a requirement holds from a release to another, never backwards', () => {
  const named = readRegister().filter(({ since, until }) => since !== undefined || until !== undefined);
  expect(named.length).toBeGreaterThan(100);
  for (const { id, since, until } of named) {
    for (const release of [since, until]) if (release !== undefined) expect(RELEASES, id).toContain(release);
    if (since !== undefined && until !== undefined) expect(isIn({ since }, until), id).toBe(true);
  }
});
