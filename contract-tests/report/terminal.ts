// The summary that a run prints: the verdict, what is violated with its curl line, what was skipped and why.
import { knownAs, type Report, type RequirementResult, rootFailures, uncalledOperations } from '../engine/report.ts';
import { forTerminal } from './escape.ts';
import { againstBaseline, between, contrast, counts, effort, heading, partOf, several, sinceLast, skips } from './view.ts';

/** This much of a curl line is printed; the report has all of it. */
const CURL = 300;

const failure = (report: Report, root: RequirementResult, consequences: readonly RequirementResult[]): string[] => {
  const known = knownAs(report, root);
  const first = root.evidence?.[0];
  const curl = first?.exchanges.at(-1)?.curl;
  const { expected, got } = contrast(root);
  const line = root.line === undefined ? '' : `, line ${root.line} of the specification`;
  return [
    '',
    `${known ? '≈' : '✗'} ${root.id}  ${root.says}${line}`,
    `    ${root.reason ?? ''}`,
    ...(first?.expected === undefined ? [] : [`    expected ${expected}, got ${got}`]),
    ...(known ? [`    known until ${known.expires}: ${known.reason} (${known.owner})`] : []),
    ...(curl ? [`    ${curl.length > CURL ? `${curl.slice(0, CURL)}…` : curl}`] : []),
    ...(root.script ? [`    repeat it: sh ${root.script}, in the report folder`] : []),
    ...consequences.map(({ id, says }) => `    ↳ ${id}  ${says}: a consequence`),
  ];
};

/** Records that are still there: those alike on one line, with one of them. */
const left = (report: Report): string[] =>
  [...new Set(report.left_behind.map(({ why }) => why))].map((why) => {
    const alike = report.left_behind.filter((one) => one.why === why);
    const [{ path, as }] = alike as [(typeof alike)[number]];
    return `${path} (${as})${alike.length > 1 ? ` and ${alike.length - 1} more` : ''} left behind: ${why}`;
  });

const shortestOf = ({ length }: readonly string[]): string =>
  length > 0
    ? 'the fewest requests that show the violation:'
    : 'the violation did not come again when the walk was repeated with fresh records';

const head = (report: Report): string[] => {
  const { judged, seen, because } = report.release;
  const { title, meaning } = heading(report);
  const tally = counts(report);
  const release =
    seen === judged ? '' : seen ? `; THE TARGET IS v${seen}: ${because}` : '; the target shows no sign of its release';
  const part = partOf(report);
  return [
    '',
    `Contract of ${report.target}`,
    `${report.verdict.toUpperCase()}: ${title}. ${meaning}`,
    ...(part ? [`  ${part}`] : []),
    ...(report.walk?.shortest ? [`  ${shortestOf(report.walk.shortest)}`] : []),
    ...(report.walk?.shortest ?? []).map((request) => `    ${request.length > CURL ? `${request.slice(0, CURL)}…` : request}`),
    `  judged as v${judged}${release}`,
    ...(report.error ? [`  ${report.error}`] : []),
    `  ${['passed', 'failed', 'observed', 'blocked', 'skipped'].map((status) => `${tally[status] ?? 0} ${status}`).join(', ')}`,
    `  ${effort(report)}, begun ${report.started_at}`,
  ];
};

export const terminal = (report: Report): string => {
  const lines = head(report);
  for (const { root, consequences } of rootFailures(report)) lines.push(...failure(report, root, consequences));
  if (report.verdict !== 'error' && !report.walk) {
    for (const [reason, ids] of skips(report))
      lines.push(
        '',
        `- ${reason}: ${several(ids.length, 'requirement')} (${ids.slice(0, 4).join(', ')}${ids.length > 4 ? ', …' : ''})`,
      );
  }
  if (report.verdict === 'partial' && !report.walk) {
    for (const [operation, reason] of uncalledOperations(report.coverage.operations))
      lines.push('', `- ${operation} was not called: ${reason}`);
  }
  if (report.infra.length > 0) {
    const kinds = [...new Set(report.infra.map(({ kind }) => kind))].join(', ');
    lines.push('', `- ${between(report)}, no violations: ${kinds}`);
  }
  for (const line of left(report)) lines.push('', `- ${line}`);
  for (const line of againstBaseline(report)) lines.push('', `≈ baseline, ${line}`);
  for (const line of sinceLast(report)) lines.push('', `~ since the last run, ${line}`);
  for (const { choice, before, now } of report.choices_changed)
    lines.push('', `~ ${choice} was ${before} in the last run and is ${now}`);
  return `${lines.map(forTerminal).join('\n')}\n`;
};
