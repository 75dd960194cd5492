// The texts that seeds are made of, and the small functions that make ids, names and addresses of them.
import { describe, expect, test } from 'vitest';
import { LATEST } from '../../service/contract/releases.ts';
import { didYouMean, pathText, valueText } from '../../service/validation/show.ts';
import { Random } from '../../service/world/random.ts';
import type { Seed } from '../../service/world/records.ts';
import { blankSeed } from './blank.ts';
import { WORDS } from './phrases.generated.ts';
import { Phrases } from './phrases.ts';
import { hostOf, makeUnique, nameFromId, personName, slug } from './seed-context.ts';
import { readSource } from './source.ts';

const { domains: DOMAINS, endings: ENDINGS, ...LISTS } = WORDS;

test('the seed of those who give none: one workspace without limit, two people, a key of each scope', () => {
  const { workspaces, ...rest } = blankSeed();
  expect(rest).toMatchObject({ now: null, randomSeed: 1, release: LATEST, forward: [] });
  expect(workspaces).toHaveLength(1);
  const [{ users, keys, ...workspace }] = workspaces as [Seed['workspaces'][number]];
  const empty = { projects: [], tasks: [], comments: [], teams: [], webhooks: [] };
  expect(workspace).toEqual({ id: 'ws_main', name: 'Main', plan: 'unlimited', ...empty });
  expect(users.map(({ id, name, email, role, avatar_url }) => [id, name, email, role, avatar_url])).toEqual([
    ['user_ada', 'Ada Lovelace', 'ada@example.test', 'admin', 'https://example.test/ada.png'],
    ['user_grace', 'Grace Hopper', 'grace@example.test', 'member', 'https://example.test/grace.png'],
  ]);
  expect(keys.map(({ id, value, name, scope, user_id }) => [id, value, name, scope, user_id])).toEqual([
    ['key_read', 'wm_read', 'read', 'read', 'user_grace'],
    ['key_write', 'wm_write', 'write', 'write', 'user_grace'],
    ['key_admin', 'wm_admin', 'admin', 'admin', 'user_ada'],
  ]);
  const born = '2024-07-01T09:00:00.000Z';
  expect(new Set([...users, ...keys].map(({ created_at }) => created_at))).toEqual(new Set([born]));
});

test('the words of which work is made: enough of each kind, each once, none of them blank', () => {
  const kinds = [...DOMAINS.flatMap((domain) => Object.values(domain)), ...Object.values(LISTS)];
  for (const words of kinds) {
    expect(words.length).toBeGreaterThanOrEqual(6);
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((word) => !/^\S(.*\S)?$/s.test(word) || /,|\s\s/.test(word.replace(/[.,:;] /g, '')))).toEqual([]);
  }
  expect(DOMAINS.map(({ subjects, kinds: of, verbs }) => [subjects, of, verbs].map(({ length }) => length))).toEqual(
    DOMAINS.map(() => [10, 8, 10]),
  );
  expect(ENDINGS.filter((ending) => ending === '')).toHaveLength(4);
  expect(ENDINGS.every((ending) => ending.split(' ').length <= 3)).toBe(true);
});

test('a description is none, or sentences, or paragraphs with four steps in a row', () => {
  const phrases = new Phrases(new Random(4));
  const texts = Array.from({ length: 600 }, () => phrases.description());
  const first = (text: string) => LISTS.sentences.some((sentence) => text.startsWith(sentence));
  const written = texts.flatMap((text) => (text === null ? [] : [text]));
  expect(written.length / texts.length).toBeCloseTo(2 / 3, 1);
  const paragraphs = written.map((text) => text.split('\n\n'));
  expect(new Set(paragraphs.map(({ length }) => length))).toEqual(new Set([1, 2, 3]));
  for (const [text, more, steps] of paragraphs) {
    expect(first(text!)).toBe(true);
    if (more !== undefined) expect(first(more) && text!.split(/(?<=[.?!]) /).length >= 3).toBe(true);
    if (steps === undefined) continue;
    const at = LISTS.steps.indexOf(steps.split('\n')[0]!.slice(2));
    expect(steps.split('\n')).toEqual(LISTS.steps.slice(at, at + 4).map((step) => `- ${step}`));
  }
  const comments = Array.from({ length: 600 }, () => phrases.comment());
  expect(comments.every((text) => LISTS.comments.some((comment) => text.startsWith(comment)))).toBe(true);
  expect(comments.filter((text) => !LISTS.comments.includes(text)).length / 600).toBeCloseTo(0.3, 1);
});

