// GitHub annotations: a line for each violation, deviation and changed open point.
import type { Report } from '../engine/report.ts';

const escaped = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const title = (text: string) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

export const annotations = (report: Report): string[] => [
  ...(report.error ? [`::error title=Contract run::${escaped(report.error)}`] : []),
  ...report.requirements.flatMap(({ id, says, status, reason }) => {
    if (status === 'failed') return [`::error title=${title(id)}::${escaped(`${says}: ${reason ?? ''}`)}`];
    if (status === 'deviation') return [`::warning title=${title(id)}::${escaped(`${says}: ${reason ?? ''}`)}`];
    return [];
  }),
  ...report.choices_changed.map(
    ({ choice, before, now }) => `::notice title=${title(choice)}::${escaped(`was ${before}, is ${now}`)}`,
  ),
];
