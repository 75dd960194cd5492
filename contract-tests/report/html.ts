// The report for people: one page with no other file, readable without knowing the API.
import type { Report, RequirementResult } from '../engine/report.ts';
import { STYLE } from './style.ts';
import { counts } from './terminal.ts';

const escaped = (text: unknown) =>
  String(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const VERDICTS = {
  conformant: ['Conformant', 'Everything that the specification states and that can be seen from outside was tested and holds.'],
  partial: [
    'Nothing violated, not everything seen',
    'What was tested holds. Some requirements could not be tested; each says why below.',
  ],
  violations: [
    'Violations found',
    'The service breaks statements of its specification. Each is listed first, with a command that shows it.',
  ],
  error: ['The run could not be made', 'Nothing can be said about the service until this is mended:'],
} as const;

const row = (result: RequirementResult): string => {
  const evidence = (result.evidence ?? [])
    .map(
      (entry) =>
        `<p>${escaped(entry.message)}</p>${entry.exchanges
          .map((x) => `<pre class="curl">${escaped(x.curl)}</pre><pre>${escaped(`${x.status}\n${x.body}`)}</pre>`)
          .join('')}`,
    )
    .join('');
  const reason = result.reason ? `<span class="reason">${escaped(result.reason)}</span>` : '';
  const detail = evidence ? `<details><summary>Evidence</summary>${evidence}</details>` : '';
  return `<tr class="${result.status}"><td><code>${escaped(result.id)}</code></td><td>${escaped(result.says)}${reason ? `<br>${reason}` : ''}${detail}</td><td class="status">${result.status}</td></tr>`;
};

const table = (rows: readonly RequirementResult[]) => `<table>${rows.map(row).join('')}</table>`;

const parts = (report: Report): string =>
  [...new Set(report.requirements.map(({ part }) => part))]
    .map((part) => {
      const rows = report.requirements.filter((result) => result.part === part);
      const held = rows.filter(({ status }) => ['passed', 'observed', 'deviation'].includes(status)).length;
      const broken = rows.some(({ status }) => status === 'failed');
      return `<details${broken ? ' open' : ''}><summary>${escaped(part)} <span class="tally">${held} of ${rows.length}</span></summary>${table(rows)}</details>`;
    })
    .join('');

const coverage = (report: Report): string => {
  const cells = report.coverage.operations;
  const statuses = [...new Set(cells.map(({ status }) => status))].sort((a, b) => a - b);
  const operations = [...new Set(cells.map(({ operation }) => operation))];
  const body = operations
    .map((operation) => {
      const found = statuses.map((status) => {
        const cell = cells.find((candidate) => candidate.operation === operation && candidate.status === status);
        if (!cell) return '<td></td>';
        return cell.exercised
          ? '<td class="yes">seen</td>'
          : `<td class="no" title="${escaped(cell.reason ?? '')}">not seen</td>`;
      });
      return `<tr><th>${escaped(operation)}</th>${found.join('')}</tr>`;
    })
    .join('');
  return `<table class="grid"><tr><th></th>${statuses.map((status) => `<th>${status}</th>`).join('')}</tr>${body}</table>`;
};

const choices = (report: Report): string => {
  const rows = [...Object.entries(report.choices), ...Object.entries(report.other_choices)];
  const changed = new Map(report.choices_changed.map((change) => [change.choice, change.before]));
  return `<table>${rows
    .map(([name, value]) => {
      const before = changed.get(name);
      return `<tr><td><code>${escaped(name)}</code></td><td>${escaped(value)}${before ? ` <span class="reason">was ${escaped(before)} in the last run</span>` : ''}</td></tr>`;
    })
    .join('')}</table>`;
};

export const html = (report: Report): string => {
  const [title, meaning] = VERDICTS[report.verdict];
  const tally = counts(report);
  const failed = report.failures.flatMap((id) => report.requirements.filter((result) => result.id === id));
  const deviations = report.requirements.filter(({ status }) => status === 'deviation');
  const facts = [
    ['Service', report.target],
    ['Specification', report.spec],
    ...(report.release.seen && report.release.seen !== report.release.judged
      ? [['The target is', `v${report.release.seen}: ${report.release.because}`]]
      : []),
    ['Profile', report.profile],
    ['Requests', `${report.requests} in ${(report.duration_ms / 1000).toFixed(1)} s`],
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(title)} · Work-Management contract</title><style>${STYLE}</style></head><body><main>
<header class="${report.verdict}"><h1>${escaped(title)}</h1><p>${escaped(meaning)}</p>${report.error ? `<p><strong>${escaped(report.error)}</strong></p>` : ''}</header>
<p class="numbers">${['passed', 'failed', 'deviation', 'observed', 'blocked', 'skipped'].map((status) => `<span class="${status}"><b>${tally[status] ?? 0}</b> ${status}</span>`).join('')}</p>
<dl>${facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>
${failed.length ? `<h2>Violations</h2>${table(failed)}` : ''}
${deviations.length ? `<h2>Arguable</h2><p>Not violations: the specification can be read both ways.</p>${table(deviations)}` : ''}
<h2>Requirements by part</h2>${parts(report)}
<h2>Answers seen, by operation and status</h2>${coverage(report)}
<h2>Open points</h2><p>Where the specification is silent, this is what the service does. The file choices.yaml makes a mock do the same.</p>${choices(report)}
<h2>What cannot be seen from outside</h2><table>${report.unseen.map(({ id, says, reason }) => `<tr><td><code>${escaped(id)}</code></td><td>${escaped(says)}<br><span class="reason">${escaped(reason)}</span></td></tr>`).join('')}</table>
</main></body></html>
`;
};
