// Judges one operator mutant: a fresh server, the layer round it, a run of the suite.
import type { ContractOptions } from '../../engine/options.ts';
import type { Report } from '../../engine/report.ts';
import { runContract } from '../../run.ts';
import { foreignTarget, mockTarget, type Target } from '../targets.ts';
import type { Host, OperatorMutant } from './operator.ts';
import { Lab, type Make, tampered } from './tamper.ts';

export interface Verdict {
  readonly id: string;
  readonly host: Host;
  readonly operator: string;
  readonly clause: string;
  /** How often the behaviour of the target really became another one. */
  readonly hits: number;
  /** The violated requirements, first found first; with bail no more than the first. */
  readonly failures: readonly string[];
  readonly verdict: Report['verdict'] | 'hung';
  readonly error?: string;
  readonly ms: number;
}

export const killed = ({ failures }: Verdict): boolean => failures.length > 0;

/** Requests a minute: enough for the suite and what layers add; few where the budget is to be used up. */
const PLENTY = 4000;
const FEW = 300;

/** What a run must be allowed, the mock shows by its control API: its receivers are waited for in real time, its budgets are worlds. */
export const targetOf = (host: Host, { allow = [], control, crowded }: Partial<OperatorMutant>): Promise<Target> => {
  if (host === 'foreign') return foreignTarget([], allow.includes('quota') ? FEW : PLENTY, crowded);
  return mockTarget({}, control === true || allow.length > 0, undefined, false, { rpm: PLENTY, crowded: crowded === true });
};

const clockOf = (target: Target): (() => number) => target.options.time?.now.bind(target.options.time) ?? Date.now;

/** One run through a layer. */
export const runThrough = async (
  target: Target,
  make: Make,
  options: Partial<ContractOptions>,
): Promise<{ lab: Lab; report: Report }> => {
  const lab = new Lab(target.keys, clockOf(target));
  const fetch = tampered(target.fetch, lab, make, target.options.baseUrl);
  const report = await runContract({ ...target.options, fetch, timeoutMs: 5000, reportDir: false, ...options });
  await target.close();
  return { lab, report };
};

export const judge = async (mutant: OperatorMutant, host: Host, bail: boolean): Promise<Verdict> => {
  const began = performance.now();
  const target = await targetOf(host, mutant);
  const { lab, report } = await runThrough(target, mutant.make, { allow: mutant.allow ?? [], bail });
  const { id, operator, clause } = mutant;
  return {
    id,
    host,
    operator,
    clause,
    hits: lab.hits,
    failures: report.failures,
    verdict: report.verdict,
    ...(report.error === undefined ? {} : { error: report.error }),
    ms: Math.round(performance.now() - began),
  };
};
