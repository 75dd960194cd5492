// How a broken seed is refused: every problem, with its place.

import { describe, expect, test } from 'vitest';
import { LATEST } from '../contract/releases.ts';
import { checkSeed, readSeed, SeedError } from './read.ts';

const options = { name: 'seed.yaml', now: Date.parse('2025-01-20T09:00:00Z') };
const messageOf = async (reading: Promise<unknown>): Promise<string> => {
  try {
    await reading;
    return 'no error';
  } catch (error) {
    expect(error).toBeInstanceOf(SeedError);
    return (error as SeedError).message;
  }
};
const refusal = (text: string) => messageOf(readSeed(text, options));
const workspace = (inner: string) => `workspaces:
  - id: ws
    users: [{ id: user_ada }]
    api_keys: [{ value: k }]
    ${inner}
`;
const [IN, AT] = ['workspaces[0].', 'seed.yaml:5:'];

describe('a broken seed', () => {
  test.each([
    [
      'unknown field',
      'prjects: []',
      `5: ${IN}prjects: unknown field (did you mean projects?), expected one of id, api_keys, name`,
    ],
    ['wrong type', 'name: 5', `11: ${IN}name: wrong type (quote it), expected a string, got 5`],
    ['null', 'name:', `10: ${IN}name: wrong type, expected a string, got null`],
    ['text for a list', 'teams: Core', `12: ${IN}teams: wrong type, expected an array, got "Core"`],
    [
      'enumeration',
      'projects: [{ visibility: pubic }]',
      `30: ${IN}projects[0].visibility: unknown value (did you mean public?), expected one of private, team, public, got "pubic"`,
    ],
    ['number', 'requests_per_minute: 0', `26: ${IN}requests_per_minute: too small, expected at least 1, got 0`],
    ['fraction', 'requests_per_minute: 1.5', `26: ${IN}requests_per_minute: wrong type, expected an integer, got 1.5`],
    [
      'missing',
      'projects: [{ tasks: [{ id: t }] }]',
      `26: ${IN}projects[0].tasks[0].title: missing, expected a string, got nothing`,
    ],
    [
      'empty',
      'projects: [{ tasks: [{ title: "" }] }]',
      `35: ${IN}projects[0].tasks[0].title: too short, expected at least 1 character, got ""`,
    ],
    [
      'time',
      'teams: [{ created_at: tomorrow }]',
      `27: ${IN}teams[0].created_at: not a time, expected ISO 8601 with \`Z\` or an offset, or a time from now such as -2h or +3d, got "tomorrow"`,
    ],
    [
      'assignee',
      'projects: [{ tasks: [{ title: x, assignee_id: user_adda }] }]',
      `51: ${IN}projects[0].tasks[0].assignee_id: unknown reference (did you mean user_ada?), expected the id of a user of this workspace, got "user_adda"`,
    ],
    [
      'member',
      'teams: [{ member_ids: [user_ada, nobody] }]',
      `38: ${IN}teams[0].member_ids[1]: unknown reference, expected the id of a user of this workspace, got "nobody"`,
    ],
    [
      'project',
      'tasks: [{ project_id: p, title: x }]',
      `27: ${IN}tasks[0].project_id: unknown reference, expected the id of a project of this workspace, got "p"`,
    ],
    [
      'receiver',
      'webhooks: [{ url: "ftp://a.test" }]',
      `23: ${IN}webhooks[0].url: not a receiver, expected an https URL, or http on loopback, got "ftp://a.test"`,
    ],
    [
      'event',
      'webhooks: [{ url: "https://a.test", events: [task.create] }]',
      `50: ${IN}webhooks[0].events[0]: unknown value (did you mean task.created?), expected one of task.created`,
    ],
    [
      'team name',
      'teams: [{ name: Core }, { name: Core }]',
      `37: ${IN}teams[1].name: duplicate name, expected one of its own, got "Core", as in workspaces[0].teams[0]`,
    ],
    ['two limits', 'plan: pro\n    requests_per_minute: 5', `x`],
    [
      'no projects',
      'generate: { tasks_per_project: 5 }',
      `36: ${IN}generate.tasks_per_project: impossible, expected projects of at least 1, got none to hold them`,
    ],
    ['negative count', 'generate: { users: -1 }', `24: ${IN}generate.users: too small, expected at least 0, got -1`],
    [
      'too much',
      'generate: { projects: 100000, tasks_per_project: 1000000 }',
      `15: ${IN}generate: impossible, expected at most 2000000 tasks and comments, got 100000000000`,
    ],
  ])('is refused: %s', async (rule, inner, expected) => {
    const message = await refusal(workspace(inner));
    if (rule === 'two limits') expect(message).toContain('seed.yaml:6:26: workspaces[0].requests_per_minute: two limits');
    else expect(message).toContain(AT + expected);
    expect(message.split('\n')).toHaveLength(1);
  });

  test.each([
    ['no workspace', 'workspaces: []', 'seed.yaml:1:13: workspaces: too few, expected at least 1 item, got none'],
    ['no user', 'workspaces: [{ id: ws, api_keys: [{}] }]', 'workspaces[0].users: no user, expected at least one user, got none'],
    ['no key', 'workspaces: [{ id: ws, users: [{}] }]', 'workspaces[0].api_keys: missing, expected an array, got nothing'],
    ['an empty file', '', 'wrong type, expected an object, got null'],
    [
      'a relative now',
      'now: -2h\nworkspaces: [{ id: ws, users: [{}], api_keys: [{}] }]',
      'now: not a time, expected ISO 8601 with `Z` or an offset, such as',
    ],
    [
      'an unknown choice',
      'choices: { not-found-kode: x }\nworkspaces: [{ id: ws, users: [{}], api_keys: [{}] }]',
      'choices.not-found-kode: unknown field (did you mean not-found-code?)',
    ],
    [
      'an unknown answer',
      'choices: { wrong-method: 406 }\nworkspaces: [{ id: ws, users: [{}], api_keys: [{}] }]',
      'choices.wrong-method: unknown value (did you mean 404?), expected one of 404, 405, got 406',
    ],
    [
      'a duplicate key',
      'now: 2025-01-20T09:00:00Z\nworkspaces:\n  - id: ws\n    id: wt\n    users: [{}]\n    api_keys: [{}]',
      'seed.yaml:4:5: workspaces[0].id: duplicate key, expected each key once, got "id"',
    ],
    [
      'broken YAML',
      'workspaces: [{ id: "ws }]',
      'seed.yaml:1:26: syntax: Missing closing "quote, expected YAML or JSON, got the end of a line',
    ],
    ['an alias to nothing', 'workspaces: *nowhere', 'expected YAML or JSON'],
  ])('is refused: %s', async (_rule, text, expected) => {
    expect(await refusal(text)).toContain(expected);
  });

  test('is refused: ids, key values that two workspaces share', async () => {
    const one = (id: string) => `{ id: ${id}, users: [{ id: u }], api_keys: [{ value: k }] }`;
    const message = await refusal(`workspaces:\n- ${one('a')}\n- ${one('b')}\n- ${one('a')}`);
    expect(message).toContain(
      'seed.yaml:3:26: workspaces[1].users[0].id: duplicate id, expected one of its own, got "u", as in workspaces[0].users[0]',
    );
    expect(message).toContain('seed.yaml:3:52: workspaces[1].api_keys[0].value: duplicate value');
    expect(message).toContain('seed.yaml:4:9: workspaces[2].id: duplicate id');
    expect(message.split('\n')).toHaveLength(5);
  });

  test('has all its problems named, in the order of the file', async () => {
    const message = await refusal(`now: soon
random_seed: x
workspaces:
  - id: ws
    id: ws
    users: [{ id: u, state: gone }]
    api_keys: [{ user_id: v, scope: root }]
`);
    expect(message.split('\n').map((line) => line.split(': ').slice(0, 2).join(' '))).toEqual([
      'seed.yaml:1:6 now',
      'seed.yaml:2:14 random_seed',
      'seed.yaml:5:5 workspaces[0].id',
      'seed.yaml:6:29 workspaces[0].users[0].state',
      'seed.yaml:7:27 workspaces[0].api_keys[0].user_id',
      'seed.yaml:7:37 workspaces[0].api_keys[0].scope',
    ]);
  });

  test('has the same places in JSON', async () => {
    const json =
      '{\n\t"workspaces": [\n\t\t{ "id": "ws", "users": [{ "id": 5 }],\n\t\t\t"api_keys": [{ "user_id": "x\\"y:" }] }\n\t]\n}';
    const message = await refusal(json);
    expect(message).toContain('seed.yaml:3:35: workspaces[0].users[0].id: wrong type');
    expect(message).toContain('seed.yaml:4:30: workspaces[0].api_keys[0].user_id: unknown reference');
  });

  test('is refused for a key twice in JSON, which JSON.parse hides', async () => {
    const message = await refusal(
      '{ "workspaces": [{ "id": "ws", "users": [{ "name": "a\\\\", "name": ":" }], "api_keys": [{}] }] }',
    );
    expect(message).toContain('workspaces[0].users[0].name: duplicate key');
  });

  test('has paths and no places when it was parsed already', async () => {
    const error = await checkSeed({ workspaces: [{ id: 'ws', users: [{ role: 5 }], api_keys: [{}] }] }, options).catch(
      (reason) => reason,
    );
    expect(error.problems).toEqual([
      { path: 'workspaces[0].users[0].role', what: 'wrong type (quote it)', expected: 'a string', got: '5' },
    ]);
    expect(error.message).toBe('seed.yaml: workspaces[0].users[0].role: wrong type (quote it), expected a string, got 5');
  });
});

