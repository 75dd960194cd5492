// The report of a run as data, and the verdict and exit status that follow from it.
import type { ContractDocument } from './document.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import type { InfraEvent } from './infra.ts';
import type { LeftBehind } from './litter.ts';
import { operationsOf } from './operations.ts';
import type { Recorder, Status } from './recorder.ts';
import type { Redactor } from './redact.ts';
import type { Requirement } from './register.ts';
import type { Release } from './releases.ts';

export type Verdict = 'conformant' | 'partial' | 'violations' | 'error';

export interface RequirementResult {
  readonly id: string;
  readonly part: string;
  readonly level: 'must' | 'open';
  readonly says: string;
  readonly status: Status;
  readonly reason?: string;
  readonly checks: readonly string[];
  readonly evidence?: readonly Evidence[];
}

export interface CoverageCell {
  readonly operation: string;
  readonly status: number;
  readonly exercised: boolean;
  readonly reason?: string;
}

export interface Report {
  readonly verdict: Verdict;
  readonly target: string;
  readonly spec: string;
  readonly suite: string;
  readonly profile: string;
  /** The release that was judged by, and the one that the target showed itself to be. */
  readonly release: { readonly judged: Release; readonly seen?: Release; readonly because?: string };
  /** Why the run could not be made, when the verdict is error. */
  readonly error?: string;
  readonly requirements: readonly RequirementResult[];
  readonly unseen: readonly { id: string; part: string; says: string; reason: string }[];
  readonly choices: Readonly<Record<string, string>>;
  /** Answers to open points that have no name. */
  readonly other_choices: Readonly<Record<string, string>>;
  readonly choices_changed: readonly { choice: string; before: string; now: string }[];
  readonly coverage: { readonly operations: readonly CoverageCell[] };
  /** The violated requirements in the order in which they were found. */
  readonly failures: readonly string[];
  /** What failed between the suite and the service: never a violation. */
  readonly infra: readonly InfraEvent[];
  /** What the run made and could not remove. */
  readonly left_behind: readonly LeftBehind[];
  readonly requests: number;
  readonly quota_requests: number;
  readonly requests_429: number;
  readonly waited_ms: number;
  readonly duration_ms: number;
}

const RANK: readonly Status[] = ['failed', 'deviation', 'passed', 'observed', 'blocked', 'skipped'];

export const judge = (
  register: readonly Requirement[],
  record: Recorder,
  checksOf: ReadonlyMap<string, readonly string[]>,
  redactor: Redactor,
  fallback: string,
): RequirementResult[] =>
  register
    .filter((requirement) => requirement.unseen === undefined)
    .map(({ id, part, level, says }) => {
      const findings = record.findings.filter((finding) => finding.requirement === id);
      const passed = record.passedChecks(id);
      const statuses: Status[] = findings.map((finding) => finding.status);
      if (passed.length > 0) statuses.push(level === 'open' ? 'observed' : 'passed');
      const status = RANK.find((candidate) => statuses.includes(candidate)) ?? 'skipped';
      const telling = findings.filter((finding) => finding.status === status);
      const checks = [...new Set([...(checksOf.get(id) ?? []), ...passed, ...findings.map((finding) => finding.check)])];
      const shown = ['failed', 'deviation'].includes(status)
        ? telling.map((finding) => evidenceOf(finding, redactor)).slice(0, 5)
        : [];
      const reason = telling[0] ? redactor.clean(telling[0].message) : status === 'skipped' ? fallback : undefined;
      return {
        id,
        part,
        level,
        says,
        status,
        ...(reason ? { reason } : {}),
        checks,
        ...(shown.length > 0 ? { evidence: shown } : {}),
      };
    });

export const verdictOf = (results: readonly RequirementResult[], error: string | undefined): Verdict => {
  if (results.some((result) => result.status === 'failed')) return 'violations';
  if (error !== undefined) return 'error';
  const open = results.some((result) => result.status === 'skipped' || result.status === 'blocked');
  return open ? 'partial' : 'conformant';
};

/** 0 conforms, 1 a violation, 2 the run could not be made, 3 something was skipped and completeness is required. */
export const exitStatus = (report: Report, requireComplete = false): 0 | 1 | 2 | 3 => {
  if (report.verdict === 'error') return 2;
  if (report.verdict === 'violations') return 1;
  return report.verdict === 'partial' && requireComplete ? 3 : 0;
};

const unreachable = (status: number): string | undefined => {
  if (status === 500) return 'a 500 cannot be provoked';
  if (status === 429) return 'only the quota probe, on one operation';
  return undefined;
};

/** Which documented answers of each operation were seen. */
export const coverageOf = (document: ContractDocument | undefined, seen: ReadonlySet<string>, release: Release): CoverageCell[] =>
  operationsOf(release).flatMap((operation) => {
    const stated = document?.statuses(operation.id) ?? [operation.success ?? 200, 401, 403, 404, 400];
    const also = [...seen].filter((cell) => cell.startsWith(`${operation.id} `)).map((cell) => Number(cell.split(' ')[1]));
    return [...new Set([...stated, ...also])]
      .sort((a, b) => a - b)
      .map((status) => {
        const exercised = seen.has(`${operation.id} ${status}`);
        const reason = exercised ? undefined : (unreachable(status) ?? 'no check of this run provokes it');
        return { operation: operation.id, status, exercised, ...(reason ? { reason } : {}) };
      });
  });
