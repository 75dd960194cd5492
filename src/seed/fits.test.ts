// The quick answer to whether a seed has its shape is the answer of the walk that says why not.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Random } from '../world/random.ts';
import { keysIfFits } from './fits.ts';
import { SEED_SCHEMA } from './format.ts';
import { type Keywords, shapeFaults } from './shape.ts';
import { TimeReader } from './times.ts';

const VALUES = [null, true, 0, -1, 1.5, '', 'x', '-2h', '2025-02-30T00:00:00Z', 'x'.repeat(300), [], [[]], ['all'], {}, 404];

const holders = (value: unknown, found: Record<string, unknown>[] = []): Record<string, unknown>[] => {
  if (typeof value !== 'object' || value === null) return found;
  found.push(value as Record<string, unknown>);
  for (const one of Object.values(value)) holders(one, found);
  return found;
};

test.each(['demo', 'edges', 'tiny', 'crowd'])(
  '%s.yaml as it is, and with a value replaced, lost or added in 100 ways',
  (name) => {
    const random = new Random(7);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random.fraction('pick') * list.length)]!;
    const text = readFileSync(new URL(`../../fixtures/${name}.yaml`, import.meta.url), 'utf8');
    const seed: unknown = parse(text, { merge: true });
    const times = new TimeReader(0);
    const keys = () => keysIfFits(seed, SEED_SCHEMA as Keywords, times);
    const agree = () => (keys() !== undefined) === (shapeFaults(seed, SEED_SCHEMA, times).length === 0);
    expect(keys()).toBe(JSON.stringify(seed).match(/(?<!\\\\)"(?=:)/g)!.length);
    const all = holders(seed);
    for (let n = 0; n < 100; n++) {
      const holder = pick(all);
      const key = random.fraction('new') < 0.2 ? 'surplus' : (pick(Object.keys(holder)) ?? 'surplus');
      const before = { ...holder };
      if (random.fraction('lost') < 0.2) delete holder[key];
      else holder[key] = pick(VALUES);
      expect(agree(), `${key}: ${JSON.stringify(before[key])} became ${JSON.stringify(holder[key])}`).toBe(true);
      if (key in before) holder[key] = before[key];
      else delete holder[key];
    }
  },
);