describe('a correct seed', () => {
  test('may use anchors, aliases and merge keys', async () => {
    const text = `workspaces:
  - id: ws
    users: [&ada { id: user_ada, role: admin }, { <<: *ada, id: user_bo }]
    api_keys: [{}]
`;
    expect((await readSeed(text, options)).workspaces[0]!.users.map(({ role }) => role)).toEqual(['admin', 'admin']);
  });

  test('is the same seed as YAML, as JSON, behind a byte order mark, and as an object', async () => {
    const file = { workspaces: [{ id: 'ws', users: [{ id: 'u', name: '__proto__' }], api_keys: [{ value: 'k' }] }] };
    const seed = await checkSeed(file, options);
    expect(await readSeed(JSON.stringify(file), options)).toEqual(seed);
    expect(await readSeed(`\uFEFF${JSON.stringify(file)}`, options)).toEqual(seed);
    expect(
      await readSeed('workspaces: [{ id: ws, users: [{ id: u, name: __proto__ }], api_keys: [{ value: k }] }]', options),
    ).toEqual(seed);
    expect(
      await readSeed('{ workspaces: [{ id: ws, users: [{ id: u, name: __proto__ }], api_keys: [{ value: k }] }] }', options),
    ).toEqual(seed);
  });
});

test.each([
  ['release: 1.0', '1.0'],
  ['release: 1.2', '1.2'],
  ['release: "1.1"', '1.1'],
  ['', LATEST],
])('a seed with %j is of release %s', async (line, release) => {
  const seed = await readSeed(`${line}\nworkspaces: [{ id: ws_a, users: [{}], api_keys: [{ value: k }] }]\n`, {
    name: 's',
    now: 0,
  });
  expect(seed.release).toBe(release);
});
