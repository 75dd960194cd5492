// Which conditions break a command: they are tried in groups, what breaks is halved until it is one, and that is confirmed.
import { type Condition, combineBehaviours } from './conditions.ts';
import { failedWorlds, passedWorlds } from './notes.ts';
import type { TrialPlan } from './trial-fetch.ts';
import type { JudgeOptions, TrialRun } from './trial-run.ts';

export interface BrokenBy {
  readonly condition: Condition;
  readonly run: TrialRun;
  /** Its control breaks the command as well. */
  readonly isControlBroken: boolean;
}

export type Worlds = TrialPlan['worlds'];

/** Conditions that are tried together, each with the worlds whose tests may notice it; undefined: all. */
export type ConditionGroup = ReadonlyMap<Condition, Worlds>;

interface ConditionResults {
  readonly broken: readonly BrokenBy[];
  /** Failures that do not repeat, or that no single condition makes. */
  readonly unsteady: readonly string[];
}

/** A duty is broken once, but for each field that has unknown values; of what the spec leaves open, each point is a cause. */
const conditionCause = ({ kind, name, rule }: Condition): string =>
  kind === 'value' || rule === 'open-point' ? `${kind}:${name}` : rule;

const unionOf = (all: readonly Worlds[]): Worlds =>
  all.every((worlds) => worlds !== undefined) ? [...new Set(all.flat())] : undefined;

/** Worlds of tests that fail when records have other known values: they expect these very records, so that no unknown value tells anything. */
const listExpecting = async (group: ConditionGroup, run: JudgeOptions['run']): Promise<readonly string[]> => {
  const controls = [...group.keys()].flatMap(({ kind, control }) => (kind === 'value' && control ? [control] : []));
  const worlds = unionOf([...group.values()]);
  if (controls.length === 0 || !worlds) return [];
  const ran = await run({ behaviour: combineBehaviours(controls), worlds }, () => 'other values that the client knows');
  return failedWorlds(ran.notes) ?? [];
};

/** @returns how to try conditions: each test meets those that it may notice */
const createTry = (worldsBy: ConditionGroup, run: JudgeOptions['run']) => (conditions: readonly Condition[], worlds: Worlds) => {
  const combineIn = (world?: string) =>
    combineBehaviours(
      conditions.flatMap((one) => (world === undefined || worldsBy.get(one)?.includes(world) !== false ? one.behaviour : [])),
    );
  const behaviours = worlds && Object.fromEntries(worlds.map((world) => [world, combineIn(world)]));
  return run(behaviours ? { behaviour: {}, behaviours, worlds } : { behaviour: combineIn() }, () =>
    conditions.length === 1 ? conditions[0]!.id : `${conditions.length} conditions of ${conditions[0]!.group}`,
  );
};

/** @param isSerial whether one run goes at a time: then no half is tried whose end follows from the other */
export const searchConditions = async (
  groups: readonly ConditionGroup[],
  { run, repeat, isSerial }: Pick<JudgeOptions, 'run' | 'repeat'> & { isSerial: () => boolean },
): Promise<ConditionResults> => {
  const broken = new Map<string, BrokenBy>();
  const unsteady: string[] = [];
  const done = new Set<Condition>();
  const isOpen = (one: Condition) => !done.has(one) && !broken.has(conditionCause(one));

  const worldsBy: ConditionGroup = new Map(groups.flatMap((group) => [...group]));
  const tryThem = createTry(worldsBy, run);

  /** @param failed the worlds where it may fail @param tried how it failed there */
  const confirm = async (condition: Condition, failed: Worlds, tried?: TrialRun): Promise<void> => {
    const { id, kind, behaviour, control, says } = condition;
    done.add(condition);
    const without = await run({ behaviour: control ?? {}, worlds: failed }, () => `${id}: without it`);
    if (kind === 'value' && !without.passed) return;
    const ran = tried ?? (await tryThem([condition], failed));
    const worlds = failedWorlds(ran.notes) ?? failed;
    if (ran.passed || (control === undefined && !without.passed)) return void unsteady.push(says);
    for (let i = 1; i < repeat; i++)
      if ((await run({ behaviour, worlds }, () => `${id}, again`)).passed) return void unsteady.push(says);
    // Another value may have been found meanwhile.
    if (broken.has(conditionCause(condition))) return;
    broken.set(conditionCause(condition), { condition, run: ran, isControlBroken: !without.passed });
  };

  /** Halves what fails in a test until it is one condition, and tries that in all tests that failed. @param ran the run that failed */
  const narrow = async (all: readonly Condition[], failed: Worlds, ran?: TrialRun): Promise<void> => {
    const [condition, ...others] = all.filter(isOpen);
    if (!condition) return;
    if (others.length === 0) return confirm(condition, failed, all.length === 1 ? ran : undefined);
    const conditions = [condition, ...others];
    const middle = conditions.length >> 1;
    const halves = [conditions.slice(0, middle), conditions.slice(middle)];
    const one = failed?.slice(0, 1);
    const runs = await Promise.all((isSerial() ? halves.slice(0, 1) : halves).map((half) => tryThem(half, one)));
    const passes = [runs[0]!.passed, runs[1]?.passed ?? !runs[0]!.passed];
    const failing = [0, 1].filter((half) => !passes[half]);
    if (failing.length === 0) {
      for (const one of conditions) done.add(one);
      unsteady.push(`It fails with all of these, and passes with either half: ${conditions.map(({ id }) => id).join(', ')}.`);
    }
    const follow = (half: number) => narrow(halves[half]!, failed, (failed?.length ?? 1) === 1 ? runs[half] : undefined);
    // One cause breaks both halves: the first tells.
    if (new Set(conditions.map(conditionCause)).size === 1) for (const half of failing) await follow(half);
    else await Promise.all(failing.map(follow));
  };

  /** Without what made it fail, the group is tried again in the tests that have not passed. */
  const search = async (group: ConditionGroup): Promise<void> => {
    const passed = new Set(await listExpecting(group, run));
    for (;;) {
      const conditions = [...group.keys()].filter(isOpen);
      const worlds = unionOf(conditions.map((one) => worldsBy.get(one)))?.filter((world) => !passed.has(world));
      if (conditions.length === 0 || worlds?.length === 0) return;
      const ran = await tryThem(conditions, worlds);
      if (ran.passed) return;
      for (const world of passedWorlds(ran.notes)) passed.add(world);
      const failed = failedWorlds(ran.notes) ?? worlds;
      const noticed = conditions.filter((one) => !failed || worldsBy.get(one)?.includes(failed[0]!) !== false);
      await narrow(noticed.length > 0 ? noticed : conditions, failed, conditions.length === 1 ? ran : undefined);
    }
  };
  await Promise.all(groups.map(search));
  return { broken: [...broken.values()], unsteady };
};
