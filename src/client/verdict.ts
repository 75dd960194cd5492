// The verdict on a client: its command runs as it is, then under every condition that the contract permits; findings are confirmed.
import type { OperationId } from '../service/contract/operations.ts';
import { type BrokenBy, searchConditions } from './condition-search.ts';
import type { Condition } from './conditions.ts';
import { judgeConduct } from './conduct.ts';
import { adviseOnConduct } from './conduct-advice.ts';
import type { Breach } from './conduct-log.ts';
import { isWanted } from './duties.ts';
import { type ExchangeNote, exchangesIn, failedWorlds, type Note, notesOf, pathOf } from './notes.ts';
import { delayAll, judgeOrders } from './order-verdict.ts';
import { groupConditions, planConditions } from './plan-conditions.ts';
import { type PlannedRun, queueRuns } from './run-queue.ts';
import { behaviourIn, LATE_MS, type TrialPlan } from './trial-fetch.ts';
import type { Found, JudgeOptions, RuleName, TrialRun } from './trial-run.ts';

export interface Verdict {
  readonly found: readonly Found[];
  /** How often the situation of each rule arose. */
  readonly seen: ReadonlyMap<RuleName, number>;
  /** Failures now and then, which are no findings. */
  readonly unsteady: readonly string[];
  readonly operations: readonly OperationId[];
}

/** The command fails on the mock as it is: there is no verdict. */
export class UnfitCommand extends Error {
  readonly run: TrialRun;

  constructor(message: string, run: TrialRun) {
    super(message);
    this.run = run;
  }
}

const NEXT_REQUESTS = 5;

const summarize = ({ method, path, status }: ExchangeNote) => ({ method, path, status });

/** The request that met a condition and those after it. */
const requestsFrom = (notes: readonly Note[], met: (exchange: ExchangeNote) => boolean): Found['requests'] => {
  const all = exchangesIn(notes);
  const first = all.find(met);
  if (!first) return [];
  const { world } = first;
  return all
    .slice(all.indexOf(first))
    .filter((one) => one.world === world)
    .slice(0, NEXT_REQUESTS)
    .map(summarize);
};

/** Runs the command twice: as it is, and with each response a little late. What fails then is slow, or fails now and then. */
const runBaseline = async ({ run, only }: JudgeOptions) => {
  const runAsItIs = (watched = false) => run({ behaviour: {}, orders: {}, watched }, () => 'the mock as it is');
  const first = await runAsItIs(true);
  const isHeld = first.passed && isWanted(only, 'order');
  const late = isHeld
    ? await run({ behaviour: {}, orders: delayAll(first) }, () => 'each response a little late')
    : await runAsItIs();
  if (first.passed && late.passed) return { first, second: late, late };
  if (!first.passed && !late.passed) throw new UnfitCommand('fails', first);
  const [second, third] = [await runAsItIs(), await runAsItIs()];
  const flaky = [first, second, third].find(({ passed }) => !passed);
  if (flaky) throw new UnfitCommand('is flaky: it fails now and then', flaky);
  return { first, second, late };
};

/** Breaches of conduct in every one of these runs, once a rule. */
const breachesInAll = (runs: readonly TrialRun[], judge: (notes: readonly Note[]) => readonly Breach<RuleName>[]) => {
  const [first = [], ...others] = runs.map(({ notes }) => judge(notes));
  const rules = new Map<RuleName, Breach<RuleName>>();
  for (const breach of first)
    if (!rules.has(breach.rule) && others.every((other) => other.some(({ rule }) => rule === breach.rule)))
      rules.set(breach.rule, breach);
  return [...rules.values()];
};

const describeBreach = ({ rule, says, exchange }: Breach<RuleName>, plan: TrialPlan, { notes, output }: TrialRun): Found => ({
  rule,
  says,
  conditions: [],
  plan,
  isFailure: false,
  tests: [],
  output,
  requests: exchange ? requestsFrom(notes, ({ at, path }) => at === exchange.at && path === exchange.path) : [],
});

const breachesOf = (notes: readonly Note[]): readonly Breach<RuleName>[] => [
  ...judgeConduct(notes).breaches,
  ...adviseOnConduct(notes).breaches,
];

/** The request that a condition changed first, by what the first run noted. */
const meets = ({ kind, value, id }: Condition, notes: readonly Note[]): ((exchange: ExchangeNote) => boolean) => {
  if (kind === 'request') return ({ operation }) => operation === value;
  const touched = notesOf(notes, 'touch').find(({ condition }) => condition === id);
  const [method, path] = touched?.request.split(' ') ?? [];
  return (exchange) => exchange.method === method && pathOf(exchange) === path;
};

