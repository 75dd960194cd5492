// Tables of the HTML report: what was exercised, how the service behaves at open points, what cannot be seen.
import type { Report } from '../engine/report.ts';
import { forMarkup } from './escape.ts';
import { wide } from './markup.ts';

const NUMBERS = ['passed', 'failed', 'observed', 'blocked', 'skipped', 'unseen'] as const;

export const sections = ({ coverage }: Report): string => {
  const head = `<tr><th scope="col">Part</th>${NUMBERS.map((name) => `<th scope="col">${name}</th>`).join('')}</tr>`;
  const rows = coverage.sections.map((section) => {
    const cells = NUMBERS.map((name) => `<td class="${section[name] > 0 ? name : 'none'}">${section[name]}</td>`);
    return `<tr><th scope="row">${forMarkup(section.part)}</th>${cells.join('')}</tr>`;
  });
  return wide('Requirements by part and status', head + rows.join(''));
};

export const operations = ({ coverage }: Report): string => {
  const cells = coverage.operations;
  const statuses = [...new Set(cells.map(({ status }) => status))].sort((a, b) => a - b);
  const head = `<tr><th scope="col">Operation</th>${statuses.map((status) => `<th scope="col">${status}</th>`).join('')}</tr>`;
  const rows = [...new Set(cells.map(({ operation }) => operation))].map((operation) => {
    const found = statuses.map((status) => {
      const cell = cells.find((candidate) => candidate.operation === operation && candidate.status === status);
      if (!cell) return '<td></td>';
      if (cell.exercised) return '<td class="passed">seen</td>';
      return `<td class="none" title="${forMarkup(cell.reason ?? '')}">no</td>`;
    });
    return `<tr><th scope="row">${forMarkup(operation)}</th>${found.join('')}</tr>`;
  });
  return wide('Responses seen, by operation and status', head + rows.join(''));
};

export const fields = ({ coverage }: Report): string => {
  const rows = [...new Set(coverage.fields.map(({ operation }) => operation))].map((operation) => {
    const cells = (['request', 'response'] as const).map((where) => {
      const all = coverage.fields.filter((field) => field.operation === operation && field.where === where);
      const missing = all.filter(({ exercised }) => !exercised).map(({ field }) => field);
      const rest = missing.length > 0 ? `<br><span class="soft">not: ${forMarkup(missing.join(', '))}</span>` : '';
      return all.length === 0 ? '<td class="none">none</td>' : `<td>${all.length - missing.length} of ${all.length}${rest}</td>`;
    });
    return `<tr><th scope="row">${forMarkup(operation)}</th>${cells.join('')}</tr>`;
  });
  const head = '<tr><th scope="col">Operation</th><th scope="col">sent</th><th scope="col">seen in a success</th></tr>';
  return wide('Fields exercised, by operation', head + rows.join(''));
};

export const choices = (report: Report): string => {
  const changed = new Map(report.choices_changed.map(({ choice, before }) => [choice, `was ${before} in the last run`]));
  const kept = report.choices_kept.map(
    ({ choice, value, seen }) =>
      [choice, value, `seen by ${seen ? `the run of ${seen}` : 'an earlier run'}, not by this one`] as const,
  );
  const now = [...Object.entries(report.choices), ...Object.entries(report.other_choices)].map(
    ([choice, value]) => [choice, value, changed.get(choice) ?? ''] as const,
  );
  const known = new Set(kept.map(([choice]) => choice));
  const none = report.choices_unseen.filter((choice) => !known.has(choice)).map((choice) => [choice, 'not seen', ''] as const);
  const rows = [...now, ...kept, ...none].map(([choice, value, note]) => {
    const cell = forMarkup(value) + (note ? `<br><span class="soft">${forMarkup(note)}</span>` : '');
    return `<tr><th scope="row"><code>${forMarkup(choice)}</code></th><td${value === 'not seen' ? ' class="none"' : ''}>${cell}</td></tr>`;
  });
  return wide('Open points', rows.join(''));
};

export const unseen = (report: Report): string =>
  wide(
    'What cannot be seen from outside',
    report.unseen
      .map(
        ({ id, says, reason }) =>
          `<tr><th scope="row"><code>${forMarkup(id)}</code></th><td>${forMarkup(says)}<br><span class="soft">${forMarkup(reason)}</span></td></tr>`,
      )
      .join(''),
  );

export const infra = (report: Report): string =>
  wide(
    'Failures between the run and the service',
    report.infra
      .map(
        ({ at, kind, request }) =>
          `<tr><td>${forMarkup(at)}</td><td>${forMarkup(kind)}</td><td><code>${forMarkup(request)}</code></td></tr>`,
      )
      .join(''),
  );

export const leftBehind = (report: Report): string =>
  wide(
    'Left behind',
    report.left_behind
      .map(
        ({ path, as, why }) =>
          `<tr><td><code>${forMarkup(path)}</code></td><td>${forMarkup(as)}</td><td>${forMarkup(why)}</td></tr>`,
      )
      .join(''),
  );
