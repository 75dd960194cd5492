// A report as text: for a terminal, for the summary of a workflow, as annotations and as JUnit.
import { cell, escapeControls, several, suiteOf } from '../mock/api/report.ts';
import type { ClientFinding, ClientReport } from './client-report.ts';

const titleOf = ({ duties, advice }: ClientReport, { duty }: ClientFinding): string =>
  [...duties, ...advice].find(({ id }) => id === duty)?.title ?? duty;

const quoteOf = ({ duties }: ClientReport, { duty }: ClientFinding): string | undefined => {
  const spec = duties.find(({ id }) => id === duty)?.spec;
  return spec && `"${spec.quote}" (line ${spec.line})`;
};

export const describeRequests = ({ requests }: ClientFinding): string =>
  requests.map(({ method, path, status }) => `${method} ${path} ${status === 0 ? 'no response' : status}`).join(', then ');

const indent = (text: string): string => text.replace(/^(?=.)/gm, '    ');

const formatFinding = (report: ClientReport, finding: ClientFinding): string => {
  const { id, says, tests, failure, code, isFailure, accepted } = finding;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['test', tests.length > 0 ? tests.join('\n            ') : undefined],
    ['requests', describeRequests(finding) || undefined],
    ['spec', quoteOf(report, finding)],
    ['code', code],
    ['repeat', finding.repeat],
  ];
  const lines = rows.flatMap(([name, text]) => (text ? [`  ${name.padEnd(9)} ${text}`] : []));
  const output = isFailure ? `\n${indent(failure)}` : '';
  return `${accepted ? 'accepted: ' : ''}${titleOf(report, finding)}\n  ${says}  [${id}]\n${lines.join('\n')}${output}`;
};

export const isDutyFinding = ({ duty }: ClientFinding): boolean => duty.startsWith('WM-CLI-');

const countDuties = ({ duties }: ClientReport, status: string): number => duties.filter((one) => one.status === status).length;

export const formatCounts = (report: ClientReport): string => {
  const { operations, of } = report.coverage;
  const duties = ['kept', 'broken', 'unseen'].map((status) => `${countDuties(report, status)} ${status}`).join(', ');
  const runs = `${several(report.runs, 'run')} in ${Math.round(report.seconds)} s`;
  return `${several(report.duties.length, 'duty')}: ${duties}; ${operations.length} of ${of} operations called; ${runs}`;
};

export const formatReport = (report: ClientReport): string => {
  const { findings, duties, unsteady, verdict } = report;
  if (report.error !== undefined) return `There is no verdict: ${report.error}\n`;
  const broken = findings.filter(isDutyFinding);
  const advice = findings.filter((one) => !isDutyFinding(one));
  const head = verdict === 'kept' ? 'The client keeps its duties.' : 'The client breaks its side of the contract:';
  const unseen = duties.filter(({ status }) => status === 'unseen');
  return [
    head,
    ...broken.map((one, i) => `\n${i + 1}. ${formatFinding(report, one)}`),
    ...(advice.length > 0 ? ['\nAdvice, which the spec does not state:'] : []),
    ...advice.map((one) => `\n- ${formatFinding(report, one)}`),
    ...unsteady.map((says) => `\nunsteady, so no finding: ${says}`),
    ...(unseen.length > 0 ? [`\nnever came up: ${unseen.map(({ id, when }) => `${id} (${when})`).join(', ')}`] : []),
    '',
    formatCounts(report),
    '',
  ].join('\n');
};

export const formatSummary = (report: ClientReport): string => {
  const { findings, verdict } = report;
  const rows = findings.map((one) => {
    const test = cell(one.test ?? '');
    return `| ${one.duty} | ${cell(titleOf(report, one))} | ${cell(one.says)} | ${test} | \`${cell(one.repeat)}\` |`;
  });
  const table =
    rows.length > 0 ? ['| duty | title | finding | test | repeat |', '| --- | --- | --- | --- | --- |', ...rows, ''] : [];
  return [`### wm-mock client: ${verdict}`, '', ...table, report.error ?? formatCounts(report), ''].join('\n');
};

const MAX_ANNOTATIONS = 10;

/** Lines that GitHub shows beside the code. */
export const formatAnnotations = (report: ClientReport): readonly string[] =>
  report.findings
    .filter(({ accepted }) => !accepted)
    .slice(0, MAX_ANNOTATIONS)
    .map((one) => {
      const [file, line] = one.code?.split(':') ?? [];
      const place = file ? `file=${file},line=${line},` : '';
      const text = escapeControls(one.says).replaceAll('%', '%25');
      return `::${isDutyFinding(one) ? 'error' : 'notice'} ${place}title=${one.duty} ${titleOf(report, one).replace(/[,:]/g, ' ')}::${text}`;
    });

export const formatJUnit = (report: ClientReport): string =>
  suiteOf(
    'wm-mock client',
    report.duties.map(({ id, title, status, findings }) => {
      const open = report.findings.find((one) => findings.includes(one.id) && !one.accepted);
      const failure = open && { says: open.says, text: formatFinding(report, open) };
      return { name: `${id} ${title}`, skipped: status === 'unseen', failure };
    }),
  );