const describeBroken = ({ condition, run, isControlBroken }: BrokenBy, baseline: readonly Note[]): Found | undefined => {
  const { kind, name, value, behaviour, control } = condition;
  const isSlow = isControlBroken && kind === 'request';
  // Records with another known value break it too: a test expects these very records.
  if (isControlBroken && !isSlow) return undefined;
  return {
    rule: isSlow ? 'slow-test' : condition.rule,
    says: isSlow
      ? `A test fails when the response to ${value} comes ${LATE_MS / 1000} s later, and else the same.`
      : condition.says,
    conditions: [isSlow ? { kind, name: 'late', value } : { kind, name, value }],
    plan: { behaviour: isSlow ? control! : behaviour, worlds: failedWorlds(run.notes) },
    isFailure: true,
    tests: run.tests,
    output: run.output,
    requests: requestsFrom(run.notes, meets(condition, baseline)),
  };
};

/** The plan for the test of one request. */
const planFor = (plan: TrialPlan, { exchange }: Breach<RuleName>, { notes }: TrialRun): TrialPlan => {
  const test = notesOf(notes, 'test').find(({ world }) => world === exchange?.world);
  return test ? { ...plan, worlds: [test.world], behaviours: { [test.world]: behaviourIn(plan, test.world) } } : plan;
};

/** Whether conduct breaks a rule only because of the behaviour of a run, and again when that is repeated. */
const judgeTrials = async (trials: readonly PlannedRun[], usual: ReadonlySet<RuleName>, { run, only }: JudgeOptions) => {
  const found = new Map<RuleName, Found>();
  for (const { plan, ran, what } of trials) {
    const fresh = breachesInAll([ran], breachesOf).filter(
      // Some tests alone say nothing of what the others read.
      ({ rule }) => !usual.has(rule) && !found.has(rule) && isWanted(only, rule) && !(plan.worlds && rule === 'first-page-only'),
    );
    for (const breach of fresh) {
      const own = planFor(plan, breach, ran);
      const again = await run(own, () => `${what()}, again`);
      if (breachesOf(again.notes).some(({ rule }) => rule === breach.rule))
        found.set(breach.rule, describeBreach(breach, own, ran));
    }
  }
  return [...found.values()];
};

const countSituations = (baseline: TrialRun, trials: readonly PlannedRun[], conditions: readonly Condition[]) => {
  const seen = new Map<RuleName, number>();
  const add = (rule: RuleName, count: number) => void seen.set(rule, (seen.get(rule) ?? 0) + count);
  const all = trials.map(({ ran }) => ran);
  for (const [rule, count] of judgeConduct(baseline.notes).seen) add(rule, count);
  for (const { notes } of all)
    for (const [rule, count] of judgeConduct(notes).seen) if (!seen.has(rule) || rule === 'rate-limit') add(rule, count);
  const ruleBy = new Map(conditions.map(({ id, rule }) => [id, rule]));
  for (const { condition } of notesOf(baseline.notes, 'touch')) {
    const rule = ruleBy.get(condition);
    if (rule) add(rule, 1);
  }
  const deliveries = all.flatMap(({ notes }) => notesOf(notes, 'delivery'));
  add('duplicates', deliveries.filter(({ again }) => again).length);
  add('event-order', notesOf(baseline.notes, 'delivery').length > 1 ? 1 : 0);
  return seen;
};

/** @throws UnfitCommand when the command fails on the mock as it is */
export const judgeCommand = async (given: JudgeOptions): Promise<Verdict> => {
  const { first, second, late } = await runBaseline(given);
  const { run, trials, isSerial } = queueRuns(given, first);
  const options = { ...given, run };
  const usual = breachesInAll([first, second], breachesOf).filter(({ rule }) => isWanted(options.only, rule));
  const { operations, conditions } = planConditions(options, first.notes, new Set(usual.map(({ rule }) => rule)));
  const [searched, orders] = await Promise.all([
    searchConditions(groupConditions(conditions, first), { ...options, isSerial }),
    isWanted(options.only, 'order') ? judgeOrders(first, late, options) : undefined,
  ]);
  const asItIs = new Set<RuleName>(breachesOf(first.notes).map(({ rule }) => rule));
  const underTrial = trials.filter(
    ({ plan, ran }) => Object.keys(plan.behaviours ?? plan.behaviour).length > 0 && ran.notes.length > 0,
  );
  const conduct = await judgeTrials(underTrial, asItIs, options);
  const altered = conduct.some(({ rule }) => rule === 'cursor');
  const broken = searched.broken
    .flatMap((one) => describeBroken(one, first.notes) ?? [])
    // A client that alters cursors of another form has one fault.
    .filter(({ rule }) => !(altered && rule === 'opaque-cursor'));
  const found = [
    ...usual.map((breach) => describeBreach(breach, { behaviour: {} }, first)),
    ...conduct.filter(({ rule }) => !broken.some((one) => one.rule === rule)),
    ...broken,
    ...(orders?.found ?? []),
  ];
  const seen = countSituations(first, trials, conditions);
  if (orders) seen.set('order', orders.together);
  const unsteady = [...searched.unsteady, ...(orders?.unsteady ?? [])];
  return { found, seen, unsteady, operations };
};
