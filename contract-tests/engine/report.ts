// The report of a run as data, and the exit status that follows from it. report.schema.json describes the same.
import type { BaselineResult } from './baseline.ts';
import type { Evidence } from './evidence.ts';
import type { InfraEvent } from './infra.ts';
import type { LeftBehind } from './litter.ts';
import type { Status } from './recorder.ts';
import type { Release } from './releases.ts';

/** The version of the report's form; fields are added within it. */
export const REPORT_VERSION = 3;

/** Why a requirement is skipped that a part of the suite leaves out. */
export const NOT_SELECTED = 'NOT_SELECTED';

export type Verdict = 'conformant' | 'partial' | 'violations' | 'error';

export interface RequirementResult {
  readonly id: string;
  readonly part: string;
  readonly level: 'must' | 'open';
  readonly says: string;
  /** The sentence of the specification, and its line. */
  readonly quote?: string;
  readonly line?: number;
  readonly status: Status;
  readonly reason?: string;
  /** The violated requirement that explains this violation, or blocked this requirement. */
  readonly consequence_of?: string;
  readonly checks: readonly string[];
  /** Its share of the time of its checks, in milliseconds. */
  readonly duration_ms: number;
  readonly evidence?: readonly Evidence[];
  /** A script in the report folder that shows the violation on a clean workspace. */
  readonly script?: string;
}

export interface CoverageCell {
  readonly operation: string;
  readonly status: number;
  readonly exercised: boolean;
  readonly reason?: string;
}

/** A part of the specification: how many of its requirements ended so. */
export interface CoverageSection {
  readonly part: string;
  readonly passed: number;
  readonly failed: number;
  readonly observed: number;
  readonly blocked: number;
  readonly skipped: number;
  /** Requirements that no request can show. */
  readonly unseen: number;
}

/** A member of a request's body, a query parameter, or a member of a success body, as a path such as `items[].id`. */
export interface CoverageField {
  readonly operation: string;
  readonly where: 'request' | 'response';
  readonly field: string;
  readonly exercised: boolean;
}

/** Changes since the last report: ids of requirements. */
export interface Previous {
  readonly started_at?: string;
  readonly target?: string;
  /** Violated now and not then; without a last report, all that are violated. */
  readonly new: readonly string[];
  readonly still: readonly string[];
  readonly fixed: readonly string[];
  /** Violated then and not judged now. */
  readonly unjudged: readonly string[];
}

/** A random session. */
export interface Walked {
  readonly seed: number;
  /** Requests that it came to. */
  readonly steps: number;
  /** The fewest requests that show its violation; none if it did not come again. */
  readonly shortest?: readonly string[];
}

export interface Report {
  readonly version: number;
  readonly verdict: Verdict;
  readonly target: string;
  readonly spec: string;
  readonly suite: string;
  readonly profile: string;
  /** ISO 8601, on the clock of the machine that ran the suite. */
  readonly started_at: string;
  /** The Date header of the first response. */
  readonly service_date?: string;
  /** The selection, when only a part of the suite was to be judged. */
  readonly part?: { readonly only: readonly string[]; readonly rerun_failed: boolean; readonly requirements: number };
  readonly walk?: Walked;
  /** The release that was judged by, and the one that the target showed itself to be. */
  readonly release: { readonly judged: Release; readonly seen?: Release; readonly because?: string };
  /** Why the run could not be made, or not to its end. */
  readonly error?: string;
  readonly requirements: readonly RequirementResult[];
  readonly unseen: readonly { id: string; part: string; says: string; reason: string; quote?: string; line?: number }[];
  readonly choices: Readonly<Record<string, string>>;
  /** Choices of open points that have no name. */
  readonly other_choices: Readonly<Record<string, string>>;
  /** Open points of the document that this run did not see settled. */
  readonly choices_unseen: readonly string[];
  readonly choices_changed: readonly { choice: string; before: string; now: string }[];
  /** Choices that earlier runs saw and this one did not, and when they were seen. */
  readonly choices_kept: readonly { choice: string; value: string; seen?: string; profile?: string }[];
  readonly coverage: {
    readonly operations: readonly CoverageCell[];
    readonly sections: readonly CoverageSection[];
    readonly fields: readonly CoverageField[];
  };
  /** The violated requirements in the order in which they were found. */
  readonly failures: readonly string[];
  readonly baseline: BaselineResult;
  readonly previous: Previous;
  /** Failures between the suite and the service: never a violation. */
  readonly infra: readonly InfraEvent[];
  /** Records that the run made and could not remove. */
  readonly left_behind: readonly LeftBehind[];
  readonly requests: number;
  readonly quota_requests: number;
  readonly requests_429: number;
  readonly waited_ms: number;
  readonly duration_ms: number;
}

