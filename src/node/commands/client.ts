// `wm-mock client`: a verdict on a client, by its own tests, with a report; one finding again; and the proof of a fix.
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClientReport } from '../../client/client-report.ts';
import { ADVICE, DUTIES, PHASES } from '../../client/duties.ts';
import { buildErrorReport, buildReport } from '../../client/report.ts';
import { showReport } from '../../client/report-page.ts';
import { formatAnnotations, formatJUnit, formatReport, formatSummary } from '../../client/report-text.ts';
import { repeatFinding } from '../../client/rerun.ts';
import type { TrialPlan } from '../../client/trial-fetch.ts';
import { judgeCommand, UnfitCommand } from '../../client/verdict.ts';
import { toSeed } from '../../mock/api/create.ts';
import { several } from '../../mock/api/report.ts';
import { LATEST } from '../../service/contract/releases.ts';
import { readJson } from '../../service/validation/json-text.ts';
import { withCheckout } from '../client/checkout.ts';
import { type PreparedClient, prepareClient } from '../client/client-run.ts';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError } from '../command-line/io.ts';
import { loadSeed } from '../create-mock.ts';
import { readText } from '../files/files.ts';
import { writeFiles } from '../files/write-file.ts';
import { signalStatus } from './exec.ts';

/** Limit of a run before it is known how long the command takes, milliseconds. */
const FIRST_LIMIT_MS = 600_000;

const readOnly = (only: unknown): readonly string[] => {
  const names = typeof only === 'string' ? only.split(',').map((name) => name.trim()) : [];
  const known = [...PHASES, ...Object.values({ ...DUTIES, ...ADVICE }).map(({ id }) => id)] as readonly string[];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return names;
  throw new UsageError(
    `--only: expected ids of duties or any of ${PHASES.join(', ')}, got "${unknown}". See wm-mock client --list.`,
  );
};

const listDuties = ({ out }: Io): number => {
  for (const { id, phase, title, spec } of Object.values(DUTIES)) {
    out(`${id}  ${phase.padEnd(9)}  ${title}\n            line ${spec.line}: ${spec.quote}\n`);
  }
  for (const { id, title, why } of Object.values(ADVICE)) out(`${id}  advice     ${title}\n            ${why}\n`);
  return 0;
};

const judge = async (client: PreparedClient, only: readonly string[]): Promise<ClientReport> => {
  const { io, options, workers, repeatRuns, accepted, command, repeat } = client;
  const began = performance.now();
  const { choices, release = LATEST, forward = [] } = await toSeed(await loadSeed(options));
  const about = () => {
    const seconds = (performance.now() - began) / 1000;
    return { command, folder: io.cwd, only, accepted, repeat, seconds, runs: client.runs() };
  };
  let longest = 0;
  const run = async (plan: TrialPlan, what: () => string) => {
    // A run that takes much longer than the first ones hangs.
    const ran = await client.run(plan, what, client.runs() < 2 ? FIRST_LIMIT_MS : 5000 * longest + 20_000);
    if (client.runs() <= 2) longest = Math.max(longest, ran.seconds);
    return ran;
  };
  try {
    const judged = await judgeCommand({ run, service: { choices, release, forward }, workers, repeat: repeatRuns, only });
    return buildReport(judged, about());
  } catch (error) {
    if (!(error instanceof UnfitCommand)) throw error;
    const tail = error.run.output.trimEnd().split('\n').slice(-40).join('\n');
    return buildErrorReport(`${command} ${error.message} on the mock as it is. Fix that first. It said:\n\n${tail}`, about());
  }
};

const writeReport = async ({ io, folder }: PreparedClient, report: ClientReport): Promise<void> => {
  const summary = formatSummary(report);
  await writeFiles(folder, {
    'client.json': JSON.stringify(report, null, 2),
    'report.html': showReport(report),
    'summary.md': summary,
    'junit.xml': formatJUnit(report),
  });
  if (io.env.GITHUB_STEP_SUMMARY) await appendFile(io.env.GITHUB_STEP_SUMMARY, summary);
  if (io.env.GITHUB_ACTIONS) for (const line of formatAnnotations(report)) io.raw(`${line}\n`);
  io.out(`${formatReport(report)}${join(folder, 'report.html')}\n`);
};

const EXIT_STATUS = { kept: 0, broken: 1, error: 2 } as const;

const rerun = async (client: PreparedClient, id: string): Promise<number> => {
  const { file, io } = client;
  const { findings } = Object(readJson(await readText(file, 'report', io.cwd))) as Partial<ClientReport>;
  const finding = findings?.find((one) => one.id === id);
  if (!finding)
    throw new UsageError(
      `--rerun: ${file} has no finding "${id}". Give an id of it, or --report and the folder of the report that has it.`,
      1,
    );
  const repeated = await repeatFinding(finding, (plan, what) => client.run(plan, what, FIRST_LIMIT_MS));
  if (repeated.output) io.err(repeated.output);
  io.out(`${id}: ${finding.says}\n${repeated.isThere ? 'It is still there.' : 'It is gone.'}\n`);
  return repeated.isThere ? 1 : 0;
};

/** Green only if a finding is there on a git ref and gone here. */
const prove = async (args: CommandLine, io: Io, base: string, only: readonly string[]): Promise<number> => {
  const before = await withCheckout(io, base, async (cwd) => judge(await prepareClient(args, io, cwd), only));
  const client = await prepareClient(args, io);
  const now = await judge(client, only);
  await writeReport(client, now);
  const open = (report: ClientReport) => report.findings.filter(({ duty, accepted }) => duty.startsWith('WM-CLI-') && !accepted);
  const [was, is] = [open(before), open(now)];
  const fixed = was.filter(({ id }) => !is.some((one) => one.id === id));
  for (const { id, says } of fixed) io.out(`gone since ${base}: ${id} ${says}\n`);
  if (before.verdict === 'error' || now.verdict === 'error') return EXIT_STATUS.error;
  if (fixed.length === 0)
    io.out(`Nothing is proved: ${was.length === 0 ? `${base} has no finding` : `every finding of ${base} is still here`}.\n`);
  else if (is.length > 0) io.out(`It is no proof yet: ${several(is.length, 'finding')} here.\n`);
  return fixed.length > 0 && is.length === 0 ? 0 : 1;
};

const runVerdict = async (args: CommandLine, io: Io): Promise<number> => {
  const { flags } = args;
  if (flags.list === true) return listDuties(io);
  const only = readOnly(flags.only);
  if (typeof flags.prove === 'string') return prove(args, io, flags.prove, only);
  const client = await prepareClient(args, io);
  if (typeof flags.rerun === 'string') return rerun(client, flags.rerun);
  const report = await judge(client, only);
  await writeReport(client, report);
  return EXIT_STATUS[report.verdict];
};

/** @returns 0: no duty is broken; 1: one is; 2: there is no verdict; 128 + signal. @throws UsageError, SeedError */
export const runClient = async (args: CommandLine, io: Io): Promise<number> => {
  const ended = await runVerdict(args, io).catch((error) => {
    if (!io.stop.aborted) throw error;
  });
  if (!io.stop.aborted) return ended!;
  io.err('wm-mock: stopped: there is no verdict.\n');
  return signalStatus(io.stop.reason as NodeJS.Signals);
};
