// Chance and what is made of it: the same numbers, ids and secrets for the same seed, for ever.
import { expect, test } from 'vitest';
import { newId, newKeyValue, newSecret, PREFIXES } from './ids.ts';
import { hash32, Random } from './random.ts';

test('the hash of a text is FNV-1a', () => {
  expect(['', 'a', 'foobar', 'é', '漆'].map((text) => hash32(text))).toEqual([
    0x811c9dc5, 0xe40c292c, 0xbf9cf968, 1812687940, 59910393,
  ]);
  expect(hash32('', 5)).toBe(5);
  expect(hash32('a', 0x5bd1e995)).toBe(hash32('a', 0x5bd1e995));
});

test('one seed always draws the same numbers, letters and ids, stream by stream', async () => {
  const lines: string[] = [];
  for (const seed of [0, 1, -1, 123456789]) {
    const random = new Random(seed);
    lines.push(`seed ${seed}`);
    for (const stream of ['a', 'b', 'a']) lines.push(`  ${stream} ${random.bits(stream)} ${random.fraction(stream)}`);
    for (const length of [0, 1, 6, 7, 32]) lines.push(`  ${length} letters "${random.letters('letters', length)}"`);
    lines.push(`  drawn ${JSON.stringify([...random.drawn])}`);
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/chance.txt');
});

test('ids of each kind come from a stream of their own, with a prefix or without', async () => {
  const random = new Random(1);
  const lines = (Object.keys(PREFIXES) as (keyof typeof PREFIXES)[]).flatMap((kind) => [
    newId(random, kind),
    newId(random, kind, 'prefixed'),
    newId(random, kind, 'opaque'),
  ]);
  const all = [...lines, newKeyValue(random), newSecret(random), JSON.stringify([...random.drawn]), ''];
  await expect(all.join('\n')).toMatchFileSnapshot('golden/ids.txt');
});

test('a copy continues where the original is, apart from it', () => {
  const random = new Random(5);
  random.bits('a');
  const copy = random.fork();
  expect(copy.seed).toBe(5);
  const own = [random.bits('a'), random.bits('a')];
  expect([copy.bits('a'), copy.bits('a')]).toEqual(own);
  expect(copy.drawn.get('a')).toBe(3);
  const later = new Random(5, new Map([['a', 2]]));
  expect(later.bits('a')).toBe(own[1]);
});
