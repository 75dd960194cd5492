// Which conditions a command may notice, and which of them go together, in which worlds.
import { getOrMake } from '../service/contract/keyed.ts';
import { OPERATION_IDS } from '../service/contract/operations.ts';
import type { ConditionGroup, Worlds } from './condition-search.ts';
import { type Condition, listConditions } from './conditions.ts';
import { isWanted } from './duties.ts';
import { exchangesIn, type Note, notesOf } from './notes.ts';
import type { JudgeOptions, RuleName, TrialRun } from './trial-run.ts';

/** Waits add up: a test meets at most this many in one run. */
const MAX_WAITS = 3;
/** Limit of tests that try a condition: a command that takes long tries each in few. */
export const maxTestsFor = ({ seconds }: TrialRun): number => Math.max(3, Math.floor(160 / seconds));
/** Limit of tests that try a refusal, by its effect. */
const MAX_REFUSED_TESTS: Readonly<Record<string, number>> = { limited: 3, unavailable: 1 };

/** Chooses the run and the tests in which an operation is refused. @param called worlds in which it is called */
const createSpread = () => {
  /** By run and world: how many operations make it wait. */
  const waits = new Map<string, number>();
  const waitsIn = (run: number, world: string) => waits.get(`${run} ${world}`) ?? 0;
  return (called: readonly string[], max = called.length) => {
    const count = Math.min(max, called.length);
    for (let run = 1; ; run += 1) {
      const free = called.filter((world) => waitsIn(run, world) < MAX_WAITS);
      if (free.length < count) continue;
      const worlds = free.sort((a, b) => waitsIn(run, a) - waitsIn(run, b)).slice(0, count);
      for (const world of worlds) waits.set(`${run} ${world}`, waitsIn(run, world) + 1);
      return { run, worlds };
    }
  };
};

/** @returns which of some worlds are those of tests that can run alone, those that meet most first; undefined: every test has to run */
const createTestFilter = (notes: readonly Note[]) => {
  const tests = new Set(notesOf(notes, 'test').map(({ world }) => world));
  const touches = new Map<string, number>();
  const touchesIn = (world: string) => touches.get(world) ?? 0;
  for (const { world } of notesOf(notes, 'touch')) touches.set(world, touchesIn(world) + 1);
  return (worlds: readonly string[]): Worlds => {
    const own = [...new Set(worlds)].filter((world) => tests.has(world));
    // Tests create more worlds for themselves; the first world of a mock may be anybody's.
    if (own.length === 0 || (worlds.includes('') && !tests.has(''))) return undefined;
    return own.sort((a, b) => touchesIn(b) - touchesIn(a));
  };
};

export const groupConditions = (conditions: readonly Condition[], first: TrialRun): readonly ConditionGroup[] => {
  const { notes } = first;
  const [exchanges, touches] = [exchangesIn(notes), notesOf(notes, 'touch')];
  const [filterTests, spread] = [createTestFilter(notes), createSpread()];
  const groups = new Map<string, Map<Condition, Worlds>>();
  /** By world: how many groups try something in it. */
  const uses = new Map<string, number>();
  const place = (condition: Condition, name: string, worlds: Worlds): void => {
    const group = getOrMake(groups, name, () => new Map<Condition, Worlds>());
    const mine = new Set([...group.values()].flatMap((some) => some ?? []));
    // Tests of other groups are left to these: then both can share a run.
    const costOf = (world: string) => (mine.has(world) ? -1 : (uses.get(world) ?? 0));
    const chosen = worlds && [...worlds].sort((a, b) => costOf(a) - costOf(b)).slice(0, maxTestsFor(first));
    for (const world of chosen ?? []) if (!mine.has(world)) uses.set(world, (uses.get(world) ?? 0) + 1);
    group.set(condition, chosen);
  };
  for (const one of conditions) {
    const { id, kind, name, value, group } = one;
    const met =
      kind === 'event' || kind === 'request'
        ? exchanges.filter(({ operation }) => kind === 'event' || operation === value)
        : touches.filter(({ condition }) => condition === id);
    const called = met.map(({ world }) => world);
    const tests = filterTests(called);
    if (kind !== 'request') place(one, group, tests);
    else {
      const { run, worlds } = spread(tests ?? [...new Set(called)], tests && MAX_REFUSED_TESTS[name]);
      place(one, tests ? `refusals ${run}` : `${group} ${run}`, tests && worlds);
    }
  }
  return [...groups.values()];
};

/** Conditions that the command may notice. */
export const planConditions = ({ service, only }: JudgeOptions, notes: readonly Note[], broken: ReadonlySet<RuleName>) => {
  const called = new Set(exchangesIn(notes).flatMap(({ operation }) => operation ?? []));
  const operations = OPERATION_IDS.filter((id) => called.has(id));
  const touched = new Set(notesOf(notes, 'touch').map(({ condition }) => condition));
  const conditions = listConditions(service, operations, notesOf(notes, 'delivery').length > 0).filter(
    ({ id, kind, rule }) =>
      isWanted(only, rule) && !broken.has(rule) && (kind === 'request' || kind === 'event' || touched.has(id)),
  );
  return { operations, conditions };
};
