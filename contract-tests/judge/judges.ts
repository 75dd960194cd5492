// Runs against servers that conform, which none may blame, and against what is no such service, which none may pass.
import type { Runner } from '../engine/names.ts';
import { latestRelease, readRegister, readShippedDocument } from '../engine/register.ts';
import type { Report } from '../engine/report.ts';
import type { Surroundings } from '../engine/surroundings.ts';
import type { Fetch } from '../engine/terms.ts';
import { runContract } from '../run.ts';
import { runSuite } from '../suite.ts';
import { type Mixture, planOf } from './conditions.ts';
import { VirtualClock } from './reference/clock.ts';
import { openStage, type Plan, type Stage } from './staging.ts';
import { mockTarget } from './targets.ts';
import type { Variant } from './variants.ts';

/** The violations in a report, and the error that ended the run. */
export const problemsOf = ({ failures, requirements, error }: Report): string[] => {
  const describe = (id: string) => {
    const found = requirements.find((result) => result.id === id);
    const check = found?.evidence?.[0]?.check;
    return `${id}: ${found?.reason}${check === undefined ? '' : ` [${check}]`}`;
  };
  return [...failures.map(describe), ...(error === undefined ? [] : [`error: ${error}`])];
};

/** The mock under one choice of each open point: it is never blamed, and each choice is recorded. */
export const judgeVariant = async (variant: Variant): Promise<string[]> => {
  const target = await mockTarget(variant);
  const report = await runContract({ ...target.options, fetch: target.fetch, reportDir: false, timeoutMs: 5000 });
  await target.close();
  // A requirement that depends on a choice that a variant hides cannot be seen, which is no mistake.
  const hidden = (name: string) => name === 'refused-requests' && variant['rate-window'] !== 'rolling';
  const missed = Object.entries({ ...report.choices, ...report.other_choices })
    .filter(([name, seen]) => seen !== variant[name] && !hidden(name))
    .map(([name, seen]) => `${name} is ${variant[name]} and was recorded as ${seen}`);
  return [...problemsOf(report), ...missed];
};

/** Where a run in this process is, with receivers of its own. */
export const surroundingsOf = (runner: Runner, receiver: Surroundings['receiver']): Surroundings => ({
  ...{ register: readRegister(), latest: latestRelease(), document: readShippedDocument, runner, receiver },
});

/** The run that is judged, and another from a machine that looks the same. */
export const RUNNERS: readonly Runner[] = [
  { host: 'aaaaaa', pid: 7, alive: (pid) => pid === 7 },
  { host: 'bbbbbb', pid: 7, alive: () => false },
];

const runOn = (stage: Stage, n: number): Promise<Report> =>
  runSuite(
    stage.options,
    surroundingsOf(RUNNERS[n]!, () => stage.desk.receiver()),
  );

const leftBehind = ({ left_behind }: Report): string[] =>
  left_behind.filter(({ path }) => !path.startsWith('/webhooks')).map(({ path, why }) => `${path} was left behind: ${why}`);

/** The wrong verdicts on a mixture; there must be none. @param alter a fault of the reference server */
export const judgeMixture = async (
  mixture: Mixture,
  alter?: Plan['alter'],
): Promise<{ problems: string[]; reports: Report[] }> => {
  const stage = await openStage(planOf(mixture, alter));
  const { before, runs, after } = stage.plan;
  for (const step of before) await step(stage);
  const reports = await Promise.all(runs === 'two at once' ? [runOn(stage, 0), runOn(stage, 1)] : [runOn(stage, 0)]);
  if (runs === 'one after another') reports.push(await runOn(stage, 1));
  const problems = reports.flatMap((report) => [...problemsOf(report), ...leftBehind(report)]);
  for (const step of after) problems.push(...(await step(stage)));
  await stage.close();
  return { problems: [...new Set(problems)], reports };
};

export const nameOf = ({ seed, host, conditions }: Mixture): string =>
  `seed ${seed}, ${host}: ${conditions.join(', ') || 'nothing'}`;

const json = (status: number, body: unknown) => async () =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** A server of another kind must never look like such a service. */
export const DEGENERATE: Readonly<Record<string, Fetch>> = {
  'always 404': json(404, { error: { code: 'not_found', message: 'No.' } }),
  'always 401': json(401, { error: { code: 'unauthorized', message: 'No.' } }),
  'always 200 {}': json(200, {}),
  'always 500': json(500, { error: { code: 'internal_error', message: 'No.' } }),
  'always the same profile': json(200, { data: { id: 'x' } }),
  HTML: async () => new Response('<!doctype html><h1>Hello</h1>', { status: 200, headers: { 'content-type': 'text/html' } }),
  'a redirect': async () => new Response(null, { status: 302, headers: { location: '/login' } }),
  'a closed socket': () => Promise.reject(new TypeError('fetch failed')),
  '30-second responses': () => new Promise(() => {}),
};

export const judgeDegenerate = async (fetch: Fetch): Promise<string[]> => {
  const { requirements, verdict } = await runContract({
    ...{ baseUrl: 'http://127.0.0.1/v1', fetch, reportDir: false, timeoutMs: 500, time: new VirtualClock() },
    keys: { admin: 'degenerate-admin', write: 'degenerate-write', read: 'degenerate-read' },
  });
  const musts = requirements.filter(({ level }) => level === 'must');
  const passed = musts.filter(({ status }) => status === 'passed').length;
  const fine = verdict !== 'conformant' && verdict !== 'partial' && passed <= musts.length / 100;
  return fine ? [] : [`${verdict}, ${passed} of ${musts.length} requirements hold`];
};
