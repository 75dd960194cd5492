// One finding again, with exactly what made it.

import type { ClientFinding } from './client-report.ts';
import { judgeConduct } from './conduct.ts';
import { adviseOnConduct } from './conduct-advice.ts';
import { ruleOf } from './duties.ts';
import type { TrialPlan } from './trial-fetch.ts';
import type { TrialRun } from './trial-run.ts';

/** A race may need a second chance; what is mended never fails. */
const TRIES = 2;

const isThereIn = ({ isFailure, tests, duty }: ClientFinding, ran: TrialRun): boolean => {
  if (!isFailure) {
    const breaches = [...judgeConduct(ran.notes).breaches, ...adviseOnConduct(ran.notes).breaches];
    return breaches.some(({ rule }) => ruleOf(rule).id === duty);
  }
  return !ran.passed && (tests.length === 0 || ran.tests.length === 0 || ran.tests.some((test) => tests.includes(test)));
};

export const repeatFinding = async (finding: ClientFinding, run: (plan: TrialPlan, what: () => string) => Promise<TrialRun>) => {
  let ran: TrialRun | undefined;
  for (let i = 0; i < TRIES; i++) {
    ran = await run(finding.plan as TrialPlan, () => finding.says);
    if (isThereIn(finding, ran)) return { isThere: true, output: finding.isFailure ? ran.output : '' };
  }
  return { isThere: false, output: ran!.passed ? '' : ran!.output };
};
