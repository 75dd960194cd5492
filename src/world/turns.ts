// The turns of creation that a saved state keeps: they break ties as they did before.
import { NAMES, type Progress, type RecordName, type Seed } from './records.ts';

/** The turn of creation of each record, by kind; undefined when they do not fit the records: somebody has edited the seed. */
export const turnsOf = (
  seed: Seed,
  { order = {}, sequence }: Progress,
): Readonly<Record<RecordName, readonly number[]>> | undefined => {
  const turns = NAMES.map((name) =>
    (order[name] ?? []).flatMap(({ from, count }) => Array.from({ length: Math.min(count, sequence) }, (_, i) => from + i)),
  );
  const all = turns.flat();
  const fit = NAMES.every(
    (name, i) => turns[i]!.length === seed.workspaces.reduce((sum, workspace) => sum + workspace[name].length, 0),
  );
  if (!fit || all.some((turn) => turn > sequence) || new Set(all).size < all.length) return undefined;
  return Object.fromEntries(NAMES.map((name, i) => [name, turns[i]!])) as unknown as Record<RecordName, readonly number[]>;
};