test('the names of projects: each once, then each once more with a number', () => {
  const phrases = new Phrases(new Random(3));
  const names = Array.from({ length: 960 }, (_, n) => phrases.project(n).name);
  const once = DOMAINS.flatMap(({ subjects, kinds }) => subjects.flatMap((subject) => kinds.map((kind) => `${subject} ${kind}`)));
  expect(names.slice(0, 320).sort()).toEqual(once.sort());
  expect(names.slice(320, 640).sort()).toEqual(once.map((name) => `${name} 2`));
  expect(names[640]).toMatch(/ 3$/);
});

test('a made person has a first and a last name, each of many', () => {
  const random = new Random(1);
  const names = Array.from({ length: 600 }, () => personName(random).split(' '));
  expect(names.every((parts) => parts.length === 2 && parts.every((part) => /^[A-Z]/.test(part)))).toBe(true);
  for (const part of [0, 1]) expect(new Set(names.map((parts) => parts[part])).size).toBeGreaterThan(9);
});

test('a fresh text is numbered from 2 on, and taken from then on', () => {
  const taken = new Set(['a', 'a2']);
  expect(makeUnique(taken, (suffix) => `a${suffix}`)).toBe('a3');
  expect(makeUnique(taken, (suffix) => `a${suffix}`)).toBe('a4');
  expect(makeUnique(taken, (suffix) => `a${suffix}`, ' ')).toBe('a 2');
  expect(makeUnique(taken, (suffix) => `b${suffix}`)).toBe('b');
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
  const known = ['todo', 'done', 'in_progress', 'in_review', 'backlog', '200'];
  const MEANT = `toodo=todo tod=todo TODO=todo odot=todo dome=done in_progrs=in_progress bakclog=backlog xyzklog=backlog
    backlogxx=backlog backlogxxx=backlog odto_= in_prog= in_pr= wxyzlog= = x= 204= backlogging= backlogxxxx=`;
  test.each(MEANT.split(/\s+/).map((row) => row.split('=') as [string, string]))('%j: %j', (word, expected) => {
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
  expect(pathText([])).toBe('');
  expect(pathText(['a', 0, 'b-c', '$d', 'e f', '', 'g"h', 1])).toBe('a[0].b-c.$d["e f"][""]["g\\"h"][1]');
  expect(pathText(['e f', 'a'])).toBe('["e f"].a');
  expect([undefined, null, true, 7, [], {}, 'x"y'].map(valueText).join(' ')).toBe('nothing null true 7 [] {} "x\\"y"');
  expect(valueText('x'.repeat(60))).toBe(`"${'x'.repeat(60)}"`);
  expect(valueText('x'.repeat(61))).toBe(`"${'x'.repeat(59)}…"`);
  expect(valueText('🦔'.repeat(40))).toBe(`"${'🦔'.repeat(29)}…"`);
});

describe('a JSON text', () => {
  const TWICE = { path: '', what: 'duplicate key', expected: 'each key once', got: 'a key twice in one object' };
  const read = async (text: string, longest: number) => {
    const { value, problems, placeOf } = await readSource(text, longest);
    return { value, problems, place: (await placeOf())(['b', 0, 'c'], false) };
  };
  const text = '{ "a": "x\\":", "b" : [{ "c": null }] }';
  const value = { a: 'x":', b: [{ c: null }] };

  test('has its places looked up, unless it is too long for that', async () => {
    const fine = { value, problems: [] };
    expect(await read(text, text.length)).toEqual({ ...fine, place: { line: 1, column: 30 } });
    expect(await read(text, text.length - 1)).toEqual({ ...fine, place: undefined });
    expect(await read(`\uFEFF ${text}`, 0)).toEqual({ ...fine, place: undefined });
  });

  test('tells of a key that is there twice, where it is and when it is too long', async () => {
    const twice = text.replace('{ "a"', '{ "a": 1, "a"');
    expect(await read(twice, 1000)).toEqual({
      value,
      problems: [{ line: 1, column: 11, path: 'a', what: 'duplicate key', expected: 'each key once', got: '"a"' }],
      place: { line: 1, column: 38 },
    });
    expect(await read(twice, 0)).toEqual({ value, problems: [TWICE], place: undefined });
  });

  test('is read as YAML when it is no JSON', async () => {
    expect(await read('b: [{ c: 1 }]', 0)).toEqual({
      value: { b: [{ c: 1 }] },
      problems: [],
      place: { line: 1, column: 10 },
    });
    expect((await read('{ b: [{ c: 1 }] }', 0)).value).toEqual({ b: [{ c: 1 }] });
    expect(await read('{ "b": [', 0)).toMatchObject({ value: undefined, problems: [{ line: 1, column: 9 }] });
  });
});
