// How the objects of a service reach each other and its configuration.
import { Problem } from '../contract/errors.ts';
import { refuse } from '../control/call.ts';
import { workingKeys } from '../control/calls/worlds.ts';
import type { Elsewhere } from '../control/host.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { realNow } from '../world/time.ts';
import type { Asked, Birth, Directory, Usage } from './directory.ts';
import { type Namespace, named } from './engine.ts';
import { type OriginStore, SharedOrigins } from './origins.ts';
import { isBelow, tenantOf } from './route.ts';
import { minted, ownKeys, tokenOf } from './secrets.ts';
import type { Tenants } from './tenants.ts';
import { type Derive, deriveFrom } from './tokens.ts';

interface WorldStub {
  fetch(request: Request): Promise<Response>;
  /** @returns what the world used since its last report */
  end(id: string): Promise<Usage | undefined>;
}

interface OriginStub {
  size(): Promise<number>;
  put(from: number, parts: readonly string[], whole: boolean): Promise<void>;
  get(from: number): Promise<readonly string[]>;
  drop(): Promise<void>;
}

/** The methods of an object as others call them. */
type Remote<T> = {
  readonly [M in keyof T as T[M] extends (...given: never[]) => unknown ? M : never]: T[M] extends (...given: infer A) => infer R
    ? (...given: A) => Promise<R>
    : never;
};
type DirectoryStub = Remote<Directory> &
  Remote<Tenants> & {
    close(): Promise<void>;
    retire(birth: Pick<Birth, 'id' | 'line'>, idleMs: number): Promise<number | undefined>;
  };

/** Variables from the engine's configuration. */
export interface Env {
  readonly WORLDS: Namespace<WorldStub>;
  readonly ORIGINS: Namespace<OriginStub>;
  readonly DIRECTORY: Namespace<DirectoryStub>;
  /** The secret for creating tenants. */
  readonly WM_OWNER_TOKEN?: string;
  /** `HostedOptions` as JSON. */
  readonly WM_OPTIONS?: string;
}

export interface HostedOptions {
  /** Hosts that webhooks are really sent to; for others a delivery is only simulated. */
  readonly receivers: readonly string[];
  /** Idle milliseconds after which a world is deleted; 0: never. Tenants stay. */
  readonly worldIdleMs: number;
}

const WEEK_MS = 7 * 86_400_000;

export const optionsOf = ({ WM_OPTIONS }: Env): HostedOptions => ({
  receivers: [],
  worldIdleMs: WEEK_MS,
  ...(JSON.parse(WM_OPTIONS || '{}') as Partial<HostedOptions>),
});

export const deriveOf = ({ WM_OWNER_TOKEN = '' }: Env): Derive => deriveFrom(WM_OWNER_TOKEN);

/** How many parts of an origin one call between objects carries. */
const PARTS_AT_ONCE = 8;

const storeOf = ({ ORIGINS, DIRECTORY }: Env, tenant: string): OriginStore => {
  const origin = (ref: string) => named(ORIGINS, `${tenant}/${ref}`);
  return {
    tenant,
    hold: (ref, base, bytes) => named(DIRECTORY, tenant).hold(ref, base, bytes),
    has: async (ref) => (await origin(ref).size()) > 0,
    put: async (ref, parts) => {
      for (let from = 0; from < parts.length; from += PARTS_AT_ONCE)
        await origin(ref).put(from, parts.slice(from, from + PARTS_AT_ONCE), from + PARTS_AT_ONCE >= parts.length);
    },
    get: async (ref) => {
      const size = await origin(ref).size();
      const parts: string[] = [];
      while (parts.length < size) parts.push(...(await origin(ref).get(parts.length)));
      return parts;
    },
  };
};

export const originsOf = (env: Env, tenant: string): SharedOrigins => new SharedOrigins(storeOf(env, tenant));

interface Opening {
  /** The world that opens it; undefined for a tenant's first one. */
  readonly under: string | undefined;
  /** Its own part of the id. */
  readonly name: string | undefined;
  readonly origin: Snapshot;
  readonly mint: boolean;
  /** The address of the service. */
  readonly at: string;
}

/** Counts in this process. A world is in one process at a time, so time and count identify its calls. */
let calls = 0;

/** Opens a world. @throws Problem 409 when its id is taken or there are too many, 422 when it is too long */
export const openWorld = async (env: Env, origins: SharedOrigins, { under, name, origin, mint, at }: Opening) => {
  const { release } = origin.world;
  const ref = await origins.put(origin);
  const asked: Asked = { ref, mint, release, at, by: `${under} ${realNow()} ${++calls}` };
  const claimed = await named(env.DIRECTORY, tenantOf(under ?? name!)).claim(under, name, asked);
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
  const derive = deriveOf(env);
  const keys = mint ? ownKeys(await minted(origin, birth, derive), birth.id) : workingKeys(origin.world);
  return { id: birth.id, release, keys, token: await tokenOf(derive, birth.line.at(-1)!) };
};

/** The worlds below one. @param at returns the address of the service */
export const elsewhereOf = (env: Env, id: string, origins: SharedOrigins, at: () => string): Elsewhere => {
  const directory = named(env.DIRECTORY, tenantOf(id));
  return {
    open: (name, origin, mint) => openWorld(env, origins, { under: id, name, origin, mint, at: at() }),
    // A tenant is deleted by its owner; other worlds by one that they are below.
    remove: async (other) => {
      if (!other.includes('~') || !isBelow(other, id) || !(await directory.birth(other))) return false;
      await directory.leave(other);
      return true;
    },
    list: () => directory.list(id),
  };
};
