// The phase of orders: in each world of a command, the responses under way together are put in other orders.
import { measureQuietMs, type Order } from './delayed-responses.ts';
import { type ExchangeNote, type Note, notesOf, type OrderNote, withoutIds } from './notes.ts';
import { batchOrders, type WorldOrders } from './order-batches.ts';
import { type FoundRace, type SearchResult, searchOrders, type WorldRun } from './order-search.ts';
import type { Found, JudgeOptions, TrialRun } from './trial-run.ts';

/** Limit of orders for one world. */
const MAX_ORDERS = 24;

const isOrderNote = (note: Note): note is OrderNote => note.what === 'came' || note.what === 'went' || note.what === 'gave up';

const logsOf = (notes: readonly Note[]): ReadonlyMap<string, OrderNote[]> => {
  const logs = new Map<string, OrderNote[]>();
  for (const note of notes) if (isOrderNote(note)) logs.set(note.world, [...(logs.get(note.world) ?? []), note]);
  return logs;
};

/** A test's own end wins over the status of the command. */
const listWorldEnds = (ran: TrialRun, worlds: Iterable<string>, hasTest: (world: string) => boolean) => {
  const logs = logsOf(ran.notes);
  const tests = new Map(notesOf(ran.notes, 'test').map((note) => [note.world, note]));
  return new Map<string, WorldRun>(
    [...worlds].map((world) => {
      const test = tests.get(world);
      const log = logs.get(world) ?? [];
      if (hasTest(world)) return [world, { passed: test?.passed ?? true, log, ...(test && { test: test.test }) }];
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

export const judgeOrders = async (baseline: readonly TrialRun[], { run, workers, repeat }: JudgeOptions) => {
  const logs = baseline.map(({ notes }) => logsOf(notes));
  const quietMs = measureQuietMs(logs.flatMap((one) => [...one.values()]));
  const worlds = [...logs[0]!.keys()].filter((world) => logs.every((one) => one.has(world)));
  const worldsWithTest = new Set(notesOf(baseline[0]!.notes, 'test').map(({ world }) => world));
  const hasTest = (world: string) => worldsWithTest.has(world);
  const outputs = new WeakMap<WorldRun, string>();
  const runOrders = async (orders: WorldOrders) => {
    const what =
      orders.size === 1
        ? `an order of responses: ${describeOrder([...orders.values()][0]!)}`
        : `orders of responses in ${orders.size} tests`;
    const worlds = [...orders.keys()].every(hasTest) ? [...orders.keys()] : undefined;
    const ran = await run({ behaviour: {}, orders: Object.fromEntries(orders), quietMs, worlds }, () => what);
    const ends = listWorldEnds(ran, orders.keys(), hasTest);
    for (const end of ends.values()) outputs.set(end, ran.output);
    return ends;
  };
  const attemptIn = batchOrders({ run: runOrders, workers, isAlone: (world) => !hasTest(world) });
  const firsts = listWorldEnds(baseline[0]!, worlds, hasTest);
  const searched = await Promise.all(
    worlds.map(async (world): Promise<[string, SearchResult]> => {
      const options = { attempt: attemptIn(world), repeat, max: MAX_ORDERS };
      return [world, await searchOrders(firsts.get(world)!, options)];
    }),
  );
  const found = searched.flatMap(([world, { races }]) =>
    races.map((race) => describeRace(world, race, { quietMs, hasTest: hasTest(world) }, outputs.get(race.ran) ?? '')),
  );
  return {
    found: mergeRaces(found),
    unsteady: searched.flatMap(([, { unsteady }]) => unsteady.map(describeOrder)),
    together: searched.reduce((sum, [, { together }]) => sum + together, 0),
  };
};
