// GitHub annotations: a line for each violation and each changed open point, as many as GitHub shows.
import { knownAs, type Report, rootFailures } from '../engine/report.ts';
import { forAnnotation, forProperty } from './escape.ts';
import { effort } from './view.ts';

/** GitHub shows this many of a step. */
const MAX_LINES = 10;

const line = (kind: 'error' | 'warning' | 'notice', name: string, text: string): string =>
  `::${kind} title=${forProperty(name)}::${forAnnotation(text)}`;

const violations = (report: Report): string[] =>
  rootFailures(report).map(({ root, consequences }) => {
    const known = knownAs(report, root);
    const more = consequences.length > 0 ? ` (${consequences.length} more follow from it)` : '';
    const text = `${root.says}: ${root.reason ?? ''}${more}`;
    return known ? line('warning', root.id, `known until ${known.expires}: ${text}`) : line('error', root.id, text);
  });

export const annotations = (report: Report): string[] => {
  const all = [
    ...(report.error ? [line('error', 'Contract run', report.error)] : []),
    ...violations(report),
    ...report.choices_changed.map(({ choice, before, now }) => line('notice', choice, `was ${before}, is ${now}`)),
  ];
  if (all.length === 0) return [];
  const more = all.length > MAX_LINES ? `${all.length - MAX_LINES} more are in the report. ` : '';
  return [...all.slice(0, MAX_LINES), line('notice', 'Contract run', `${more}${report.verdict}: ${effort(report)}`)];
};
