// Every problem that a seed can have, by line and column with its message: to the byte.
import { describe, expect, test } from 'vitest';
import { golden } from '../test/golden.ts';
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
    const said = [];
    for (const path of PATHS) {
      const seed = altered(path, undefined);
      said.push(`${showPath(path)}: ${await saidOf(checkSeed(seed, options))}`);
      expect(quick(seed), showPath(path)).toBe(slow(seed).length === 0);
    }
    golden('seed/missing', said.join('\n'));
  });

  test('with another value in one place says what is wrong with it', () => {
    const said = new Map<string, string[]>();
    const say = (problem: string, got: string) => said.set(problem, [...(said.get(problem) ?? []), got]);
    for (const path of PATHS) {
      for (const value of VALUES) {
        const seed = altered(path, value);
        const faults = slow(seed);
        // Only a release may be a fraction: the quick look leaves that to the slow one.
        const sound = faults.length === 0 && !(path[0] === 'release' && value === 1.1);
        expect(quick(seed), `${showPath(path)} ${shown(value)}`).toBe(sound);
        if (faults.length === 0) say(`${showPath(path)}: sound`, shown(value));
        for (const one of faults) say(`${showPath(one.path)}: ${one.what}, expected ${one.expected}`, one.got);
      }
    }
    const lines = [...said].map(([problem, got]) => `${problem}, got ${[...new Set(got)].join(' | ')}`);
    golden('seed/wrong', lines.join('\n'));
  });

  test('with a key too many in one place says which are known', () => {
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
    golden('seed/surplus', said.join('\n'));
  });

  test('written as YAML has each problem at its line and column', async () => {
    const { stringify } = await import('yaml');
    const said = [];
    for (const path of PATHS) {
      const text = stringify(altered(path, { wrong: [1] }), { lineWidth: 0 });
      const message = await saidOf(readSeed(text, options));
      const lines = text.split('\n');
      said.push(
        ...message.split('\n').map((line) => `${line.slice(0, 160)}   <- ${lines[Number(line.split(':')[1]) - 1]?.trim()}`),
      );
    }
    golden('seed/places', said.join('\n'));
  });
});

