// Runs the suite against one mutant and says whether it was killed, and where.
import type { Report } from '../engine/report.ts';
import { runContract } from '../run.ts';
import type { Mutant } from './mutant.ts';
import type { Target } from './targets.ts';
import { wrapped } from './wrap.ts';

export interface Kill {
  readonly mutant: string;
  readonly number?: number;
  readonly target: string;
  readonly clauses: readonly string[];
  readonly killed: boolean;
  /** The mutated clause is the first that failed. */
  readonly located: boolean;
  readonly failures: readonly string[];
  readonly verdict: Report['verdict'];
  readonly error?: string;
  readonly ms: number;
}

export const judgeMutant = async (mutant: Mutant, target: Target): Promise<Kill> => {
  const began = performance.now();
  const report = await runContract({
    ...target.options,
    fetch: mutant.wrap ? wrapped(target.fetch, [mutant.wrap]) : target.fetch,
    allow: mutant.allow ?? [],
    timeoutMs: 5000,
    reportDir: false,
  });
  await target.close();
  const { failures } = report;
  return {
    mutant: mutant.id,
    ...(mutant.number === undefined ? {} : { number: mutant.number }),
    target: target.name,
    clauses: mutant.clauses,
    killed: failures.length > 0,
    located: failures[0] !== undefined && mutant.clauses.includes(failures[0]),
    failures,
    verdict: report.verdict,
    ...(report.error === undefined ? {} : { error: report.error }),
    ms: Math.round(performance.now() - began),
  };
};

export const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
