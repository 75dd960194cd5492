// Problems of a seed at their places: a field that is missing, unknown or of a wrong value, by line and column.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { RELEASE_NAMES } from '../../service/contract/releases.ts';
import { pathText } from '../../service/validation/show.ts';
import { checkSeed, readSeed, seedFaults } from './read.ts';
import type { SeedError } from './seed-error.ts';
import { SeedTimeReader } from './times.ts';

const NOW = Date.parse('2025-01-20T09:00:00Z');
const options = { name: 's', now: NOW };
const saidOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'sound',
    (error: SeedError) => error.message,
  );

const WHOLE = parse(readFileSync(new URL('golden/every-field.yaml', import.meta.url), 'utf8'));

type Step = string | number;
const pathsIn = (value: unknown, path: readonly Step[] = []): (readonly Step[])[] => {
  if (typeof value !== 'object' || value === null) return [path];
  const entries = Array.isArray(value) ? value.map((one, i) => [i, one] as const) : Object.entries(value);
  return [path, ...entries.flatMap(([step, one]) => pathsIn(one, [...path, step]))];
};
const PATHS = pathsIn(WHOLE).slice(1);

/** A copy of the whole seed with another value at a path; undefined: with none. */
const alter = (path: readonly Step[], value: unknown): object => {
  const copy = structuredClone(WHOLE);
  // biome-ignore lint/suspicious/noExplicitAny: a path leads anywhere.
  const holder = path.slice(0, -1).reduce((one: any, step) => one[step], copy);
  if (value === undefined) {
    if (Array.isArray(holder)) holder.splice(path.at(-1) as number, 1);
    else delete holder[path.at(-1)!];
  } else holder[path.at(-1)!] = value;
  return copy;
};

const faultsOf = (seed: object) => seedFaults(seed, new SeedTimeReader(NOW));
const show = (seed: object) =>
  faultsOf(seed).map(
    ({ path, what, hint = '', expected, got }) => `${pathText(path)}: ${what}${hint}, expected ${expected}, got ${got}`,
  );

