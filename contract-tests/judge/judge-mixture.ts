// Runs against conforming servers under a mixture of conditions: none may report a violation.
import type { Runner } from '../engine/names.ts';
import { latestRelease, readRegister, readShippedDocument } from '../engine/register.ts';
import type { Report } from '../engine/report.ts';
import { runSuite } from '../suite.ts';
import { type Mixture, planOf } from './conditions.ts';
import { openStage, type Plan, type Stage } from './staging.ts';

/** The run that is judged, and another from a machine that looks the same. */
const RUNNERS: readonly Runner[] = [
  { host: 'aaaaaa', pid: 7, alive: (pid) => pid === 7 },
  { host: 'bbbbbb', pid: 7, alive: () => false },
];

const runOn = (stage: Stage, n: number): Promise<Report> =>
  runSuite(stage.options, {
    register: readRegister(),
    latest: latestRelease(),
    runner: RUNNERS[n]!,
    document: readShippedDocument,
    receiver: () => stage.desk.receiver(),
  });

const faultsOf = (report: Report): string[] => [
  ...report.failures.map((id) => {
    const found = report.requirements.find((result) => result.id === id);
    return `${id}: ${found?.reason} [${found?.evidence?.[0]?.check}]`;
  }),
  ...(report.error === undefined ? [] : [`error: ${report.error}`]),
  ...report.left_behind
    .filter(({ path }) => !path.startsWith('/webhooks'))
    .map(({ path, why }) => `${path} was left behind: ${why}`),
];

/** What is wrong with the verdicts on a mixture; nothing, as it must be. @param alter a fault of the reference server */
export const judgeMixture = async (
  mixture: Mixture,
  alter?: Plan['alter'],
): Promise<{ problems: string[]; reports: Report[] }> => {
  const stage = await openStage(planOf(mixture, alter));
  const reports: Report[] = [];
  for (const step of stage.plan.before) await step(stage);
  if (stage.plan.runs === 'two at once') reports.push(...(await Promise.all([runOn(stage, 0), runOn(stage, 1)])));
  else reports.push(await runOn(stage, 0));
  if (stage.plan.runs === 'one after another') reports.push(await runOn(stage, 1));
  const problems = reports.flatMap(faultsOf);
  for (const step of stage.plan.after) problems.push(...(await step(stage)));
  await stage.close();
  return { problems: [...new Set(problems)], reports };
};

export const nameOf = ({ seed, host, conditions }: Mixture): string =>
  `seed ${seed}, ${host}: ${conditions.join(', ') || 'nothing'}`;
