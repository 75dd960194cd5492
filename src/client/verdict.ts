// The verdict on a client: its command runs as it is, then under every condition that the contract permits; findings are confirmed.
import type { OperationId } from '../service/contract/operations.ts';
import { JobQueue } from '../service/webhooks/sender.ts';
import { wait } from '../service/world/time.ts';
import { type BrokenBy, searchConditions } from './condition-search.ts';
import type { Condition } from './conditions.ts';
import { judgeConduct } from './conduct.ts';
import { adviseOnConduct } from './conduct-advice.ts';
import type { Breach } from './conduct-log.ts';
import { isWanted } from './duties.ts';
import { type ExchangeNote, exchangesIn, failedWorlds, type Note, notesOf, pathOf } from './notes.ts';
import { judgeOrders } from './order-verdict.ts';
import { groupConditions, planConditions } from './plan-conditions.ts';
import { LATE_MS, type TrialPlan } from './trial-fetch.ts';
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

const AS_IT_IS: TrialPlan = { behaviour: {}, orders: {} };

/** Runs the command twice as it is. */
const runBaseline = async ({ run }: JudgeOptions) => {
  const what = () => 'the mock as it is';
  const runs = [await run({ ...AS_IT_IS, watched: true }, what), await run(AS_IT_IS, what)] as const;
  const failed = runs.filter(({ passed }) => !passed);
  if (failed.length === runs.length) throw new UnfitCommand('fails', failed[0]!);
  if (failed.length > 0) throw new UnfitCommand('is flaky: it fails now and then', failed[0]!);
  return runs;
};

/** The second of two runs at once begins later, so that it finds the port of the first in use, milliseconds. */
const MAX_STAGGER_MS = 5000;

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

/** Whether conduct breaks a rule only because of the behaviour of a run, and again when that is repeated. */
const judgeTrials = async (trials: readonly PlannedRun[], usual: ReadonlySet<RuleName>, { run, only }: JudgeOptions) => {
  const found = new Map<RuleName, Found>();
  for (const { plan, ran, what } of trials) {
    const fresh = breachesInAll([ran], breachesOf).filter(
      ({ rule }) => !usual.has(rule) && !found.has(rule) && isWanted(only, rule),
    );
    if (fresh.length === 0) continue;
    const again = await run(plan, () => `${what()}, again`);
    for (const breach of breachesInAll([ran, again], breachesOf))
      if (fresh.some(({ rule }) => rule === breach.rule)) found.set(breach.rule, describeBreach(breach, plan, ran));
  }
  return [...found.values()];
};

interface PlannedRun {
  readonly plan: TrialPlan;
  readonly ran: TrialRun;
  readonly what: () => string;
}

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
  const baseline = await runBaseline(given);
  const { workers } = given;
  const [first] = baseline;
  const [slots, alone] = [new JobQueue(workers), new JobQueue(1)];
  const trials: PlannedRun[] = [];
  const comesSoFar = ({ passed, notes }: TrialRun) => passed || notesOf(notes, 'exchange').length > 0;
  /** A run that fails before it calls anything shares a port or a file with another: from then on, one goes at a time. */
  let isShared = false;
  let begun = 0;
  const active = new Set<Promise<TrialRun>>();
  let waiting = 0;
  const run: JudgeOptions['run'] = async (plan, what) => {
    waiting += 1;
    return slots.within('', async () => {
      waiting -= 1;
      const seconds = () => Math.ceil((waiting * first.seconds) / workers);
      const says = () => (seconds() > 0 ? `${what()}; at least ${seconds()} s left` : what());
      const runNow = () => {
        const running = given.run(plan, says).finally(() => active.delete(running));
        active.add(running);
        return running;
      };
      const runAlone = () => alone.within('', () => Promise.allSettled(active).then(runNow));
      begun += 1;
      if (begun === 2) await wait(Math.min(MAX_STAGGER_MS, 500 * first.seconds));
      let ran = isShared ? await runAlone() : await runNow();
      if (workers > 1 && !comesSoFar(ran) && comesSoFar(first)) {
        isShared = true;
        ran = await runAlone();
      }
      trials.push({ plan, ran, what });
      return ran;
    });
  };
  const options = { ...given, run };
  const usual = breachesInAll(baseline, breachesOf).filter(({ rule }) => isWanted(options.only, rule));
  const { operations, conditions } = planConditions(options, first.notes, new Set(usual.map(({ rule }) => rule)));
  const [searched, orders] = await Promise.all([
    searchConditions(groupConditions(conditions, first.notes), run, options.repeat),
    isWanted(options.only, 'order') ? judgeOrders(baseline, options) : undefined,
  ]);
  const asItIs = new Set<RuleName>(breachesOf(first.notes).map(({ rule }) => rule));
  const underTrial = trials.filter(({ plan, ran }) => Object.keys(plan.behaviour).length > 0 && ran.notes.length > 0);
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
