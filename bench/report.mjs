// The result as tables for a terminal.
import { atMost, GROWTH, PAGES, START, verdicts } from './bars.mjs';

const times = (value) => `×${value.toFixed(2)}`;
const spread = ({ median, low, high }) => `${times(median)} (${low.toFixed(2)}–${high.toFixed(2)})`;
const microseconds = (value) => (Number.isNaN(value) ? 'unknown' : value.toFixed(0));
const milliseconds = (value) => (value < 10 ? value.toFixed(2) : value.toFixed(0));
const MARKS = { ok: 'ok', near: 'missed within the noise', missed: 'MISSED' };

function table(title, head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const rule = widths.map((width) => '─'.repeat(width));
  const lines = [head, rule, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column])).join('  '));
  return ['', title, '', ...lines.map((line) => `  ${line}`.trimEnd())].join('\n');
}

export function report(result) {
  const scenarios = Object.entries(result.scenarios);
  const sizes = Object.keys(result.worlds);
  const judged = verdicts(result);
  const mark = (name, bar, text) => {
    const one = judged.find(({ scenario, bar: of }) => scenario === name && of === bar);
    return one ? `${text}: ${MARKS[one.verdict]}` : '';
  };
  const eachSize = (row, cell) => sizes.map((size) => cell(row.sizes[size]));

  const parts = [
    table(
      `Requests per second as a ratio to limit (c), 10 connections: median of ${result.how.rounds} rounds (quartiles)`,
      ['', ...sizes, `bar at ${PAGES.size}`],
      scenarios.map(([name, row]) => [
        name,
        ...eachSize(row, ({ ofLimit }) => spread(ofLimit)),
        mark(name, 'pages', `≥ ${times(PAGES.least)}`),
      ]),
    ),
    table(
      'The same by CPU time of the server: µs of a request, and as a ratio to limit (c)',
      ['', 'limit (c)', ...sizes],
      scenarios.map(([name, row]) => [
        name,
        microseconds(row.limit.cpuMicros),
        ...eachSize(row, ({ cpuMicros, byCpu }) => `${microseconds(cpuMicros)}, ${times(byCpu.median)}`),
      ]),
    ),
    table(
      'Latency of one connection, p50 ms',
      ['', 'limit (c)', ...sizes, `${GROWTH.to} ÷ ${GROWTH.from}`, 'bar'],
      scenarios.map(([name, row]) => [
        name,
        milliseconds(row.limit.p50AloneMs),
        ...eachSize(row, ({ p50AloneMs }) => milliseconds(p50AloneMs)),
        row.growth ? spread(row.growth) : '',
        mark(name, 'growth', `≤ ${times(GROWTH.most)}`),
      ]),
    ),
    table(
      'For orientation: requests per second, and p50 / p99 ms, 10 connections',
      ['', 'bytes', 'limit (c)', ...sizes],
      scenarios.map(([name, row]) => [
        name,
        String(Object.values(row.sizes)[0].bytes),
        ...[row.limit, ...Object.values(row.sizes)].map(
          ({ perSecond, p50Ms, p99Ms }) => `${perSecond.toFixed(0)}, ${milliseconds(p50Ms)} / ${milliseconds(p99Ms)}`,
        ),
      ]),
    ),
    table(
      'Worlds: start with generated data, memory (resident), first request of each shape in ms',
      ['', 'start ms', 'MB at rest', 'MB after load', ...scenarios.map(([name]) => name)],
      sizes.map((size) => {
        const { startMs, memoryAtRest, memoryAfterLoad, firstMs } = result.worlds[size];
        const first = scenarios.map(([name]) => milliseconds(firstMs[name]));
        return [size, startMs.toFixed(0), memoryAtRest.toFixed(0), memoryAfterLoad.toFixed(0), ...first];
      }),
    ),
  ];
  parts.push(forksTable(result.forks));
  if (result.start) parts.push(startTable(result));
  if (Object.values(result.worlds).some(({ resets }) => !resets)) {
    parts.push('\nThe mock refused POST /_mock/reset: its worlds grew with every create, so read the sizes as lower bounds.');
  }
  return `${parts.join('\n')}\n`;
}

function forksTable(forks) {
  const cell = ({ micros, bytes }) => `${micros.toFixed(0)} µs, ${(bytes / 1000).toFixed(1)} kB`;
  return table(
    'A thousand worlds alive in one process: median time, and heap that each world holds more',
    ['', 'fork (≤ 1 ms, 16 kB)', 'first list', 'first write (≤ 500 µs)', 'next write', 'reset (≤ 1 ms)'],
    Object.entries(forks).map(([size, { fork, firstList, firstWrite, secondWrite, reset }]) => [
      size,
      ...[fork, firstList, firstWrite, secondWrite].map(cell),
      `${reset.micros.toFixed(0)} µs`,
    ]),
  );
}

function startTable({ start, worlds }) {
  const rows = [
    ['Hono hello-world', start.hello],
    ['wm-mock, 1k tasks written out', start.explicit],
    ['wm-mock, 1k tasks generated', start.generated],
  ].map(([name, one]) => [
    name,
    milliseconds(one.bestMs),
    milliseconds(one.medianMs),
    times(one.ofHelloByBest),
    times(one.ofHelloByMedian),
    one === start.hello ? '' : `≤ ${times(START.most)}: ${MARKS[atMost(one.ofHelloByBest, START.most)]}`,
  ]);
  const head = ['', 'best ms', 'median ms', 'ratio by best', 'by median', 'bar on best (not gated)'];
  const small = worlds['1k'];
  const memory = small
    ? `\nMemory at rest: hello-world ${start.helloMemory.toFixed(0)} MB, wm-mock with 1k tasks ${small.memoryAtRest.toFixed(0)} MB, ${times(small.memoryAtRest / start.helloMemory)}.`
    : '';
  return table(`Start, spawn to first 200: ${start.rounds} interleaved starts`, head, rows) + memory;
}
