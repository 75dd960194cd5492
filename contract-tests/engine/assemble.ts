// Makes the report out of what a run has found out.
import { accepted, compareBaseline, type KnownDeviation } from './baseline.ts';
import type { Check } from './check.ts';
import type { Observations } from './choices.ts';
import { type Coverage, sectionsOf } from './coverage.ts';
import type { Detected } from './detect.ts';
import type { ContractDocument } from './document.ts';
import type { InfraEvent } from './infra.ts';
import { consequencesOf, judge } from './judge.ts';
import type { LeftBehind } from './litter.ts';
import { compareLast, keptChoices, type LastReport } from './previous.ts';
import type { Finding, Recorder } from './recorder.ts';
import type { Redactor } from './redact.ts';
import type { Requirement } from './register.ts';
import type { Release } from './releases.ts';
import { REPORT_VERSION, type Report, verdictOf } from './report.ts';
import type { Selection } from './selection.ts';

export interface Outcome {
  /** The number of the release that is judged by. */
  readonly register: readonly Requirement[];
  readonly checks: readonly Check[];
  readonly record: Recorder;
  readonly redactor: Redactor;
  readonly selection: Selection;
  readonly baseline: readonly KnownDeviation[];
  readonly last: LastReport | undefined;
  /** The choices that are in the report folder. */
  readonly choicesBefore: Readonly<Record<string, string>>;
  readonly choices: Observations;
  readonly coverage: Coverage;
  readonly document: ContractDocument | undefined;
  readonly judged: Release;
  readonly detected: Detected | undefined;
  readonly error: string | undefined;
  /** Whether the run ended at its first violation. */
  readonly bailed: boolean;
  readonly infra: readonly InfraEvent[];
  readonly leftBehind: readonly LeftBehind[];
  /** Too much failed between the run and the service for a verdict on it. */
  readonly stalled: boolean;
  /** Facts of the run itself. */
  readonly run: Pick<
    Report,
    | 'target'
    | 'spec'
    | 'suite'
    | 'profile'
    | 'started_at'
    | 'service_date'
    | 'requests'
    | 'quota_requests'
    | 'requests_429'
    | 'waited_ms'
    | 'duration_ms'
    | 'walk'
  >;
}

const pairs = (checks: readonly Check[]) => {
  const checksOf = new Map<string, string[]>();
  for (const check of checks) for (const id of check.covers) checksOf.set(id, [...(checksOf.get(id) ?? []), check.id]);
  return { checksOf, coversOf: new Map(checks.map(({ id, covers }) => [id, covers])) };
};

/** Days of a baseline end at midnight UTC. */
export const dayOf = (time: string): string => time.slice(0, 10);

const choicesOf = (choices: Observations) => ({
  choices: Object.fromEntries([...choices.seen].sort(([a], [b]) => a.localeCompare(b))),
  other_choices: Object.fromEntries(choices.others),
  choices_unseen: choices.unseen,
});

/** The report, and the first finding of each violated requirement. */
export const assemble = (outcome: Outcome): { report: Report; findings: ReadonlyMap<string, Finding> } => {
  const { register, record, redactor, selection, last, error, run, choicesBefore } = outcome;
  const fallback = error !== undefined ? 'RUN_ERROR' : outcome.bailed ? 'BAILED' : 'NOT_EXERCISED';
  const judging = { record, redactor, fallback, selection, ...pairs(outcome.checks) };
  const results = judge(register, judging);
  const failed = new Set(results.filter(({ status }) => status === 'failed').map(({ id }) => id));
  const findings = record.failures.filter(({ requirement }) => failed.has(requirement));
  const failures = [...new Set(findings.map(({ requirement }) => requirement))];
  const open = new Set(results.filter(({ status }) => status === 'skipped' || status === 'blocked').map(({ id }) => id));
  const seen = choicesOf(outcome.choices);
  const operations = outcome.coverage.operations(outcome.document, outcome.judged);
  const about = {
    failures: findings,
    consequences: new Set(consequencesOf(findings).keys()),
    judged: (id: string) => !open.has(id),
  };
  const report: Report = {
    version: REPORT_VERSION,
    verdict: outcome.stalled ? 'error' : verdictOf(results, error, operations),
    ...run,
    ...(selection.part ? { part: selection.part } : {}),
    release: {
      judged: outcome.judged,
      ...(outcome.detected ? { seen: outcome.detected.release, because: outcome.detected.because } : {}),
    },
    ...(error === undefined ? {} : { error }),
    requirements: results,
    unseen: register.flatMap(({ id, part, says, unseen, quote, line }) =>
      unseen === undefined ? [] : [{ id, part, says, reason: unseen, ...(quote ? { quote } : {}), ...(line ? { line } : {}) }],
    ),
    ...seen,
    choices_changed: Object.entries(seen.choices).flatMap(([choice, now]) => {
      const before = choicesBefore[choice];
      return before !== undefined && before !== now ? [{ choice, before, now }] : [];
    }),
    choices_kept: keptChoices(choicesBefore, last, { ...seen, target: run.target }),
    coverage: { operations, sections: sectionsOf(register, results), fields: outcome.coverage.fields(outcome.document) },
    failures,
    baseline: compareBaseline(outcome.baseline, about, dayOf(run.started_at)),
    previous: compareLast(last, results, failures),
    infra: outcome.infra,
    left_behind: outcome.leftBehind,
  };
  const first = new Map<string, Finding>();
  for (const finding of findings) if (!first.has(finding.requirement)) first.set(finding.requirement, finding);
  return { report, findings: first };
};

/** Whether a violation was found in the part that is judged and that no baseline accepts. */
export const brokenAnew = (
  record: Recorder,
  { judges, takesAll }: Selection,
  baseline: readonly KnownDeviation[],
  today: string,
): boolean =>
  record.failures.some(
    (finding) => (judges(finding.requirement) || takesAll(finding.during)) && !accepted(baseline, finding, today),
  );
