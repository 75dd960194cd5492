// Which conditions break a command: they are tried in groups, what breaks is halved until it is one, and that is confirmed.
import { type Condition, combineBehaviours } from './conditions.ts';
import { failedWorlds } from './notes.ts';
import type { TrialPlan } from './trial-fetch.ts';
import type { TrialRun } from './trial-run.ts';

export interface BrokenBy {
  readonly condition: Condition;
  readonly run: TrialRun;
  /** Its control breaks the command as well. */
  readonly isControlBroken: boolean;
}

export interface ConditionGroup {
  readonly conditions: readonly Condition[];
  /** The worlds whose tests may notice; undefined: all. */
  readonly worlds: TrialPlan['worlds'];
}

interface ConditionResults {
  readonly broken: readonly BrokenBy[];
  /** Failures that do not repeat, or that no single condition makes. */
  readonly unsteady: readonly string[];
}

type Worlds = TrialPlan['worlds'];
type Try = (plan: TrialPlan, what: () => string) => Promise<TrialRun>;

/** A duty is broken once, but for each field that has unknown values; of what the spec leaves open, each point is a cause. */
const conditionCause = ({ kind, name, rule }: Condition): string =>
  kind === 'value' || rule === 'open-point' ? `${kind}:${name}` : rule;

/** @param repeat runs in which a failure must repeat */
export const searchConditions = async (groups: readonly ConditionGroup[], run: Try, repeat: number) => {
  const broken = new Map<string, BrokenBy>();
  const unsteady: string[] = [];
  const tryThem = (conditions: readonly Condition[], worlds: Worlds) =>
    run(
      { behaviour: combineBehaviours(conditions.map(({ behaviour }) => behaviour)), worlds, bail: conditions.length > 1 },
      () => (conditions.length === 1 ? conditions[0]!.id : `${conditions.length} conditions of ${conditions[0]!.group}`),
    );

  const confirm = async (condition: Condition, first: TrialRun, worlds: Worlds): Promise<void> => {
    const { id, behaviour, control } = condition;
    for (let i = 1; i < repeat; i++)
      if ((await run({ behaviour, worlds }, () => `${id}, again`)).passed) return void unsteady.push(condition.says);
    const without = await run({ behaviour: control ?? {}, worlds }, () => `${id}: without it`);
    if (control === undefined && !without.passed) return void unsteady.push(condition.says);
    // Another value may have been found meanwhile.
    if (broken.has(conditionCause(condition))) return;
    broken.set(conditionCause(condition), { condition, run: first, isControlBroken: !without.passed });
  };

  const done = new Set<Condition>();
  const isOpen = (one: Condition) => !done.has(one) && !broken.has(conditionCause(one));

  /** Halves what fails until it is one condition. Tests that passed with all of them need not run with some. @returns whether it passes */
  const halve = async (all: readonly Condition[], worlds: Worlds): Promise<boolean> => {
    const conditions = all.filter(isOpen);
    if (conditions.length === 0) return false;
    const ran = await tryThem(conditions, worlds);
    if (ran.passed) return true;
    const failed = failedWorlds(ran.notes) ?? worlds;
    if (conditions.length > 1) return halveBoth(conditions, failed);
    done.add(conditions[0]!);
    await confirm(conditions[0]!, ran, failed);
    return false;
  };

  const halveBoth = async (conditions: readonly Condition[], worlds: Worlds): Promise<boolean> => {
    const middle = conditions.length >> 1;
    const halves = [conditions.slice(0, middle), conditions.slice(middle)];
    const ends: boolean[] = [];
    // One cause breaks both halves: the first tells.
    if (new Set(conditions.map(conditionCause)).size === 1) for (const half of halves) ends.push(await halve(half, worlds));
    else ends.push(...(await Promise.all(halves.map((half) => halve(half, worlds)))));
    if (!ends.every(Boolean)) return false;
    for (const one of conditions) done.add(one);
    unsteady.push(`It fails with all of these, and passes with either half: ${conditions.map(({ id }) => id).join(', ')}.`);
    return false;
  };

  /** A run ends at its first failure; without what made it, the group is tried again. */
  const search = async ({ conditions: all, worlds }: ConditionGroup): Promise<void> => {
    for (let conditions = all.filter(isOpen); conditions.length > 0; conditions = conditions.filter(isOpen)) {
      if (await halve(conditions, worlds)) return;
    }
  };
  await Promise.all(groups.map(search));
  const result: ConditionResults = { broken: [...broken.values()], unsteady };
  return result;
};
