// The phase of orders: in each world of a command, the responses under way together are put in other orders.
import { groupBy } from '../service/contract/keyed.ts';
import { measureQuietMs, type Order } from './delayed-responses.ts';
import { type ExchangeNote, type Note, notesOf, type OrderNote, withoutIds } from './notes.ts';
import {
  type FoundRace,
  listTogether,
  probeOrder,
  type SearchResult,
  searchOrders,
  type TryOrder,
  type WorldRun,
} from './order-search.ts';
import { maxTestsFor } from './plan-conditions.ts';
import type { Found, JudgeOptions, TrialRun } from './trial-run.ts';

/** Limit of orders for one world. */
const MAX_ORDERS = 24;

const isOrderNote = (note: Note): note is OrderNote => note.what === 'came' || note.what === 'went' || note.what === 'gave up';

const logsOf = (notes: readonly Note[]): ReadonlyMap<string, OrderNote[]> =>
  groupBy(notes.filter(isOrderNote), ({ world }) => world);

type WorldEnds = ReadonlyMap<string, WorldRun>;

/** A test's own end wins over the status of the command. */
const listWorldEnds = (ran: TrialRun, worlds: Iterable<string>, hasTest: (world: string) => boolean): WorldEnds => {
  const logs = logsOf(ran.notes);
  const tests = new Map(notesOf(ran.notes, 'test').map((note) => [note.world, note]));
  return new Map<string, WorldRun>(
    [...worlds].map((world) => {
      const test = tests.get(world);
      const log = logs.get(world) ?? [];
      if (hasTest(world)) return [world, { passed: test?.passed ?? ran.passed, log, ...(test && { test: test.test }) }];
      return [world, { passed: ran.passed, log, ...(!ran.passed && ran.tests[0] && { test: ran.tests[0] }) }];
    }),
  );
};

const describeOrder = (order: Order): string =>
  order
    .map(({ held, after }) =>
      after === undefined
        ? `the response to ${held} comes when all else has happened`
        : `the response to ${held} comes after that to ${after}`,
    )
    .join(', and ');

/** The response that came late, and those that went before it. */
const listRacers = ({ order, ran: { log } }: FoundRace): Found['requests'] => {
  const names = new Set(order.flatMap(({ held, after }) => [held, after]));
  return log.flatMap(({ what, name, status = 0 }): Pick<ExchangeNote, 'method' | 'path' | 'status'>[] => {
    if (what !== 'went' || !names.has(name)) return [];
    const [method = '', path = ''] = name.replace(/ #\d+$/, '').split(' ');
    return [{ method, path, status }];
  });
};

const describeRace = (
  world: string,
  race: FoundRace,
  plan: { readonly quietMs: number; readonly hasTest: boolean },
  output: string,
): Found => {
  const { order, ran, isSlow } = race;
  const [{ held, after = 'all' }] = order as [Order[number]];
  return {
    rule: isSlow ? 'slow-test' : 'order',
    says: isSlow
      ? `A test fails when the response to ${held} comes late, even in the usual order.`
      : `It fails when ${describeOrder(order)}.`,
    conditions: [{ kind: 'order', name: held, value: after }],
    plan: { behaviour: {}, orders: { [world]: order }, worlds: plan.hasTest ? [world] : undefined, quietMs: plan.quietMs },
    isFailure: true,
    tests: ran.test === undefined ? [] : [ran.test],
    output,
    requests: listRacers(race),
  };
};

/** Equal responses in equal order are one race, whatever tests it breaks. */
const mergeRaces = (all: readonly Found[]): readonly Found[] => {
  const merged = new Map<string, Found>();
  for (const one of all) {
    const key = JSON.stringify([one.rule, one.conditions.map(({ name, value }) => [name, value].map(withoutIds))]);
    const known = merged.get(key);
    merged.set(key, known ? { ...known, tests: [...known.tests, ...one.tests] } : one);
  }
  return [...merged.values()];
};

/** Leaves out requests that enough other tests hold. */
const capRepeats = (requests: ReadonlyMap<string, readonly string[]>, max: number): ReadonlyMap<string, readonly string[]> => {
  const counts = new Map<string, number>();
  const countOf = (name: string) => counts.get(withoutIds(name)) ?? 0;
  const capped = new Map<string, readonly string[]>();
  for (const [world, names] of requests) {
    const kept = names.filter((name) => countOf(name) < max);
    capped.set(world, kept);
    for (const name of new Set(kept.map(withoutIds))) counts.set(name, countOf(name) + 1);
  }
  return capped;
};

/** By world: holds each response a little. */
export const delayAll = ({ notes }: TrialRun): Readonly<Record<string, Order>> =>
  Object.fromEntries([...logsOf(notes)].map(([world, log]) => [world, probeOrder(log)]));

/** @param late the command with each response a little late */
export const judgeOrders = async (first: TrialRun, late: TrialRun, { run, repeat }: JudgeOptions) => {
  const logs = logsOf(first.notes);
  const quietMs = measureQuietMs([...logs.values()]);
  const worldsWithTest = new Set(notesOf(first.notes, 'test').map(({ world }) => world));
  const hasTest = (world: string) => worldsWithTest.has(world);
  const outputs = new WeakMap<WorldRun, string>();
  const attemptIn =
    (world: string): TryOrder =>
    async (order) => {
      const plan = { behaviour: {}, orders: { [world]: order }, quietMs, worlds: hasTest(world) ? [world] : undefined };
      const ran = await run(plan, () => (order.length > 1 ? `${order.length} responses last` : describeOrder(order)));
      const end = listWorldEnds(ran, [world], hasTest).get(world)!;
      outputs.set(end, ran.output);
      return end;
    };
  const [firsts, probes] = [first, late].map((ran) => listWorldEnds(ran, logs.keys(), hasTest)) as [WorldEnds, WorldEnds];
  // Where tests have worlds, only the first world of a mock may be anybody's.
  const searchable = [...logs.keys()].filter((world) => worldsWithTest.size === 0 || hasTest(world) || world === '');
  const all = new Map(searchable.map((world) => [world, listTogether(firsts.get(world)!, probes.get(world)!)]));
  const together = capRepeats(all, maxTestsFor(first));
  const searched = await Promise.all(
    searchable.map(async (world): Promise<[string, SearchResult]> => {
      const options = { attempt: attemptIn(world), repeat, max: MAX_ORDERS };
      return [world, await searchOrders(firsts.get(world)!, together.get(world)!, options)];
    }),
  );
  const found = searched.flatMap(([world, { races }]) =>
    races.map((race) => describeRace(world, race, { quietMs, hasTest: hasTest(world) }, outputs.get(race.ran) ?? '')),
  );
  return {
    found: mergeRaces(found),
    unsteady: searched.flatMap(([, { unsteady }]) => unsteady.map(describeOrder)),
    together: [...together.values()].flat().length,
  };
};
