// Judges one operator mutant: a fresh server, the layer round it, a run of the suite.
import type { ContractOptions } from '../../engine/options.ts';
import type { Report } from '../../engine/report.ts';
import { runContract } from '../../run.ts';
import { foreignTarget, mockTarget, type Target } from '../targets.ts';
import type { Letter } from './mail.ts';
import type { Host, OperatorMutant } from './operator.ts';
import { Lab, tampered } from './tamper.ts';

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
  /** What a run with a budget of requests let pass. */
  readonly thorough?: true;
  readonly error?: string;
  readonly ms: number;
}

export const killed = ({ failures }: Verdict): boolean => failures.length > 0;

/** Requests a minute: enough for the suite and what layers add; few where the budget is to be used up. */
const PLENTY = 4000;
const FEW = 300;

const DIGEST = '0'.repeat(64);
const SIGNATURES: Readonly<Record<Host, string>> = { foreign: `t=0,v1=${DIGEST}`, mock: DIGEST };

type Carry = (letter: Letter, signal?: AbortSignal) => Promise<number>;

/** What a run must be allowed, the mock shows by its control API: its receivers are waited for in real time, its budgets are worlds. */
export const targetOf = (
  host: Host,
  { allow = [], control, crowded }: Partial<OperatorMutant>,
  carry: Carry,
): Promise<Target> => {
  if (host === 'foreign') return foreignTarget([], allow.includes('quota') ? FEW : PLENTY, { crowded: crowded === true, carry });
  const sender = async (sending: Omit<Letter, 'method'>, signal: AbortSignal) => {
    const status = await carry({ ...sending, method: 'POST' }, signal);
    return status === 0 ? { kind: 'refused', error: 'no answer', took: 0 } : { kind: 'response', status, took: 0 };
  };
  return mockTarget({}, control === true || allow.length > 0, undefined, false, {
    rpm: PLENTY,
    crowded: crowded === true,
    sender,
  });
};

/** One run through a layer, on a fresh server. */
export const runThrough = async (
  host: Host,
  mutant: Pick<OperatorMutant, 'make' | 'allow' | 'control' | 'crowded'>,
  options: Partial<ContractOptions> = {},
): Promise<{ lab: Lab; report: Report }> => {
  const parts: { lab?: Lab } = {};
  const target = await targetOf(host, mutant, (letter, signal) => parts.lab!.mail.carry(letter, signal));
  const lab = new Lab(target.keys, target.now, SIGNATURES[host]);
  parts.lab = lab;
  const fetch = tampered(target.fetch, lab, mutant.make, target.options.baseUrl);
  const report = await runContract({
    ...target.options,
    fetch,
    timeoutMs: 5000,
    reportDir: false,
    allow: mutant.allow ?? [],
    ...options,
  });
  await target.close();
  return { lab, report };
};

/** A full run; with thorough one more, without a budget, where that has found nothing. */
export const judge = async (mutant: OperatorMutant, host: Host, bail: boolean, thorough = false): Promise<Verdict> => {
  const first = await judgeOnce(mutant, host, { bail });
  if (killed(first) || !thorough) return first;
  const second = await judgeOnce(mutant, host, { bail: true, thorough });
  return { ...second, thorough };
};

const judgeOnce = async (mutant: OperatorMutant, host: Host, options: Partial<ContractOptions>): Promise<Verdict> => {
  const began = performance.now();
  const { lab, report } = await runThrough(host, mutant, options);
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
