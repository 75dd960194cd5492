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

const closed = (properties: Record<string, Keywords>, required: readonly string[] = []): Keywords => ({
  type: 'object',
  properties,
  required,
});
const RULES: Readonly<Record<string, Keywords>> = {
  text: { type: 'string' },
  'text of 2 or 3': { type: 'string', minLength: 2, maxLength: 3 },
  'text of 2 or 3, or null': { type: ['string', 'null'], minLength: 2, maxLength: 3 },
  'a word': { type: 'string', enum: ['ab', 'abc'] },
  'a word or null': { type: ['string', 'null'], enum: ['ab', 'abc', null] },
  'a time': { type: 'string', 'x-time': 'any' },
  'a time or null': { type: ['string', 'null'], 'x-time': 'any' },
  'an instant': { type: 'string', 'x-time': 'absolute' },
  'a number from 1 to 3': { type: 'integer', minimum: 1, maximum: 3 },
  'a number or a word': { type: ['integer', 'string'], enum: [2, 'ab'] },
  'true or false': { type: 'boolean' },
  'a list of one or more words': { type: 'array', minItems: 1, items: { type: 'string', enum: ['ab', 'abc'] } },
  'a list of records': { type: 'array', minItems: 1, items: closed({ a: { type: 'string' }, b: { type: 'integer' } }, ['a']) },
  'a record or true': { anyOf: [{ type: 'boolean' }, closed({ a: { type: 'string' } })] },
  'a record with what it needs': closed({ a: { type: ['string', 'null'] }, b: { type: 'integer' } }, ['a']),
  'a record of nothing': closed({}),
};
const astral = (count: number) => '\u{1f600}'.repeat(count);
const many = (last: unknown) => [...Array.from({ length: 600 }, () => ({ a: 'x' })), last];
const GIVEN = [
  ...[null, true, false, 0, 1, 2, 3, 4, 1.5, 2 ** 60, '', 'a', 'ab', 'abc', 'abcd', astral(1), astral(2), astral(3), astral(4)],
  ...['-2h', '2025-01-20T09:00:00Z', '2025-02-30T00:00:00Z', [], [null], ['ab'], ['ab', 'no'], [2], [[]], {}, { a: 'x' }],
  ...[{ a: null }, { a: 'x', b: 1 }, { a: 'x', b: 'x' }, { b: 1 }, { a: 'x', c: 1 }, [{ a: 'x' }], [{ a: 'x' }, { b: 1 }], [{}]],
  ...[[{ a: 'x' }, 'x'], many({ a: 'x' }), many({ a: 1 }), many({ a: 'x', c: 1 }), many('x'), many({}), undefined, Number.NaN],
];

test.each(Object.entries(RULES))(
  '%s fits where there is no fault, alone, in a record and in all records of a list',
  (_, rule) => {
    const times = new TimeReader(0);
    const same = (value: unknown, schema: Keywords) => {
      const keys = keysIfFits(value, schema, times);
      expect([value, schema, keys !== undefined]).toEqual([
        value,
        schema,
        shapeFaults(value, schema as never, times).length === 0,
      ]);
      if (keys !== undefined) expect(keys).toBe(JSON.stringify(value).match(/"(?=:)/g)?.length ?? 0);
    };
    const holder = closed({ one: rule, two: { type: 'integer' } });
    const list: Keywords = { type: 'array', items: holder };
    for (const value of GIVEN) {
      if (value !== undefined) same(value, rule);
      const held = value === undefined ? {} : { one: value };
      same(held, holder);
      same([{ two: 1 }, held, { two: 2 }], list);
    }
  },
);
