// A seed with many problems: the first hundred are listed, and reading it takes no long time.
import { describe, expect, test } from 'vitest';
import { checkSeed, readSeed, type SeedError } from './read.ts';

const MANY = 30_000;
const options = { name: 'seed', now: 0 };
const BASE = { id: 'ws', users: [{ id: 'u' }], api_keys: [{ scope: 'admin', user_id: 'u' }] };
const many = <T>(make: (i: number) => T): T[] => Array.from({ length: MANY }, (_, i) => make(i));
const FIELDS = Object.fromEntries(many((i) => [`field_${i}`, 1]));
const within = (more: object) => ({ workspaces: [{ ...BASE, ...more }] });

const refusalOf = (reading: Promise<unknown>): Promise<SeedError> => reading.then(Promise.reject, (error) => error);

describe('the first hundred of many problems are listed, and how many more there are:', () => {
  test.each<[string, object, number]>([
    ['unknown fields', { ...within({}), ...FIELDS }, MANY],
    ['unknown choices', { ...within({}), choices: FIELDS }, MANY],
    ['users with an unknown field', within({ users: many((i) => ({ id: `u${i}`, idd: 1 })) }), MANY + 1],
    ['registrations for what is no event', within({ webhooks: many(() => ({ url: 'https://a.example', events: 5 })) }), MANY],
    [
      'references to unknown users among many',
      within({ users: many((i) => ({ id: `user_${i}` })), projects: many((i) => ({ name: 'P', owner_id: `usr_${i}` })) }),
      MANY + 1,
    ],
  ])('%s', async (_, seed, count) => {
    const { problems, more, message } = await refusalOf(checkSeed(seed, options));
    expect([problems.length, more]).toEqual([100, count - 100]);
    const lines = message.split('\n');
    expect([lines.length, lines.at(-1)]).toEqual([101, `and ${(count - 100).toLocaleString('en-US')} more`]);
  });

  test.each<[string, (i: number) => string, number]>([
    ['many unknown keys', (i) => `k${i}: 1\n`, 2],
    ['one key many times', () => 'k: 1\n', 3],
  ])('a text with %s has a place for each that is listed', async (_, line, from) => {
    const text = `workspaces: [{id: ws, users: [{id: u}], api_keys: [{scope: admin, user_id: u}]}]\n${many(line).join('')}`;
    const { problems, more, message } = await refusalOf(readSeed(text, options));
    expect(problems.map((problem) => problem.line)).toEqual(Array.from({ length: 100 }, (_one, i) => i + from));
    expect([more, message.endsWith('\nand 29,900 more')]).toEqual([MANY - 100, true]);
  });

  test('a hundred are listed whole', async () => {
    const fields = Object.fromEntries(Object.entries(FIELDS).slice(0, 100));
    const { problems, more, message } = await refusalOf(checkSeed({ ...within({}), ...fields }, options));
    expect([problems.length, more, message.includes('more')]).toEqual([100, 0, false]);
  });
});

test('the counts to generate are told before any record is made', async () => {
  const estimates: unknown[] = [];
  const generate = { users: 5, projects: 1000, tasks_per_project: 1000, comments_per_task: 1, teams: 3 };
  const toGenerate = (counts: unknown) => {
    estimates.push(counts);
    throw new RangeError('too many');
  };
  const began = performance.now();
  await expect(checkSeed(within({ generate }), { ...options, toGenerate })).rejects.toThrow('too many');
  expect(performance.now() - began).toBeLessThan(1000);
  expect(estimates).toEqual([{ users: 5, projects: 1000, tasks: 1_000_000, comments: 1_000_000, teams: 3 }]);
});
