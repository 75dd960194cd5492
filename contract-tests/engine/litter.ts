// Records that a run creates on the target, and their removal: at the end, or by the next run.
import { type Exchange, idOf, type Json, objectIn, succeeded } from './exchange.ts';
import { InfraError, NoResponse } from './infra.ts';
import { createdId, placeOf } from './made.ts';
import { ABANDONED_MS, isDead, isOld, type Runner, runOf } from './names.ts';
import { pathOf, unfit } from './paths.ts';
import { instant } from './shapes.ts';
import { type Role, RunError } from './terms.ts';
import type { Skew } from './time.ts';
import { Blocked } from './unjudged.ts';

/** Something that could not be removed. */
export interface LeftBehind {
  readonly path: string;
  /** The role whose workspace it is in. */
  readonly as: Role;
  readonly why: string;
}

/** Why a registration stays; a control API removes it. */
const NO_WAY = 'the API has no call that deletes a registration';

/** Sends a DELETE. */
export type Delete = (path: string, as: Role) => Promise<Exchange>;

/** After this many removals in a row without a response the rest is left to the next run. */
const GIVE_UP = 3;

export class Litter {
  readonly left: LeftBehind[] = [];
  /** A record to be removed was not found: it may be there by another id. */
  missed = false;
  readonly #things = new Map<string, { path: string; as: Role }>();
  readonly #registrations: LeftBehind[] = [];
  #silent = 0;

  /** The registrations of the run, which only a control API can remove. */
  get registrations(): readonly LeftBehind[] {
    return this.#registrations;
  }

