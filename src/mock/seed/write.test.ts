// The way back: what was written reads as the seed that it was.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import type { Seed } from '../../service/world/records.ts';
import { seedOf } from '../control/snapshot.ts';
import { blankSeed } from './blank.ts';
import { checkSeed, readSeed } from './read.ts';
import { seedText, writeSeed } from './write.ts';

const NOW = Date.parse('2025-01-20T09:00:00Z');
const fixture = (name: string) => readFileSync(`fixtures/${name}.yaml`, 'utf8');
const back = (file: unknown) =>
  checkSeed(file, { name: 'back', now: 0, randomSeed: (file as { random_seed: number }).random_seed });

describe('writing a seed', () => {
  test.each(['tiny', 'demo', 'edges'])('%s reads back as it was, as YAML and as JSON', async (name) => {
    const seed = await readSeed(fixture(name), { name, now: NOW });
    expect(await back(writeSeed(seed))).toEqual(seed);
    for (const language of ['yaml', 'json'] as const)
      expect(await readSeed(await seedText(seed, language), { name, now: 0 })).toEqual(seed);
  });

  test('keeps the order of tasks and comments that does not follow their parents', async () => {
    const seed = await readSeed(fixture('tiny'), { name: 'tiny', now: NOW });
    const [workspace] = seed.workspaces;
    const [one] = workspace!.projects;
    const [first, second] = workspace!.tasks;
    const [comment] = workspace!.comments;
    const projects = [one!, { ...one!, id: 'proj_two' }];
    const tasks = [{ ...first!, project_id: 'proj_two' }, second!, { ...first!, id: 'task_third', project_id: 'proj_two' }];
    const comments = ['task_third', 'task_talked', 'task_third'].map((task_id, i) => ({ ...comment!, id: `cmt_${i}`, task_id }));
    const mixed: Seed = { ...seed, workspaces: [{ ...workspace!, projects, tasks, comments }] };
    expect(await back(writeSeed(mixed))).toEqual(mixed);
  });

  test('keeps choices, limits, invitations and revoked keys', async () => {
    const blank = blankSeed();
    const [workspace] = blank.workspaces;
    const seed: Seed = {
      ...blank,
      randomSeed: 5,
      choices: { ...blank.choices, 'wrong-method': '405' },
      workspaces: [
        {
          ...workspace!,
          plan: 5,
          users: workspace!.users.map((user) => ({ ...user, state: 'invited' })),
          keys: workspace!.keys.map((key) => ({ ...key, revoked: true })),
        },
      ],
    };
    expect(writeSeed(seed).choices).toEqual({ 'wrong-method': '405' });
    expect(await back(writeSeed(seed))).toEqual(seed);
    expect(await readSeed(await seedText(seed, 'yaml'), { name: 'back', now: 0 })).toEqual(seed);
  });

  test('says what differs from the usual, and nothing else', () => {
    const { workspaces: _, ...plain } = writeSeed(blankSeed()) as unknown as Record<string, unknown>;
    expect(plain).toEqual({ random_seed: 1 });
    const progress = { sequence: 4, drawn: [{ stream: 'id', count: 2 }] };
    const seed: Seed = { ...blankSeed(), now: NOW, release: '1.1', forward: ['enums'], progress };
    const { workspaces, ...said } = writeSeed(seed);
    expect(said).toEqual({
      now: '2025-01-20T09:00:00.000Z',
      random_seed: 1,
      release: '1.1',
      forward_compat: ['enums'],
      progress,
    });
    expect(Object.keys(said)).toEqual(['now', 'random_seed', 'release', 'forward_compat', 'progress']);
    const { release: _release, forward: _forward, ...older } = blankSeed();
    expect(Object.keys(writeSeed(older as Seed))).toEqual(['random_seed', 'workspaces']);
    expect(workspaces[0]).toEqual({
      id: 'ws_main',
      name: 'Main',
      plan: 'unlimited',
      users: blankSeed().workspaces[0]!.users.map(({ state: _state, ...user }) => user),
      api_keys: blankSeed().workspaces[0]!.keys.map(({ revoked: _revoked, ...key }) => key),
    });
  });

  test('keeps every text that the API takes, in a file as in memory', async () => {
    const mock = await createMock({ seed: fixture('tiny'), plan: 'unlimited' });
    const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
    // Signs that blocks, quotes and folds give a meaning, and any 16-bit units.
    const signs = fc.string({ unit: fc.constantFrom(...' \n\t\r:#"\'\\-?|>&*{a'), maxLength: 9 });
    const units = fc.array(fc.integer({ max: 0xffff }), { maxLength: 20 }).map((codes) => String.fromCharCode(...codes));
    const texts = fc.sample(fc.oneof(signs, units), { numRuns: 2000, seed: 38 });
    for (const description of [' \n\t\n', ' \n', 'a\n\n b\n', '\ud83d', '2025-01-20', '~', '---\n...', '<<', ...texts])
      await mock.fetch('/projects', { method: 'POST', headers, body: JSON.stringify({ name: `${description}.`, description }) });
    const seed = seedOf(mock.world);
    expect(seed.workspaces[0]!.projects.length).toBeGreaterThan(1900);
    for (const language of ['json', 'yaml'] as const) {
      const file = Buffer.from(await seedText(seed, language)).toString();
      expect(file.startsWith('{')).toBe(language === 'json');
      expect(await readSeed(file, { name: 'back', now: 0 })).toEqual(seed);
    }
  });
});

test('the starter is a correct seed', async () => {
  const seed = await readSeed(fixture('starter'), { name: 'starter', now: NOW });
  const [{ users, keys, projects, tasks, teams }] = seed.workspaces as [Seed['workspaces'][number]];
  expect(keys.map(({ value }) => value)).toEqual(['wm_admin', 'wm_write', 'wm_read', 'wm_revoked']);
  expect([users, projects, tasks, teams].map(({ length }) => length > 0)).toEqual([true, true, true, true]);
  for (const command of ['npx wm-mock --seed', 'npx wm-mock check', 'npx wm-mock choices'])
    expect(fixture('starter')).toContain(command);
});

test('the starter is still correct with its commented lines in use', async () => {
  const lines = fixture('starter')
    .split('\n')
    .map((line) =>
      line.replace(/^( *)# ((?:now|choices|webhooks|generate|requests_per_minute):| {2}(?:not-found|- \{))/, '$1$2'),
    );
  const used = lines.filter((line) => !/^ *plan:/.test(line)).join('\n');
  const seed = await readSeed(used, { name: 'starter', now: NOW });
  expect(seed).toMatchObject({ now: NOW, choices: { 'not-found-code': 'resource_not_found' } });
  expect(seed.workspaces[0]).toMatchObject({ plan: 5, webhooks: [{ secret: 'whsec_main' }] });
  expect(seed.workspaces[0]!.users).toHaveLength(23);
});