const WS = 'id: ws, users: [{ id: u }], api_keys: [{ value: k }]';
const RULES: readonly (readonly [string, string])[] = [
  ['not one user', 'workspaces: [{ id: ws, api_keys: [{}] }]'],
  ['an empty list of users', 'workspaces: [{ id: ws, users: [], api_keys: [{}] }]'],
  ['users to be generated', 'workspaces: [{ id: ws, api_keys: [{}], generate: { users: 1 } }]'],
  ['none to be generated', 'workspaces: [{ id: ws, api_keys: [{}], generate: { users: 0 } }]'],
  [
    'no users to be generated, and a broken list',
    'workspaces: [{ id: ws, users: none, api_keys: [{}], generate: { teams: 1 } }]',
  ],
  ['two limits', `workspaces: [{ ${WS}, plan: pro, requests_per_minute: 5 }]`],
  ['a limit alone', `workspaces: [{ ${WS}, requests_per_minute: 1 }]`],
  ['tasks of no project', `workspaces: [{ ${WS}, generate: { tasks_per_project: 1 } }]`],
  ['comments of no task', `workspaces: [{ ${WS}, generate: { projects: 1, comments_per_task: 1 } }]`],
  ['comments of no project', `workspaces: [{ ${WS}, generate: { comments_per_task: 1, tasks_per_project: 1 } }]`],
  ['as much as fits', `workspaces: [{ ${WS}, generate: { projects: 2, tasks_per_project: 1000001 } }]`],
  ['too much', `workspaces: [{ ${WS}, generate: { projects: 2000, tasks_per_project: 500, comments_per_task: 2 } }]`],
  [
    'two of each id',
    `workspaces: [{ ${WS}, projects: [{ id: p, tasks: [{ id: t, title: x, comments: [{ id: c, body: x }, { id: c, body: y }] }, { id: t, title: y }] }, { id: p }], teams: [{ id: e }, { id: e }], webhooks: [{ id: w, url: "https://a.test" }, { id: w, url: "https://a.test" }] }]`,
  ],
  ['ids of two kinds alike', `workspaces: [{ ${WS}, projects: [{ id: x, tasks: [{ id: x, title: x }] }], teams: [{ id: x }] }]`],
  ['two workspaces with the same ids', `workspaces: [{ ${WS} }, { ${WS} }]`],
  [
    'the same team name in two workspaces',
    'workspaces: [{ id: a, users: [{}], api_keys: [{}], teams: [{ name: T }] }, { id: b, users: [{}], api_keys: [{}], teams: [{ name: T }, { name: T }] }]',
  ],
  [
    'unknown people',
    `workspaces: [{ ${WS}, api_keys: [{ user_id: uu }], projects: [{ owner_id: uu, tasks: [{ title: x, assignee_id: uu, comments: [{ body: x, author_id: uu }] }] }], teams: [{ member_ids: [u, uu, 7] }] }]`,
  ],
  [
    'unknown people of each record',
    `workspaces: [{ id: ws, users: [{ id: user_anna }], api_keys: [{ user_id: user_ana }], projects: [{ id: p, owner_id: User_Anna, tasks: [{ id: t, title: x, assignee_id: anna, comments: [{ body: x, author_id: usr_ann }] }] }], tasks: [{ project_id: q, title: x }, { project_id: p, title: y, assignee_id: null }], comments: [{ task_id: tt, body: x }, { task_id: t, body: x, author_id: nobody_at_all }], teams: [{ member_ids: [user_anna, user_bnna] }] }]`,
  ],
  [
    'a person of another workspace',
    'workspaces: [{ id: a, users: [{ id: ua }], api_keys: [{ user_id: ub }] }, { id: b, users: [{ id: ub }], api_keys: [{ user_id: ub }] }]',
  ],
  [
    'receivers',
    `workspaces: [{ ${WS}, webhooks: [{ url: "http://127.0.0.1/x" }, { url: "http://localhost:1" }, { url: "https://x.test" }, { url: "http://x.test" }, { url: "x" }, { url: "" }, { url: "ftp://127.0.0.1" }, { url: 7 }] }]`,
  ],
  ['a broken list beside a rule', `workspaces: [{ ${WS}, teams: [{ name: T }, 7, { name: T }], projects: none }]`],
  ['no list of workspaces', 'workspaces: { id: ws }'],
  ['no workspaces', 'random_seed: 1'],
];

test('each rule beyond the shape is told where it is broken', async () => {
  const said = [];
  for (const [name, text] of RULES)
    said.push(`# ${name}\n${text}\n${name === 'as much as fits' ? '' : await saidOf(readSeed(text, options))}\n`);
  golden('seed/rules', said.join('\n'));
});

test('two million generated records are the most', async () => {
  const wanted = (projects: number, tasks_per_project: number, comments_per_task: number) =>
    saidOf(
      checkSeed(
        {
          workspaces: [
            { id: 'ws', users: [{}], api_keys: [{}], generate: { projects, tasks_per_project, comments_per_task }, nmae: 1 },
          ],
        },
        options,
      ),
    );
  expect((await wanted(2, 1_000_000, 0)).split('\n')).toHaveLength(1);
  expect((await wanted(2000, 500, 1)).split('\n')).toHaveLength(1);
  expect((await wanted(2000, 500, 2)).split('\n')[1]).toBe(
    's: workspaces[0].generate: impossible, expected at most 2000000 tasks and comments, got 3000000',
  );
});

