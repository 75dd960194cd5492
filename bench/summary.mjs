// From the raw slices to the figures that are printed and kept.
import { median, pairs, ratios } from './statistics.mjs';

export function summarize({ load, limit, mocks, peers, missing, adversarial, starts, inside, profile, how }) {
  const scenarios = {};
  for (const row of load.rows) {
    scenarios[row.scenario] ??= { sizes: {}, peers: {} };
    const into = scenarios[row.scenario];
    if (row.target.kind === 'limit') into.limit = figures(row);
    if (row.target.kind === 'dressed') into.dressed = compared(row, load.rows);
    if (row.target.kind === 'mock') into.sizes[row.target.size] = compared(row, load.rows);
    if (row.target.kind === 'peer') {
      into.peers[row.target.peer.name] ??= {};
      const bySize = into.peers[row.target.peer.name];
      bySize[row.target.size] = row.failed ? { failed: row.failed } : compared(row, load.rows);
    }
  }
  return {
    how: { ...how, rounds: load.rounds, share: shareOf(load.rows) },
    scenarios,
    worlds: Object.fromEntries(
      mocks.map(({ size, startMs, firstMs, ...rest }) => [size, { startMs, firstMs, ...memory(rest), resets: rest.resets }]),
    ),
    limitMemory: limit && memory(limit),
    peers: Object.fromEntries(peers.map(({ name, version, data }) => [name, { version, stateful: data === true }])),
    missing,
    adversarial,
    ...(starts && { start: startFigures(starts) }),
    ...inside,
    profile,
  };
}

const memory = ({ memoryAtRest, memoryAfterLoad }) => ({ memoryAtRest, memoryAfterLoad });
/** The part of its core that limit (c) had while it was asked as fast as it could answer: less than most of it, and others were running. */
function shareOf(rows) {
  const shares = rows
    .filter(({ target }) => target.kind === 'limit')
    .flatMap(({ busy }) => present(busy).map(({ share }) => share));
  return median(shares.filter(Number.isFinite));
}

const perSecond = (slice) => slice.perSecond;
const cpuMicros = (slice) => slice.cpuMicros;
const p50 = (slice) => slice.p50;
const p99 = (slice) => slice.p99;
const present = (slices) => slices.filter((slice) => slice !== undefined);

function figures({ busy, alone, target }) {
  const of = (slices, pick) => median(present(slices).map(pick));
  return {
    perSecond: of(busy, perSecond),
    p50Ms: of(busy, p50),
    p99Ms: of(busy, p99),
    p50AloneMs: of(alone, p50),
    p99AloneMs: of(alone, p99),
    cpuMicros: of(busy, cpuMicros),
    bytes: present(busy)[0].bytes,
    ...(target.kind === 'peer' && present(busy).some(({ slow }) => slow) && { slow: true }),
  };
}

/** A target beside limit (c), beside the list of its own, and beside the smallest size of its own, within the rounds. */
function compared(row, rows) {
  const same = (scenario, fits) => rows.find((one) => one.scenario === scenario && fits(one.target));
  const isOwn = (size) => (target) => target.kind === row.target.kind && target.peer === row.target.peer && target.size === size;
  const limit = same(row.scenario, ({ kind }) => kind === 'limit');
  const list = same('list', isOwn(row.target.size));
  const small = same(row.scenario, isOwn('1k'));
  return {
    ofLimit: pairs(row.busy, limit.busy, perSecond),
    byCpu: pairs(limit.busy, row.busy, cpuMicros),
    ...(list &&
      list !== row &&
      !list.failed && { ofList: pairs(row.busy, list.busy, perSecond), ofListByCpu: pairs(list.busy, row.busy, cpuMicros) }),
    ...(small &&
      small !== row &&
      !small.failed && { growth: pairs(row.alone, small.alone, p50), growthByCpu: pairs(row.alone, small.alone, cpuMicros) }),
    ...figures(row),
  };
}

function startFigures({ starts, memory, crowdMs, failed, rounds }) {
  const servers = Object.fromEntries(
    Object.entries(starts).map(([name, ms]) => [
      name,
      {
        medianMs: median(present(ms)),
        bestMs: Math.min(...present(ms)),
        ofHello: pairs(ms, starts.hello),
        ofBare: pairs(ms, starts.bare),
        ofHelloByBest: Math.min(...present(ms)) / Math.min(...starts.hello),
        ofBareByBest: Math.min(...present(ms)) / Math.min(...starts.bare),
        ...(memory[name] && { memory: memory[name] }),
      },
    ]),
  );
  const peers = Object.keys(starts).filter((name) => name.startsWith('peer '));
  const fastest = peers.sort((a, b) => servers[a].medianMs - servers[b].medianMs)[0];
  return {
    rounds,
    servers,
    failed,
    crowdMs: { median: median(crowdMs), best: Math.min(...crowdMs) },
    ...(fastest && { fastestPeer: fastest, ofFastestPeer: pairs(starts.explicit, starts[fastest]) }),
  };
}

/** The worst of some queries beside the plain one, within the rounds. */
export function adversarialFigures({ series, plain, size }) {
  const found = Object.fromEntries(
    Object.entries(series).map(([name, slices]) => [
      name,
      { p50Ms: median(slices.map(p50)), ofPlain: ratios(slices.map(p50), series[plain].map(p50)) },
    ]),
  );
  const [worst] = Object.keys(found)
    .filter((name) => name !== plain)
    .sort((a, b) => found[b].ofPlain.median - found[a].ofPlain.median);
  return { size, plain, worst, queries: found };
}
