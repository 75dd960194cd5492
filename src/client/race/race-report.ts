// The report of race as data, terminal text, JUnit and a page.
import { cell, code, escaped, pageWith, sectionOf, several, suiteOf } from '../../mock/api/report.ts';
import { hash32 } from '../../service/world/random.ts';
import { type Hold, LOST_STATUS, type Order } from './delayed-responses.ts';
import { type FoundRace, listOvertaking, type SearchResult } from './order-search.ts';

export interface ReportedRace {
  readonly id: string;
  /** The racing responses, in their order. */
  readonly order: readonly { readonly request: string; readonly response: number }[];
  readonly test?: string;
  readonly says: string;
  readonly replay: string;
  /** The world and what is held in it. */
  readonly world: string;
  readonly holds: Order;
  readonly known: boolean;
}

export interface RaceReport {
  readonly version: 1;
  readonly command: string;
  /** How idleness was detected. */
  readonly quiet: 'guessed';
  readonly orders: { readonly tried: number; readonly of: number; readonly pruned: number };
  readonly findings: readonly ReportedRace[];
  /** Orders that fail intermittently. */
  readonly unsteady: readonly string[];
  readonly seconds: number;
}

const describeOrder = (order: Order): string =>
  order
    .map(({ held, after, lost }) =>
      lost
        ? `the response to ${held} is lost after the write succeeds`
        : after === undefined
          ? `the response to ${held} comes when all else has happened`
          : `the response to ${held} comes after that to ${after}`,
    )
    .join(', and ');

const listRacers = ({ order, ran: { log } }: FoundRace): ReportedRace['order'] => {
  const others = ({ held, after, lost }: Hold) => (after !== undefined ? [after] : lost ? [] : listOvertaking(log, held));
  const names = new Set(order.flatMap((hold) => [hold.held, ...others(hold)]));
  return log.flatMap(({ what, name, status = 0 }) =>
    what === 'went' && names.has(name) ? [{ request: name, response: status }] : [],
  );
};

interface RaceReportInput extends Pick<RaceReport, 'command' | 'seconds'> {
  readonly worlds: ReadonlyMap<string, SearchResult>;
  readonly tried: number;
  /** Ids of accepted findings. */
  readonly known: ReadonlySet<string>;
}

export const buildRaceReport = ({ command, worlds, tried, known, seconds }: RaceReportInput): RaceReport => {
  const all = [...worlds];
  const sum = (pick: (one: SearchResult) => number) => all.reduce((total, [, one]) => total + pick(one), 0);
  const findings = all.flatMap(([world, { races }]) =>
    races.map((race): ReportedRace => {
      const order = listRacers(race);
      // Equal responses in an equal order are one race.
      const id = hash32(JSON.stringify([world, order.map(({ request }) => request)]))
        .toString(16)
        .padStart(8, '0');
      return {
        id,
        order,
        ...(race.ran.test !== undefined && { test: race.ran.test }),
        says: describeOrder(race.order),
        replay: `wm-mock race --replay ${id} -- ${command}`,
        world,
        holds: race.order,
        known: known.has(id),
      };
    }),
  );
  const orders = { tried, of: sum(({ of }) => of), pruned: sum(({ pruned }) => pruned) };
  const unsteady = all.flatMap(([, one]) => one.unsteady.map(describeOrder));
  return { version: 1, command, quiet: 'guessed', orders, findings, unsteady, seconds };
};

const formatOrderCounts = ({ orders: { tried, of, pruned }, seconds }: RaceReport): string =>
  `${several(tried, 'order')} tried of ${of}, ${pruned} that cannot be; ${Math.round(seconds)} s`;

export const formatTimeline = ({ order }: ReportedRace): readonly string[] =>
  order.map(({ request, response }, i) => `${i + 1}. ${request}  ${response === LOST_STATUS ? 'lost' : response}`);

const formatFinding = (finding: ReportedRace): string[] => [
  `${finding.known ? 'known: ' : ''}${finding.says}`,
  ...(finding.test === undefined ? [] : [`  test       ${finding.test}`]),
  ...formatTimeline(finding).map((line, i) => `  ${(i === 0 ? 'responses' : '').padEnd(9)}  ${line}`),
  `  replay     ${finding.replay}`,
];

export const RACE_FORMATS = {
  text: (report: RaceReport): string => {
    const { findings, unsteady } = report;
    const head = findings.length === 0 ? 'No race found.' : `${several(findings.length, 'race')} found:`;
    const blocks = findings.map((one, i) => `\n${i + 1}. ${formatFinding(one).join('\n')}`);
    const now = unsteady.map((says) => `\nunsteady: it fails now and then when ${says}`);
    return [head, ...blocks, ...now, '', formatOrderCounts(report), ''].join('\n');
  },

  markdown: (report: RaceReport): string => {
    const rows = report.findings.map(({ says, test, replay }) => `| ${cell(says)} | ${cell(test)} | \`${cell(replay)}\` |`);
    const table = rows.length > 0 ? ['| race | test | replay |', '| --- | --- | --- |', ...rows] : [];
    return ['### wm-mock race', '', ...table, '', formatOrderCounts(report), ''].join('\n');
  },

  junit: ({ command, findings }: RaceReport): string => {
    const found = findings
      .filter(({ known }) => !known)
      .map((one) => ({ name: one.test ?? one.id, failure: { says: one.says, text: formatFinding(one).join('\n') } }));
    return suiteOf('wm-mock race', found.length > 0 ? found : [{ name: command }]);
  },

  page: (report: RaceReport): string => {
    const found = report.findings.map((one) =>
      sectionOf(`${one.known ? 'Known: ' : ''}${one.says}`, {
        Test: one.test && escaped(one.test),
        Responses: formatTimeline(one).map(code).join('<br>'),
        Replay: code(one.replay),
      }),
    );
    const many = report.findings.length;
    return pageWith(
      `Races of ${report.command}`,
      `<h1>${many === 0 ? 'No race found' : `Your app has ${several(many, 'race')}`}</h1>
<p>${code(report.command)} was run with its responses in other orders. ${escaped(formatOrderCounts(report))}.</p>
${found.join('\n')}`,
    );
  },
};
