// Each rule that no schema says, and each text that is no seed: where that shows, and in which words.
import { expect, test } from 'vitest';
import { checkSeed, readSeed } from './read.ts';
import type { SeedError } from './seed-error.ts';

const options = { name: 's', now: Date.parse('2025-01-20T09:00:00Z') };
const saidOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'sound',
    (error: SeedError) => error.message,
  );

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
    `workspaces: [{ ${WS}, webhooks: [{ url: "http://127.0.0.1/x" }, { url: "http://localhost:1" }, { url: "https://x.test" }, { url: "http://x.example.com" }, { url: "x" }, { url: "" }, { url: "ftp://127.0.0.1" }, { url: 7 }] }]`,
  ],
  ['a broken list beside a rule', `workspaces: [{ ${WS}, teams: [{ name: T }, 7, { name: T }], projects: none }]`],
  ['no list of workspaces', 'workspaces: { id: ws }'],
  ['no workspaces', 'random_seed: 1'],
];

test('each rule beyond the shape is told where it is broken', async () => {
  const said = [];
  for (const [name, text] of RULES) said.push(`# ${name}\n${text}\n${await saidOf(readSeed(text, options))}\n`);
  await expect(said.join('')).toMatchFileSnapshot('golden/rules.txt');
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
  ['an alias to what holds it', `workspaces: [{ ${WS}, name: &a [*a] }]`],
  ['a merge of a word', `workspaces: [{ ${WS}, <<: x }]`],
  ['aliases that multiply', `a: &a [${'x,'.repeat(2000)}]\nb: [${'*a,'.repeat(600)}]\n`],
  ['aliases that nest', Array.from({ length: 120 }, (_, i) => `a${i}: &a${i} [${i ? `*a${i - 1}` : ''}]\n`).join('')],
  ['a list in a list, and so on', `workspaces: ${'['.repeat(150)}`],
  ['a JSON list in a list, and so on', `{"workspaces": ${'['.repeat(150)}${']'.repeat(150)}}`],
  ['a list in a list in blocks, and so on', `workspaces: [{ ${WS} }]\nx:\n  ${'- '.repeat(150)}`],
  ['an alias used 300 times', `workspaces: [{ ${WS}, projects: [{ name: &a ok }, ${'{ name: *a },'.repeat(300)}] }]`],
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
  for (const [name, text] of TEXTS) said.push(`# ${name}: ${JSON.stringify(text)}\n${await saidOf(readSeed(text, options))}\n`);
  await expect(said.join('')).toMatchFileSnapshot('golden/texts.txt');
});
