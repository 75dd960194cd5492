// The report for CI systems that read JUnit: a suite for each part, a case for each requirement.
import type { Report } from '../engine/report.ts';

const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids them
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');

export const junit = (report: Report): string => {
  const parts = [...new Set(report.requirements.map(({ part }) => part))];
  const suites = parts.map((part) => {
    const rows = report.requirements.filter((result) => result.part === part);
    const of = (...statuses: string[]) => rows.filter((row) => statuses.includes(row.status)).length;
    const cases = rows.map(({ id, says, status, reason, evidence }) => {
      const open = `    <testcase classname="${escaped(part)}" name="${escaped(`${id} ${says}`)}"`;
      if (status === 'failed') {
        const curls =
          evidence?.flatMap((entry) =>
            entry.exchanges.map((exchange) => `${exchange.curl}\n→ ${exchange.status} ${exchange.body}`),
          ) ?? [];
        return `${open}><failure message="${escaped(reason ?? '')}">${escaped(curls.join('\n\n'))}</failure></testcase>`;
      }
      if (status === 'skipped' || status === 'blocked')
        return `${open}><skipped message="${escaped(reason ?? status)}"/></testcase>`;
      const output = reason ? `<system-out>${escaped(`${status}: ${reason}`)}</system-out>` : '';
      return `${open}>${output}</testcase>`;
    });
    const head = `tests="${rows.length}" failures="${of('failed')}" skipped="${of('skipped', 'blocked')}"`;
    return `  <testsuite name="${escaped(part)}" ${head}>\n${cases.join('\n')}\n  </testsuite>`;
  });
  if (report.error) {
    suites.unshift(
      `  <testsuite name="run" tests="1" errors="1"><testcase name="the run can be made"><error message="${escaped(report.error)}"/></testcase></testsuite>`,
    );
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Work-Management contract">\n${suites.join('\n')}\n</testsuites>\n`;
};
