// Which world a request is meant for: a pure function of its address and key, so every machine can tell.
import { Problem } from '../service/contract/errors.ts';
import { bearerOf } from '../service/http/identify.ts';

/** A tenant, or a world below another: `acme`, `acme~pr-12`, `acme~pr-12~copy`. */
export const TENANT = '[a-z0-9][a-z0-9-]{0,31}';
const PART = '[A-Za-z0-9][A-Za-z0-9._-]{0,63}';
const ID = new RegExp(`^${TENANT}(~${PART})*$`);
/** Names of objects are short: most characters of an id. */
export const LONGEST_ID = 250;

export const tenantOf = (world: string): string => world.split('~', 1)[0]!;

/** Whether a world is another one, or below it. */
export const isBelow = (world: string, other: string): boolean => world === other || world.startsWith(`${other}~`);

/** A world and those above it, the tenant first. */
export const lineOf = (world: string): string[] => {
  const parts = world.split('~');
  return parts.map((_, i) => parts.slice(0, i + 1).join('~'));
};

/** Prefix of a world's own keys, whose values name the world. */
export const keyPrefix = (world: string): string => `wm_${world}_`;
const OWN_KEY = /^wm_(.+)_[0-9a-f]{24}$/;

/** The path of a request after its dot segments, so that the door and the object read the same world from it. @throws Problem 400 */
export const pathOf = ({ url }: Pick<Request, 'url'>): string => {
  try {
    return new URL(url).pathname;
  } catch {
    throw new Problem(
      400,
      'validation_error',
      'The Host header and the path make no URL. Send Host: and the name of this service.',
    );
  }
};

/** The world that a path names. */
export const worldOf = (request: Pick<Request, 'url'>): string | undefined => pathOf(request).split('/')[2];

export interface Meant {
  readonly world: string;
  /** The request as the world gets it, if the address does not name the world. */
  readonly path: string | undefined;
}

const meant = (world: string | undefined, path?: string): Meant | undefined =>
  world !== undefined && world.length <= LONGEST_ID && ID.test(world) ? { world, path } : undefined;

/** By path, by the world that a sign-in returns to, by the id in a root call, or by a world's own key. */
export const meantBy = ({ url, headers }: Request, path: string): Meant | undefined => {
  const [, root, second, third] = path.split('/');
  if (root === 'worlds') return meant(second);
  if (root === 'dashboard') {
    const [, worlds, world] = (new URL(url).searchParams.get('back') ?? '').split(/[/?#]/);
    return worlds === 'worlds' ? meant(world, `/worlds/${world}${path}`) : undefined;
  }
  if (root === '_mock' && second === 'worlds') return meant(third, `/worlds/${third}${path}`);
  const key = bearerOf(headers.get('authorization') ?? undefined);
  const owner = OWN_KEY.exec(key ?? '')?.[1];
  return meant(owner, `/worlds/${owner}${path}`);
};
