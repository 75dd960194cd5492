// The summary that a run prints: the verdict, what is violated with its curl line, what was skipped and why.
import type { Report } from '../engine/report.ts';

const VERDICTS = {
  conformant: 'CONFORMANT: every requirement that can be seen was seen and holds',
  partial: 'PARTIAL: nothing is violated, and not everything was seen',
  violations: 'VIOLATIONS: the target does not conform',
  error: 'ERROR: the run could not be made',
} as const;

export const counts = (report: Report): Record<string, number> => {
  const tally: Record<string, number> = {};
  for (const { status } of report.requirements) tally[status] = (tally[status] ?? 0) + 1;
  return tally;
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/** What a target says can neither steer the terminal nor begin a line of its own, which a CI service might obey. */
const visible = (text: string): string =>
  text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const terminal = (report: Report): string => {
  const lines = ['', `Contract of ${report.target}`, VERDICTS[report.verdict]];
  const { judged, seen, because } = report.release;
  lines.push(
    `  judged as v${judged}${seen === judged ? '' : seen ? `; THE TARGET IS v${seen}: ${because}` : '; the target shows no sign of its release'}`,
  );
  if (report.error) lines.push(`  ${report.error}`);
  const tally = counts(report);
  lines.push(
    `  ${['passed', 'failed', 'deviation', 'observed', 'blocked', 'skipped'].map((status) => `${tally[status] ?? 0} ${status}`).join(', ')}`,
  );
  const quota = report.quota_requests ? `, ${report.quota_requests} of them to use up a quota` : '';
  lines.push(
    `  ${report.requests} requests${quota}, ${(report.duration_ms / 1000).toFixed(1)} s, waited ${(report.waited_ms / 1000).toFixed(1)} s`,
  );
  const byId = new Map(report.requirements.map((result) => [result.id, result]));
  for (const id of report.failures) {
    const result = byId.get(id);
    if (!result) continue;
    lines.push('', `✗ ${id}  ${result.says}`, `    ${result.reason ?? ''}`);
    const curl = result.evidence?.[0]?.exchanges.at(-1)?.curl;
    if (curl) lines.push(`    ${curl.length > 300 ? `${curl.slice(0, 300)}…` : curl}`);
  }
  for (const result of report.requirements.filter((candidate) => candidate.status === 'deviation')) {
    lines.push('', `! ${result.id}  ${result.says}`, `    ${result.reason ?? ''}`);
  }
  const skips = new Map<string, string[]>();
  for (const { id, status, reason } of report.requirements) {
    if (status === 'skipped' || status === 'blocked') skips.set(reason ?? '', [...(skips.get(reason ?? '') ?? []), id]);
  }
  if (report.verdict !== 'error')
    for (const [reason, ids] of skips)
      lines.push('', `- ${reason}: ${ids.length} requirements (${ids.slice(0, 4).join(', ')}${ids.length > 4 ? ', …' : ''})`);
  for (const { choice, before, now } of report.choices_changed)
    lines.push('', `~ ${choice} was ${before} in the last run and is ${now}`);
  return `${lines.map(visible).join('\n')}\n`;
};
