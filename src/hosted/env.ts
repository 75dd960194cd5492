// How the objects of a service reach each other and its configuration.

import { refuse } from '../mock/control/call.ts';
import { workingKeys } from '../mock/control/calls/worlds.ts';
import type { Elsewhere, WorldElsewhere } from '../mock/control/host.ts';
import type { Snapshot } from '../mock/control/snapshot.ts';
import { Problem } from '../service/contract/errors.ts';
import { parseJson } from '../service/http/body.ts';
import { check, lineOf, type Validate } from '../service/validation/check.ts';
import { pathText } from '../service/validation/show.ts';
import { realNow } from '../service/world/time.ts';
import type { Directory, WorldClaim, WorldOrigin, WorldUsage } from './directory.ts';
import { type Namespace, named } from './engine.ts';
import type { HostedOptions } from './options.ts';
import { type OriginObject, type OriginStore, SharedOrigins } from './origins.ts';
import { isSameOrBelow, tenantOf } from './resolve-world.ts';
import { mintWorldKeys, ownKeys, tokenOf } from './secrets.ts';
import { type Derive, deriveFrom } from './tokens.ts';
import { HostedSettings as validate } from './validators.generated.ts';

interface WorldStub {
  fetch(request: Request): Promise<Response>;
  /** @returns what the world used since its last report */
  end(id: string): Promise<WorldUsage | undefined>;
}

/** The methods of an object as others call them. */
type Remote<T> = {
  readonly [M in keyof T as T[M] extends (...given: never[]) => unknown ? M : never]: T[M] extends (...given: infer A) => infer R
    ? (...given: A) => Promise<Awaited<R>>
    : never;
};
export type DirectoryStub = Remote<Directory> & {
  close(): Promise<void>;
  retire(birth: Pick<WorldOrigin, 'id' | 'line'>, idleMs: number): Promise<number | undefined>;
};

/** Variables from the engine's configuration. */
export interface Env {
  readonly WORLDS: Namespace<WorldStub>;
  readonly ORIGINS: Namespace<Remote<OriginObject>>;
  readonly DIRECTORY: Namespace<DirectoryStub>;
  /** The secret for creating tenants. */
  readonly WM_OWNER_TOKEN?: string;
  /** `HostedOptions` as JSON. */
  readonly WM_OPTIONS?: string;
  /** Says which start of the engine this is, to whoever has started it. */
  readonly WM_START?: string;
}

const WEEK_MS = 7 * 86_400_000;

/** @param text JSON @throws Problem 503 naming each option that does not fit: a mistake here could delete worlds */
const optionsFrom = (text = ''): HostedOptions => {
  const given = text === '' ? {} : parseJson(text);
  const lines = check(validate as unknown as Validate, given).map((finding) => lineOf(pathText(finding.path), finding));
  const says = given === undefined ? 'it is no JSON' : lines.join('; ');
  if (says !== '')
    throw new Problem(
      503,
      'service_unavailable',
      `WM_OPTIONS of this service cannot be used: ${says}. docs/hosted.md of wm-mock says what it takes.`,
    );
  return { receivers: [], worldIdleMs: WEEK_MS, ...(given as Partial<HostedOptions>) };
};

let known: { readonly text: string | undefined; readonly options: HostedOptions } | undefined;

/** @throws Problem 503 unless they fit */
export const readHostedOptions = ({ WM_OPTIONS: text }: Env): HostedOptions => {
  if (!known || known.text !== text) known = { text, options: optionsFrom(text) };
  return known.options;
};

export const createDerive = ({ WM_OWNER_TOKEN = '' }: Env): Derive => deriveFrom(WM_OWNER_TOKEN);

/** How many parts of an origin one call between objects carries. */
const PARTS_AT_ONCE = 8;

const originStore = ({ ORIGINS, DIRECTORY }: Env, tenant: string): OriginStore => {
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

export const originsOf = (env: Env, tenant: string): SharedOrigins => new SharedOrigins(originStore(env, tenant));

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
  const asked: WorldClaim = { ref, mint, release, about, at, by: `${under} ${realNow()} ${++callCount}` };
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
