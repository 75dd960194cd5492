// From the raw slices to the figures that are printed and kept.
import { GROWTH } from './bars.mjs';
import { median, ratios } from './statistics.mjs';

export function summarize({ load, starts, forks, how }) {
  const scenarios = {};
  for (const [name, bySize] of Object.entries(load.series)) {
    const { limit, ...mocks } = bySize;
    scenarios[name] = { limit: figures(limit), sizes: {} };
    for (const [size, slices] of Object.entries(mocks)) {
      const ofLimit = ratios(slices.busy.map(perSecond), limit.busy.map(perSecond));
      const byCpu = ratios(limit.busy.map(cpuMicros), slices.busy.map(cpuMicros));
      scenarios[name].sizes[size] = { ofLimit, byCpu, ...figures(slices) };
    }
    const { [GROWTH.from]: small, [GROWTH.to]: large } = mocks;
    if (small && large) scenarios[name].growth = ratios(large.alone.map(p50), small.alone.map(p50));
  }
  return {
    how,
    scenarios,
    worlds: Object.fromEntries(load.about.map(({ size, ...rest }) => [size, rest])),
    forks,
    ...(starts && { start: startFigures(starts) }),
  };
}

const perSecond = (slice) => slice.perSecond;
const cpuMicros = (slice) => slice.cpuMicros;
const p50 = (slice) => slice.p50;
const p99 = (slice) => slice.p99;

function figures({ busy, alone }) {
  return {
    perSecond: median(busy.map(perSecond)),
    p50Ms: median(busy.map(p50)),
    p99Ms: median(busy.map(p99)),
    p50AloneMs: median(alone.map(p50)),
    p99AloneMs: median(alone.map(p99)),
    cpuMicros: median(busy.map(cpuMicros)),
    bytes: busy[0].bytes,
  };
}

function startFigures({ starts, helloMemory }) {
  const figures = Object.entries(starts).map(([name, ms]) => [
    name,
    {
      medianMs: median(ms),
      bestMs: Math.min(...ms),
      ofHelloByMedian: ratios(ms, starts.hello).median,
      ofHelloByBest: Math.min(...ms) / Math.min(...starts.hello),
    },
  ]);
  return { rounds: starts.hello.length, helloMemory, ...Object.fromEntries(figures) };
}
