// The report of a verdict: client.json, as INTERFACES describe it, from what the judge found.
import { OPERATION_IDS } from '../service/contract/operations.ts';
import { hash32 } from '../service/world/random.ts';
import type { Advice, ClientFinding, ClientReport, DutyResult } from './client-report.ts';
import { ADVICE, DUTIES, type DutyName, isDuty, isWanted, ruleOf } from './duties.ts';
import { excerptFailure, findCodeLine } from './failure-text.ts';
import { withoutIds } from './notes.ts';
import type { Found } from './trial-run.ts';
import type { Verdict } from './verdict.ts';

export interface ReportInput {
  readonly command: string;
  readonly folder: string;
  readonly only: readonly string[];
  /** Ids of accepted findings. */
  readonly accepted: ReadonlySet<string>;
  /** The command that repeats a finding. */
  readonly repeat: (id: string) => string;
  readonly seconds: number;
  readonly runs: number;
}

/** Equal for one cause in every run: a duty has one, but for fields, open points and orders; and with no ids of records. */
const findingId = ({ rule, conditions, tests }: Found): string => {
  const causes = conditions.flatMap(({ kind, name, value }) => {
    if (kind === 'order') return [name, value, ...tests.slice(0, 1)].map(withoutIds);
    return kind === 'value' || rule === 'open-point' ? [name] : [];
  });
  const hash = hash32(JSON.stringify([rule, causes]))
    .toString(16)
    .padStart(8, '0');
  return `${ruleOf(rule).id}-${hash}`;
};

const describeFinding = (found: Found, { folder, accepted, repeat }: ReportInput): ClientFinding => {
  const { rule, says, conditions, tests, output, requests, plan, isFailure } = found;
  const id = findingId(found);
  const [test] = tests;
  const failure = isFailure ? excerptFailure(output, test) : says;
  const code = isFailure ? findCodeLine(failure, folder) : undefined;
  return {
    id,
    duty: ruleOf(rule).id,
    says,
    conditions,
    ...(test !== undefined && { test }),
    tests,
    failure,
    ...(code !== undefined && { code }),
    requests,
    repeat: repeat(id),
    flaky: false,
    accepted: accepted.has(id),
    plan,
    isFailure,
  };
};

export const buildReport = ({ found, seen, unsteady, operations }: Verdict, input: ReportInput): ClientReport => {
  const findings = found.map((one) => describeFinding(one, input));
  const idsOf = (id: string) => findings.filter(({ duty }) => duty === id).map((one) => one.id);
  const names = (Object.keys(DUTIES) as DutyName[]).filter((name) => isWanted(input.only, name));
  const duties = names.map((name): DutyResult => {
    const own = idsOf(DUTIES[name].id);
    const count = Math.max(seen.get(name) ?? 0, own.length);
    const status = own.length > 0 ? 'broken' : count > 0 ? 'kept' : 'unseen';
    return { ...DUTIES[name], status, seen: count, findings: own };
  });
  const advice = Object.values<Advice>(ADVICE)
    .map((one) => ({ ...one, findings: idsOf(one.id) }))
    .filter((one) => one.findings.length > 0);
  const isBroken = found.some(({ rule }, i) => isDuty(rule) && !findings[i]!.accepted);
  const { command, seconds, runs } = input;
  const coverage = { operations, of: OPERATION_IDS.length };
  return {
    version: 1,
    command,
    verdict: isBroken ? 'broken' : 'kept',
    seconds,
    runs,
    duties,
    advice,
    findings,
    unsteady,
    coverage,
  };
};

/** The report of a command that cannot be judged. */
export const buildErrorReport = (error: string, { command, seconds, runs }: ReportInput): ClientReport => {
  const coverage = { operations: [], of: OPERATION_IDS.length };
  const none = { duties: [], advice: [], findings: [], unsteady: [], coverage };
  return { version: 1, command, verdict: 'error', seconds, runs, ...none, error };
};
