// What a run found, as Markdown.

const digits = (value) => String(Number(value.toPrecision(3)));

/** A figure as a cell; of a record of figures, its time. */
const cell = (value) => {
  if (typeof value === 'number') return digits(value);
  return typeof value === 'object' ? cell(value.micros) : (value ?? '');
};

/** A table with a row for each name and a column for each of their figures. */
const table = (title, found, show = cell) => {
  const columns = [...new Set(Object.values(found).flatMap((one) => Object.keys(one)))];
  const rows = Object.entries(found).map(([name, one]) => [name, ...columns.map((column) => show(one[column]))]);
  return [[title, ...columns], ['', ...columns].map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
};

const bars = (rows) => {
  const shown = rows.map(({ what, bar, least, unit, value, gate, verdict }) => [
    what,
    { bar: `${least ? '≥' : '≤'} ${bar} ${unit}`, measured: value, verdict, gated: gate ? 'yes' : '' },
  ]);
  return table('bar', Object.fromEntries(shown));
};

const underLoad = (one) => {
  if (!one || one.failed) return one ? 'failed' : '';
  return `${one.perSecond.toFixed(0)}/s, ${digits(one.micros)} µs${one.ofLimit ? `, ×${digits(one.ofLimit)}` : ''}`;
};

/** @param rows what `judge` said of the result */
export const report = ({ how, missing = {}, load, memory = {}, start, service, among, forks, dashboard }, rows) =>
  [
    `# wm-mock, measured`,
    `${how.rounds} interleaved rounds in ${how.minutes.toFixed(1)} minutes, ${how.cores} × ${how.cpu}, Node ${how.node}, ${how.place}.`,
    ...Object.entries(missing).map(([name, why]) => `**Not measured: ${name}.** ${why.split('\n')[0]}`),
    bars(rows),
    table('ten connections: requests a second, CPU time of one, ratio to limit (c)', load, underLoad),
    table('memory at rest and after the load', memory),
    table('spawn to first 200', { 'the fastest of all starts, and the median ratio': start }),
    ...Object.values(service.calls).map((both) => table('a call, µs', both)),
    table('a page in process, CPU µs', service.pages),
    table('queries that are meant to hurt, CPU µs', service.hurting),
    `A query of the store among writes: ${digits(among.micros)} µs.`,
    table('forks, µs', forks),
    table('dashboard, CPU µs', dashboard),
  ].join('\n\n');