describe('a seed with every field', () => {
  test('is sound', async () => expect(await saidOf(checkSeed(WHOLE, options))).toBe('sound'));

  test('needs few of its values, and names the one that is missing', () => {
    const needed = PATHS.filter((path) => faultsOf(alter(path, undefined)).some(({ what }) => what === 'missing'));
    const names = `
      progress.sequence progress.drawn progress.drawn[0].stream progress.drawn[0].count
      progress.order.projects[0].from progress.order.projects[0].count workspaces workspaces[0].id
      workspaces[0].api_keys workspaces[0].projects[0].tasks[0].title
      workspaces[0].projects[0].tasks[0].comments[0].body workspaces[0].tasks[0].title
      workspaces[0].tasks[0].project_id workspaces[0].tasks[0].comments[0].body workspaces[0].comments[0].body
      workspaces[0].comments[0].task_id workspaces[0].webhooks[0].url`;
    expect(needed.map(pathText)).toEqual(names.trim().split(/\s+/));
    for (const path of needed) expect(show(alter(path, undefined)).join()).toContain(`${pathText(path)}: missing, expected a`);
  });

  test('takes no field of another name in any of its objects, and says which there are', () => {
    for (const path of [[], ...PATHS]) {
      const seed = structuredClone(WHOLE);
      // biome-ignore lint/suspicious/noExplicitAny: a path leads anywhere.
      const holder = path.reduce((one: any, step) => one[step], seed as any);
      if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) continue;
      const [known] = Object.keys(holder);
      holder.unheard_of = 1;
      const [fault] = faultsOf(seed);
      const results = [fault!.path, fault!.what, fault!.got, fault!.atKey];
      expect(results).toEqual([[...path, 'unheard_of'], 'unknown field', '"unheard_of"', true]);
      if (path[0] !== 'choices') expect(`${fault!.expected},`).toMatch(new RegExp(`[ ]${known!.replace('$', '\\$')},`));
    }
  });

  const CHANGES = 'all, fields, enums, messages, endpoints, headers, order';
  const TIME = 'ISO 8601 with `Z` or an offset, or a time from now such as -2h or +3d';
  const RECEIVER = 'an https URL, or http inside your network';
  const TASK = 'workspaces[0].projects[0].tasks[0]';
  const HOOK = 'workspaces[0].webhooks[0]';
  test.each<[path: string, value: unknown, says?: string]>([
    ['release', 1.1],
    ['release', '1.1'],
    ['release', '2.0', `unknown value, expected one of ${RELEASE_NAMES.join(', ')}, got "2.0"`],
    ['now', '-2h', 'not a time, expected ISO 8601 with `Z` or an offset, such as 2025-01-20T09:00:00Z, got "-2h"'],
    ['random_seed', 1e16, 'too large, expected at most 9007199254740991, got 10000000000000000'],
    ['random_seed', '7', 'wrong type, expected an integer, got "7"'],
    ['forward_compat', 'all'],
    ['forward_compat', 'field', `wrong value, expected all, none or any of ${CHANGES.slice(5)}, got "field"`],
    ['choices.patch-status', 202],
    ['choices.patch-status', 204, 'unknown value, expected one of 200, 201, 202, got 204'],
    ['workspaces', [], 'too few, expected at least 1 item, got none'],
    ['workspaces[0].plan', 'por', 'unknown value, expected one of free, pro, business, unlimited, got "por"'],
    [`${TASK}.due_date`, null],
    [`${TASK}.due_date`, '+99999999w', `not a time, expected ${TIME}, got "+99999999w"`],
    [`${TASK}.due_date`, '2025-02-30T00:00:00Z', `not a time, expected ${TIME}, got "2025-02-30T00:00:00Z"`],
    [`${TASK}.title`, 404, 'wrong type (quote it), expected a string, got 404'],
    [`${TASK}.status`, 'blocked', 'unknown value, expected one of backlog, todo, in_progress, in_review, done, got "blocked"'],
    [`${HOOK}.events`, 'all'],
    [`${HOOK}.events`, 'task.created', 'unknown value, expected one of all, *, got "task.created"'],
    [`${HOOK}.events`, 5, 'wrong type (quote it), expected a string or an array, got 5'],
    [`${HOOK}.url`, 'hook', `not a receiver, expected ${RECEIVER}, got "hook"`],
    [`${HOOK}.url`, 'http://a.example.com', `not a receiver, expected ${RECEIVER}, got "http://a.example.com"`],
    ['workspaces[0].generate.users', 100_001, 'too large, expected at most 100000, got 100001'],
    ['workspaces[0].users[0]', null, 'wrong type, expected an object, got null'],
  ])('with %s as %j: %s', (path, value, says) => {
    const [first] = show(alter(path.match(/[^.[\]]+/g)!, value));
    expect(first).toBe(says && `${path}: ${says}`);
  });

  test('names each unknown kind of change by its place', () => {
    expect(show(alter(['forward_compat'], ['field']))).toEqual([
      `forward_compat[0]: unknown value (did you mean fields?), expected one of ${CHANGES}, got "field"`,
    ]);
  });

  test('has values of a later release where its service is ahead of its clients', () => {
    const seed = alter(['workspaces', 0, 'projects', 0, 'tasks', 0, 'status'], 'blocked');
    expect(show({ ...seed, forward_compat: true })).toEqual([]);
    expect(show({ ...seed, forward_compat: ['enums'] })).toEqual([]);
    expect(show({ ...seed, forward_compat: ['fields'] })).toHaveLength(1);
  });

  test('written as YAML has each problem at its line', async () => {
    for (const path of PATHS) {
      const text = stringify(alter(path, { wrong: [1] }), { lineWidth: 0 });
      const [first] = (await saidOf(readSeed(text, options))).split('\n');
      const at = text.split('\n').findIndex((line) => /^[- ]*wrong:$/.test(line)) + 1;
      expect(Number(first!.split(':')[1]), `${pathText(path)}: ${first}`).toBe(at);
    }
  });
});
