// The report for CI systems that read JUnit: a suite for each part, a case for each requirement.
import { knownAs, type Report, type RequirementResult } from '../engine/report.ts';
import { forMarkup } from './escape.ts';
import { contrast, effort } from './view.ts';

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

type Kind = 'failure' | 'skipped' | 'passed';

/** A violation that the baseline accepts is no failure: the run does not fail for it. */
const kindOf = (report: Report, result: RequirementResult): Kind => {
  if (result.status === 'failed') return knownAs(report, result) ? 'skipped' : 'failure';
  return result.status === 'skipped' || result.status === 'blocked' ? 'skipped' : 'passed';
};

/** Failures say with their type whether they stand alone. */
const failure = (result: RequirementResult): string => {
  const { expected, got } = contrast(result);
  const calls = (result.evidence ?? []).flatMap((entry) => [
    entry.message,
    ...entry.exchanges.map(
      ({ curl, status, body, request_id: id }) => `${curl}\n→ ${status}${id ? ` (request ${id})` : ''} ${body}`,
    ),
    ...(entry.deliveries ?? []).map(({ request, headers, body }) => `${request} ${JSON.stringify(headers)}\n${body}`),
  ]);
  const text = [
    `expected: ${expected}`,
    `got: ${got}`,
    ...(result.line === undefined ? [] : [`specification, line ${result.line}: ${result.quote ?? ''}`]),
    ...(result.script ? [`repeat it: sh ${result.script}`] : []),
    ...calls,
  ].join('\n\n');
  const root = result.consequence_of;
  const message = root ? `follows from ${root}: ${result.reason ?? ''}` : (result.reason ?? '');
  return `<failure type="${root ? 'consequence' : 'violation'}" message="${forMarkup(message)}">${forMarkup(text)}</failure>`;
};

const testcase = (report: Report, result: RequirementResult): string => {
  const { id, part, says, status, reason, duration_ms } = result;
  const head = `    <testcase classname="${forMarkup(part)}" name="${forMarkup(`${id} ${says}`)}" time="${seconds(duration_ms)}">`;
  const kind = kindOf(report, result);
  if (kind === 'failure') return `${head}${failure(result)}</testcase>`;
  const known = status === 'failed' ? knownAs(report, result) : undefined;
  const why = known ? `known until ${known.expires}: ${known.reason} (${known.owner}): ${reason ?? ''}` : (reason ?? status);
  if (kind === 'skipped') return `${head}<skipped message="${forMarkup(why)}"/></testcase>`;
  return `${head}${reason ? `<system-out>${forMarkup(`${status}: ${reason}`)}</system-out>` : ''}</testcase>`;
};

const totals = (report: Report, rows: readonly RequirementResult[], errors: number, ms: number): string => {
  const of = (kind: Kind) => rows.filter((row) => kindOf(report, row) === kind).length;
  const tests = rows.length + errors;
  return `tests="${tests}" failures="${of('failure')}" errors="${errors}" skipped="${of('skipped')}" time="${seconds(ms)}"`;
};

export const junit = (report: Report): string => {
  const parts = [...new Set(report.requirements.map(({ part }) => part))];
  const stamp = `timestamp="${report.started_at.replace(/\.\d+Z$/, 'Z')}"`;
  const suites = parts.map((part) => {
    const rows = report.requirements.filter((result) => result.part === part);
    const ms = rows.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
    const cases = rows.map((result) => testcase(report, result));
    return `  <testsuite name="${forMarkup(part)}" ${totals(report, rows, 0, ms)} ${stamp}>\n${cases.join('\n')}\n  </testsuite>`;
  });
  if (report.error) {
    suites.unshift(
      `  <testsuite name="run" ${totals(report, [], 1, 0)} ${stamp}><testcase classname="run" name="the run can be made" time="0.000"><error type="error" message="${forMarkup(report.error)}"/></testcase></testsuite>`,
    );
  }
  const all = totals(report, report.requirements, report.error ? 1 : 0, report.duration_ms);
  const facts = `<!-- ${forMarkup(`${report.target}: ${report.verdict}, ${effort(report)}`).replaceAll('--', '- -')} -->`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${facts}\n<testsuites name="Work-Management contract" ${all}>\n${suites.join('\n')}\n</testsuites>\n`;
};
