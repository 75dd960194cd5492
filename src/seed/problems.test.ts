// Every problem that a seed can have, by line and column with its message: to the byte.
import { describe, expect, test } from 'vitest';
import { keysIfFits } from './fits.ts';
import { SEED_SCHEMA } from './format.ts';
import { checkSeed, readSeed } from './read.ts';
import { type SeedError, showPath } from './seed-error.ts';
import { type Keywords, shapeFaults } from './shape.ts';
import { TimeReader } from './times.ts';

const NOW = Date.parse('2025-01-20T09:00:00Z');
const options = { name: 's', now: NOW };
const saidOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'sound',
    (error: SeedError) => error.message,
  );

/** Every field of the format, once. */
const WHOLE = {
  $schema: './seed.schema.json',
  now: '2025-01-20T09:00:00Z',
  release: '1.3',
  forward_compat: ['fields'],
  random_seed: 3,
  choices: { 'patch-status': '202', 'not-found-code': 'not_found' },
  progress: { sequence: 9, drawn: [{ stream: 'id', count: 2 }], order: { projects: [{ from: 1, count: 2 }] } },
  workspaces: [
    {
      id: 'ws_a',
      name: 'A',
      plan: 'pro',
      users: [
        {
          id: 'user_a',
          name: 'Ann',
          email: 'a@a.test',
          role: 'admin',
          avatar_url: 'https://a.test/a.png',
          created_at: '-9d',
          state: 'joined',
        },
      ],
      api_keys: [{ id: 'key_a', value: 'k', name: 'K', scope: 'read', user_id: 'user_a', revoked: false, created_at: '-9d' }],
      projects: [
        {
          id: 'proj_a',
          name: 'P',
          description: 'x',
          visibility: 'team',
          owner_id: 'user_a',
          created_at: '-9d',
          updated_at: '-8d',
          tasks: [
            {
              id: 'task_a',
              title: 'T',
              description: null,
              assignee_id: 'user_a',
              due_date: '+3d',
              priority: 'low',
              status: 'todo',
              created_at: '-9d',
              updated_at: '-8d',
              comments: [{ id: 'cmt_a', body: 'B', author_id: 'user_a', created_at: '-9d' }],
            },
          ],
        },
      ],
      tasks: [{ id: 'task_b', title: 'T', project_id: 'proj_a', comments: [{ body: 'C' }] }],
      comments: [{ id: 'cmt_b', body: 'B', task_id: 'task_a', author_id: 'user_a', created_at: '-9d' }],
      teams: [{ id: 'team_a', name: 'T', member_ids: ['user_a'], created_at: '-9d', updated_at: '-8d' }],
      webhooks: [{ id: 'wh_a', url: 'https://a.test', events: ['task.created'], secret: 'whsec_a', created_at: '-9d' }],
      generate: { users: 1, projects: 1, tasks_per_project: 1, comments_per_task: 1, teams: 1 },
    },
  ],
};

type Step = string | number;
const pathsIn = (value: unknown, path: readonly Step[] = []): (readonly Step[])[] => {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? value.map((one, i) => [i, one] as const) : Object.entries(value);
  return [path, ...entries.flatMap(([step, one]) => pathsIn(one, [...path, step]))];
};
const PATHS = pathsIn(WHOLE).slice(1);

/** A copy of the whole seed with another value at a path; undefined: with none. */
const altered = (path: readonly Step[], value: unknown): object => {
  const copy = structuredClone(WHOLE);
  // biome-ignore lint/suspicious/noExplicitAny: a path leads anywhere.
  const holder = path.slice(0, -1).reduce((one: any, step) => one[step], copy);
  if (value === undefined) {
    if (Array.isArray(holder)) holder.splice(path.at(-1) as number, 1);
    else delete holder[path.at(-1)!];
  } else holder[path.at(-1)!] = value;
  return copy;
};

