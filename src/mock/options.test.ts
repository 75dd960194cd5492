// Options that are misspelt or impossible are refused by name, each with what was expected and what was got.
import { describe, expect, test } from 'vitest';
import { createMock as createNodeMock } from '../node/index.ts';
import { createMock } from './create.ts';
import type { MockOptions } from './options.ts';
import { checkOptions } from './options.ts';

const LATENCY = 'latency: expected milliseconds from 0 to 999999, or { min, max } with a min that is not above its max';
const KNOWN =
  'seed, seedName, now, randomSeed, plan, release, forwardCompat, choices, latency, deliverPublic, worldIdleMs, controlToken, allowHosts, sender, docsScript';

describe('an option', () => {
  test.each<[object, string]>([
    [{ plan: 'gold' }, 'plan: expected one of free, pro, business, unlimited, got "gold"'],
    [{ plan: 60 }, 'plan: expected one of free, pro, business, unlimited, got 60'],
    [{ latency: -1 }, `${LATENCY}, got -1`],
    [{ latency: 'x' }, `${LATENCY}, got "x"`],
    [{ latency: Number.NaN }, `${LATENCY}, got NaN`],
    [{ latency: 1_000_000 }, `${LATENCY}, got 1000000`],
    [{ latency: { min: 500, max: 1 } }, `${LATENCY}, got {"min":500,"max":1}`],
    [{ latency: { min: 5 } }, `${LATENCY}, got {"min":5}`],
    [{ latency: { min: 5, max: 6, mean: 5 } }, `${LATENCY}, got {"min":5,"max":6,"mean":5}`],
    [{ randomSeed: 'a' }, 'randomSeed: expected a whole number, got "a"'],
    [{ randomSeed: 1.5 }, 'randomSeed: expected a whole number, got 1.5'],
    [{ worldIdleMs: -4 }, 'worldIdleMs: expected milliseconds, 0 or more, got -4'],
    [{ controlToken: 5 }, 'controlToken: expected a text that is not empty, got 5'],
    [{ controlToken: '' }, 'controlToken: expected a text that is not empty, got another text'],
    [{ allowHosts: 'mock.local' }, 'allowHosts: expected a list of host names such as mock.local, got "mock.local"'],
    [{ allowHosts: ['http://a/'] }, 'allowHosts: expected a list of host names such as mock.local, got ["http://a/"]'],
    [{ choices: null }, 'choices: expected answers by the names of `wm-mock choices`, got null'],
    [{ now: null }, 'now: expected an ISO 8601 time, milliseconds since 1970, or a Date, got null'],
    [{ deliverPublic: 'no' }, 'deliverPublic: expected true or false, got "no"'],
    [{ sender: {} }, 'sender: expected a function, got {}'],
    [{ seedName: () => 'x' }, 'seedName: expected a text, got a function'],
    [{ seed: null }, 'seed: expected a seed as text, or parsed, got null'],
    [{ seed: [] }, 'seed: expected a seed as text, or parsed, got []'],
    [
      { sede: 'x', plan: 'gold' },
      `sede: expected one of the options ${KNOWN}, got "sede"; plan: expected one of free, pro, business, unlimited, got "gold"`,
    ],
  ])('%j is refused', async (options, message) => {
    await expect(createMock(options as MockOptions)).rejects.toThrow(new RangeError(message));
  });

  test.each([
    {},
    { plan: undefined, seed: undefined },
    { latency: 0, randomSeed: 0, worldIdleMs: Number.POSITIVE_INFINITY, allowHosts: [], controlToken: 'open-sesame' },
    { latency: { min: 3, max: 3 }, randomSeed: -3, now: new Date(0), forwardCompat: true, release: '1.1', choices: {} },
    { latency: 999_999, now: 0, deliverPublic: false, sender: async () => undefined, docsScript: async () => undefined },
  ])('%j is taken', (options) => expect(() => checkOptions(options)).not.toThrow());

  test('is looked at before a file is read, and a seed is a path in Node', async () => {
    await expect(createNodeMock({ seed: 'none.yaml', sede: 1 } as never)).rejects.toThrow('sede: expected one of the options');
    await expect(createNodeMock({ seed: null as never })).rejects.toThrow(
      new RangeError('seed: expected the path of a YAML or JSON file, or a parsed seed, got null'),
    );
  });
});

test.each(['fixtures/demo.yaml', null, 5, []])('%j in place of the options is no object of them', async (given) => {
  for (const create of [createMock, createNodeMock])
    await expect(create(given as never)).rejects.toThrow(/^createMock: expected an object of options such as .*, got /);
  await expect(createMock(given as never)).rejects.toThrow(TypeError);
});
