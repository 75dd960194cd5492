// Runs the contract suite against the second farm: each fault, and each conforming style. Two processes share the work.
import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort } from '../farm/free-port.ts';
import { VirtualClock } from '../judge/reference/clock.ts';
import { DEVIATIONS } from '../judge/reference/deviations.ts';
import { createFarmServer } from '../judge/reference/server.ts';
import { STYLE_NAMES, type StyleName } from '../judge/reference/styles.ts';
import { runContract } from '../run.ts';
import { SETS } from './faults/sets.ts';

/** A run of the suite; without a fault on the conforming server. */
interface Job {
  readonly style: StyleName;
  readonly fault?: string;
  readonly deviation?: string;
}

interface Outcome extends Job {
  /** The suite's verdict, or why there is none. */
  readonly verdict: string;
  /** Requirements that failed. */
  readonly failed: readonly string[];
  /** Reasons of what was skipped, with how often. */
  readonly skipped?: Readonly<Record<string, number>>;
  readonly error?: string;
}

/** The value of an option, as --name=value or --name value. */
const option = (name: string): string | undefined => {
  const at = process.argv.findIndex((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`));
  return at < 0 ? undefined : (process.argv[at]?.split('=')[1] ?? process.argv[at + 1]);
};

const SET = option('set') ?? 'first';
const FAULTS =
  SETS[SET] ??
  (() => {
    throw new Error(
      `There is no set of faults named "${SET}": the sets are ${Object.keys(SETS).join(', ')}. Give one of them, or leave --set out; see contract-tests/second-farm/README.md.`,
    );
  })();
const REPORT = 'contract-report';
const REPORT_FILE = SET === 'first' ? 'second-farm.json' : `second-farm-${SET}.json`;
const LONGEST_MS = 600_000;
const HOOKS = 'https://hooks.second-farm.test';

const judge = async (job: Job): Promise<Outcome> => {
  const port = await freePort();
  const clock = new VirtualClock();
  const alter = [...FAULTS, ...DEVIATIONS].find(({ id }) => id === (job.fault ?? job.deviation))?.alter;
  const resolve = (url: string) => url.replace(HOOKS, `http://127.0.0.1:${port}`);
  const server = createFarmServer({ style: job.style, clock, resolve, ...(alter ? { alter } : {}) });
  try {
    const report = await runContract({
      baseUrl: server.baseUrl,
      keys: server.keys,
      // The host of the webhooks has no name here.
      fetch: (input, init) => (input.startsWith(HOOKS) ? fetch(resolve(input), init) : server.fetch(input, init)),
      time: clock,
      receiverUrl: HOOKS,
      receiverPort: port,
      taskWithComments: server.taskWithComments,
      allow: ['webhooks', 'slow', 'quota'],
      reportDir: false,
      thorough: process.argv.includes('--thorough'),
    });
    const failed = report.requirements.filter(({ status }) => status === 'failed').map(({ id }) => id);
    const skipped: Record<string, number> = {};
    for (const { status, reason } of report.requirements)
      if (status === 'skipped') skipped[String(reason)] = (skipped[String(reason)] ?? 0) + 1;
    return { ...job, verdict: report.verdict, failed, skipped };
  } catch (error) {
    return { ...job, verdict: 'no report', failed: [], error: String(error) };
  }
};

const work = (): void => {
  process.on('message', async (job: Job) => process.send?.(await judge(job)));
  process.on('disconnect', () => process.exit());
};

/** Gives jobs to a process of its own until none is left; a run that does not end is stopped and counts as one without a verdict. */
const employ = (queue: Job[], report: (outcome: Outcome) => void): Promise<void> =>
  new Promise((done) => {
    let child: ChildProcess;
    let timer: NodeJS.Timeout | undefined;
    let current: Job | undefined;
    const next = (): void => {
      current = queue.shift();
      if (!current) {
        child.disconnect();
        done();
        return;
      }
      timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
      child.send(current);
    };
    const begin = (): void => {
      child = fork(fileURLToPath(import.meta.url), ['--worker', ...process.argv.slice(2)], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      child.on('message', (outcome: Outcome) => {
        clearTimeout(timer);
        report(outcome);
        next();
      });
      child.on('exit', () => {
        clearTimeout(timer);
        if (!current) return;
        report({ ...current, verdict: 'no end', failed: [] });
        begin();
      });
      next();
    };
    begin();
  });

const list = (): void => {
  for (const { id, line, quote, says, style, needs } of FAULTS)
    console.log(`${id} [${style}${needs ? `, ${needs}` : ''}] line ${line} "${quote}": ${says}`);
  console.log(`${FAULTS.length} faults`);
};

const main = async (): Promise<void> => {
  const only = option('only');
  const none = process.argv.includes('--conforming');
  const chosen = FAULTS.filter(({ id }) => !none && (only === undefined || id.startsWith(only)));
  const queue: Job[] = [
    ...STYLE_NAMES.map((style) => ({ style })),
    ...(none ? DEVIATIONS : []).map(({ id, style }) => ({ style, deviation: id })),
    ...chosen.map(({ id, style }) => ({ style, fault: id })),
  ];
  const all = queue.length;
  const outcomes: Outcome[] = [];
  const seen = (outcome: Outcome): void => {
    outcomes.push(outcome);
    console.log(
      `${outcomes.length}/${all} ${outcome.fault ?? outcome.deviation ?? 'conforming'} [${outcome.style}] ${outcome.verdict} ${outcome.failed.join(' ')}`,
    );
  };
  await Promise.all([employ(queue, seen), employ(queue, seen)]);
  const faults = chosen.map(({ alter: _, parts: __, ...fault }) => {
    const { verdict = 'no end', failed = [], error } = outcomes.find((each) => each.fault === fault.id) ?? {};
    return { ...fault, found: verdict === 'violations', verdict, failed, ...(error === undefined ? {} : { error }) };
  });
  const conforming = outcomes.filter(({ fault }) => fault === undefined);
  const missed = faults.filter(({ found }) => !found);
  const found = faults.length - missed.length;
  mkdirSync(REPORT, { recursive: true });
  writeFileSync(
    `${REPORT}/${REPORT_FILE}`,
    `${JSON.stringify({ found, all: faults.length, conforming, missed, faults }, null, 2)}\n`,
  );
  for (const { id, line, quote, says, verdict } of missed)
    console.log(`\nnot found (${verdict}): ${id}\n  line ${line}: ${quote}\n  ${says}`);
  for (const { style, deviation = '', verdict, failed, skipped = {}, error = '' } of conforming)
    console.log(`conforming style ${style} ${deviation}: ${verdict} ${failed.join(' ')} ${JSON.stringify(skipped)} ${error}`);
  console.log(`\nfound ${found} of ${faults.length}`);
  const blamed = conforming.some(({ verdict }) => verdict !== 'conformant' && verdict !== 'partial');
  process.exitCode = missed.length > 0 || blamed ? 1 : 0;
};

if (process.argv.includes('--worker')) work();
else if (process.argv.includes('--dry')) list();
else await main();
