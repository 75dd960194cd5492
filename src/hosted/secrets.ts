// A world's token and own keys: unguessable, and derived instead of stored.
import { workingKeys } from '../mock/control/calls/worlds.ts';
import { mintKeys } from '../mock/control/mint.ts';
import type { Snapshot } from '../mock/control/snapshot.ts';
import type { WorldOrigin } from './directory.ts';
import { keyPrefix } from './resolve-world.ts';
import type { Derive } from './tokens.ts';

export const tokenOf = (derive: Derive, who: string): Promise<string> => derive(`token ${who}`);

/** A state with a world's own, unguessable keys. */
export const mintWorldKeys = async (origin: Snapshot, { id, line }: WorldOrigin, derive: Derive): Promise<Snapshot> => {
  const world = origin.world.fork();
  const values = new Map<string, string>();
  for (const key of workingKeys(world)) {
    const secret = await derive(`key ${line.at(-1)} ${key.id}`);
    values.set(key.id, keyPrefix(id) + secret.slice(0, 24));
  }
  mintKeys(world, id, (key) => values.get(key.id)!);
  return { ...origin, world };
};

export const ownKeys = ({ world }: Snapshot, id: string) =>
  workingKeys(world).filter(({ value }) => value.startsWith(keyPrefix(id)));
