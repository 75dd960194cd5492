// The texts that seeds are made of, and the small functions that make ids, names and addresses of them.
import { describe, expect, test } from 'vitest';
import { golden } from '../test/golden.ts';
import { didYouMean } from '../validation/nearest.ts';
import { show, showPath } from '../validation/show.ts';
import { newId } from '../world/ids.ts';
import { Random } from '../world/random.ts';
import { blankSeed } from './blank.ts';
import { chanceOf, fresh, hostOf, Ids, nameFromId, personName, pick, slug } from './made.ts';
import { Phrases } from './phrases.ts';
import { keysOf, readSource, writtenKeys } from './source.ts';
import { STARTER } from './starter.ts';
import { COMMENTS, DOMAINS, ENDINGS, SENTENCES, STEPS, TEAM_NAMES } from './words.ts';

const laid = (value: unknown) => JSON.stringify(value, null, 1);

test('the seed of those who give none', () => golden('seed/blank', laid(blankSeed())));

test('the starter', () => golden('seed/starter', STARTER));

test('the words of which work is made', () => {
  golden('seed/words', laid({ DOMAINS, ENDINGS, SENTENCES, STEPS, COMMENTS, TEAM_NAMES }));
  const random = new Random(1);
  const names = new Set(Array.from({ length: 600 }, () => personName(random)).flatMap((name) => name.split(' ')));
  golden('seed/people', [...names].sort().join('\n'));
});

test('the names of projects: each once, then each once more with a number', () => {
  const phrases = new Phrases(new Random(3));
  const names = Array.from({ length: 900 }, (_, n) => phrases.project(n).name);
  golden('seed/project-names', names.join('\n'));
  expect(new Set(names).size).toBe(900);
});

describe('an id that is made', () => {
  test('is none that is taken', () => {
    const [first, second, third] = [0, 0, 0].map(
      (
        (random) => () =>
          newId(random, 'tasks', 'prefixed')
      )(new Random(6)),
    );
    const ids = new Ids(new Set([first!, second!]), 'prefixed');
    expect(ids.make(new Random(6), 'tasks')).toBe(third);
  });

  test('comes from a chance of its own, by purpose and by seed', () => {
    const drawn = [chanceOf(1, 'one'), chanceOf(1, 'two'), chanceOf(2, 'one'), chanceOf(1, 'one')].map((one) =>
      one.fraction('x'),
    );
    expect(new Set(drawn).size).toBe(3);
    expect(drawn[3]).toBe(drawn[0]);
  });
});

test('each of a list is picked, and nothing beside it', () => {
  const random = new Random(2);
  const seen = new Set(Array.from({ length: 200 }, () => pick(random, 'x', ['a', 'b', 'c'])));
  expect([...seen].sort()).toEqual(['a', 'b', 'c']);
});

test('a fresh text is numbered from 2 on, and taken from then on', () => {
  const taken = new Set(['a', 'a2']);
  expect(fresh(taken, (suffix) => `a${suffix}`)).toBe('a3');
  expect(fresh(taken, (suffix) => `a${suffix}`)).toBe('a4');
  expect(fresh(taken, (suffix) => `a${suffix}`, ' ')).toBe('a 2');
  expect(fresh(taken, (suffix) => `b${suffix}`)).toBe('b');
  expect([...taken]).toEqual(['a', 'a2', 'a3', 'a4', 'a 2', 'b']);
});

test.each([
  ['Zoë Ångström', 'zoe.angstrom'],
  ['..A--b__c  9!', 'a.b.c.9'],
  ['王小明', ''],
  ['', ''],
])('%j is %j in an address', (text, expected) => expect(slug(text)).toBe(expected));

test.each([
  ['ws_acme_gardens', 'Acme Gardens', 'acme-gardens.test'],
  ['ws_', 'Ws ', 'ws.test'],
  ['acme', 'Acme', 'acme.test'],
  ['x_y_z', 'Y Z', 'y-z.test'],
  ['A_b', 'A B', 'a-b.test'],
  ['ws_a--b__c', 'A B C', 'a-b-c.test'],
  ['ws_王', '王', 'workspace.test'],
])('the workspace %j is named %j, its host %j', (id, name, host) => {
  expect([nameFromId(id), hostOf(id)]).toEqual([name, host]);
});

