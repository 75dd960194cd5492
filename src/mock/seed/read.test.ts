// How a broken seed is refused: every problem, with its place.
import { describe, expect, test } from 'vitest';
import { LATEST } from '../../service/contract/releases.ts';
import { checkSeed, readSeed, SeedError } from './read.ts';

const options = { name: 'seed.yaml', now: Date.parse('2025-01-20T09:00:00Z') };
describe('a broken seed', () => {
  test('has paths and no places when it was parsed already', async () => {
    const error = await checkSeed({ workspaces: [{ id: 'ws', users: [{ role: 5 }], api_keys: [{}] }] }, options).catch(
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(SeedError);
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
