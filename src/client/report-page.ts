// A report as one page of HTML, without scripts.
import { code, escaped, pageWith, sectionOf } from '../mock/api/report.ts';
import type { ClientFinding, ClientReport, DutyResult } from './client-report.ts';
import { describeRequests, formatCounts, isDutyFinding } from './report-text.ts';

const CLASSES = { kept: 'same', broken: 'breaks', unseen: 'flaky' } as const;

const showFinding = ({ duties, advice }: ClientReport, finding: ClientFinding): string => {
  const duty = duties.find(({ id }) => id === finding.duty);
  const rule = duty ?? advice.find(({ id }) => id === finding.duty);
  const { says, accepted, tests, isFailure, failure } = finding;
  return sectionOf(`${accepted ? 'Accepted: ' : ''}${finding.duty}: ${rule?.title ?? ''}`, {
    Finding: escaped(says),
    Specification: duty && `<q>${escaped(duty.spec.quote)}</q>, line ${duty.spec.line}`,
    Why: duty || !rule || !('why' in rule) ? undefined : escaped(rule.why),
    Tests: tests.map(escaped).join('<br>') || undefined,
    Requests: code(describeRequests(finding)),
    Code: code(finding.code),
    Failure: isFailure ? `<details open><summary>output</summary><pre>${escaped(failure)}</pre></details>` : undefined,
    Repeat: code(finding.repeat),
  });
};

const showDuty = ({ id, title, phase, status, seen, spec, when }: DutyResult): string => {
  const why = status === 'unseen' ? `never came up: ${when}` : `seen ${seen === 1 ? 'once' : `${seen} times`}`;
  const quote = `<q>${escaped(spec.quote)}</q>, line ${spec.line}`;
  return `<tr><th scope="row">${id}</th><td>${escaped(title)}<br><small>${quote}</small></td><td>${phase}</td><td class="${CLASSES[status]}">${status}</td><td>${escaped(why)}</td></tr>`;
};

const HEADINGS = {
  kept: 'The client keeps its duties',
  broken: 'The client breaks its side of the contract',
  error: 'There is no verdict',
};

export const showReport = (report: ClientReport): string => {
  const { verdict, command, duties, findings, coverage } = report;
  const list = (some: readonly ClientFinding[]) => some.map((one) => showFinding(report, one)).join('\n');
  const advice = findings.filter((one) => !isDutyFinding(one));
  const unsteady = report.unsteady.map((says) => `<li>${escaped(says)}</li>`).join('');
  return pageWith(
    `Verdict on ${command}`,
    `<main><h1>${HEADINGS[verdict]}</h1>
<p>${code(command)} was run on the mock as it is, and under every condition in which the contract must hold. ${escaped(report.error ?? formatCounts(report))}.</p>
${list(findings.filter(isDutyFinding))}
${advice.length > 0 ? `<h2>Advice</h2>\n<p>Good sense that the specification does not state: it never changes the verdict.</p>\n${list(advice)}` : ''}
${unsteady && `<h2>Unsteady</h2><p>This failed now and then, and so is no finding.</p><ul>${unsteady}</ul>`}
<h2>Duties</h2>
<table><thead><tr><th scope="col">id</th><th scope="col">duty</th><th scope="col">phase</th><th scope="col">status</th><th scope="col">why</th></tr></thead><tbody>
${duties.map(showDuty).join('\n')}
</tbody></table>
<h2>Coverage</h2>
<p>${coverage.operations.length} of ${coverage.of} operations: ${coverage.operations.map((id) => code(id)).join(', ')}</p></main>`,
  );
};
