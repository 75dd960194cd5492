// How a world is opened in its tenant's directory, and what a world may do with those below it.
import { refuse } from '../mock/control/call.ts';
import { workingKeys } from '../mock/control/calls/worlds.ts';
import type { Elsewhere, WorldElsewhere } from '../mock/control/host.ts';
import type { Snapshot } from '../mock/control/snapshot.ts';
import { Problem } from '../service/contract/errors.ts';
import { realNow } from '../service/world/time.ts';
import type { WorldClaim } from './directory.ts';
import { named } from './engine.ts';
import { createDerive, type Env } from './env.ts';
import type { SharedOrigins } from './origins.ts';
import { isSameOrBelow, tenantOf } from './resolve-world.ts';
import { mintWorldKeys, ownKeys, tokenOf } from './tokens.ts';

interface Opening {
  /** The world that opens it; undefined for a tenant's first one. */
  readonly under: string | undefined;
  /** Its own part of the id. */
  readonly name: string | undefined;
  readonly origin: Snapshot;
  readonly mint: boolean;
  readonly about?: WorldElsewhere['about'];
  /** The address of the service. */
  readonly at: string;
}

/** Counts in this process. A world is in one process at a time, so time and count identify its calls. */
let callCount = 0;

/** Opens a world. @throws Problem 409 when its id is taken or there are too many, 422 when it is too long */
export const openHostedWorld = async (
  env: Env,
  origins: SharedOrigins,
  { under, name, origin, mint, about = {}, at }: Opening,
) => {
  const { release } = origin.world;
  const ref = await origins.put(origin);
  const claim: WorldClaim = { ref, mint, release, about, at, by: `${under} ${realNow()} ${++callCount}` };
  const claimed = await named(env.DIRECTORY, tenantOf(under ?? name!)).claim(under, name, claim);
  if ('refused' in claimed) {
    const { refused, most } = claimed;
    if (refused === 'taken') return refuse([{ field: 'id', issue: 'is taken' }], 409);
    if (refused === 'long') {
      const issue = `must have, after ${under}~, at most ${most} characters in all`;
      return refuse([{ field: 'id', issue }]);
    }
    throw new Problem(409, 'conflict', `There are ${most} worlds already. Delete some.`);
  }
  const { birth } = claimed;
  const derive = createDerive(env);
  const keys = mint ? ownKeys(await mintWorldKeys(origin, birth, derive), birth.id) : workingKeys(origin.world);
  return { id: birth.id, release, keys, token: await tokenOf(derive, birth.line.at(-1)!) };
};

const OF_OWNER =
  "A tenant's own world is not deleted here: DELETE /_hosted/tenants/{id}, with the owner's token, deletes the tenant and everything in it. docs/hosted.md of wm-mock says more.";

/** The worlds below one. @param at the address of the service */
export const worldsBelow = (env: Env, id: string, origins: SharedOrigins, at: string): Elsewhere => {
  const directory = named(env.DIRECTORY, tenantOf(id));
  return {
    open: (name, origin, mint, about) => openHostedWorld(env, origins, { under: id, name, origin, mint, about, at }),
    note: async (other, about) => (isSameOrBelow(other, id) ? directory.note(other, about) : undefined),
    // A tenant is deleted by its owner; other worlds by one that they are below.
    remove: async (other) => {
      if (other === tenantOf(id)) throw new Problem(404, 'not_found', OF_OWNER);
      if (!other.includes('~') || !isSameOrBelow(other, id) || !(await directory.birth(other))) return false;
      await directory.leave(other);
      return true;
    },
    list: () => directory.list(id),
  };
};
