// Options that are misspelt or impossible are refused by name, each with what was expected and what was got.
import { describe, expect, test } from 'vitest';
import { register } from '../../browser/register.ts';
import { createMock } from '../../create-mock.ts';
import { createMock as createNodeMock, type Mock } from '../../node/index.ts';
import { RELEASE_NAMES } from '../../service/contract/releases.ts';
import { checkOptions } from '../../service/validation/check.ts';
import { keep } from '../../test/closing.ts';
import { handlers } from '../../testing/msw.ts';
import { mock } from './options.generated.ts';
import type { MockOptions } from './options.ts';

const SAYS = 'The types of wm-mock say what it takes.';
const PLANS = 'expected one of free, pro, business, unlimited';
const LATENCY = 'milliseconds from 0 to 999999, or { min, max } with a min that is not above its max';

describe('an option', () => {
  test.each<[object, string]>([
    [{ plan: 'por' }, `plan: unknown value, ${PLANS}, got "por"`],
    [{ plan: 'busines' }, `plan: unknown value (did you mean business?), ${PLANS}, got "busines"`],
    [{ plan: 60 }, 'plan: wrong type (quote it), expected a string, got 60'],
    [{ latency: -1 }, 'latency: too small, expected at least 0, got -1'],
    [{ latency: 'x' }, `latency: wrong value, expected ${LATENCY}, got "x"`],
    [{ latency: Number.NaN }, `latency: wrong value, expected ${LATENCY}, got NaN`],
    [{ latency: 1_000_000 }, 'latency: too large, expected at most 999999, got 1000000'],
    [{ latency: { min: 5, max: 1 } }, 'latency: wrong value, expected a min that is not above its max, got {"min":5,"max":1}'],
    [{ latency: { min: 5 } }, 'latency.max: missing, expected a number, got nothing'],
    [
      { latency: { min: 5, max: 6, mid: 5 } },
      'latency.mid: unknown field (did you mean min?), expected one of min, max, got "mid"',
    ],
    [{ randomSeed: 'a' }, 'randomSeed: wrong value, expected an integer from -9007199254740991 to 9007199254740991, got "a"'],
    [{ randomSeed: 1.5 }, 'randomSeed: wrong value, expected an integer from -9007199254740991 to 9007199254740991, got 1.5'],
    [{ worldIdleMs: -4 }, 'worldIdleMs: wrong value, expected milliseconds, 0 or more, got -4'],
    [{ controlToken: 5 }, 'controlToken: wrong type (quote it), expected a string, got 5'],
    [{ controlToken: '' }, 'controlToken: too short, expected at least 1 character, got another string'],
    [{ allowHosts: 'mock.local' }, 'allowHosts: wrong type, expected an array, got "mock.local"'],
    [{ allowHosts: ['a/'] }, 'allowHosts[0]: wrong value, expected the name of a host, such as mock.local, got "a/"'],
    [
      { choices: null },
      'choices: wrong value, expected choices by the names of the open points that `wm-mock choices` lists, got null',
    ],
    [{ release: '2.0' }, `release: unknown value, expected one of ${RELEASE_NAMES.join(', ')}, got "2.0"`],
    [
      { forwardCompat: 'field' },
      'forwardCompat: wrong value, expected all, none or any of fields, enums, messages, endpoints, headers, order, got "field"',
    ],
    [{ now: null }, 'now: wrong value, expected an ISO 8601 time, milliseconds since 1970, or a Date, got null'],
    [{ deliverPublic: 'no' }, 'deliverPublic: wrong type, expected a boolean, got "no"'],
    [{ sender: {} }, 'sender: wrong type, expected a function, got {}'],
    [{ seedName: () => 'x' }, 'seedName: wrong type, expected a string, got a function'],
    [{ seed: null }, 'seed: wrong value, expected a seed as text, or parsed, or demo, got null'],
    [{ seed: [] }, 'seed: wrong value, expected a seed as text, or parsed, or demo, got []'],
    [
      { sede: 'x', plan: 'gold' },
      'sede: unknown field (did you mean seed?), expected one of seed, now, randomSeed, plan, release, forwardCompat, choices, seedName, latency, worldIdleMs, memory, controlToken, noControl, allowHosts, allowOrigins, deliverPublic, allowReceivers, sender, docsScript, panelScript, record, got "sede"; plan: unknown value, expected one of free, pro, business, unlimited, got "gold"',
    ],
  ])('%j is refused', async (options, message) => {
    const refused = new RangeError(`createMock is refused: ${message}. ${SAYS}`);
    await expect(createMock(options as MockOptions)).rejects.toThrow(refused);
  });

  test.each([
    {},
    { plan: undefined, seed: undefined },
    { latency: 0, randomSeed: 0, worldIdleMs: Number.POSITIVE_INFINITY, allowHosts: [], controlToken: 'open-sesame' },
    { latency: { min: 3, max: 3 }, randomSeed: -3, now: new Date(0), forwardCompat: true, release: '1.1', choices: {} },
    { latency: 999_999, now: 0, deliverPublic: false, sender: async () => undefined, docsScript: async () => undefined },
    ...['1.1', 'v1.1', '1.1.0', 'v1.1.0', 1.1].map((release) => ({ release })),
    ...[true, false, 'all', 'none', '', 'fields, enums', ['fields']].map((forwardCompat) => ({ forwardCompat })),
  ])('%j is taken', (options) => expect(() => checkOptions('createMock', mock, options)).not.toThrow());

  test('is looked at before a file is read, and a seed is a path in Node', async () => {
    await expect(createNodeMock({ seed: 'none.yaml', sede: 1 } as never)).rejects.toThrow('sede: unknown field (did you mean');
    for (const [seed, got] of [
      [null, 'wrong value, expected the path of a YAML or JSON file, its text, a parsed seed, or demo, got null'],
      ['', 'too short, expected at least 1 character, got ""'],
    ] as const)
      await expect(createNodeMock({ seed: seed as never })).rejects.toThrow(
        new RangeError(`createMock is refused: seed: ${got}. ${SAYS}`),
      );
  });
});

