// The world of a failed test as one page: requests with reasons, events, timeline and data.
import type { Mock } from '../mock/api/mock.ts';
import { code, escaped, pageWith, several } from '../mock/api/report.ts';
import type { TimelineEntry } from '../mock/control/timeline-entries.ts';
import type { Repro, Step } from '../mock/recording/steps.ts';
import { explainRequest, formatAttempts, formatDeliveryLine, formatRequestLine, type Witness } from './show-lines.ts';

const MAX_PAGE_ENTRIES = 500;

const formatBlock = (text: string): string => `<pre>${escaped(text)}</pre>`;

const formatDetails = (summary: string, html: string, open = false): string =>
  `<details${open ? ' open' : ''}><summary>${summary}</summary>${html}</details>`;

/** @param more values to unfold @param kind of what breaks, the first line says why */
const formatEntry = (line: string, kind: 'same' | 'flaky' | 'breaks', lines: readonly string[], more: object): string =>
  formatDetails(
    `<code class="${kind}">${escaped(line)}</code>`,
    `<pre>${lines.map((one, i) => (kind === 'breaks' && i === 0 ? `<b class="breaks">${escaped(one)}</b>` : `<span>${escaped(one)}</span>`)).join('')}</pre>` +
      Object.entries(more)
        .map(([name, value]) => formatDetails(name, formatValue(value)))
        .join(''),
    kind === 'breaks',
  );

const formatValue = (value: unknown): string => formatBlock(JSON.stringify(value, null, 2));

export const formatStep = (step: Step): string => {
  if ('path' in step) return `${step.method} ${step.path}${step.kind === 'control' && step.body ? ` ${step.body}` : ''}`;
  if (step.kind === 'receiver') return `attempt ${step.attempt}, of the delivery ${step.delivery}`;
  return step.kind === 'clock' ? 'time passes' : `the sender of step ${step.request} left`;
};

/** Links lead to causes and effects. */
const formatTimelineEntry = ({ id, n, at, kind, title, step, causes, effects }: TimelineEntry): string => {
  const links = (says: string, to: readonly number[]) =>
    to.length === 0 ? '' : `, ${says} ${to.map((one) => `<a href="#t${one}">no. ${one}</a>`).join(', ')}`;
  const place = step === undefined ? '' : `, step ${step} of the repro file`;
  return `<div id="${id}">${code(`no. ${n}  ${at.slice(11, 23)}  ${kind}  ${title}`)}${place}${links('from', causes)}${links('to', effects)}</div>`;
};

const formatSection = (title: string, all: readonly string[]): string =>
  `<h2>${escaped(title)}</h2>${all.length > MAX_PAGE_ENTRIES ? `<p>${all.length - MAX_PAGE_ENTRIES} earlier ones are left out.</p>` : ''}${all.slice(-MAX_PAGE_ENTRIES).join('\n') || '<p>None.</p>'}`;

interface WorldPageContent {
  readonly title: string;
  /** Path of the repro file, for the reader. */
  readonly file: string;
  readonly repro: Repro;
  readonly state: string;
  /** Message and place of the failed assertion. */
  readonly failed?: string | undefined;
}

export const formatWorldPage = (
  { id, clock, faults, requests, deliveries, timeline }: Witness & Pick<Mock, 'timeline'>,
  { title, file, repro, state, failed }: WorldPageContent,
): string => {
  const failing = requests.filter(({ status, fault }) => status >= 400 || status === 0 || fault);
  const ordered = faults.list();
  const requestEntries = requests.map((request) => {
    const kind = failing.includes(request) ? 'breaks' : 'same';
    const more = { request: request.request, response: request.response };
    return formatEntry(formatRequestLine(request), kind, explainRequest(request), more);
  });
  const sent = deliveries.map((one) =>
    formatEntry(formatDeliveryLine(one), one.state === 'delivered' ? 'same' : 'flaky', formatAttempts(one), { event: one.event }),
  );
  const faultBlocks = ordered.map(formatValue);
  const about = [
    `world ${id}`,
    `clock ${clock.now} (${clock.mode})`,
    `release ${repro.release}`,
    several(requests.length, 'request'),
    `${failing.length} refused, hit by a fault or aborted`,
    several(sent.length, 'event'),
    several(ordered.length, 'fault'),
  ];
  return pageWith(
    title,
    `<main><h1>${escaped(title)}</h1>
${failed === undefined ? '' : `${formatBlock(failed)}\n`}<p>${about.map(escaped).join(' · ')}</p>
<p>Repeat it, and see the dashboard as it was then: ${code(`npx wm-mock replay ${file} --open`)}</p>
${formatSection('Requests, and why each got its response', requestEntries)}
${formatSection('Events and their attempts', sent)}
${formatSection('Faults', faultBlocks)}
${formatSection('Timeline', timeline.map(formatTimelineEntry))}
<h2>What there is</h2>
${formatDetails('The state as a seed', formatBlock(state))}</main>`,
  );
};
