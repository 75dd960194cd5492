// From the Authorization header to who is calling (spec: Authentication).
import { Problem } from '../contract/errors.ts';
import type { Row } from '../world/collection.ts';
import type { KeyRecord } from '../world/records.ts';
import type { Caller } from '../world/view.ts';
import type { World } from '../world/world.ts';

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

export const bearerOf = (authorization: string | undefined): string | undefined =>
  authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];

export const challengeHeaders = (world: World): Readonly<Record<string, string>> =>
  world.choices['www-authenticate'] === 'present' ? { 'www-authenticate': 'Bearer' } : {};

const unauthorizedProblem = (world: World, why: string): Problem =>
  new Problem(401, 'unauthorized', why, { headers: challengeHeaders(world), check: 'key' });

const KEYS_BY_VALUE = { equal: ['value'], by: 'id', descending: false, nulls: 'last' } as const;

/** The key of the last request: that of the next one is mostly the same. */
let lastKey: Row<KeyRecord> | undefined;

export const keyWithValue = ({ workspaces, store }: World, value: string): Row<KeyRecord> | undefined => {
  if (lastKey?.value.value === value && store.keys.get(lastKey.value.id) === lastKey) return lastKey;
  for (const workspace of workspaces.keys()) {
    const [row] = store.keys.list(KEYS_BY_VALUE, workspace, [value]).rows(0, 1);
    if (row) {
      lastKey = row;
      return row;
    }
  }
  return undefined;
};

/** Caller of a request with this key, with no use noted; undefined for one that would be refused. */
export const callerOf = (world: World, value: string | undefined): Caller | undefined => {
  const row = value === undefined ? undefined : keyWithValue(world, value);
  const user = row && !row.value.revoked ? world.store.users.get(row.value.user_id) : undefined;
  return row && user ? { key: row.value, user: user.value, workspace: row.workspace } : undefined;
};

/** For a header that was made from a variable without a value. */
const unsetHint = (authorization: string): string | undefined => {
  const [sent] = /(?<=^Bearer )(undefined|null|NaN|\[object Object\])$/i.exec(authorization) ?? [];
  return sent && `The client sent "${sent}": the variable that should hold the key has no value.`;
};

/** @param value the key in the header. @throws Problem 401 when the header is missing or malformed, or the key is unknown or revoked. */
export const identify = (world: World, authorization: string | undefined, value = bearerOf(authorization)): Caller => {
  if (authorization === undefined)
    throw unauthorizedProblem(world, 'The Authorization header is missing. Send `Authorization: Bearer <API_KEY>`.');
  if (value === undefined)
    throw unauthorizedProblem(
      world,
      `The Authorization header is malformed. ${unsetHint(authorization) ?? 'Send `Authorization: Bearer <API_KEY>`.'}`,
    );
  if (world.refuses) throw unauthorizedProblem(world, world.refuses);
  const row = keyWithValue(world, value);
  if (!row) throw unauthorizedProblem(world, ['The API key is unknown.', unsetHint(authorization)].filter(Boolean).join(' '));
  if (row.value.revoked) throw unauthorizedProblem(world, 'The API key is revoked.');
  const user = world.store.users.get(row.value.user_id);
  if (!user) throw unauthorizedProblem(world, 'The user of the API key is gone.');
  world.lastUsed.set(row.value.id, world.clock.now());
  return { key: row.value, user: user.value, workspace: row.workspace };
};
