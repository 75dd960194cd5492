// The rules for clients and receivers of events: duties, each with its sentence of the spec, and advice. Their rows are in duties.yaml.
import { mapValues } from '../service/contract/keyed.ts';
import type { Advice, Duty, Phase } from './client-report.ts';
import { RULES } from './duties.generated.ts';

export const PHASES = ['conduct', 'tolerance', 'failure', 'order', 'events'] as const satisfies readonly Phase[];

export type DutyName = keyof typeof RULES.duties;
export type AdviceName = keyof typeof RULES.advice;

export const DUTIES = mapValues(RULES.duties, ({ quote, line, ...row }) => ({ ...row, spec: { quote, line } }) as Duty);

export const ADVICE: Readonly<Record<AdviceName, Advice>> = RULES.advice;

export const isDuty = (name: DutyName | AdviceName): name is DutyName => Object.hasOwn(DUTIES, name);

export const ruleOf = (name: DutyName | AdviceName): Duty | Advice => (isDuty(name) ? DUTIES[name] : ADVICE[name]);

/** @param only ids and phases; empty: all */
export const isWanted = (only: readonly string[], rule: DutyName | AdviceName): boolean => {
  const { id } = ruleOf(rule);
  return only.length === 0 || only.some((one) => one === id || (isDuty(rule) && one === DUTIES[rule].phase));
};
