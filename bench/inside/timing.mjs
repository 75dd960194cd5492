// Timing inside a process: series of microseconds, and blocks of variants in turn.
import { median, quantile, ratios } from '../statistics.mjs';

export const heapBytes = () => {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

/** Fewer runs than this say nothing of a p99, however busy the machine is. */
const LEAST_RUNS = 3000;

/** Runs `act` again and again for `ms`, and often enough: p50 and p99 in microseconds of a single run. */
export function timed(act, ms) {
  const took = [];
  const end = performance.now() + ms;
  for (let i = 0; i < LEAST_RUNS || performance.now() < end; i++) {
    const began = performance.now();
    act(i);
    took.push((performance.now() - began) * 1000);
  }
  return { p50: quantile(took, 0.5), p99: quantile(took, 0.99), runs: took.length };
}

/** What this process has computed, milliseconds. */
export const cpuMs = () => Object.values(process.cpuUsage()).reduce((sum, micros) => sum + micros / 1000, 0);

/**
 * Does `count` runs of each variant in turn, round after round, so that a drift of the machine meets all of them.
 * @param now the clock they are timed by, milliseconds.
 * @returns by variant: the median microseconds of a run, and the ratio to the first variant within the rounds.
 */
export async function inTurn(variants, { rounds, count, now = () => performance.now() }) {
  const names = Object.keys(variants);
  const means = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    const turn = names.map((_, place) => names[(place + Math.max(0, round)) % names.length]);
    for (const name of turn) {
      const { act, before, after } = variants[name];
      await before?.();
      const began = now();
      for (let i = 0; i < count; i++) await act(i);
      const micros = ((now() - began) * 1000) / count;
      await after?.();
      if (round >= 0) means[name].push(micros);
    }
  }
  return Object.fromEntries(
    names.map((name) => [name, { micros: median(means[name]), ofFirst: ratios(means[name], means[names[0]]) }]),
  );
}
