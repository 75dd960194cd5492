// The report of matrix as data, terminal text, JUnit and a page.
import { cell, code, escaped, pageWith, sectionOf, several, suiteOf } from '../../mock/api/report.ts';
import type { FlipVerdict } from './flip-search.ts';
import type { Flip } from './flips.ts';

export interface FlipResult {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly value: string;
  readonly status: 'same' | 'breaks' | 'flaky' | 'pruned' | 'known';
  readonly why: string;
}

export interface Assumption {
  readonly id: string;
  readonly flips: readonly string[];
  readonly says: string;
  /** The permitting part of the specification, if any. */
  readonly spec?: string;
  readonly permitted_by: string;
  /** The first failed test, from the command's output. */
  readonly test?: string;
  /** The first request with another response, and the number of others. */
  readonly request?: string;
  readonly reproduce: string;
  readonly known: boolean;
}

export interface MatrixReport {
  readonly version: 1;
  readonly command: string;
  readonly baseline: { readonly runs: number; readonly exit: number };
  readonly flips: readonly FlipResult[];
  readonly assumptions: readonly Assumption[];
  readonly seconds: number;
}

export interface FirstDifference {
  readonly request: string;
  readonly was: number;
  readonly is: number;
  readonly more: number;
}

interface MatrixReportInput extends Pick<MatrixReport, 'command' | 'baseline' | 'seconds'> {
  readonly flips: readonly Flip[];
  readonly pruned: ReadonlyMap<string, string>;
  readonly touches: ReadonlyMap<string, FirstDifference>;
  readonly verdicts: ReadonlyMap<string, FlipVerdict>;
  /** Ids of accepted assumptions. */
  readonly known: ReadonlySet<string>;
}

/** The specification names no status above 500, and promises no response time. */
const PERMITTED_OUTSIDE =
  'not the specification, but what is in front of a service (gateways, deploys, networks): no service is always available or always fast';
const UNTRIED = 'not tried: the run was stopped';

const formatDifference = ({ request, was, is, more }: FirstDifference): string =>
  `${request}${was === is ? '' : `: ${is} in place of ${was}`}${more === 0 ? '' : `, and ${more} more`}`;

const describeAssumption = (
  flips: readonly Flip[],
  tests: readonly string[],
  { command, touches, known }: MatrixReportInput,
): Assumption => {
  const id = flips.map((one) => one.id).join(' + ');
  const [{ spec }] = flips as readonly [Flip];
  const touch = flips.map((one) => touches.get(one.id)).find((one) => one !== undefined);
  const only = `--only '${flips.map((one) => one.id).join(',')}'`;
  const flags = flips.map(({ flag }) => flag);
  return {
    id,
    flips: flips.map((one) => one.id),
    says: flips.map(({ says }) => says).join(' Together with: '),
    ...(spec !== undefined && { spec }),
    permitted_by: spec === undefined ? PERMITTED_OUTSIDE : `specification, ${spec}`,
    ...(tests[0] !== undefined && { test: tests[0] }),
    ...(touch && { request: formatDifference(touch) }),
    reproduce: flags.every((flag) => flag !== undefined)
      ? `wm-mock exec ${flags.join(' ')} -- ${command}`
      : `wm-mock matrix ${only} -- ${command}`,
    known: known.has(id),
  };
};

export const buildMatrixReport = (found: MatrixReportInput): MatrixReport => {
  const { command, flips, pruned, verdicts, baseline, seconds } = found;
  const breaking = new Map<string, Assumption>();
  for (const { id } of flips) {
    const verdict = verdicts.get(id);
    if (verdict?.status !== 'breaks') continue;
    const assumption = describeAssumption(verdict.together, verdict.tests, found);
    breaking.set(assumption.id, assumption);
  }
  const resultOf = ({ id, kind, name, value }: Flip): FlipResult => {
    const of = { id, kind, name, value };
    const verdict = verdicts.get(id);
    if (!verdict) return { ...of, status: 'pruned', why: pruned.get(id) ?? UNTRIED };
    if (verdict.status === 'same') return { ...of, status: 'same', why: 'the command passes' };
    if (verdict.status === 'flaky')
      return { ...of, status: 'flaky', why: `the command failed ${verdict.failed} of ${verdict.of} times` };
    const known = breaking.get(verdict.together.map((one) => one.id).join(' + '))?.known;
    return { ...of, status: known ? 'known' : 'breaks', why: verdict.tests[0] ?? 'the command fails' };
  };
  return { version: 1, command, baseline, flips: flips.map(resultOf), assumptions: [...breaking.values()], seconds };
};

