// The tables of situations: each row is sent by some run, each operation meets each key, and no row asserts anything.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../engine/operations.ts';
import { mockExists, mockTarget } from '../judge/targets.ts';
import { type ContractOptions, runContract } from '../run.ts';
import { combinations } from '../situations/pairs.ts';
import { costOf, readStep } from '../situations/row.ts';
import { IS_WHOLE } from './runs.ts';

const there = await mockExists();

/** A run on the mock, with what it sent and said. */
const runOn = async (options: Partial<ContractOptions>) => {
  const target = await mockTarget({}, true, '1.3');
  const lines: string[] = [];
  const sent: { readonly operation: string; readonly key: string | undefined }[] = [];
  const fetch: typeof target.fetch = (url, init) => {
    const path = String(url).split('/v1')[1]?.split('?')[0] ?? '';
    const fits = ({ method, path: template }: (typeof OPERATIONS)[number]) =>
      method === (init?.method ?? 'GET') && new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path);
    const key = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '');
    const operation = OPERATIONS.find(fits)?.id;
    if (operation) sent.push({ operation, key });
    return target.fetch(url, init);
  };
  try {
    const log = (line: string) => lines.push(line);
    const report = await runContract({ ...target.options, fetch, log, reportDir: false, allow: ['webhooks'], ...options });
    return { report, lines, sent, keys: target.options.keys };
  } finally {
    await target.close();
  }
};

test.skipIf(!there)(
  'a full run asks each operation without a key, with an unknown, a revoked and a read key, and from next door',
  async () => {
    const { report, sent, keys } = await runOn({});
    expect(report.failures).toEqual([]);
    const idsOf = (key: string | undefined) => new Set(sent.filter((one) => one.key === key).map(({ operation }) => operation));
    const all = OPERATIONS.map(({ id }) => id).sort();
    expect([...idsOf(undefined)].sort()).toEqual(all);
    const given = new Set(Object.values(keys ?? {}));
    const unknown = sent.filter(({ key }) => key !== undefined && /^\S+$/.test(key) && !given.has(key));
    expect([...new Set(unknown.map(({ operation }) => operation))].sort()).toEqual(all);
    expect([...idsOf(keys?.revoked)].sort()).toEqual(all);
    expect([...idsOf(keys?.read)].sort()).toEqual(all);
    const named = OPERATIONS.filter(({ path }) => path.includes('{')).map(({ id }) => id);
    expect(named.filter((id) => !idsOf(keys?.other).has(id))).toEqual([]);
  },
);

test.runIf(there && IS_WHOLE)('a thorough run sends every row, and blames no conforming server', async () => {
  const { report, lines } = await runOn({ thorough: true });
  expect(report.failures).toEqual([]);
  expect(lines.find((line) => line.startsWith('situations: '))).toMatch(/ 0 left/);
});

test('rows assert nothing: the oracle and the laws judge what comes of them', () => {
  const folder = new URL('../situations/', import.meta.url);
  const asserting = readdirSync(folder).filter((name) =>
    /\.(must|refusal|note|observe)\(/.test(readFileSync(new URL(name, folder), 'utf8')),
  );
  expect(asserting).toEqual([]);
});

test('a step names who asks, what, and what its record is called', () => {
  expect(readStep('made = other POST /projects')).toEqual({
    as: 'other',
    method: 'POST',
    path: '/projects',
    makes: 'made',
    pages: 1,
  });
  expect(readStep('walk 3 /tasks?limit=7')).toMatchObject({ as: undefined, method: 'walk', pages: 3 });
  expect(readStep('later')).toBeUndefined();
  expect(() => readStep('FETCH /tasks')).toThrow('no step of a situation: FETCH /tasks');
  expect(costOf({ id: 'x', tier: 1, steps: ['later', 'GET /tasks', 'walk 3 /tasks?limit=7'] })).toBe(4);
});

test('any two values of two factors meet in a covering array', () => {
  const factors = { a: ['1', '2', '3'], b: ['x', 'y'], c: ['p', 'q', 'r'], d: ['0', '1'] };
  const found = combinations(factors);
  const names = Object.keys(factors) as (keyof typeof factors)[];
  const missing = names.flatMap((one, i) =>
    names
      .slice(i + 1)
      .flatMap((other) =>
        factors[one].flatMap((x) => factors[other].filter((y) => !found.some((row) => row[one] === x && row[other] === y))),
      ),
  );
  expect(missing).toEqual([]);
  expect(found.length).toBeLessThan(3 * 2 * 3 * 2);
});
