// A requirement in the HTML report: what it says and where, what was expected and what came, and the calls that show it.
import type { Evidence, ShownDelivery, ShownExchange } from '../engine/evidence.ts';
import { knownAs, type Report, type RequirementResult } from '../engine/report.ts';
import { forMarkup } from './escape.ts';
import { indented } from './markup.ts';
import { contrast } from './view.ts';

const exchange = ({ number, request, curl, status, headers, request_id: id, body }: ShownExchange): string => {
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = [`${status}`, ...head, '', indented(body)].join('\n');
  return `<li><p><code>${forMarkup(request)}</code> <b>${status}</b><span class="soft"> request ${number} of the run${id ? `, ${forMarkup(id)} of the service` : ''}</span></p>
<pre tabindex="0">${forMarkup(curl)}</pre><pre tabindex="0">${forMarkup(text)}</pre></li>`;
};

const delivery = ({ request, headers, body, at, answered }: ShownDelivery): string => {
  const text = [request, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', indented(body)].join('\n');
  return `<li><p>Delivery <span class="soft">at ${forMarkup(at)}, response ${answered}</span></p><pre tabindex="0">${forMarkup(text)}</pre></li>`;
};

const entry = ({ check, during, message, exchanges, deliveries = [] }: Evidence): string => {
  const by = check === during ? check : `${check}, during ${during}`;
  const calls = [...exchanges.map(exchange), ...deliveries.map(delivery)].join('');
  return `<p>${forMarkup(message)} <span class="soft">found by ${forMarkup(by)}</span></p>${calls ? `<ol>${calls}</ol>` : ''}`;
};

const evidence = (result: RequirementResult): string => {
  const entries = result.evidence ?? [];
  const calls = entries.reduce((sum, one) => sum + one.exchanges.length + (one.deliveries?.length ?? 0), 0);
  if (entries.length === 0) return '';
  return `<details class="calls"><summary>${calls === 1 ? 'The call' : `${calls} calls`} and what came back</summary>${entries.map(entry).join('')}</details>`;
};

/** The sentence of the specification. */
const source = ({ quote, line }: RequirementResult): string => {
  if (quote === undefined) return '';
  const where = line === undefined ? '' : `<cite>Specification, line ${line}</cite>`;
  return `<blockquote>${forMarkup(quote)}${where}</blockquote>`;
};

const sides = (result: RequirementResult): string => {
  const { expected, got } = contrast(result);
  const message = result.evidence?.[0]?.message ?? '';
  // A bare value says little without the field that has it.
  const what = message === got ? '' : `<p>${forMarkup(message)}</p>`;
  return `${what}<div class="sides"><div><h4>Expected</h4><p>${forMarkup(expected)}</p></div><div><h4>Got</h4><p>${forMarkup(got)}</p></div></div>`;
};

/** Facts of a violation beside itself: whether it is new, and who accepts it. */
const badges = (report: Report, result: RequirementResult): string => {
  const known = knownAs(report, result);
  const { previous, baseline } = report;
  const compared = previous.started_at !== undefined;
  const expired = baseline.expired.find(({ requirement }) => requirement === result.id);
  const texts = [
    compared && previous.new.includes(result.id) ? 'new since the last run' : '',
    compared && previous.still.includes(result.id) ? 'as in the last run' : '',
    known ? `known until ${known.expires}: ${known.reason} (${known.owner})` : '',
    expired ? `accepted until ${expired.expires}: ${expired.reason} (${expired.owner})` : '',
  ];
  return texts
    .filter(Boolean)
    .map((text) => `<span class="badge">${forMarkup(text)}</span>`)
    .join(' ');
};

const link = ({ script }: RequirementResult): string =>
  script === undefined
    ? ''
    : `<p>Repeat it on a clean workspace: <a href="${forMarkup(script)}"><code>sh ${forMarkup(script)}</code></a></p>`;

/** A violation, with all that shows it. */
export const card = (report: Report, result: RequirementResult, consequences: readonly RequirementResult[]): string => {
  const more =
    consequences.length === 1 ? 'One more violation follows from it' : `${consequences.length} more violations follow from it`;
  const folded =
    consequences.length > 0
      ? `<details><summary>${more}</summary>${consequences.map((one) => card(report, one, [])).join('')}</details>`
      : '';
  return `<article class="card ${result.status}" id="${forMarkup(result.id)}"><h3><code>${forMarkup(result.id)}</code> ${forMarkup(result.says)}</h3>
<p>${badges(report, result)}</p>${source(result)}${sides(result)}${link(result)}${evidence(result)}${folded}</article>`;
};

const rowOf = (result: RequirementResult): string => {
  const root = result.consequence_of ? `<span class="soft">follows from ${forMarkup(result.consequence_of)}</span>` : '';
  const reason = result.reason ? `<span class="soft">${forMarkup(result.reason)}</span>` : '';
  const to = result.evidence ? result.id : `row-${result.id}`;
  const id = `<a href="#${forMarkup(to)}">${forMarkup(result.id)}</a>`;
  return `<li id="row-${forMarkup(result.id)}" class="row ${result.status}" data-status="${result.status}"><code>${id}</code><div>${forMarkup(result.says)}${reason}${root}${source(result)}</div><span class="status">${result.status}</span></li>`;
};

/** All requirements, by the part of the specification. */
export const parts = (report: Report): string =>
  report.coverage.sections
    .map(({ part, passed, observed, failed }) => {
      const rows = report.requirements.filter((result) => result.part === part);
      if (rows.length === 0) return '';
      const holding = passed + observed;
      const tally = `<span class="soft">${holding} of ${rows.length}${failed > 0 ? `, ${failed} violated` : ''}</span>`;
      return `<details class="part"><summary>${forMarkup(part)} ${tally}</summary><ul class="rows">${rows.map(rowOf).join('')}</ul></details>`;
    })
    .join('');

/** Why requirements were left out: each reason with what it keeps from being judged, the one that keeps most first. */
export const skipped = ({ requirements }: Report): string => {
  const reasons = new Map<string, RequirementResult[]>();
  for (const result of requirements)
    if (result.status === 'skipped' || result.status === 'blocked')
      reasons.set(result.reason ?? '', [...(reasons.get(result.reason ?? '') ?? []), result]);
  return [...reasons]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([reason, results]) => {
      const ids = results.map(({ id }) => `<a href="#row-${forMarkup(id)}"><code>${forMarkup(id)}</code></a>`).join(', ');
      return `<details><summary>${results.length}: ${forMarkup(reason)}</summary><p>${ids}</p></details>`;
    })
    .join('');
};