  /** Learns from every response what exists and what is gone. */
  notice(x: Exchange): void {
    if (x.world !== undefined) return;
    const as = x.as === 'keyless' || x.as === 'revoked' ? 'write' : x.as;
    if (x.operation?.id === 'create_webhook' && succeeded(x))
      this.#registrations.push({ path: `/webhooks (${objectIn(x.requestBody).url ?? 'no url'})`, as, why: NO_WAY });
    const foreign = x.as === 'other' ? 'other ' : '';
    const known = this.#things.get(foreign + x.path);
    // A record that another key does not find may be in a workspace that it does not see.
    if (x.method === 'DELETE' && (x.status === 204 || (x.status === 404 && known?.as === x.as)))
      this.#things.delete(foreign + x.path);
    const [items, id] = [placeOf(x), createdId(x)];
    if (id === undefined || items === undefined) return;
    // A task goes with its project, if that is ours.
    if (items === '/tasks' && this.#things.has(foreign + x.path.slice(0, -'/tasks'.length))) return;
    this.#things.set(foreign + pathOf(items, id), { path: pathOf(items, id), as });
  }

  /** Removes everything, each thing on its own: by the key that made it, and once more, by the strongest. What stays is in left. */
  async remove(send: Delete, strong: Role): Promise<void> {
    const order = ['/tasks/', '/teams/', '/projects/'];
    const rank = (path: string) => order.findIndex((start) => path.startsWith(start));
    const things = [...this.#things].sort(([, a], [, b]) => rank(a.path) - rank(b.path));
    for (const [key, { path, as }] of things) {
      this.#things.delete(key);
      await this.discard(send, path, as, as === 'other' ? 'other' : strong);
    }
  }

  /** Removes one thing, by one key or by the other. */
  async discard(send: Delete, path: string, ...keys: readonly [Role, Role]): Promise<void> {
    let why = 'the target no longer responds';
    for (const as of keys) {
      if (this.#silent >= GIVE_UP) break;
      try {
        const x = await send(path, as);
        this.#silent = 0;
        this.missed ||= x.status === 404;
        if (succeeded(x) || x.status === 404) return;
        why = `DELETE returns ${x.status}`;
      } catch (cause) {
        if (cause instanceof NoResponse && cause.gone) return;
        const isStop = cause instanceof RunError || cause instanceof NoResponse;
        this.#silent = cause instanceof InfraError ? GIVE_UP : this.#silent + (isStop ? 1 : 0);
        // Whatever it was, the rest is still to be removed.
        why = cause instanceof Error ? cause.message : String(cause);
        // It is another's, whatever the response to our create said.
        if (cause instanceof Blocked) return;
      }
    }
    this.left.push({ path, as: keys[0], why });
  }
}

interface Find {
  readonly path: string;
  readonly as: Role;
  readonly run: string;
  /** When it was last touched, on the target's clock. */
  readonly touched: number;
  /** The record that takes it along when it is removed. */
  readonly within: string;
  /** Why no request can name it. */
  readonly why: string | undefined;
}

/** The needs of a search for records by their names. */
export interface Search {
  /** A key of each workspace. */
  readonly roles: readonly Role[];
  /** Whether the release that is judged by has teams. */
  readonly teams: boolean;
  /** The records of a list, as far as this many pages show them. */
  rows(path: string, pages: number, as: Role): Promise<readonly Json[]>;
  readonly remove: Delete;
}

/** Lists are looked through so far. */
const PAGES: Readonly<Record<string, number>> = { '/projects': 10, '/teams': 10, '/tasks': 5 };

/** Everything whose name names a run, of one workspace; in the second one no run makes tasks. */
const named = async (search: Search, as: Role): Promise<Find[]> => {
  const found: Find[] = [];
  const add = (items: string, item: Json) => {
    const run = runOf(item.name ?? item.title);
    const id = idOf(item);
    if (run === undefined || id === undefined) return;
    const touched = Math.max(...[item.created_at, item.updated_at].map(instant).filter((at) => !Number.isNaN(at)));
    const within = pathOf('/projects', String(item.project_id));
    const why = unfit(id);
    const path = why === undefined ? pathOf(items, id) : `${items} "${String(item.name ?? item.title)}"`;
    found.push({ path, as, run, touched, within, why });
  };
  for (const items of Object.keys(PAGES)) {
    if ((items === '/teams' && !search.teams) || (items === '/tasks' && as === 'other')) continue;
    for (const item of await search.rows(`${items}?limit=100`, PAGES[items]!, as)) add(items, item);
  }
  return found;
};

const sweepNamed = async (search: Search, litter: Litter, over: (run: string, touched: number) => boolean): Promise<number> => {
  let removed = 0;
  for (const as of search.roles) {
    const found = await named(search, as);
    const touched = new Map<string, number>();
    for (const find of found) touched.set(find.run, Math.max(find.touched, touched.get(find.run) ?? Number.NEGATIVE_INFINITY));
    const rubbish = found.filter(({ run }) => over(run, touched.get(run)!));
    const paths = new Set(rubbish.map(({ path }) => path));
    for (const { path, within, why } of rubbish) {
      if (paths.has(within)) continue;
      if (why === undefined) await litter.discard(search.remove, path, as, as);
      else litter.left.push({ path, as, why: `no request can name it: ${why}` });
      removed++;
    }
  }
  return removed;
};

/** Removes what this run made and no response told of. */
export const sweepOwn = (search: Search, litter: Litter, own: string): Promise<number> =>
  sweepNamed(search, litter, (run) => own === run);

/**
 * Removes what earlier runs left behind, in both workspaces, by their names; never what may belong to a run that continues: a run is over when its
 * process ran here and is gone, or when it began more than an hour ago and nothing of it has been touched for as long.
 */
export const sweep = async (search: Search, skew: Skew, runner: Runner, litter: Litter): Promise<number> => {
  const now = skew.now();
  const idle = (touched: number) => !(now.at - now.within - touched < ABANDONED_MS);
  try {
    return await sweepNamed(search, litter, (run, touched) => isDead(run, runner) || (isOld(run) && idle(touched)));
  } catch (cause) {
    // A record that is in the way now is in the way of no next run.
    if (cause instanceof NoResponse) return 0;
    throw cause;
  }
};
