// Words that all reports share: the verdict, the tallies, the differences to the baseline and to the last run.
import { allKnown, type Report, type RequirementResult } from '../engine/report.ts';

export const STATUSES = ['failed', 'passed', 'observed', 'blocked', 'skipped'] as const;

export const counts = (report: Report): Record<string, number> => {
  const tally: Record<string, number> = {};
  for (const { status } of report.requirements) tally[status] = (tally[status] ?? 0) + 1;
  return tally;
};

export interface Heading {
  readonly title: string;
  readonly meaning: string;
  /** How it is shown: green, amber or red. */
  readonly tone: 'good' | 'fair' | 'bad';
}

const HEADINGS: Readonly<Record<Report['verdict'] | 'known', Heading>> = {
  conformant: {
    title: 'No violations',
    meaning: 'Every requirement that can be observed over HTTP was tested and holds.',
    tone: 'good',
  },
  partial: {
    title: 'No violations, not everything tested',
    meaning: 'Whatever was tested holds. Some requirements were not tested; the report says why.',
    tone: 'fair',
  },
  violations: {
    title: 'Violations found',
    meaning: 'The service breaks rules of its specification. Each violation comes with a command that shows it.',
    tone: 'bad',
  },
  known: {
    title: 'Known violations only',
    meaning: 'The service breaks rules of its specification; the baseline accepts each violation for now.',
    tone: 'fair',
  },
  error: {
    title: 'The run could not be completed',
    meaning: 'Fix the problem below and run again; nothing is known about the service yet.',
    tone: 'bad',
  },
};

export const heading = (report: Report): Heading =>
  HEADINGS[report.verdict === 'violations' && allKnown(report) ? 'known' : report.verdict];

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export const effort = (report: Report): string => {
  const quota = report.quota_requests ? `, ${report.quota_requests} of them to use up a quota` : '';
  const waited = report.waited_ms ? `, waited ${seconds(report.waited_ms)}` : '';
  return `${report.requests} requests${quota}, ${seconds(report.duration_ms)}${waited}`;
};

/** Selection of the run, if it was not the whole suite. */
export const partOf = ({ part, walk }: Report): string | undefined => {
  if (walk)
    return `A random walk of ${several(walk.steps, 'request')}; --walk --seed ${walk.seed} --steps ${walk.steps} repeats it`;
  if (!part) return undefined;
  const which = [part.rerun_failed ? 'what failed in the last run' : '', part.only.join(', ')].filter(Boolean).join(', of ');
  return `A part of the suite: ${which}; ${part.requirements} requirements`;
};

const list = (ids: readonly string[]): string =>
  ids.length > 8 ? `${ids.slice(0, 8).join(', ')} and ${ids.length - 8} more` : ids.join(', ');

/** Number and noun, in the singular or plural. */
export const several = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** Failures of gateways and networks. */
export const between = ({ infra }: Report): string => `${several(infra.length, 'failure')} between the run and the service`;

/** Changes since the last report; none without one. */
export const sinceLast = ({ previous }: Report): string[] => {
  if (previous.started_at === undefined && previous.still.length + previous.fixed.length + previous.unjudged.length === 0)
    return [];
  const rows = [
    ['new', previous.new],
    ['remaining', previous.still],
    ['fixed', previous.fixed],
    ['violated then, not judged now', previous.unjudged],
  ] as const;
  return rows.filter(([, ids]) => ids.length > 0).map(([what, ids]) => `${what}: ${list(ids)}`);
};

/** Sentences on the baseline; none without one. */
export const againstBaseline = ({ baseline }: Report): string[] => {
  const { known, fixed, expired, unjudged } = baseline;
  const ids = (rows: readonly { requirement: string }[]) => list([...new Set(rows.map(({ requirement }) => requirement))]);
  if (known.length + fixed.length + expired.length + unjudged.length === 0) return [];
  const rows = [
    ['new', baseline.new],
    ['expired, a violation again', expired],
    ['known', known],
    ['fixed, remove from the baseline', fixed],
    ['not judged by this run', unjudged],
  ] as const;
  return rows.filter(([, found]) => found.length > 0).map(([what, found]) => `${what}: ${ids(found)}`);
};

/** Skipped and blocked requirements by their reason, in the order of the register. */
export const skips = ({ requirements }: Report): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const { id, status, reason = '' } of requirements) {
    if (status === 'skipped' || status === 'blocked') found.set(reason, [...(found.get(reason) ?? []), id]);
  }
  return found;
};

/** Expected and actual value of the first finding. */
export const contrast = ({ says, reason, evidence }: RequirementResult): { expected: string; got: string } => {
  const [first] = evidence ?? [];
  return { expected: first?.expected ?? says, got: first?.got ?? first?.message ?? reason ?? '' };
};
