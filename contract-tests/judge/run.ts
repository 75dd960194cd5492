// npm run contract:judge: proves the suite. Faults must be found, no conforming server may be blamed, what is no service may not pass.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { FAULTY, type Job, jobsOf, KINDS, type Kind, type Outcome } from './jobs.ts';
import { runJobs, work } from './pool.ts';
import { argued, drawn, floorOf, pattern, percent, readScore, writeScore } from './score.ts';

const { values } = parseArgs({
  options: {
    /** A date, which draws some faults of each kind. */
    draw: { type: 'string' },
    faults: { type: 'string' },
    operators: { type: 'string' },
    kinds: { type: 'string' },
    only: { type: 'string' },
    variants: { type: 'string', default: '60' },
    conditions: { type: 'string', default: '16' },
    workers: { type: 'string', default: String(availableParallelism()) },
    'write-score': { type: 'boolean', default: false },
    worker: { type: 'boolean', default: false },
  },
});

const print = (line: string) => process.stdout.write(`${line}\n`);

const GATE_KINDS: readonly Kind[] = [...FAULTY, 'degenerate'];
const GATE_COUNTS: Readonly<Partial<Record<Kind, number>>> = { fault: 200, operator: 100 };

const kindsOf = (text: string): Kind[] =>
  text.split(',').map((name) => {
    const kind = KINDS.find((known) => known === name);
    if (!kind)
      throw new RangeError(
        `--kinds: expected ${KINDS.join(', ')}, separated by commas, got "${name}"; see contract-tests/README.md`,
      );
    return kind;
  });

const choose = async (isArgued: (job: Job) => boolean): Promise<Job[]> => {
  const { draw, only } = values;
  const counts = { fault: values.faults, operator: values.operators };
  const chosen: Job[] = [];
  for (const kind of values.kinds ? kindsOf(values.kinds) : draw ? GATE_KINDS : KINDS) {
    const all = await jobsOf(kind, { variants: Number(values.variants), conditions: Number(values.conditions) });
    const fitting = all.filter(
      (job) => !isArgued(job) && !(draw !== undefined && job.beyond) && (only === undefined || pattern(`${only}*`).test(job.id)),
    );
    const given = counts[kind as 'fault'];
    const count = given === undefined ? (draw === undefined ? undefined : GATE_COUNTS[kind]) : Number(given);
    const some = count === undefined ? fitting : drawn(fitting, count, draw ?? '');
    chosen.push(...some.map((job) => ({ ...job, bail: only === undefined })));
  }
  return chosen;
};

const repeat = ({ kind, id }: Job): string => `node dist/contract-tests/judge/run.js --kinds ${kind} --only '${id}'`;

const report = (outcomes: readonly Outcome[]): boolean => {
  let green = true;
  for (const kind of KINDS) {
    const mine = outcomes.filter((outcome) => outcome.kind === kind);
    if (mine.length === 0) continue;
    const bad = mine.filter(({ good }) => !good);
    const faulty = FAULTY.find((one) => one === kind);
    for (const outcome of bad)
      print(
        `  ${faulty ? 'not found' : 'NOT RIGHT'}: ${outcome.id}${outcome.host ? ` on the ${outcome.host}` : ''}: ${outcome.says}\n    ${repeat(outcome)}`,
      );
    const counted = mine.filter(({ beyond }) => !beyond);
    const score = { judged: counted.length, found: counted.filter(({ good }) => good).length };
    print(`${kind}: ${score.found} of ${score.judged} (${percent(score)})`);
    const blamed = mine.filter(({ good, hits, failures }) => good && hits === 0 && failures.length > 0);
    for (const { id, host, failures } of blamed) print(`  BLAMED without a fault: ${id} on the ${host} by ${failures.join(' ')}`);
    const floor = faulty && values.only === undefined ? floorOf(readScore()[faulty], score.judged) : 0;
    if (score.found < floor)
      print(`  too few: chance alone would leave ${floor} (judge/score.json: ${percent(readScore()[faulty!])})`);
    green &&= blamed.length === 0 && (faulty ? score.found >= floor : bad.length === 0);
  }
  return green;
};

const main = async (): Promise<void> => {
  const { isArgued } = argued();
  const jobs = await choose(isArgued);
  print(`${jobs.length} runs of the suite, ${values.workers} processes`);
  const outcomes: Outcome[] = [];
  await runJobs(jobs, Number(values.workers), (outcome) => {
    outcomes.push(outcome);
    if (outcomes.length % 500 === 0) print(`  ${outcomes.length} of ${jobs.length}`);
  });
  const green = report(outcomes);
  mkdirSync('contract-report', { recursive: true });
  writeFileSync('contract-report/judge.json', `${JSON.stringify(outcomes, null, 1)}\n`);
  if (values['write-score']) writeScore(outcomes, isArgued);
  print(green ? 'The judge is content.' : 'The suite does not do what it must.');
  process.exitCode = green ? 0 : 1;
};

if (values.worker) work();
else await main();
