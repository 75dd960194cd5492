// Findings of a run, requirement by requirement: its status, its reason, its evidence, and which violation explains another.
import { type Evidence, evidenceOf } from './evidence.ts';
import type { Finding, Recorder, Status } from './recorder.ts';
import type { Redactor } from './redact.ts';
import type { Requirement } from './register.ts';
import { NOT_SELECTED, type RequirementResult } from './report.ts';
import type { Selection } from './selection.ts';

const RANK: readonly Status[] = ['failed', 'passed', 'observed', 'blocked', 'skipped'];

/** This many findings of a requirement are shown. */
const SHOWN = 5;

/** The law of the OpenAPI document: another violation on the same response says the same, and says it better. */
const DOCUMENT = 'WM-GEN-011';

export interface Judging {
  readonly record: Recorder;
  /** The checks that judge a requirement. */
  readonly checksOf: ReadonlyMap<string, readonly string[]>;
  /** The requirements that each check judges. */
  readonly coversOf: ReadonlyMap<string, readonly string[]>;
  readonly redactor: Redactor;
  /** Why a requirement is skipped that nothing was said of. */
  readonly fallback: string;
  readonly selection: Selection;
}

/** The violated requirement that explains a finding. */
const reasonFor = (finding: Finding, failures: readonly Finding[]): string | undefined => {
  const { requirement, because, numbers } = finding;
  if (because !== undefined && because !== requirement && failures.some((other) => other.requirement === because)) return because;
  if (requirement !== DOCUMENT || numbers.length === 0) return undefined;
  return failures.find((other) => other.requirement !== DOCUMENT && numbers.every((number) => other.numbers.includes(number)))
    ?.requirement;
};

/** By requirement whose every finding is explained: the violation that explains the first, itself unexplained. */
export const consequencesOf = (failures: readonly Finding[]): ReadonlyMap<string, string> => {
  const direct = new Map<string, string>();
  for (const requirement of new Set(failures.map((finding) => finding.requirement))) {
    const reasons = failures.filter((finding) => finding.requirement === requirement).map((one) => reasonFor(one, failures));
    if (reasons[0] !== undefined && reasons.every((reason) => reason !== undefined)) direct.set(requirement, reasons[0]);
  }
  const rootOf = (requirement: string, on: readonly string[] = []): string | undefined => {
    const next = direct.get(requirement);
    if (next === undefined) return requirement;
    return on.includes(next) ? undefined : rootOf(next, [...on, requirement]);
  };
  return new Map(
    [...direct.keys()].flatMap((requirement) => {
      const root = rootOf(requirement);
      return root === undefined || root === requirement ? [] : [[requirement, root]];
    }),
  );
};

const BLOCKED = /^BLOCKED\((.+)\)$/;

/** Each requirement's share of the time that its checks took, in whole tenths of a millisecond. */
const timesOf = ({ record, coversOf }: Judging): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const [check, spent] of record.spent) {
    const covered = coversOf.get(check) ?? [];
    for (const id of covered) times.set(id, (times.get(id) ?? 0) + spent / covered.length);
  }
  return new Map([...times].map(([id, ms]) => [id, Math.round(ms * 10) / 10]));
};

const statusOf = (findings: readonly Finding[], passed: boolean, open: boolean): Status => {
  const statuses: Status[] = findings.map((finding) => finding.status);
  if (passed) statuses.push(open ? 'observed' : 'passed');
  return RANK.find((candidate) => statuses.includes(candidate)) ?? 'skipped';
};

/** Whether a requirement belongs to the part that is judged: it was asked for, was found by a check that was, or blocks one that was. */
const belonging = ({ record, selection }: Judging): ((requirement: string) => boolean) => {
  const found = record.failures.filter(({ during }) => selection.takesAll(during)).map(({ requirement }) => requirement);
  const blockers = record.findings
    .filter(({ requirement, status }) => status === 'blocked' && selection.judges(requirement))
    .flatMap(({ message }) => BLOCKED.exec(message)?.[1] ?? []);
  const also = new Set([...found, ...blockers]);
  return (requirement) => selection.judges(requirement) || also.has(requirement);
};

/** The result of each requirement that can be seen. */
export const judge = (register: readonly Requirement[], judging: Judging): RequirementResult[] => {
  const { record, checksOf, redactor, fallback } = judging;
  const times = timesOf(judging);
  const belongs = belonging(judging);
  const consequences = consequencesOf(record.failures.filter(({ requirement }) => belongs(requirement)));
  return register
    .filter((requirement) => requirement.unseen === undefined)
    .map(({ id, part, level, says, quote, line }) => {
      const row = { id, part, level, says, ...(quote === undefined ? {} : { quote }), ...(line === undefined ? {} : { line }) };
      const checks = checksOf.get(id) ?? [];
      const duration_ms = times.get(id) ?? 0;
      if (!belongs(id)) return { ...row, status: 'skipped', reason: NOT_SELECTED, checks, duration_ms };
      const findings = record.findings.filter((finding) => finding.requirement === id);
      const passed = record.passedChecks(id);
      const status = statusOf(findings, passed.length > 0, level === 'open');
      const telling = findings.filter((finding) => finding.status === status);
      const shown = status === 'failed' ? telling.slice(0, SHOWN) : [];
      const evidence: Evidence[] = shown.map((finding) => evidenceOf(finding, redactor));
      const reason = telling[0] ? redactor.clean(telling[0].message) : status === 'skipped' ? fallback : undefined;
      const blocker = status === 'blocked' ? BLOCKED.exec(reason ?? '')?.[1] : undefined;
      const root = status === 'failed' ? consequences.get(id) : blocker && (consequences.get(blocker) ?? blocker);
      return {
        ...row,
        status,
        ...(reason ? { reason } : {}),
        ...(root ? { consequence_of: root } : {}),
        checks: [...new Set([...checks, ...passed, ...findings.map((finding) => finding.check)])],
        duration_ms,
        ...(evidence.length > 0 ? { evidence } : {}),
      };
    });
};