const LONG = 'x'.repeat(100_001);
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  7,
  1.5,
  1e16,
  1000,
  1001,
  10_000,
  10_001,
  100_000,
  100_001,
  1_000_000,
  1_000_001,
  '',
  ' ',
  'x',
  '7',
  '1.0',
  1.1,
  '-2h',
  '+99999999w',
  '2025-02-30T00:00:00Z',
  '2025-01-20T09:00:00.5+01:00',
  'https://a.test/',
  'http://10.0.0.7/x',
  'all',
  '*',
  LONG,
  'x'.repeat(256),
  'x'.repeat(60),
  'x'.repeat(61),
  [],
  [null],
  ['all'],
  ['x', 'all'],
  [{}],
  {},
  { x: 1 },
];

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 70 ? `${text.slice(0, 10)}… (${(value as string).length})` : text;
};
const times = new TimeReader(NOW);
const quick = (seed: object) => keysIfFits(seed, SEED_SCHEMA as Keywords, times) !== undefined;
const slow = (seed: object) => shapeFaults(seed, SEED_SCHEMA, times);

describe('a seed with every field', () => {
  test('is sound', async () => {
    expect(await saidOf(checkSeed(WHOLE, options))).toBe('sound');
    expect(keysIfFits(WHOLE, SEED_SCHEMA as Keywords, times)).toBe(JSON.stringify(WHOLE).match(/":/g)!.length);
  });

  test('without one of its values says what is missing, where there is need', async () => {
    const said: string[] = [];
    for (const path of PATHS) {
      const seed = altered(path, undefined);
      const message = await saidOf(checkSeed(seed, options));
      if (message !== 'sound') said.push(`${showPath(path)}: ${message}\n`);
      expect(quick(seed), showPath(path)).toBe(slow(seed).length === 0);
    }
    await expect(said.join('')).toMatchFileSnapshot('golden/missing.txt');
  });

  test('with another value in one place says what is wrong with it', async () => {
    const said: string[] = [];
    for (const path of PATHS) {
      const wrong = new Map<string, Set<string>>();
      for (const value of VALUES) {
        const seed = altered(path, value);
        const faults = slow(seed);
        // Only a release may be a fraction: the quick look leaves that to the slow one.
        const sound = faults.length === 0 && !(path[0] === 'release' && value === 1.1);
        expect(quick(seed), `${showPath(path)} ${shown(value)}`).toBe(sound);
        for (const { path: at, what, expected, got } of faults) {
          const problem = `${at.length > path.length ? `${showPath(at)}: ` : ''}${what}, expected ${expected}`;
          wrong.set(problem, (wrong.get(problem) ?? new Set()).add(got));
        }
      }
      said.push(
        `${showPath(path)}: ${[...wrong].map(([problem, got]) => `${problem}, got ${[...got][0]} (${got.size})`).join(' | ')}\n`,
      );
    }
    await expect(said.join('')).toMatchFileSnapshot('golden/wrong.txt');
  });

  test('with a key too many in one place says which are known', async () => {
    const said = [];
    for (const path of [[], ...PATHS]) {
      const seed = structuredClone(WHOLE);
      // biome-ignore lint/suspicious/noExplicitAny: a path leads anywhere.
      const holder = path.reduce((one: any, step) => one[step], seed as any);
      if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) continue;
      holder.nmae = 1;
      const [fault] = slow(seed);
      expect([quick(seed), fault!.atKey]).toEqual([false, true]);
      said.push(`${showPath(fault!.path)}: ${fault!.what}, expected ${fault!.expected}, got ${fault!.got}`);
    }
    await expect(`${said.join('\n')}\n`).toMatchFileSnapshot('golden/surplus.txt');
  });

  test('written as YAML has each problem at its line and column', async () => {
    const { stringify } = await import('yaml');
    for (const path of PATHS) {
      const text = stringify(altered(path, { wrong: [1] }), { lineWidth: 0 });
      for (const message of (await saidOf(readSeed(text, options))).split('\n')) {
        const [, line, column] = /^s:(\d+):(\d+): /.exec(message) ?? [];
        const found = text.split('\n')[Number(line) - 1]?.slice(Number(column) - 1);
        if (/wrong type|unknown key/.test(message)) expect(found, message).toMatch(/^(- )?wrong:/);
      }
    }
  });
});
