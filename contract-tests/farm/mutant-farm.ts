// The mutant farm: every fault must be found, and in the right place.
import { judgeMutant, type Kill, median } from './judge.ts';
import type { Mutant } from './mutant.ts';
import { allMutants } from './mutants/index.ts';
import type { Target } from './targets.ts';

/** Judges every mutant that this kind of target can carry; the keys of a target change with each server. */
export const mutantFarm = async (
  make: (mutant: Mutant | undefined) => Promise<Target>,
  fits: (mutant: Mutant) => boolean,
  say: (kill: Kill) => void,
): Promise<Kill[]> => {
  const kills: Kill[] = [];
  const names = allMutants((await make(undefined)).keys).filter(fits);
  for (const [i] of names.entries()) {
    const target = await make(names[i]);
    const mutant = allMutants(target.keys).filter(fits)[i]!;
    const kill = await judgeMutant(mutant, target);
    kills.push(kill);
    say(kill);
  }
  return kills;
};

export const summary = (kills: readonly Kill[]): string => {
  const killed = kills.filter((kill) => kill.killed);
  const located = kills.filter((kill) => kill.located);
  const share = (count: number) => `${count} of ${kills.length} (${((100 * count) / Math.max(1, kills.length)).toFixed(1)} %)`;
  const sizes = killed.map((kill) => kill.failures.length);
  return `killed ${share(killed.length)}, the mutated clause first ${share(located.length)}, median failing requirements ${median(sizes)}`;
};