const entries: Readonly<Record<string, (mock: Mock, ...given: never[]) => unknown>> = {
  handlers: (mock, options) => handlers(mock, options),
  listen: (mock, options) => mock.listen(options),
  register: (_, options) => register(options),
  'world.setPlan': ({ world }, workspace, plan) => world.setPlan(workspace, plan),
};
const refusals: readonly (readonly [entry: string, given: readonly unknown[], says: string])[] = [
  ['handlers', [{ baseURL: 'x' }], 'baseURL: unknown field (did you mean baseUrl?), expected one of baseUrl, got "baseURL"'],
  [
    'handlers',
    [{ baseUrl: '/api' }],
    'baseUrl: wrong value, expected the base URL that the app calls, which ends in /v1, such as http://127.0.0.1:4700/v1, got "/api"',
  ],
  ['listen', [{ prot: 0 }], 'prot: unknown field (did you mean port?), expected one of port, host, patience, got "prot"'],
  ['listen', [{ port: 65_536 }], 'port: too large, expected an integer from 0 to 65535, got 65536'],
  ['listen', [{ port: '80' }], 'port: wrong value, expected an integer from 0 to 65535, got "80"'],
  ['listen', [{ host: 'a/' }], 'host: wrong value, expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, got "a/"'],
  ['listen', [{ patience: { header: 1, request: 2 } }], 'patience.headers: missing'],
  [
    'register',
    [{ bseUrl: 'https://a.test/v1' }],
    'bseUrl: unknown field (did you mean baseUrl?), expected one of url, scope, type, seed, now, randomSeed, plan, release, forwardCompat, choices, baseUrl, offline, got "bseUrl"',
  ],
  ['register', [{ baseUrl: 'x' }], 'baseUrl: wrong value, expected the base URL that the app calls, which ends in /v1,'],
  ['world.setPlan', ['nope', 'free'], 'unknown workspace, expected one of ws_main, got "nope"'],
  ['world.setPlan', ['ws_main', 'fre'], `unknown plan, ${PLANS}, or requests a minute, got "fre"`],
];
test.each(refusals)('%s refuses what is misspelt with the word that was meant: %j', async (name, given, says) => {
  const mock = keep(await createNodeMock());
  const refused = await Promise.resolve()
    .then(() => entries[name]!(mock, ...(given as never[])))
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(RangeError);
  expect((refused as Error).message).toMatch(`${name} is refused: ${says}`);
  expect((refused as Error).message).toMatch(/\. The types of wm-mock say what it takes\.$/);
});

test.each(['fixtures/demo.yaml', null, 5, []])('%j in place of the options is no object of them', async (given) => {
  for (const create of [createMock, createNodeMock])
    await expect(create(given as never)).rejects.toThrow(
      /^createMock is refused: wrong value, expected an object of options, or nothing, got .*\. The types of wm-mock/,
    );
  await expect(createMock(given as never)).rejects.toThrow(TypeError);
});
