// What is tried on a command: the flips that it may meet by what it has asked, in groups.

import { toSeed } from '../../mock/api/create.ts';
import type { MockOptions } from '../../mock/api/options.ts';
import type { Plan } from '../../service/contract/limits.ts';
import { LATEST } from '../../service/contract/releases.ts';
import { realNow } from '../../service/world/time.ts';
import { type Flip, listFlips } from './flips.ts';
import { pruneFlips, type Traffic } from './traffic.ts';

const isWanted = ({ id, kind, name }: Flip, only: readonly string[]): boolean =>
  only.length === 0 || only.some((one) => one === kind || one === name || id.startsWith(one));

const groupFlips = (flips: readonly Flip[]): readonly (readonly Flip[])[] => {
  const groups = new Map<string, Flip[]>();
  for (const flip of flips) groups.set(flip.group, [...(groups.get(flip.group) ?? []), flip]);
  return [...groups.values()];
};

/** @param options of the mock as it is @param traffic of the command on it, with the text of each seed @param only kinds, names and ids of flips; empty: all */
export const planFlips = async (options: MockOptions, traffic: readonly Traffic[], only: readonly string[]) => {
  const { choices, release = LATEST, forward = [], workspaces, now } = await toSeed(options);
  const frozen = typeof now === 'number' || traffic.some(({ options: own }) => own.now !== undefined);
  const asItIs = { choices, release, forward, plan: workspaces[0]?.plan as Plan | undefined, frozen };
  const operations = new Set(traffic.flatMap((one) => one.operations));
  const shown = { operations, events: traffic.some(({ events }) => events) };
  const flips = listFlips(asItIs, shown).filter((flip) => isWanted(flip, only));
  const { pruned, touches } = await pruneFlips(flips, traffic, now ?? realNow());
  return { flips, pruned, touches, operations, groups: groupFlips(flips.filter(({ id }) => !pruned.has(id))) };
};
