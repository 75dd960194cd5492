// Checks statistics, bars, tables, plots and the page: `node --test bench/`.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { atLeast, atMost, excused, failures, judge, tooBusy } from './bars.mjs';
import { table } from './format.mjs';
import { fill, RESULTS, staleFiles } from './page.mjs';
import { groupedBars, lyingBars, PLOTS, panels } from './plots.mjs';
import { summarizeProfile } from './profile.mjs';
import { pairs, quantile, ratios } from './statistics.mjs';
import { summarize } from './summary.mjs';
import { SECTIONS } from './tables.mjs';

const slice = (perSecond, p50 = 1) => ({ perSecond, p50, p99: 2 * p50, cpuMicros: 1e6 / perSecond, bytes: 8000 });
const row = (scenario, target, speeds, p50) => ({
  scenario,
  target,
  busy: speeds.map((speed) => speed && slice(speed)),
  alone: speeds.map((speed) => speed && slice(speed, p50)),
});
const mock = (size) => ({ kind: 'mock', size });
const peer = { kind: 'peer', size: '1k', peer: { name: 'Slow' } };

/** A run in which the machine was half as fast in the second round. */
const RAW = {
  load: {
    rounds: 2,
    rows: ['list', 'filter'].flatMap((scenario) => [
      row(scenario, { kind: 'limit' }, [1000, 500]),
      row(scenario, mock('1k'), [900, 450], 1),
      row(scenario, mock('100k'), scenario === 'list' ? [850, 425] : [600, 300], 1.1),
      row(scenario, peer, [undefined, 50], 8),
    ]),
  },
  mocks: ['1k', '100k'].map((size) => ({ size, startMs: 100, firstMs: { list: 1 }, memoryAtRest: 70, memoryAfterLoad: 90 })),
  peers: [{ name: 'Slow', version: '1.0.0', data: true }],
  missing: { Prism: 'it did not start' },
  inside: {},
  how: { node: 'v20', cpu: 'some', cores: 2, pinned: true, minutes: 1 },
};

test('quantiles, and ratios within the rounds', () => {
  assert.equal(quantile([4, 1, 3, 2], 0.5), 2.5);
  assert.equal(quantile([1, 2, 3, 4, 5], 1), 5);
  assert.deepEqual(ratios([2, 6, 4], [1, 2, 4]), { median: 2, low: 1.5, high: 2.5 });
});

test('rounds that only one side has do not count', () => {
  assert.equal(pairs([undefined, 6, undefined, 8], [1, 2, 3, 4]).median, 2.5);
});

test('a bar fails only beyond the noise', () => {
  assert.deepEqual(
    [0.8, 0.7, 0.6].map((value) => atLeast(value, 0.8)),
    ['ok', 'near', 'missed'],
  );
  assert.deepEqual(
    [1.2, 1.4, 1.5].map((value) => atMost(value, 1.25)),
    ['ok', 'near', 'missed'],
  );
});

test('a slow round hits the ratios of nobody', () => {
  const { scenarios } = summarize(RAW);
  assert.equal(scenarios.list.sizes['100k'].ofLimit.median, 0.85);
  assert.equal(scenarios.filter.sizes['100k'].ofList.median.toFixed(3), (600 / 850).toFixed(3));
  assert.equal(scenarios.list.sizes['100k'].growth.median, 1.1);
  assert.equal(scenarios.list.peers.Slow['1k'].ofLimit.median, 0.1);
});

test('there are ten bars, pages in process, the dashboard and the suite; what was not measured has no verdict; only what is beyond its gate fails', () => {
  const groups = judge(summarize(RAW));
  assert.deepEqual(
    groups.map(({ number }) => number),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, undefined, undefined, undefined],
  );
  const [pages, ofList] = groups;
  assert.deepEqual(
    pages.rows.map(({ what, verdict }) => [what, verdict]),
    [
      ['list', 'ok'],
      ['filter', 'missed'],
      ['sort', undefined],
      ['deep', undefined],
    ],
  );
  assert.equal(ofList.rows[0].verdict, 'missed');
  assert.deepEqual(
    failures(groups).map(({ what }) => what),
    [],
  );
  assert.ok(groups.flatMap(({ rows }) => rows).every(({ gate, unit }) => !gate || unit === '×'));
});

test('a page that takes more than twice what its bar allows fails, and so does a start or the mock itself that takes a fifth more', () => {
  const failed = (raw) => failures(judge(raw)).map(({ what, value }) => [what, value.toFixed(2)]);
  const slow = structuredClone(RAW);
  slow.load.rows.find(({ scenario, target }) => scenario === 'filter' && target.size === '100k').busy = [390, 195].map((speed) =>
    slice(speed),
  );
  assert.deepEqual(failed(summarize(slow)), [['filter', '0.39']]);
  const inProcess = (median) => ({ ...summarize(RAW), pages: { deep: { ofFirst: { median } } } });
  assert.deepEqual([failed(inProcess(1.9)), failed(inProcess(2))], [[], [['deep', '2.00']]]);
  const server = (median) => ({ ofHello: { median }, memory: 60 });
  const start = (median) => ({
    ...summarize(RAW),
    start: { servers: { explicit: server(median), hello: server(1) }, crowdMs: {} },
  });
  assert.deepEqual([failed(start(1.4)), failed(start(1.5))], [[], [['÷ a Hono hello-world, median of ratios', '1.50']]]);
});

