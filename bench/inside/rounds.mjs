// Micro-benchmarks by tinybench, in rounds whose order changes, so that a drift of the machine meets all variants.
import { Bench } from 'tinybench';
import { least, ratio } from '../statistics.mjs';

/** What this process has computed, milliseconds: other programs on the machine hardly touch it. */
export const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** So many runs are timed at once, so that the clock itself costs nothing; the median of such batches leaves out what broke in. */
const BATCH = 20;

/**
 * @param variants functions by name; the first one is what the others are compared with
 * @param now the clock they are timed by, milliseconds
 * @returns by variant: the microseconds of a run in its best round, and how often that of the first variant fits in
 */
export const inRounds = async (variants, { rounds, ms, now = () => performance.now() }) => {
  const names = Object.keys(variants);
  const micros = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    const bench = new Bench({ time: ms, iterations: 5, retainSamples: true, warmup: false, throws: true, now });
    for (const [place] of names.entries()) {
      const name = names[(place + Math.max(0, round)) % names.length];
      const batch = async () => {
        for (let i = 0; i < BATCH; i++) await variants[name]();
      };
      bench.add(name, batch, { async: true });
    }
    await bench.run();
    if (round >= 0) for (const { name, result } of bench.tasks) micros[name].push((result.latency.p50 * 1000) / BATCH);
  }
  return Object.fromEntries(
    names.map((name) => [name, { micros: least(micros[name]), ofFirst: ratio(micros[name], micros[names[0]]) }]),
  );
};

/** A function that makes the calls of a list in turn. */
export const inTurn = (list, act) => {
  let turn = 0;
  return () => act(list[turn++ % list.length]);
};
