// The one checker: what each broken keyword is called, once at each place, in a sentence and behind the name of a field.
import { describe, expect, test } from 'vitest';
import { compiled } from '../../test/compiled.ts';
import type { Schema } from '../contract/schema.ts';
import { check, issueOf, issueWithGot, lineOf, type TimeReader } from './check.ts';
import { pathText } from './show.ts';

const times: TimeReader = { reads: (text, kind) => text === 'now' || (kind === 'any' && text === 'then') };
const lines = (schema: Schema<unknown>, value: unknown): string[] =>
  check(compiled(schema), value, times).map((finding) => lineOf(pathText(finding.path), finding));

const FIELDS = {
  type: 'object',
  additionalProperties: false,
  properties: { name: { type: 'string' }, status: { type: 'string', enum: ['todo', 'done'] }, count: { type: 'integer' } },
};

describe('a misfit is reported once at its place, with the expected and the given value', () => {
  test.each<[schema: Schema<unknown>, value: unknown, messages: readonly string[]]>([
    [{ type: 'string' }, 'x', []],
    [{ type: 'string' }, null, ['wrong type, expected a string, got null']],
    [{ type: 'string' }, 404, ['wrong type (quote it), expected a string, got 404']],
    [{ type: ['string', 'null'] }, true, ['wrong type (quote it), expected a string or null, got true']],
    [{ type: 'integer' }, 1.5, ['wrong type, expected an integer, got 1.5']],
    [{ type: 'integer' }, Number.NaN, ['wrong type, expected an integer, got NaN']],
    [{ type: 'number' }, Number.POSITIVE_INFINITY, ['wrong type, expected a number, got Infinity']],
    [{ type: 'number' }, 10n, ['wrong type, expected a number, got 10']],
    [{ type: 'boolean' }, 'yes', ['wrong type, expected a boolean, got "yes"']],
    [{ type: 'array' }, {}, ['wrong type, expected an array, got {}']],
    [{ type: 'object' }, [1], ['wrong type, expected an object, got [1]']],
    [{ 'x-kind': 'function' }, {}, ['wrong type, expected a function, got {}']],
    [{ 'x-kind': 'function' }, () => 1, []],
    [{ 'x-kind': 'Date' }, 'x', ['wrong type, expected a Date, got "x"']],
    [{ 'x-kind': 'Date' }, new Date(0), []],
    [{ type: 'string', writeOnly: true }, 5, ['wrong type (quote it), expected a string, got 5']],
    [
      { type: 'string', writeOnly: true, minLength: 9 },
      'sesame',
      ['too short, expected at least 9 characters, got another string'],
    ],
    [{ type: 'string', minLength: 1 }, '', ['too short, expected at least 1 character, got ""']],
    [{ type: 'string', maxLength: 2 }, 'a😀b', ['too long, expected at most 2 characters, got 3 characters']],
    [{ type: 'string', maxLength: 2 }, '😀😀', []],
    [{ type: 'string', maxLength: 1 }, 'ab', ['too long, expected at most 1 character, got 2 characters']],
    [{ type: 'string', pattern: '^m' }, 'n', ['wrong value, expected text that matches ^m, got "n"']],
    [{ type: 'string', pattern: '^m', 'x-says': 'must be an m' }, 'n', ['wrong value, expected an m, got "n"']],
    [{ type: 'string', format: 'uri' }, 'a', ['wrong value, expected an absolute URL, got "a"']],
    [{ type: 'string', 'x-time': 'any' }, 'then', []],
    [{ type: 'string', 'x-time': 'absolute' }, 'now', []],
    [
      { type: 'string', 'x-time': 'absolute', pattern: 'no' },
      'then',
      ['not a time, expected ISO 8601 with `Z` or an offset, such as 2025-01-20T09:00:00Z, got "then"'],
    ],
    [
      { type: ['string', 'null'], 'x-time': 'any' },
      'soon',
      ['not a time, expected ISO 8601 with `Z` or an offset, or a time from now such as -2h or +3d, got "soon"'],
    ],
    [{ type: 'integer', minimum: 2 }, 1, ['too small, expected at least 2, got 1']],
    [{ type: 'integer', maximum: 2 }, 3, ['too large, expected at most 2, got 3']],
    [{ type: 'array', minItems: 1 }, [], ['too few, expected at least 1 item, got none']],
    [{ type: 'array', minItems: 3 }, [1], ['too few, expected at least 3 items, got 1']],
    [{ type: 'array', maxItems: 1 }, [1, 2], ['too many, expected at most 1 item, got 2']],
    [
      { type: 'array', items: { type: 'boolean' } },
      [true, 1, 2],
      [1, 2].map((i) => `[${i}]: wrong type, expected a boolean, got ${i}`),
    ],
    [{ type: 'object', minProperties: 1 }, {}, ['empty, expected an object with at least one field, got {}']],
    [{ ...FIELDS, minProperties: 1 }, {}, ['empty, expected an object with one of name, status, count, got {}']],
    [{ enum: ['todo', 'done'] }, 'tood', ['unknown value (did you mean todo?), expected one of todo, done, got "tood"']],
    [{ enum: ['1.0', 1] }, 2, ['unknown value, expected one of 1.0, got 2']],
    [{ enum: [200, null] }, 2, ['unknown value, expected one of 200, null, got 2']],
    [{ type: 'string', enum: ['a'] }, 5, ['wrong type (quote it), expected a string, got 5']],
    [
      { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
      {},
      ['a: missing, expected a string, got nothing'],
    ],
    [{ type: 'object', required: ['a'], properties: { a: {} } }, {}, ['a: missing, expected a value, got nothing']],
    [
      FIELDS,
      { nmae: 1, status: 'don', count: undefined },
      [
        'nmae: unknown field (did you mean name?), expected one of name, status, count, got "nmae"',
        'status: unknown value (did you mean done?), expected one of todo, done, got "don"',
      ],
    ],
    [FIELDS, { naem: undefined }, []],
    [FIELDS, { coumt: 1 }, ['coumt: unknown field (did you mean count?), expected one of name, status, count, got "coumt"']],
    [{ type: 'object', additionalProperties: false }, { a: 1 }, ['a: unknown field, expected none, got "a"']],
    [
      { type: 'object', properties: { 'a/b~c': FIELDS } },
      { 'a/b~c': { count: 'x' } },
      ['["a/b~c"].count: wrong type, expected an integer, got "x"'],
    ],
    [{ const: 1 }, 2, ['wrong value, expected what the rule "const" asks for, got 2']],
  ])('%j: %s', (schema, value, messages) => expect(lines(schema, value)).toEqual(messages));
});

describe('an anyOf', () => {
  const ANY = {
    anyOf: [
      { type: 'string', enum: ['all', 'none'] },
      { type: 'integer', minimum: 0 },
      { type: 'array', items: { anyOf: [{ type: 'boolean' }, { type: 'string', minLength: 1 }] } },
      { type: 'object', required: ['min'], properties: { min: { type: 'integer' } } },
    ],
  };
  test.each<[value: unknown, messages: readonly string[]]>([
    ['all', []],
    [[true, 'x'], []],
    ['al', ['unknown value (did you mean all?), expected one of all, none, got "al"']],
    [-1, ['too small, expected at least 0, got -1']],
    [{}, ['min: missing, expected an integer, got nothing']],
    [{ min: 'x' }, ['min: wrong type, expected an integer, got "x"']],
    [
      [1, ''],
      [
        '[0]: wrong type (quote it), expected a boolean or a string, got 1',
        '[1]: too short, expected at least 1 character, got ""',
      ],
    ],
    [null, ['wrong type, expected a string or an integer or an array or an object, got null']],
    [1.5, ['wrong type (quote it), expected a string or an integer or an array or an object, got 1.5']],
  ])('reports for %j the schema of its type; with none of its type, which types there are', (value, messages) =>
    expect(lines(ANY, value)).toEqual(messages),
  );

  test('has messages of its own at each place', () => {
    const schema = { type: 'object', properties: { a: ANY, b: ANY, ab: { type: 'string' } } };
    expect(lines(schema, { a: 'x', b: [''], ab: 1 })).toEqual([
      'a: unknown value, expected one of all, none, got "x"',
      'b[0]: too short, expected at least 1 character, got ""',
      'ab: wrong type (quote it), expected a string, got 1',
    ]);
  });
});

test('behind the name of a field it is an issue, with what was got for those who wrote it by hand', () => {
  const issuesOf = (schema: Schema<unknown>, value: unknown) =>
    check(compiled(schema), value).map((finding) => [issueOf(finding), issueWithGot(finding)]);
  const must = (words: string, more: string) => [[`must ${words}`, `must ${words}, got ${more}`]];
  const empty = [['must not be empty', 'must not be empty']];
  expect(issuesOf({ type: 'string', minLength: 1 }, '')).toEqual(empty);
  expect(issuesOf({ type: 'array', minItems: 1 }, [])).toEqual(empty);
  expect(issuesOf({ type: 'array', minItems: 2 }, [])).toEqual(must('be at least 2 items', 'none'));
  expect(issuesOf({ type: 'string', minLength: 11 }, 'a')).toEqual(must('be at least 11 characters', '"a"'));
  expect(issuesOf({ enum: ['todo'] }, 'tod')).toEqual(must('be one of todo', '"tod" (did you mean todo?)'));
  expect(issuesOf({ type: 'object', required: ['a'] }, {})).toEqual([['is required', 'is required']]);
  expect(issuesOf(FIELDS, { naem: 1 })).toEqual([
    ['is unknown, expected one of name, status, count', 'is unknown, expected one of name, status, count (did you mean name?)'],
  ]);
});

test('a longer list of words is cut', () => {
  const words = Array.from({ length: 25 }, (_, i) => `word${i + 10}`);
  expect(lines({ enum: words.slice(1) }, 'x')[0]).toMatch(/word33, word34, got "x"$/);
  expect(lines({ enum: words }, 'x')[0]).toMatch(/word32, word33, …, got "x"$/);
});