test('what holds by CPU time is excused', () => {
  assert.ok(excused({ least: true, bar: 0.8, byCpu: 0.9 }));
  assert.ok(!excused({ least: true, bar: 0.8, byCpu: 0.7 }));
  assert.ok(excused({ least: false, bar: 1.25, byCpu: 1.2 }));
  assert.ok(!excused({ least: false, bar: 1.25, byCpu: 1.3 }));
  assert.ok(!excused({ least: true, bar: 0.8 }));
});

test('a run whose servers had too little of their core is not judged', () => {
  assert.ok(tooBusy({ how: { share: 0.5 } }));
  assert.ok(!tooBusy({ how: { share: 0.95 } }));
  assert.ok(!tooBusy({ how: { share: Number.NaN } }));
});

test('tables line up, and parts of a run say loudly what is missing', () => {
  assert.equal(table(['a', 'b'], [['1', '22222']]), '| a   | b     |\n| --- | ----- |\n| 1   | 22222 |');
  const result = summarize(RAW);
  assert.match(SECTIONS.how(result), /\*\*Not measured: Prism\.\*\* it did not start/);
  assert.match(SECTIONS.peers(result), /Slow 1\.0\.0/);
  assert.match(SECTIONS.bars(result), /not measured/);
});

test('the page keeps its prose and refuses a marker that nothing fills', () => {
  const page = 'Before.\n\n<!-- bench:how -->\nold\n<!-- /bench -->\n\nAfter.\n';
  const filled = fill(page, summarize(RAW));
  assert.match(filled, /^Before\.\n\n<!-- bench:how -->\n\nOne run of [\s\S]*<!-- \/bench -->\n\nAfter\.\n$/);
  assert.doesNotMatch(filled, /old/);
  assert.throws(() => fill('<!-- bench:nothing -->\n<!-- /bench -->', {}), /marker bench:nothing/);
});

test('plots are whole SVG with their labels escaped and no bar outside', () => {
  const bars = groupedBars('A & B', ['x'], [{ name: '<1k>', values: [9] }], { marks: [1], most: 2 });
  assert.match(bars, /aria-label="A &amp; B"/);
  assert.match(bars, /&lt;1k&gt;/);
  assert.match(bars, /prefers-color-scheme: dark/);
  const lying = lyingBars('Starts', [{ name: 'a', value: 3 }], (value) => `${value} ms`);
  const lines = panels('Growth', [{ name: 'list', lines: { us: [0.1, undefined, 2] } }], {
    sizes: ['1k', '10k', '1M'],
    names: ['us'],
    format: String,
  });
  for (const plot of [bars, lying, lines]) {
    assert.doesNotMatch(plot, /NaN|undefined|Infinity/);
    for (const [, y] of plot.matchAll(/ y="(-?[\d.]+)"/g)) assert.ok(Number(y) >= 0);
    assert.equal(plot.match(/<(?=[a-z])/g).length, plot.match(/<\/[a-z]+>|\/>/g).length);
  }
});

test('a profile counts busy time only, once for each function of a stack', () => {
  const frame = (functionName, url) => ({ functionName, url, lineNumber: 0 });
  const nodes = [
    { id: 1, callFrame: frame('(root)', ''), children: [2, 4] },
    { id: 2, callFrame: frame('answer', 'file:///x/dist/a.js'), children: [3] },
    { id: 3, callFrame: frame('answer', 'file:///x/dist/a.js') },
    { id: 4, callFrame: frame('(idle)', '') },
  ];
  const { places, whole } = summarizeProfile(
    { nodes, samples: [2, 3, 4, 3], timeDeltas: [1, 2, 50, 1] },
    () => 'src/http/endpoint.ts',
  );
  assert.deepEqual(places, [{ name: 'wm-mock http', share: 1 }]);
  assert.deepEqual(whole, [{ name: 'answer src/http/endpoint.ts', share: 1 }]);
});

test('the page and its plots are what bench/results.json makes', {
  skip: !existsSync(RESULTS) && 'there is no results.json',
}, () => {
  const result = JSON.parse(readFileSync(RESULTS, 'utf8'));
  assert.deepEqual(staleFiles(result), [], 'run node bench/page.mjs');
  for (const plot of Object.values(PLOTS)) assert.doesNotMatch(plot(result), /NaN|undefined|Infinity/);
});