const formatFlipCounts = ({ flips }: MatrixReport): string => {
  const counts = new Map<string, number>();
  for (const { status } of flips) counts.set(status, (counts.get(status) ?? 0) + 1);
  return `${several(flips.length, 'flip')}: ${[...counts].map(([status, count]) => `${count} ${status}`).join(', ')}`;
};

const formatAssumption = ({ says, permitted_by, test, request, reproduce, known }: Assumption): string[] => [
  `${known ? 'known: ' : ''}${says}`,
  ...(test === undefined ? [] : [`  test       ${test}`]),
  ...(request === undefined ? [] : [`  differs    ${request}`]),
  `  permitted  ${permitted_by}`,
  `  try        ${reproduce}`,
];

export const MATRIX_FORMATS = {
  text: (report: MatrixReport): string => {
    const { assumptions, seconds } = report;
    const left = report.flips.filter(({ why }) => why === UNTRIED).length;
    const head =
      assumptions.length > 0
        ? `${several(assumptions.length, 'assumption')} found${left > 0 ? ' so far' : ''}:`
        : left > 0
          ? `No assumption found so far: not tried yet: ${several(left, 'flip')}.`
          : 'No assumption found: no flip breaks the command each time.';
    const blocks = assumptions.map((one, i) => `\n${i + 1}. ${formatAssumption(one).join('\n')}`);
    const flaky = report.flips.filter(({ status }) => status === 'flaky').map(({ id, why }) => `\nunsteady: with ${id} ${why}`);
    return [head, ...blocks, ...flaky, '', `${formatFlipCounts(report)}; ${Math.round(seconds)} s`, ''].join('\n');
  },

  markdown: (report: MatrixReport): string => {
    const rows = report.assumptions.map(
      ({ says, test, request, reproduce }) =>
        `| ${cell(says)} | ${cell(test)} | ${request ? `\`${cell(request)}\`` : ''} | \`${cell(reproduce)}\` |`,
    );
    const table = rows.length > 0 ? ['| assumption | test | differs | try |', '| --- | --- | --- | --- |', ...rows] : [];
    return ['### wm-mock matrix', '', ...table, '', formatFlipCounts(report), ''].join('\n');
  },

  junit: ({ flips, assumptions }: MatrixReport): string => {
    const tried = flips.filter(({ status }) => status !== 'pruned');
    const cases = tried.map(({ id, status }) => {
      const found = status === 'breaks' ? assumptions.find((one) => one.flips.includes(id)) : undefined;
      const failure = found && { says: found.says, text: formatAssumption(found).join('\n') };
      return { name: id, skipped: !found && status !== 'same', failure };
    });
    return suiteOf('wm-mock matrix', cases);
  },

  page: (report: MatrixReport): string => {
    const found = report.assumptions.map(({ says, permitted_by, test, request, reproduce, known }) =>
      sectionOf(`${known ? 'Known: ' : ''}${says}`, {
        Test: test && escaped(test),
        Differs: code(request),
        'Permitted by': escaped(permitted_by),
        'Try it': code(reproduce),
      }),
    );
    const flips = report.flips.map(
      ({ id, status, why }) => `<tr><td>${code(id)}</td><td class="${status}">${status}</td><td>${escaped(why)}</td></tr>`,
    );
    const many = report.assumptions.length;
    return pageWith(
      `Assumptions of ${report.command}`,
      `<h1>${many === 0 ? 'No assumption found' : `Your app has ${several(many, 'assumption')}`}</h1>
<p>${code(report.command)} was run on a service that behaves in other ways that the specification permits, or that fails for a moment. ${escaped(formatFlipCounts(report))}; in ${Math.round(report.seconds)} s.</p>
${found.join('\n')}
<h2>What was tried</h2>
<table><thead><tr><th>flip</th><th>result</th><th>why</th></tr></thead><tbody>
${flips.join('\n')}
</tbody></table>`,
    );
  },
};
