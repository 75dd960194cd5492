// The bars, all judged here: what the benchmark promises, and how far a noisy machine may miss it before that is a warning.
import { SCENARIOS } from './scenarios.mjs';

/** How far from its bar the gate of a ratio stands, as a factor. */
const NOISE = 1.15;

/** The same for what is measured under load: machines have moods, on which a page asked for again and limit (c) do not agree. */
const DRIFT = 1.5;

/** What a page that is read anew may cost in process, beside limit (c) in the same process. */
const IN_PROCESS = { list: 1, filter: 1.45, sort: 1.15, deep: 1.7 };

/** The sizes that the gate compares. */
export const GATED_SIZES = ['1k', '100k'];

const row = (what, value, bar, { least = false, unit = '×', gate } = {}) => ({ what, value, bar, least, unit, gate });
const values = (table, pick) => Object.values(table ?? {}).map(pick);
const largest = (found) => (found.length > 0 ? Math.max(...found) : undefined);
const middle = (found) => [...found].sort((a, b) => a - b)[found.length >> 1];

const underLoad = (load) => {
  const of = (scenario, size) => load[scenario]?.[`wm-mock ${size}`] ?? {};
  const names = Object.keys(load);
  const pages = names.filter((name) => SCENARIOS[name].page);
  const grown = (size, bar, gate) =>
    names.map((name) => row(`${name}: CPU time, ${size} ÷ 1k tasks`, of(name, size).growth, bar, { gate }));
  return [
    ...pages.map((name) =>
      row(`${name}: 100k tasks beside limit (c)`, of(name, '100k').ofLimit, 0.9, { least: true, gate: DRIFT }),
    ),
    ...pages.map((name) =>
      row(`${name}: --json beside limit (c)`, load[name]['wm-mock 100k --json']?.ofLimit, 0.8, { least: true }),
    ),
    ...pages.map((name) => row(`${name}: p50, 100k ÷ 1k tasks`, of(name, '100k').p50Growth, 1.15, { gate: DRIFT })),
    ...grown('100k', 1.25, DRIFT),
    ...grown('1M', 1.5),
  ];
};

/** Every bar as a row: what was measured, and by which factor it may be missed (`gate`; absent: it is no warning). */
export const judge = ({ load = {}, memory = {}, start = {}, service = {}, among, forks = {}, dashboard }) => {
  const gated = { gate: NOISE };
  const { pages, hurting, calls } = service;
  const rows = [
    ...underLoad(load),
    row('memory after load ÷ at rest, 100k tasks', memory['wm-mock 100k']?.ratio, 1.5, gated),
    ...Object.entries(IN_PROCESS).map(([name, bar]) => row(`${name}: in process ÷ limit (c)`, pages?.[name].ofFirst, bar, gated)),
    row('a query of the store among writes ÷ a request of limit (c)', among?.micros / load.list?.['limit (c)']?.micros, 0.1),
    row('the worst adversarial query ÷ the plain list', largest(values(hurting, ({ ofFirst }) => ofFirst)), 5, gated),
    ...Object.entries(calls ?? {}).map(([name, { inProcess }]) =>
      row(`${name}: mock.fetch ÷ a loopback fetch`, inProcess.ofFirst, 0.4, gated),
    ),
    row('start ÷ a Hono hello-world', start.ofHello, 1.25, gated),
    row('memory at rest with 1k tasks ÷ a Hono hello-world', start.memoryOfHello, 1.15, gated),
    ...Object.entries({ fork: 1000, reset: 1000, firstWrite: 500 }).map(([name, bar]) =>
      row(`${name}, the slowest size`, largest(values(forks, (one) => one[name].micros)), bar, { unit: 'µs' }),
    ),
    row('an untouched fork, the largest size', largest(values(forks, ({ fork }) => fork.bytes / 1000)), 16, { unit: 'kB' }),
    row('a fork ÷ structuredClone of 100k tasks', forks['100k']?.fork.micros / forks['100k']?.cloneMicros, 0.001, gated),
    row('dashboard: 100,000 tasks ÷ 100, median of the pages', middle(values(dashboard, ({ ofTasks }) => ofTasks)), 1.25, gated),
    row(
      'dashboard: 1,000 exchanges ÷ 100, median of the pages',
      middle(values(dashboard, ({ ofJournal }) => ofJournal)),
      1.25,
      gated,
    ),
    row('dashboard: the largest page', largest(values(dashboard, ({ bytes }) => bytes / 1000)), 200, { unit: 'kB' }),
  ];
  return rows.map((one) => ({ ...one, verdict: verdictOf(one) }));
};

/** The value at which a gated row is far off. */
const gateOf = ({ bar, least, gate }) => (least ? bar / gate : bar * gate);

const within = (value, bound, least) => (least ? value >= bound : value <= bound);

/** `far off`: beyond its gate. So is a gated row that was not measured: what is not looked at proves nothing. */
const verdictOf = (one) => {
  if (!Number.isFinite(one.value)) return one.gate ? 'far off' : 'not measured';
  if (within(one.value, one.bar, one.least)) return 'met';
  return one.gate && !within(one.value, gateOf(one), one.least) ? 'far off' : 'missed';
};
