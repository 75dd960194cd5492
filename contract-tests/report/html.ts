// The report for people: one page with no other file, readable without knowing the API.
import { type Report, rootFailures } from '../engine/report.ts';
import { card, parts, skipped } from './cards.ts';
import { forMarkup } from './escape.ts';
import { FILTER } from './filter.ts';
import { STYLE } from './style.ts';
import { choices, fields, infra, leftBehind, operations, sections, unseen } from './tables.ts';
import { againstBaseline, counts, effort, heading, partOf, STATUSES, sinceLast } from './view.ts';

const facts = (report: Report): string => {
  const { judged, seen, because } = report.release;
  const part = partOf(report);
  const rows = [
    ['Service', report.target],
    ['Specification', report.spec],
    ...(seen && seen !== judged ? [['The target is', `v${seen}: ${because}`]] : []),
    ['Profile', report.profile],
    ...(part ? [['Selection', part]] : []),
    ['Run', `${report.started_at}: ${effort(report)}`],
    ...(report.service_date ? [['Clock of the service', report.service_date]] : []),
  ];
  return `<dl>${rows.map(([name, value]) => `<dt>${forMarkup(name)}</dt><dd>${forMarkup(value)}</dd>`).join('')}</dl>`;
};

const verdict = (report: Report): string => {
  const { title, meaning, tone } = heading(report);
  const error = report.error ? `<p><strong>${forMarkup(report.error)}</strong></p>` : '';
  return `<header class="verdict ${tone}"><h1>${forMarkup(title)}</h1><p>${forMarkup(meaning)}</p>${error}${facts(report)}</header>`;
};

const tallies = (report: Report): string => {
  const tally = counts(report);
  return `<ul class="tallies">${STATUSES.map((status) => `<li class="${status}"><b>${tally[status] ?? 0}</b> ${status}</li>`).join('')}</ul>`;
};

const filters = (report: Report): string => {
  const tally = counts(report);
  const buttons = STATUSES.filter((status) => tally[status]).map(
    (status) =>
      `<button type="button" class="${status}" data-filter="${status}" aria-pressed="false"><b>${tally[status]}</b> ${status}</button>`,
  );
  return `<div id="filters" hidden>${buttons.join('')}<input id="search" type="search" aria-label="Words in a requirement" placeholder="Words, or an id"><span id="shown" class="soft" role="status"></span></div>`;
};

const anchor = (title: string): string => `part-${title.toLowerCase().replace(/[^a-z]+/g, '-')}`;

const section = (title: string, about: string, content: string): string =>
  content === ''
    ? ''
    : `<section id="${anchor(title)}"><h2><a href="#${anchor(title)}">${title}</a></h2>${about ? `<p class="soft">${about}</p>` : ''}${content}</section>`;

const sentences = (lines: readonly string[]): string =>
  lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${forMarkup(line)}</li>`).join('')}</ul>`;

export const html = (report: Report): string => {
  const violations = rootFailures(report).map(({ root, consequences }) => card(report, root, consequences));
  const { title } = heading(report);
  const body = [
    verdict(report),
    tallies(report),
    section('Since the last run', '', sentences(sinceLast(report))),
    section('Baseline', '', sentences(againstBaseline(report))),
    section('Violations', '', violations.join('')),
    section('Left out', 'Each with what is in its way: once that is given, the next run judges it.', skipped(report)),
    section('Requirements', '', `${filters(report)}${parts(report)}`),
    section('Parts of the specification', 'Unseen is what no request can show.', sections(report)),
    section('Responses seen, by operation and status', '', operations(report)),
    section('Fields sent and seen', '', report.coverage.fields.length > 0 ? fields(report) : ''),
    section(
      'Open points',
      'Where the specification is silent, this is what the service does. The file choices.yaml makes a mock do the same.',
      choices(report),
    ),
    section('Between the run and the service', 'Failures that are no violations.', report.infra.length > 0 ? infra(report) : ''),
    section('Left behind', 'Made by the run, and not removed.', report.left_behind.length > 0 ? leftBehind(report) : ''),
    section('What cannot be seen from outside', '', unseen(report)),
  ];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${forMarkup(title)} · Work-Management contract</title><style>${STYLE}</style></head><body><main>
${body.join('\n')}
</main><script>${FILTER}</script></body></html>
`;
};
