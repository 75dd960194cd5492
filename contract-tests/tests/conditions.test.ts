// Each condition alone blames no conforming server, a mixture is known by its seed, and no condition hides a fault.
import { expect, test } from 'vitest';
import { CONDITIONS, mixtureOf } from '../judge/conditions.ts';
import { judgeMixture } from '../judge/judges.ts';
import { mockExists } from '../judge/targets.ts';
import { someOf } from './runs.ts';
import { FAULTS } from './test-server.ts';

test('each condition has a name of its own, and a seed gives the same mixture each time', () => {
  expect(new Set(CONDITIONS.map(({ id }) => id)).size).toBe(CONDITIONS.length);
  for (const seed of [1, 2, 25]) expect(mixtureOf(seed)).toEqual(mixtureOf(seed));
  const drawn = new Set(Array.from({ length: 200 }, (_, i) => mixtureOf(i + 1)).flatMap(({ conditions }) => conditions));
  expect([...drawn].sort()).toEqual(CONDITIONS.map(({ id }) => id).sort());
});

/** A seed whose run has the profile full and webhooks. */
const FULL = 6;

/** By day too: each of them has had a service blamed that conforms. */
const OFTEN = ['lost-responses', 'late-events', 'two-runs'];
const drawn = CONDITIONS.filter((one) => someOf(CONDITIONS).includes(one) || OFTEN.includes(one.id));

test.each(drawn.map((condition) => [condition.id, condition] as const))('%s is never blamed', async (id, { hosts }) => {
  const hosted = (await mockExists()) ? hosts.filter((host) => host !== 'socket') : ['reference' as const];
  for (const host of hosted) {
    const { problems, reports } = await judgeMixture({ seed: FULL, host, conditions: [id] });
    expect(problems).toEqual([]);
    for (const report of reports) {
      expect(report.requirements.filter(({ status }) => status === 'passed').length).toBeGreaterThan(200);
      // A staging whose events no run can receive would show nothing of them.
      if (host === 'reference') expect(report.requirements.find(({ id: one }) => one === 'WM-EVT-001')?.status).toBe('passed');
    }
  }
});

test('a server on a socket, behind a gateway that resets, falls silent and responds in its place, is not blamed', async () => {
  const { problems, reports } = await judgeMixture({
    seed: 25,
    host: 'socket',
    conditions: ['ahead', 'odd-ids', 'cursor-alone'],
  });
  expect(problems).toEqual([]);
  expect(reports[0]!.infra.length).toBeGreaterThan(0);
});

const HIDDEN: readonly (readonly [fault: string, conditions: readonly string[]])[] = [
  ['patch-unchecked', ['bad-day', 'traffic']],
  ['cursor-drops-filters', ['cursor-with-limit', 'limit-raised', 'latency', 'traffic']],
  ['tasks-outlive-project', ['odd-ids', 'ahead', 'no-date', 'comers-and-goers']],
  ['has-more-on-exact', ['two-runs', 'lost-responses', 'shared-everybody']],
  ['no-isolation', ['shared-user', 'behind', 'leftovers', 'gateway']],
];

test.each(someOf(HIDDEN, 2))('the fault %s is found all the same under %j', async (fault, conditions) => {
  const { reports } = await judgeMixture({ seed: FULL, host: 'reference', conditions }, FAULTS[fault]);
  for (const report of reports) expect(report.verdict).toBe('violations');
});
