// Which faults are judged: a draw by the date, without what is argued.
import { readFileSync } from 'node:fs';
import { shipped } from '../engine/register.ts';
import { parse } from '../engine/yaml.ts';
import { dieOf } from './dice.ts';
import type { Job } from './jobs.ts';

/** A text with asterisks, each of which stands for anything. */
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

/** So many of the jobs, in an order that the seed gives. */
export const drawn = (jobs: readonly Job[], count: number, seed: string): Job[] => {
  const roll = dieOf(count, seed);
  const order = jobs.map((job) => ({ job, at: roll() })).sort((a, b) => a.at - b.at);
  return order.slice(0, count).map(({ job }) => job);
};
