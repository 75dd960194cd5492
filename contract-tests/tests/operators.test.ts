// The operators make many mutants that no author chose, each can be applied, and the layers are never blamed.
import { expect, test } from 'vitest';
import { operatorMutants, runThrough } from '../judge/operators/bench.ts';
import { admin, type Layer, type Make } from '../judge/operators/core.ts';
import { get } from '../judge/operators/exchange.ts';
import { pages } from '../judge/operators/pages.ts';
import { LISTS } from '../judge/operators/tables.ts';
import { type Host, mockExists } from '../judge/targets.ts';
import { someOf } from './runs.ts';

const HOSTS: readonly Host[] = (await mockExists()) ? ['reference', 'mock'] : ['reference'];

test.each(HOSTS)('the %s server carries at least 3,000 mutants, no two of one name', (host) => {
  const ids = operatorMutants(host).map(({ id }) => id);
  expect(ids.length).toBeGreaterThanOrEqual(3000);
  expect(new Set(ids).size).toBe(ids.length);
});

/** One mutant for each part of the spec: the first that the tables give. */
const firsts = [...new Map([...operatorMutants('reference')].reverse().map((mutant) => [mutant.clause, mutant])).values()];

test.each(someOf(firsts, 30).map((mutant) => [mutant.id, mutant] as const))('%s can be applied', async (_id, mutant) => {
  const { report } = await runThrough('reference', mutant, { bail: true });
  expect(report.error ?? '').not.toMatch(/TypeError|ReferenceError/);
});

/** Asks more often than the suite, and makes every list again: none of it changes what the suite is told. */
const harmless: Make = (lab) => {
  const asking: Layer = async (call, next) => {
    const response = await next(call);
    if (call.home && call.authorization !== undefined) await next(admin(lab, get(call, '/users/me')));
    return response;
  };
  return [asking, ...LISTS.map(({ id }) => pages({ list: id })(lab))].reduce<Layer>(
    (inner, outer) => (call, next) => outer(call, (sent) => inner(sent, next)),
    (call, next) => next(call),
  );
};

test.each(HOSTS)('the %s server is not blamed behind layers that change nothing, and a seam for its events', async (host) => {
  const { lab, report } = await runThrough(
    host,
    { make: harmless, allow: ['webhooks'] },
    { only: ['lists/', 'sorting/', 'events/'] },
  );
  expect(report.failures).toEqual([]);
  expect(report.error).toBeUndefined();
  expect(lab.hits).toBe(0);
});
