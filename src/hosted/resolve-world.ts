// Which world a request is meant for: a pure function of its address and key, so every machine can tell.
import { Problem } from '../service/contract/errors.ts';
import { bearerOf } from '../service/http/identify.ts';

/** A tenant, or a world below another: `acme`, `acme~pr-12`, `acme~pr-12~copy`. */
export const TENANT = '[a-z0-9][a-z0-9-]{0,31}';
const PART = '[A-Za-z0-9][A-Za-z0-9._-]{0,63}';
const ID = new RegExp(`^${TENANT}(~${PART})*$`);
/** Names of objects are short: most characters of an id. */
export const MAX_ID_LENGTH = 250;

export const tenantOf = (world: string): string => world.split('~', 1)[0]!;

export const isSameOrBelow = (world: string, other: string): boolean => world === other || world.startsWith(`${other}~`);

/** A world and those above it, the tenant first. */
export const listAncestors = (world: string): string[] => {
  const parts = world.split('~');
  return parts.map((_, i) => parts.slice(0, i + 1).join('~'));
};

/** Prefix of a world's own keys, whose values name the world. */
export const keyPrefix = (world: string): string => `wm_${world}_`;
const OWN_KEY = /^wm_(.+)_[0-9a-f]{24}$/;

const HOST = /^https?:\/\/([\w.-]+|\[[\da-f:.]+\])(:\d*)?(?=[/?#]|$)/i;

/** The path of a request after its dot segments: the worker and the object must find the same world in it. @throws Problem 400 */
export const readPath = ({ url }: Pick<Request, 'url'>): string => {
  try {
    // URL mends more than the engine passes on.
    if (HOST.test(url)) return new URL(url).pathname;
    throw new TypeError(`no host: ${url}`);
  } catch {
    const says = 'The Host header and the path make no URL. Send Host: and the name of this service.';
    throw new Problem(400, 'validation_error', says);
  }
};

export const readWorldId = (request: Pick<Request, 'url'>): string | undefined => readPath(request).split('/')[2];

export interface ResolvedWorld {
  readonly world: string;
  /** The request as the world gets it, if the address does not name the world. */
  readonly path: string | undefined;
}

const resolveId = (world: string | undefined, path?: string): ResolvedWorld | undefined =>
  world !== undefined && world.length <= MAX_ID_LENGTH && ID.test(world) ? { world, path } : undefined;

/** By path, by the world that a sign-in returns to, by the id in a root call, or by a world's own key. */
export const resolveWorld = ({ url, headers }: Request, path: string): ResolvedWorld | undefined => {
  const [, root, second, third] = path.split('/');
  if (root === 'worlds') return resolveId(second);
  if (root === 'dashboard') {
    const [, worlds, world] = (new URL(url).searchParams.get('back') ?? '').split(/[/?#]/);
    return worlds === 'worlds' ? resolveId(world, `/worlds/${world}${path}`) : undefined;
  }
  if (root === '_mock' && second === 'worlds') return resolveId(third, `/worlds/${third}${path}`);
  const key = bearerOf(headers.get('authorization') ?? undefined);
  const owner = OWN_KEY.exec(key ?? '')?.[1];
  return resolveId(owner, `/worlds/${owner}${path}`);
};