const TEXTS: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['a comment', '# nothing here\n'],
  ['a word', 'seed\n'],
  ['a list', '- a\n'],
  ['a bracket that is not closed', 'workspaces: [\n  { id: ws\n'],
  ['a quote that is not closed', 'workspaces:\n  - id: "ws\n'],
  ['a tab', 'workspaces:\n\t- id: ws\n'],
  ['two documents', 'a: 1\n---\nb: 2\n'],
  ['a key twice', 'workspaces:\n  - id: ws\n    users: [{ id: u, id: v }]\n    api_keys: [{}]\n'],
  ['a key twice at the top', `random_seed: 1\nrandom_seed: 2\nworkspaces: [{ ${WS} }]\n`],
  ['a key twice in a list in a list', `workspaces: [{ ${WS}, projects: [{ tasks: [{ title: x, title: y }] }] }]`],
  ['a key that is a list', `? [a]\n: b\nworkspaces: [{ ${WS} }]\n`],
  ['an alias to nothing', `workspaces: [{ ${WS}, name: *none }]`],
  ['an alias to what is wrong', 'workspaces:\n  - id: ws\n    users: [&a { role: 5 }, *a]\n    api_keys: [{}]\n'],
  ['a merge of what is wrong', 'workspaces:\n  - id: ws\n    users: [&a { role: 5 }, { <<: *a, id: b }]\n    api_keys: [{}]\n'],
  [
    'aliases that multiply',
    `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n`,
  ],
  ['syntax and shape at once', 'nwo: 1\nworkspaces: [{ id: ws, users: [{ id: 7 }], api_keys: [{}], id: wt }]\n'],
  ['an unknown tag', '!!seed { workspaces: [] }\n'],
  ['JSON with a comma too many', '{ "workspaces": [], }'],
  ['JSON with a key twice', '{\n  "workspaces": [],\n  "workspaces": []\n}'],
  [
    'JSON with a key twice in disguise',
    '{ "a\\"b": { "x" : 1, "x": 2 }, "workspaces": [{ "id": "ws\\\\", "users": [{}], "api_keys": [{}] }] }',
  ],
  [
    'JSON with what looks like keys',
    '{ "workspaces": [{ "id": "\\"x\\":1", "name": "a\\\\\\":", "users": [{"id":"\\":"}], "api_keys": [{ "scope" : 1 }] }] }',
  ],
  ['JSON behind spaces', '\n\n  { "workspaces": [{ "id": 1 }] }'],
  ['JSON behind a byte order mark', '\uFEFF{ "workspaces": [{ "id": 1, "users": [{}], "api_keys": [{}] }] }'],
  ['YAML behind a byte order mark', '\uFEFFworkspaces: []\n'],
  ['a list in JSON', '[{ "workspaces": [] }]'],
  ['lines that end as on Windows', 'random_seed: x\r\nworkspaces:\r\n  - id: 7\r\n    users: [{}]\r\n    api_keys: [{}]\r\n'],
  ['a carriage return in a text', `workspaces: [{ ${WS}, plan: "a\\rb" }]`],
  ['a time of another kind', `now: 2025-01-20\nworkspaces: [{ ${WS} }]`],
  ['a relative now', `now: -2h\nworkspaces: [{ ${WS} }]`],
  ['names that are no words', `"a b": 1\n"": 2\n7: 3\n"\\"": 4\nworkspaces: [{ ${WS} }]`],
  [
    'values of later releases',
    `forward_compat: enums\nworkspaces: [{ ${WS}, projects: [{ visibility: x, tasks: [{ title: x, status: y, priority: low }] }] }]`,
  ],
  ['values of later releases, unasked', `forward_compat: fields\nworkspaces: [{ ${WS}, projects: [{ visibility: workspace }] }]`],
  ['an unknown kind of change', `forward_compat: colour\nworkspaces: [{ ${WS} }]`],
  ['unknown kinds of change', `forward_compat: [fields, colour]\nworkspaces: [{ ${WS} }]`],
  [
    'unknown answers',
    `choices: { patch-status: 418, wrong-method: 405, nonsense: 1, limit-above-100: clampd }\nworkspaces: [{ ${WS} }]`,
  ],
  ['unknown releases', `release: 1.7\nworkspaces: [{ ${WS} }]`],
];

test('each text that is no seed is refused at the place where that shows', async () => {
  const said = [];
  for (const [name, text] of TEXTS)
    said.push(`# ${name}\n${text.replaceAll('\r', '\\r').trimEnd()}\n=> ${await saidOf(readSeed(text, options))}\n`);
  golden('seed/texts', said.join('\n'));
});
