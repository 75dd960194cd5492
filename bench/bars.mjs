// The bars, all judged here: what the benchmark promises, and how far a noisy machine may miss it before that counts.
import { SCENARIOS } from './scenarios.mjs';

const NOISE = 0.15;

/**
 * How far from its bar the gate of what is measured under load stands, as a factor: on one machine and within a day the same build was at
 * ×0.86 and ×0.64 of limit (c) with a filtered page, at ×0.77 and ×0.52 with a deep one.
 */
const DRIFT = 2;

const PAGES = SCENARIOS.filter(({ page }) => page).map(({ name }) => name);

/** What the mock itself may cost, which the moods of a machine change less: this gate finds what the one under load lets pass. */
const IN_PROCESS = { list: 1, filter: 1.45, sort: 1.15, deep: 1.7 };

/** 'ok', 'near' (missed, but by less than the noise) or 'missed'. */
export function atLeast(value, bar) {
  if (value >= bar) return 'ok';
  return value >= bar * (1 - NOISE) ? 'near' : 'missed';
}

export function atMost(value, bar) {
  if (value <= bar) return 'ok';
  return value <= bar * (1 + NOISE) ? 'near' : 'missed';
}

/** A server that had less than this part of its core shared it with other programs: its ratios say nothing. */
const LEAST_SHARE = 0.75;

/** Whether too much else ran on the machine to judge anything; where the system does not tell, nothing did. */
export const tooBusy = ({ how }) => how.share < LEAST_SHARE;

/** Sizes that a gate needs. */
export const GATED_SIZES = ['1k', '100k'];

/**
 * The ten bars and the suite's own, each a list of rows `{ what, value, bar, unit, least, gate, verdict }`.
 * Only ratios are gated. Under load the gate is at `DRIFT` times the bar: a walk over all records is found by that, a shade is not.
 * A row that was not measured has no value and no verdict.
 * `byCpu`: the same by the server's own CPU time, which other programs hardly slow down.
 */
