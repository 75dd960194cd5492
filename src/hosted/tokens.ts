// Tokens and keys of worlds: unguessable and never stored, each derived from the owner's token and its purpose.
import { workingKeys } from '../mock/control/calls/worlds.ts';
import { mintKeys, type Snapshot } from '../mock/control/snapshot.ts';
import { toHex } from '../service/webhooks/sign.ts';
import type { WorldOrigin } from './directory.ts';
import { keyPrefix } from './resolve-world.ts';

export type Derive = (purpose: string) => Promise<string>;

/** Minimum length of the owner's token, characters. */
export const MIN_TOKEN_LENGTH = 24;

const UTF_8 = new TextEncoder();

/** @param owner the token that creates tenants; another one changes all others */
export const deriveFrom = (owner: string): Derive => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = () => crypto.subtle.importKey('raw', UTF_8.encode(owner), algorithm, false, ['sign']);
  return async (purpose) =>
    toHex(new Uint8Array(await crypto.subtle.sign('HMAC', await key(), UTF_8.encode(purpose)))).slice(0, 40);
};

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
