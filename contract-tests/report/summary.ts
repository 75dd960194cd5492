// The report as Markdown for the summary of a GitHub job.
import { knownAs, type Report, type RequirementResult, rootFailures } from '../engine/report.ts';
import { forMarkdown } from './escape.ts';
import { againstBaseline, between, contrast, counts, effort, heading, partOf, STATUSES, sinceLast, skips } from './view.ts';

/** A summary may have 1 MiB; this many violations are told in it. */
const MAX_ROWS = 40;
/** This much of a text is in a cell. */
const CELL = 300;

const MARKS = { good: '✅', fair: '⚠️', bad: '❌' } as const;

const plain = (text: string): string => forMarkdown(text.length > CELL ? `${text.slice(0, CELL)}…` : text);

const row = (report: Report, root: RequirementResult, consequences: readonly RequirementResult[]): string => {
  const { expected, got } = contrast(root);
  const known = knownAs(report, root);
  const more = consequences.length > 0 ? `<br>and ${consequences.map(({ id }) => id).join(', ')}, which follow from it` : '';
  const until = known ? `<br>known until ${known.expires}: ${plain(known.reason)} (${plain(known.owner)})` : '';
  const line = root.line === undefined ? '' : `<br>line ${root.line}`;
  return `| ${known ? '≈ ' : ''}${root.id}${line} | ${plain(root.says)}${more}${until} | ${plain(expected)} | ${plain(got)} |`;
};

const violations = (report: Report): string[] => {
  const roots = rootFailures(report);
  if (roots.length === 0) return [];
  const rest = roots.length > MAX_ROWS ? ['', `And ${roots.length - MAX_ROWS} more: see the report.`] : [];
  return [
    '',
    '| Violation | Requirement | Expected | Got |',
    '|---|---|---|---|',
    ...roots.slice(0, MAX_ROWS).map(({ root, consequences }) => row(report, root, consequences)),
    ...rest,
  ];
};

export const summary = (report: Report): string => {
  const { title, meaning, tone } = heading(report);
  const tally = counts(report);
  const part = partOf(report);
  const notes = [
    ...againstBaseline(report).map((line) => `baseline, ${line}`),
    ...sinceLast(report).map((line) => `since the last run, ${line}`),
    ...report.choices_changed.map(({ choice, before, now }) => `${choice} was ${before} and is ${now}`),
    ...[...skips(report)].map(([reason, ids]) => `${ids.length} skipped: ${reason}`),
    ...(report.infra.length > 0 ? [between(report)] : []),
  ];
  return [
    `## ${MARKS[tone]} ${title}`,
    '',
    meaning,
    ...(report.error ? ['', `**${plain(report.error)}**`] : []),
    '',
    `${plain(report.target)}, judged as v${report.release.judged}, profile ${report.profile}: ${effort(report)}.`,
    ...(part ? ['', plain(part)] : []),
    '',
    STATUSES.map((status) => `${tally[status] ?? 0} ${status}`).join(', '),
    ...violations(report),
    ...(notes.length > 0 ? ['', ...notes.map((note) => `- ${plain(note)}`)] : []),
    '',
    '',
  ].join('\n');
};
