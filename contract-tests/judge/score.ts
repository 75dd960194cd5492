// Which faults are judged, a draw by the date without what is argued, and the score: what share an everyday run finds. It may only rise.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dieOf } from '../engine/dice.ts';
import { shipped } from '../engine/register.ts';
import { parse } from '../engine/yaml.ts';
import type { FAULTY, Job, Outcome } from './jobs.ts';

/** A text with asterisks, each of which matches anything. */
export const pattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

interface Argued {
  readonly mutants: string;
  readonly because: string;
}

/** Operator faults that no run can find; each row has the reason. */
export const argued = (): { readonly tests: readonly RegExp[]; isArgued(job: Job): boolean } => {
  const rows = parse(readFileSync(shipped('contract-tests/judge/argued.yaml')!, 'utf8')) as Argued[];
  const tests = rows.map(({ mutants }) => pattern(mutants));
  return { tests, isArgued: ({ kind, id }) => kind === 'operator' && tests.some((test) => test.test(id)) };
};

/** This many of the jobs, in an order that the seed gives. */
export const drawn = (jobs: readonly Job[], count: number, seed: string): Job[] => {
  const roll = dieOf(count, seed);
  const order = jobs.map((job) => ({ job, at: roll() })).sort((a, b) => a.at - b.at);
  return order.slice(0, count).map(({ job }) => job);
};

export type Faulty = (typeof FAULTY)[number];
/** How many were judged, and how many of them the suite found. */
export type Score = Readonly<Record<Faulty, { readonly judged: number; readonly found: number }>>;

const FILE = 'contract-tests/judge/score.json';

export const readScore = (): Score => JSON.parse(readFileSync(shipped(FILE)!, 'utf8')) as Score;

const share = ({ judged, found }: { judged: number; found: number }): number => found / Math.max(1, judged);
export const percent = (score: { judged: number; found: number }): string => `${(100 * share(score)).toFixed(1)} %`;

/** The least that a draw may find: chance alone falls below it once in seven hundred draws. */
export const floorOf = (score: Score[Faulty], drawn: number): number => {
  const expected = share(score);
  return Math.floor(drawn * expected - 3 * Math.sqrt(drawn * expected * (1 - expected)));
};

/** The rows of the table in README.md. */
export const tableOf = (score: Score): string =>
  [
    '| faults | judged | found by an everyday run |',
    '|---|---|---|',
    `| rows of \`judge/faults.yaml\`, on the reference server | ${score.fault.judged} | ${percent(score.fault)} |`,
    `| made by operators, on the reference server and on the mock | ${score.operator.judged} | ${percent(score.operator)} |`,
  ].join('\n');

/** Writes what has risen, here and in the README. @returns what was written */
export const writeScore = (outcomes: readonly Outcome[], argued: (job: Job) => boolean): Score => {
  const old = readScore();
  const counted = (kind: Faulty) => {
    const mine = outcomes.filter((outcome) => outcome.kind === kind && !outcome.beyond && !argued(outcome));
    const now = { judged: mine.length, found: mine.filter(({ good }) => good).length };
    return now.judged > 0 && share(now) >= share(old[kind]) ? now : old[kind];
  };
  const score = { fault: counted('fault'), operator: counted('operator') };
  const rows = Object.entries(score).map(([kind, now]) => `  "${kind}": { "judged": ${now.judged}, "found": ${now.found} }`);
  writeFileSync(shipped(FILE)!, `{\n${rows.join(',\n')}\n}\n`);
  const readme = shipped('contract-tests/README.md');
  if (readme && existsSync(readme))
    writeFileSync(
      readme,
      readFileSync(readme, 'utf8').replace(tableOf(old), () => tableOf(score)),
    );
  return score;
};