/** Operations of the document that a run did not call at all, each with the reason. */
export const uncalledOperations = (cells: readonly CoverageCell[]): readonly (readonly [operation: string, reason: string])[] => {
  const called = new Set(cells.flatMap(({ operation, exercised }) => (exercised ? [operation] : [])));
  const reasons = cells.map(({ operation, reason = '' }) => [operation, reason] as const);
  return [...new Map(reasons.filter(([operation]) => !called.has(operation)))];
};

/** Uncalled operations of a report: a run of some requirements alone need not call every operation. */
export const unexplainedOperations = ({ part, coverage }: Pick<Report, 'part' | 'coverage'>) =>
  part ? [] : uncalledOperations(coverage.operations);

/** @param coverage of the operations that the document has */
export const verdictOf = (
  results: readonly RequirementResult[],
  error: string | undefined,
  coverage: readonly CoverageCell[],
): Verdict => {
  if (results.some((result) => result.status === 'failed')) return 'violations';
  if (error !== undefined) return 'error';
  const open = results.some((result) => result.status === 'skipped' || result.status === 'blocked');
  return open || uncalledOperations(coverage).length > 0 ? 'partial' : 'conformant';
};

/** Whether the baseline accepts every violation. */
export const allKnown = ({ baseline }: Pick<Report, 'baseline'>): boolean =>
  baseline.new.length === 0 && baseline.expired.length === 0;

/** Requirements that were to be judged and were not. */
export const unjudged = ({ requirements }: Pick<Report, 'requirements'>): readonly RequirementResult[] =>
  requirements.filter(({ status, reason }) => status === 'blocked' || (status === 'skipped' && reason !== NOT_SELECTED));

/**
 * 0 conforms or violates only what the baseline accepts, 1 a violation, 2 the run could not be made, 3 something was skipped, or an
 * operation of the document was not called, and completeness is required.
 */
export const exitStatus = (report: Report, requireComplete = false): 0 | 1 | 2 | 3 => {
  if (report.verdict === 'violations' && !allKnown(report)) return 1;
  if (report.error !== undefined) return 2;
  return requireComplete && (unjudged(report).length > 0 || unexplainedOperations(report).length > 0) ? 3 : 0;
};

/** The entry of the baseline that accepts the violation of a requirement. */
export const knownAs = ({ baseline }: Report, { id, consequence_of }: RequirementResult) => {
  const named: readonly (string | undefined)[] = [id, consequence_of];
  if ([...baseline.new, ...baseline.expired].some(({ requirement }) => named.includes(requirement))) return undefined;
  return baseline.known.find(({ requirement }) => named.includes(requirement));
};

/** Violations that no other explains, each with those that it explains: as they were found, what the baseline accepts last. */
export const rootFailures = (report: Report): { root: RequirementResult; consequences: readonly RequirementResult[] }[] => {
  const byId = new Map(report.requirements.map((result) => [result.id, result]));
  const failed = report.failures.flatMap((id) => byId.get(id) ?? []);
  const known = (result: RequirementResult) => Number(knownAs(report, result) !== undefined);
  return failed
    .filter(({ consequence_of }) => consequence_of === undefined)
    .sort((a, b) => known(a) - known(b))
    .map((root) => ({ root, consequences: failed.filter(({ consequence_of }) => consequence_of === root.id) }));
};
