// Whatever becomes of a seed file, reading it ends in a seed or in a SeedError.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Random } from '../../service/world/random.ts';
import { checkSeed, readSeed, SeedError } from './read.ts';
import { seedText, writeSeed } from './write.ts';

const STARTER = readFileSync('fixtures/starter.yaml', 'utf8');
const TEXTS = 900;
const OBJECTS = 600;
/** All of them in `.ci/nightly`. */
const SHARE = process.env.WM_FUZZ === 'whole' ? 1 : 0.2;
const options = { name: 'fuzz', now: Date.parse('2025-01-20T09:00:00Z') };
const PIECES = [
  ...'"\'{}[]:\n\t#!|>\\%@0🦔\0',
  ...[': ', '- ', '&a ', '*a', '<<', '-1', '1e999', 'null', 'true', '\uD800', '---\n', '__proto__'],
];
const VALUES = [
  ...[null, undefined, true, 0, -1, 1.5, Number.NaN, 1e300, 10n, '', 'x', '-2h'],
  ...[[], {}, [[]], [null], { id: 'x' }, Symbol('s'), () => 1, new Date(0), new Map()],
];

const ends = async (reading: Promise<unknown>, input: unknown) => {
  const error = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined || error instanceof SeedError) return error;
  throw new Error(`not a SeedError, for ${String(input)}`, { cause: error });
};

test('a text with pieces lost, doubled or put in', async () => {
  const random = new Random(11);
  const below = (stream: string, n: number) => Math.floor(random.fraction(stream) * n);
  const tiny = readFileSync(new URL('../../../fixtures/tiny.yaml', import.meta.url), 'utf8');
  const json = await seedText(await readSeed(tiny, options), 'json');
  let refused = 0;
  for (let n = 0; n < TEXTS * SHARE; n++) {
    let text = [tiny, json, STARTER][n % 3]!;
    for (let times = 1 + below('times', 3); times > 0; times--) {
      const at = below('at', text.length);
      const length = below('length', 12);
      const put = [PIECES[below('piece', PIECES.length)]!, '', text.slice(at, at + length).repeat(2)][below('how', 3)]!;
      text = text.slice(0, at) + put + text.slice(at + length);
    }
    const error = await ends(readSeed(text, options), text);
    if (error) refused++;
    for (const problem of error?.problems ?? [])
      expect(problem).toMatchObject({ what: expect.any(String), expected: expect.any(String), got: expect.any(String) });
  }
  expect(refused).toBeGreaterThan((TEXTS * SHARE) / 3);
});

test('an object with values replaced', async () => {
  const random = new Random(12);
  const { parse } = await import('yaml');
  const spoil = (value: unknown): unknown => {
    if (random.fraction('spoil') < 0.02) return VALUES[Math.floor(random.fraction('value') * VALUES.length)];
    if (Array.isArray(value)) return value.map(spoil);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [random.fraction('name') < 0.01 ? 'constructor' : name, spoil(inner)]),
    );
  };
  for (let n = 0; n < OBJECTS * SHARE; n++) {
    const file = spoil(parse(STARTER));
    await ends(checkSeed(file, options), JSON.stringify(n));
  }
});

test.each([
  '',
  '{',
  '{}',
  '[]',
  'null',
  '"',
  ...['{"a":', ...'{[]}', '- ', '%x\n', '%: [\n'].map((sign) => sign.repeat(1_000_000)),
  '\u0000',
  '%YAML 9.9\n---\n{}',
  'a\n---\nb',
  '!!binary x',
  '? [a]\n: b',
  '<<: 1',
])('a text that is no seed at all', async (text) => {
  const error = await ends(readSeed(text, options), text.slice(0, 40));
  expect(error?.problems.length).toBeLessThanOrEqual(100);
});

test('a seed of a hundred thousand tasks reads back as it was', async () => {
  const crowd = readFileSync(new URL('../../../fixtures/crowd.yaml', import.meta.url), 'utf8');
  const seed = await readSeed(crowd, options);
  const again = await checkSeed(writeSeed(seed), { name: 'back', now: 0, randomSeed: seed.randomSeed });
  expect(JSON.stringify(again) === JSON.stringify(seed)).toBe(true);
});
