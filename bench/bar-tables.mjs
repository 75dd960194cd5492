// The bars as a table, and those that were missed as a list.
import { gateOf, judge } from './bars.mjs';
import { table, times, withUnit } from './format.mjs';

const MARKS = { ok: 'met', near: 'missed within the noise', missed: '**missed**' };

export function bars(result) {
  const rows = judge(result).flatMap(({ number, title, rows }) =>
    rows.map(({ what, value, bar, unit, least, aim, gate, verdict, byCpu }, place) => [
      place === 0 ? `**${number === undefined ? '' : `${number}. `}${title}**` : '',
      what,
      `${least ? '≥' : '≤'} ${withUnit(bar, unit)}${aim ? `, aim ${times(aim)}` : ''}`,
      value === undefined ? 'not measured' : withUnit(value, unit),
      verdict ? `${MARKS[verdict]}${verdict !== 'ok' && byCpu !== undefined ? `; ${times(byCpu)} by CPU time` : ''}` : '',
      gate ? `${least ? '≥' : '≤'} ${times(gateOf({ bar, least, gate }))}` : '',
    ]),
  );
  return table(['bar', '', 'value', 'measured', '', 'gate'], rows);
}

export function missed(result) {
  const rows = judge(result).flatMap(({ title, rows }) =>
    rows
      .filter(({ verdict }) => verdict === 'near' || verdict === 'missed')
      .map(({ what, value, bar, unit, least, verdict, byCpu }) => {
        const cpu = byCpu === undefined ? '' : `, ${times(byCpu)} by CPU time`;
        return `- **${title}: ${what}.** ${withUnit(value, unit)} for ${least ? '≥' : '≤'} ${withUnit(bar, unit)}${verdict === 'near' ? ', within the noise' : ''}${cpu}.`;
      }),
  );
  return rows.length === 0 ? 'In this run no bar was missed.' : `In this run:\n\n${rows.join('\n')}`;
}
