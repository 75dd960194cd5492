// The page of a proxy: counts, verdict, the last exchanges and each violated requirement; live, or as a report.
import { createHash } from 'node:crypto';
import { code, escaped, pageWith, sectionOf, several } from '../../mock/api/report.ts';
import { groupBy } from '../../service/contract/keyed.ts';
import type { JudgedExchange, ProxyReport, Violation } from './traffic.ts';

interface ShownTraffic {
  readonly report: ProxyReport;
  readonly deliveries: number;
  readonly last: readonly JudgedExchange[];
}
type Clean = (text: string) => string;

/** The exchanges have a height of their own, and violations follow: nothing that is there shifts. */
const TRAFFIC_STYLE = `#tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:8px;list-style:none;margin:16px 0;padding:0}#tiles li{border:1px solid var(--line);border-radius:10px;padding:6px 12px;background:light-dark(#fff,#171a20)}#tiles b{display:block;font-size:18px;font-variant-numeric:tabular-nums}.log{height:320px;overflow:auto;border:1px solid var(--line);border-radius:10px;background:light-dark(#fff,#171a20)}.log td{overflow-wrap:anywhere}.log table{table-layout:fixed}.log th:first-child{width:3.5em}.log th:nth-child(3){width:3.5em}.log th:last-child{width:7.5em}@media(max-width:560px){dl{display:block}#verdict,#state{min-height:2lh}}`;

/** Replaces the parts that have changed, each second, until the proxy has ended. */
const LIVE_SCRIPT = `const timer=setInterval(async()=>{try{const response=await fetch('/_proxy/live');if(!response.ok)throw 0;const next=document.createElement('template');next.innerHTML=await response.text();for(const part of next.content.querySelectorAll('[id]')){const old=document.getElementById(part.id);if(old.innerHTML!==part.innerHTML)old.innerHTML=part.innerHTML}}catch{clearInterval(timer);document.getElementById('state').textContent='The proxy has ended. This is its last state; the report folder has all of it.'}},1000)`;
const PAGE_POLICY = `default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; script-src 'sha256-${createHash('sha256').update(LIVE_SCRIPT).digest('base64')}'`;

/** The first violation of each requirement, and how often it is violated. */
export const byRequirement = (violations: readonly Violation[]): readonly (readonly [first: Violation, times: number])[] => {
  const groups = groupBy(violations, ({ requirement }) => requirement);
  return [...groups.values()].map((all) => [all[0]!, all.length]);
};

/** The verdict in words. */
export const headingOf = ({ verdict, violations }: ProxyReport): string => {
  if (verdict === 'agrees') return 'The service agrees with the specification';
  if (verdict === 'error') return 'There is no verdict';
  return `The service violates ${several(byRequirement(violations).length, 'requirement')}`;
};

const showRow = ({ number, traffic, as, violations }: JudgedExchange, clean: Clean): string => {
  const { method, target, response } = traffic;
  const wrong = [...new Set(violations.map(({ requirement }) => requirement))].join(', ');
  const verdict = wrong ? ['breaks', wrong] : response ? ['same', 'agrees'] : ['flaky', 'unknown'];
  return `<tr><th scope="row">${number}</th><td>${code(clean(`${method} ${target}`))} <small>${escaped(clean(as))}</small></td><td>${response?.status ?? 'none'}</td><td class="${verdict[0]}">${escaped(verdict[1]!)}</td></tr>`;
};

const showViolation = ([{ requirement, says, quote, line, exchange, request, expected, got }, times]: readonly [
  Violation,
  number,
]) =>
  sectionOf(requirement, {
    Violation: escaped(says),
    Specification: `<q>${escaped(quote)}</q>, line ${line}`,
    'First seen': `exchange ${exchange}: ${code(request) ?? ''}`,
    Expected: code(expected),
    Got: code(got),
    Times: String(times),
  });

const partsOf = ({ report, deliveries, last }: ShownTraffic, clean: Clean) => {
  const { exchanges, violations, choices, unknown, added_ms, target } = report;
  const groups = byRequirement(violations);
  const tiles = [
    [exchanges, 'exchanges'],
    [groups.length, 'violated'],
    [Object.keys(choices).length, 'open points seen'],
    [unknown.length, 'left open'],
    [deliveries, 'deliveries'],
    [`${added_ms.p50.toFixed(1)} ms`, 'added (p50)'],
  ];
  return {
    verdict: `<h1 id="verdict" aria-live="polite">${headingOf(report)}</h1>`,
    target: `<p>${code(target)}</p>`,
    tiles: `<ul id="tiles">${tiles.map(([count, says]) => `<li><b>${count}</b>${says}</li>`).join('')}</ul>`,
    rows: `<tbody id="rows">${last.map((x) => showRow(x, clean)).join('')}</tbody>`,
    violations: `<div id="violations">${groups.length > 0 ? '<h2>Violations</h2>' : ''}${groups.map(showViolation).join('\n')}</div>`,
  };
};

/** The parts that an open page replaces. */
export const showLive = (shown: ShownTraffic, clean: Clean): string => {
  const { verdict, tiles, rows, violations } = partsOf(shown, clean);
  return `${verdict}${tiles}<table>${rows}</table>${violations}`;
};

export const showTrafficPage = (shown: ShownTraffic, clean: Clean, isLive: boolean): string => {
  const { verdict, target, tiles, rows, violations } = partsOf(shown, clean);
  const { choices, unknown } = shown.report;
  const found = Object.entries(choices).map(([name, value]) => `<li>${code(`${name}=${value}`)}</li>`);
  const open = unknown.slice(0, 100).map(({ exchange, says }) => `<li>exchange ${exchange}: ${escaped(says)}</li>`);
  const rest = `${found.length > 0 ? `<h2>Open points</h2><ul>${found.join('')}</ul>` : ''}
${open.length > 0 ? `<h2>Left open</h2><ul>${open.join('')}</ul>` : ''}`;
  const state = isLive ? 'This page follows the traffic.' : 'All that went by, the last exchanges first.';
  return pageWith(
    `Traffic of ${shown.report.target}`,
    `<main>${verdict}${target}<p id="state">${state}</p>${tiles}
<h2 id="last">The last exchanges</h2>
<div class="log" role="region" aria-labelledby="last" tabindex="0"><table><thead><tr><th scope="col">no.</th><th scope="col">request</th><th scope="col">status</th><th scope="col">verdict</th></tr></thead>${rows}</table></div>
${violations}${isLive ? `<script>${LIVE_SCRIPT}</script>` : rest}</main>`,
    `<style>${TRAFFIC_STYLE}</style>${isLive ? `<meta http-equiv="content-security-policy" content="${PAGE_POLICY}">` : ''}`,
  );
};
