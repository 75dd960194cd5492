// Keys of a world's own: beside each working key another one, a function of the world's id, which leads to this world alone.
import { hash32, Random } from '../../service/world/random.ts';
import type { KeyRecord } from '../../service/world/records.ts';
import type { World } from '../../service/world/world.ts';

/** The id keeps values apart when two ids share a hash. */
const ownValue = (world: string, random: Random): string =>
  `wm_${world.replace(/[^A-Za-z0-9]/g, '')}_${random.letters('key', 24)}`;

/**
 * Adds a key beside each working one, with an id made from its id: equal sessions look equal in every world.
 * @param named makes the value; by default from the id of the world
 */
export const mintKeys = (world: World, id: string, named?: (key: KeyRecord) => string): KeyRecord[] => {
  const random = new Random(hash32(id));
  return world.store.keys
    .all()
    .filter(({ value }) => !value.revoked)
    .map(({ value: key, workspace }) => {
      const own = { ...key, id: `${key.id}_own`, name: `${key.name} (this world)`, value: named?.(key) ?? ownValue(id, random) };
      world.store.keys.put({ value: own, workspace, sequence: world.nextSequence() });
      return own;
    });
};
