// What is released stays: the document of each release is the frozen one, and what comes next breaks no client of the last.
import { describe, expect, test } from 'vitest';
import { LATEST, NEXT, RELEASE_NAMES } from '../src/service/contract/releases.ts';
import { openApi } from '../src/service/openapi/openapi.ts';
import { breaking } from './differences.ts';
import { printJson } from './print-json.ts';
import { applyPatch, makePatch, printRelease, readReleased } from './released.ts';

describe('a released document', () => {
  test.each(RELEASE_NAMES)('of v%s is the frozen one, byte for byte', (release) => {
    const text = readReleased(release);
    if (text === undefined)
      throw new Error(`the document of v${release} is not frozen: run \`node documents/generate.mjs --freeze\``);
    const made = printRelease(release).split('\n');
    const changed = text.split('\n').findIndex((line, i) => line !== made[i]);
    if (changed >= 0)
      throw new Error(
        `v${release} is released and would change: what is new has \`since: 'next'\`. Line ${changed + 1} differs.\n  frozen: ${text.split('\n')[changed]}\n  now:    ${made[changed]}`,
      );
    expect(made.join('\n')).toBe(text);
  });

  test('is not broken by what is not released', () => {
    expect(breaking(openApi({ release: LATEST }), openApi({ release: NEXT }))).toEqual([]);
  });
});

describe('a patch', () => {
  test.each([
    ['a\nb\nc\n', 'a\nB\nc\n'],
    ['a\nb\nc\n', 'b\nc\n'],
    ['a\nb\n', 'a\nb\nc\nd\n'],
    ['a\nb\n', 'x\na\ny\nb\n'],
  ])('leads from %j to %j', (before, after) => {
    expect(applyPatch(before, makePatch(['a', 'b'], [before, after]))).toBe(after);
  });

  test('that does not fit is refused', () => {
    expect(() => applyPatch('x\n', makePatch(['a', 'b'], ['a\n', 'b\n']))).toThrow('line 1 is not a');
  });
});

test('JSON is printed with what fits in a line on one', () => {
  const long = 'x'.repeat(210);
  expect(printJson({ a: [1, { b: null }], c: {}, d: [], e: undefined })).toBe('{ "a": [1, { "b": null }], "c": {}, "d": [] }\n');
  expect(printJson({ a: [long, 1], b: [] })).toBe(`{\n  "a": [\n    "${long}",\n    1\n  ],\n  "b": []\n}\n`);
});