describe('did you mean', () => {
  const known = ['todo', 'done', 'in_progress', 'in_review', 'backlog'];
  test.each([
    ['toodo', 'todo'],
    ['tod', 'todo'],
    ['TODO', 'todo'],
    ['odot', 'todo'],
    ['odto_', ''],
    ['dome', 'done'],
    ['in_progrs', 'in_progress'],
    ['in_prog', ''],
    ['in_pr', ''],
    ['bakclog', 'backlog'],
    ['xyzklog', 'backlog'],
    ['wxyzlog', ''],
    ['', ''],
    ['x', ''],
    ['backlogging', ''],
    ['backlogxx', 'backlog'],
    ['backlogxxx', 'backlog'],
    ['backlogxxxx', ''],
  ])('%j: %j', (word, expected) => {
    expect(didYouMean(word, known)).toBe(expected === '' ? '' : ` (did you mean ${expected}?)`);
  });

  test('names the nearest, and of two as near the first', () => {
    expect(didYouMean('abc', ['abd', 'abc', 'abe'])).toBe(' (did you mean abc?)');
    expect(didYouMean('abc', ['abd', 'abe'])).toBe(' (did you mean abd?)');
    expect(didYouMean('abcdefg', ['abcxyfg', 'abcdxfg'])).toBe(' (did you mean abcdxfg?)');
    expect(didYouMean('abc', [])).toBe('');
    expect(didYouMean('a', ['b'])).toBe(' (did you mean b?)');
    expect(didYouMean('a', ['bc'])).toBe('');
  });
});

test('a path and a value are shown as short as they can be', () => {
  expect(showPath([])).toBe('');
  expect(showPath(['a', 0, 'b-c', '$d', 'e f', '', 'g"h', 1])).toBe('a[0].b-c.$d["e f"][""]["g\\"h"][1]');
  expect(showPath(['e f', 'a'])).toBe('["e f"].a');
  expect([undefined, null, true, 7, [], {}, 'x"y'].map(show)).toEqual(['nothing', 'null', 'true', '7', '[]', '{}', '"x\\"y"']);
  expect(show('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
  expect(show('x'.repeat(61))).toBe(`"${'x'.repeat(59)}…"`);
  expect(show('🦔'.repeat(40))).toBe(`"${'🦔'.repeat(29)}…"`);
});

test.each<[unknown, number]>([
  [null, 0],
  ['"a":', 0],
  [7, 0],
  [[], 0],
  [{}, 0],
  [{ a: 1 }, 1],
  [{ a: { b: null, c: [{ d: 1 }, [{ e: 'f":' }], 'g'] } }, 5],
  [[{ a: 1 }, { a: 1 }], 2],
  [{ 'a"b': 'c\\', '\\': '"', '': { '\\"': ':' } }, 4],
])('the keys of %j are counted in the value and in its text, however it is laid out', (value, count) => {
  if (typeof value === 'object' && value !== null) expect(keysOf(value)).toBe(count);
  for (const text of [
    JSON.stringify(value),
    JSON.stringify(value, null, 2),
    JSON.stringify(value, null, '\t').replaceAll('":', '"\n :'),
  ]) {
    expect(writtenKeys(text)).toBe(count);
  }
});

test('a key that is written twice is counted twice', () => {
  expect(writtenKeys('{"a":1,"a" : 2,"b":"a:"}')).toBe(3);
  expect(writtenKeys('{"a\\\\":1,"b\\\\\\"":2}')).toBe(2);
  expect(writtenKeys('')).toBe(0);
});

describe('a JSON text', () => {
  const TWICE = { path: '', what: 'duplicate key', expected: 'each key once', got: 'a key twice in one object' };
  const read = async (text: string, longest: number) => {
    const { value, readable, problems, placeOf } = await readSource(text, longest);
    return { value, readable, problems, place: (await placeOf())(['b', 0, 'c'], false) };
  };
  const text = '{ "a": "x\\":", "b" : [{ "c": null }] }';
  const value = { a: 'x":', b: [{ c: null }] };

  test('has its places looked up, unless it is too long for that', async () => {
    const fine = { value, readable: true, problems: [] };
    expect(await read(text, text.length)).toEqual({ ...fine, place: { line: 1, column: 30 } });
    expect(await read(text, text.length - 1)).toEqual({ ...fine, place: undefined });
    expect(await read(`\uFEFF ${text}`, 0)).toEqual({ ...fine, place: undefined });
  });

  test('tells of a key that is there twice, where it is and when it is too long', async () => {
    const twice = text.replace('{ "a"', '{ "a": 1, "a"');
    expect(await read(twice, 1000)).toEqual({
      value,
      readable: true,
      problems: [{ line: 1, column: 11, path: 'a', what: 'duplicate key', expected: 'each key once', got: '"a"' }],
      place: { line: 1, column: 38 },
    });
    expect(await read(twice, 0)).toEqual({ value, readable: true, problems: [TWICE], place: undefined });
  });

  test('that is none is read as YAML', async () => {
    expect(await read('b: [{ c: 1 }]', 0)).toEqual({
      value: { b: [{ c: 1 }] },
      readable: true,
      problems: [],
      place: { line: 1, column: 10 },
    });
    expect((await read('{ b: [{ c: 1 }] }', 0)).value).toEqual({ b: [{ c: 1 }] });
    expect(await read('{ "b": [', 0)).toMatchObject({ value: undefined, readable: false, problems: [{ line: 1, column: 9 }] });
  });
});
