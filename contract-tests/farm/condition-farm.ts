// The farm of conditions: runs against conforming servers under mixtures of conditions; none may report a violation.
import type { Runner } from '../engine/names.ts';
import { latestRelease, readRegister, readShippedDocument } from '../engine/register.ts';
import type { Report } from '../engine/report.ts';
import { runSuite } from '../suite.ts';
import { CONDITIONS, type Mixture, mixtureOf, planOf } from './conditions.ts';
import { openStage, type Stage } from './staging.ts';

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

/** What is wrong with the verdicts on a mixture; nothing, as it must be. @param faults of the foreign server */
export const judgeMixture = async (
  mixture: Mixture,
  faults: readonly string[] = [],
): Promise<{ problems: string[]; reports: Report[] }> => {
  const stage = await openStage(planOf(mixture, faults));
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

/** The fewest conditions of a mixture under which something is still wrong. */
export const fewest = async (mixture: Mixture): Promise<Mixture> => {
  let found = mixture;
  for (const id of mixture.conditions) {
    const less = { ...found, conditions: found.conditions.filter((one) => one !== id) };
    if ((await judgeMixture(less)).problems.length > 0) found = less;
  }
  return found;
};

export const nameOf = ({ seed, host, conditions }: Mixture): string =>
  `seed ${seed}, ${host}: ${conditions.join(', ') || 'nothing'}`;

/** Judges so many mixtures, from a seed on. @returns how many were blamed */
export const conditionFarm = async (
  count: number,
  first: number,
  print: (line: string) => void,
  only?: readonly string[],
): Promise<number> => {
  print(`Conditions: ${count} mixtures of ${CONDITIONS.length}, from seed ${first} on`);
  let bad = 0;
  let requests = 0;
  let infra = 0;
  for (let seed = first; seed < first + count; seed++) {
    const drawn = mixtureOf(seed);
    const mixture = only ? { ...drawn, conditions: only } : drawn;
    const { problems, reports } = await judgeMixture(mixture);
    requests += reports.reduce((sum, report) => sum + report.requests, 0);
    infra += reports.reduce((sum, report) => sum + report.infra.length, 0);
    if (problems.length === 0) continue;
    bad++;
    print(`  NOT ${nameOf(await fewest(mixture))} (drawn: ${mixture.conditions.join(', ')})`);
    for (const problem of problems.slice(0, 8)) print(`      ${problem.slice(0, 300)}`);
  }
  print(
    `  ${count - bad} of ${count} mixtures end without a violation, ${requests} requests, ${infra} failures of infrastructure`,
  );
  return bad;
};