export function judge(result) {
  const { scenarios, start, forks = {}, engine = {}, calls, pages, suite, dashboard, unopened } = result;
  const shown = dashboard && Object.values(dashboard);
  const size = (scenario, name) => scenarios[scenario]?.sizes[name];
  const names = Object.keys(scenarios);
  const store = engine['100k'];
  const least = (what, value, bar, more = {}) => row(what, value, bar, { least: true, ...more });
  const most = (what, value, bar, more = {}) => row(what, value, bar, { least: false, ...more });
  const gated = { gate: 1 + NOISE };
  const underLoad = { gate: DRIFT };
  const worst = (pick) => largest(Object.values(forks).map(pick));
  const limitMicros = scenarios.list && 1e6 / scenarios.list.limit.perSecond;
  const firsts = (of, pick) => engine[of]?.firsts.map(pick);
  const growth = (name, of) => size(name, of)?.growth?.median;
  const byCpu = (name) => size(name, '100k')?.growthByCpu?.median;

  return [
    group(1, 'A page of 20 from 100k tasks ÷ limit (c)', [
      ...PAGES.map((name) =>
        least(name, size(name, '100k')?.ofLimit.median, 0.8, { ...underLoad, aim: 1, byCpu: size(name, '100k')?.byCpu.median }),
      ),
    ]),
    group(2, 'The same ÷ our own plain list', [
      ...PAGES.slice(1).map((name) =>
        least(name, size(name, '100k')?.ofList?.median, 0.9, { ...underLoad, byCpu: size(name, '100k')?.ofListByCpu?.median }),
      ),
    ]),
    group(3, 'p50 of one connection as the data grow', [
      ...names.map((name) => most(`${name}, 100k ÷ 1k`, growth(name, '100k'), 1.25, { ...underLoad, byCpu: byCpu(name) })),
      ...names.map((name) => most(`${name}, 1M ÷ 1k`, growth(name, '1M'), 1.5)),
    ]),
    group(4, 'The store alone at 100k', [
      most('p50 of a query among writes ÷ the time limit (c) takes for a request', store && store.reads.p50 / limitMicros, 0.1),
      most('p99 of the same', store && store.reads.p99 / limitMicros, 1),
      most(
        'the worst adversarial query ÷ the typical one, in the store',
        store && largest(Object.values(store.adversarial).map(({ p50 }) => p50)) / store.reads.p50,
        5,
        gated,
      ),
      most('the worst adversarial query ÷ the plain list, over HTTP', worstOverHttp(result.adversarial), 5, gated),
    ]),
    group(5, 'The first query of a new shape', [
      most(
        'at 10k ÷ filtering and sorting everything once, median of the shapes',
        middle(firsts('10k', ({ first, naive }) => first / naive)),
        1.5,
      ),
      most('at 10k, the slowest shape', largest(firsts('10k', ({ first }) => first)), 50, { unit: 'ms' }),
      most('at 100k, the slowest shape', largest(firsts('100k', ({ first }) => first)), 1000, { unit: 'ms' }),
    ]),
    group(6, 'Writes', [
      most('a create over HTTP, 100k ÷ 1k', growth('create', '100k'), 1.5, { ...underLoad, byCpu: byCpu('create') }),
      most('an update in the store at 100k with 16 shapes warm, p50', store?.writes.p50, 400, { unit: 'µs' }),
    ]),
    group(7, 'Forks and resets, the worst of all sizes', [
      most(
        'a fork',
        worst(({ fork }) => fork.micros),
        1000,
        { unit: 'µs' },
      ),
      most(
        'a reset',
        worst(({ reset }) => reset.micros),
        1000,
        { unit: 'µs' },
      ),
      most(
        'the first write into a fork',
        worst(({ firstWrite }) => firstWrite.micros),
        500,
        { unit: 'µs' },
      ),
      most(
        'an untouched fork',
        worst(({ fork }) => fork.bytes / 1000),
        16,
        { unit: 'kB' },
      ),
      most('a fork after a list and ten writes at 100k', forks['100k'] && forks['100k'].afterTen.bytes / 1000, 256, {
        unit: 'kB',
      }),
      least(
        'structuredClone of the tasks ÷ a fork at 100k',
        forks['100k'] && forks['100k'].cloneMicros / forks['100k'].fork.micros,
        1000,
      ),
    ]),
    group(8, 'Start, spawn to first 200, with 1k tasks written out', [
      most('÷ a Hono hello-world, median of ratios', start?.servers.explicit.ofHello.median, 1.25, gated),
      most('÷ a bare node:http server, best of all starts', start?.servers.explicit.ofBareByBest, 1.6),
      most('÷ the fastest peer, median of ratios', start?.ofFastestPeer?.median, 1),
      most('crowd.yaml, 100k tasks generated, median', start?.crowdMs.median, 3000, { unit: 'ms' }),
    ]),
    group(9, 'Memory', [
      most(
        'at rest with 1k tasks ÷ a Hono hello-world',
        start && start.servers.explicit.memory / start.servers.hello.memory,
        1.15,
        gated,
      ),
      most(
        'after load ÷ at rest, 1k tasks',
        result.worlds['1k'] && result.worlds['1k'].memoryAfterLoad / result.worlds['1k'].memoryAtRest,
        1.5,
      ),
      most('indexes and rows with 6 shapes warm, a task', store && store.bytes.rows + store.bytes.sixShapes, 200, { unit: 'B' }),
    ]),
    group(10, 'What HTTP costs', [
      least('limit (c) with key, routes and headers ÷ limit (c)', scenarios.list?.dressed?.ofLimit.median, 0.8),
      ...Object.entries(calls ?? {}).map(([name, { inProcess }]) =>
        most(`mock.fetch ÷ a loopback fetch, ${name}`, inProcess.ofFirst.median, 0.4, gated),
      ),
    ]),
    group(undefined, 'The same pages in process ÷ limit (c) in process, CPU time', [
      ...Object.entries(IN_PROCESS).map(([name, bar]) => most(name, pages?.[name]?.ofFirst.median, bar, gated)),
    ]),
    group(undefined, 'The dashboard, CPU time of a page', [
      most('100,000 tasks ÷ 100, median of the pages', middle(shown?.map(({ ofTasks }) => ofTasks.median)), 1.25, gated),
      most('1,000 exchanges ÷ 100, median of the pages', middle(shown?.map(({ ofJournal }) => ofJournal.median)), 1.25, gated),
      most(
        'the same, the worst page',
        largest(shown?.flatMap(({ ofTasks, ofJournal }) => [ofTasks.median, ofJournal.median])),
        1.5,
      ),
      most('the largest page', largest(shown?.map(({ bytes }) => bytes / 1000)), 200, { unit: 'kB' }),
      most('start with it, never opened ÷ without it', unopened?.start.median, 1.05),
      most('memory with it, never opened ÷ without it', unopened?.memory.median, 1.05),
    ]),
    group(undefined, 'The contract suite itself', [
      most('in process, median', suite?.inProcess.medianMs, 2000, { unit: 'ms' }),
      most('over a socket, median', suite?.socket.medianMs, 5000, { unit: 'ms' }),
    ]),
  ];
}

/** The rows that fail a gated run: missed by more than their gate, and not excused by other programs. */
export const failures = (groups) =>
  groups.flatMap(({ rows }) => rows).filter((one) => one.gate && isBeyond(one) && !excused(one));

/** The value at which a gated row fails. */
export const gateOf = ({ bar, least, gate }) => (least ? bar / gate : bar * gate);

const isBeyond = (one) => (one.least ? one.value < gateOf(one) : one.value > gateOf(one));

/** A CPU time of 0 was too short to be told. What misses by the clock and not by the server's own CPU time was slowed down by other programs. */
export const excused = ({ byCpu, bar, least }) => Number.isFinite(byCpu) && byCpu > 0 && (least ? byCpu >= bar : byCpu <= bar);

const group = (number, title, rows) => ({ number, title, rows });

function row(what, value, bar, { unit = '×', least, gate, aim, byCpu }) {
  const measured = Number.isFinite(value);
  const verdict = measured ? (least ? atLeast : atMost)(value, bar) : undefined;
  return { what, value: measured ? value : undefined, bar, unit, least, gate, aim, byCpu, verdict };
}

const worstOverHttp = (adversarial) => adversarial?.queries[adversarial.worst].ofPlain.median;
const known = (values) => (values ?? []).filter((value) => Number.isFinite(value));
const largest = (values) => (known(values).length > 0 ? Math.max(...known(values)) : undefined);
const middle = (values) => {
  const sorted = known(values).sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
};
