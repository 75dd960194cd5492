// The worlds of one tenant: consulted when one is opened, listed or deleted; gets the usage of each every few seconds.
import type { WorldElsewhere } from '../mock/control/host.ts';
import type { Release } from '../service/contract/releases.ts';
import type { Quotas, TenantPatch } from './options.ts';
import { isSameOrBelow, listAncestors, MAX_ID_LENGTH } from './resolve-world.ts';
import { Tenants } from './tenants.ts';

interface WorldRow {
  /** Its initial snapshot. */
  readonly ref: string;
  /** Whether it got keys of its own. */
  readonly mint: boolean;
  readonly release: Release;
  /** Its purpose, and how that ended. */
  readonly about?: WorldElsewhere['about'];
  /** Counts all worlds ever opened, so that a reopened one gets other tokens. */
  readonly serial: number;
  /** The address at which it was opened. */
  readonly at: string;
  /** The call that opened it. */
  readonly by?: string;
  /** Real time of its last request, milliseconds since 1970. */
  readonly used: number;
  readonly bytes: number;
  /** It is being deleted. */
  readonly gone?: true;
}

/** Identity of a world, which it keeps itself. */
export interface WorldOrigin extends Pick<WorldRow, 'ref' | 'mint' | 'at'> {
  readonly id: string;
  /** Its number among all worlds ever opened, after those of the worlds above it, the tenant first. */
  readonly line: readonly string[];
}

export type WorldClaim = Pick<WorldRow, 'ref' | 'mint' | 'release' | 'about' | 'at'> & { readonly by: string };
export type ClaimResult =
  | { readonly birth: WorldOrigin }
  | { readonly refused: 'taken' | 'full' | 'long'; readonly most: number };

export interface WorldUsage {
  readonly requests: number;
  readonly bytes: number;
  readonly used: number;
}
/** Which quotas are used up, and when they renew, milliseconds since 1970. */
export interface ExceededQuota {
  readonly what: 'bytes' | 'requests';
  readonly most: number;
  readonly until: number;
}

export interface TenantUsage {
  readonly worlds: number;
  readonly bytes: number;
  /** Requests of the last day that had any. */
  readonly requests: number;
  readonly quotas: Quotas;
}

interface Origin {
  readonly base?: string | undefined;
  readonly bytes: number;
  /** Not collected before this time, milliseconds since 1970. */
  readonly until: number;
}

interface About extends Quotas {
  readonly name: string;
  readonly tenant: number;
  readonly serials: number;
  readonly day: number;
  readonly asked: number;
}

/** Least time between two reports of a world. */
export const REPORT_MS = 10_000;

const MS_A_DAY = 86_400_000;
/** Longest time between storing an origin and opening the world that starts from it. */
const HELD_MS = 60_000;

/** That of a tenant has its worlds; the one called `~` has the tenants. */
export class Directory extends Tenants {
  get #about(): About {
    return this.#get<About>('about') ?? { name: '', tenant: 0, serials: 0, day: 0, asked: 0 };
  }

  /** @param serial the tenant's number among all ever created */
  begin(name: string, serial: number, quotas: Quotas): void {
    this.storage.kv.put('about', { ...this.#about, ...quotas, name, tenant: serial });
  }

  /** Changes quotas. */
  grant(changed: TenantPatch): void {
    const about = { ...this.#about, ...changed };
    this.storage.kv.put('about', Object.fromEntries(Object.entries(about).filter(([, value]) => value !== null)));
  }

  get tenant(): string {
    return this.#about.name;
  }

  /** Reserves an id for a world. @param under the world that opens it @param name its own part of the id; generated unless given */
  claim(under: string | undefined, name: string | undefined, claim: WorldClaim): ClaimResult {
    const about = this.#about;
    const { worlds: most = Number.POSITIVE_INFINITY } = about;
    const rows = this.#rows();
    // The response to the same call may have been lost.
    const own = rows.find(([, { by }]) => by === claim.by);
    if (own) return { birth: this.birth(own[0])! };
    if (rows.length >= most) return { refused: 'full', most };
    let serials = about.serials + 1;
    // A caller may have given such a name to a world.
    while (under !== undefined && name === undefined && this.#row(`${under}~world_${serials}`)) serials += 1;
    const id = under === undefined ? name! : `${under}~${name ?? `world_${serials}`}`;
    if (id.length > MAX_ID_LENGTH) return { refused: 'long', most: MAX_ID_LENGTH };
    if (this.#row(id)) return { refused: 'taken', most };
    this.storage.kv.put('about', { ...about, serials });
    this.#put(id, { ...claim, serial: serials, used: this.now(), bytes: 0 });
    return { birth: this.birth(id)! };
  }

  birth(id: string): WorldOrigin | undefined {
    const row = this.#row(id);
    if (!row || row.gone) return undefined;
    const { ref, mint, at } = row;
    const { tenant } = this.#about;
    return { id, ref, mint, at, line: listAncestors(id).map((one) => `${tenant}/${one}/${this.#row(one)?.serial}`) };
  }

  /** When a world or one below it was last used, milliseconds since 1970; undefined unless it is the one that has the id now. */
  lastUse({ id, line }: Pick<WorldOrigin, 'id' | 'line'>): number | undefined {
    if (this.birth(id)?.line.at(-1) !== line.at(-1)) return undefined;
    // Those below may have been used since they last reported.
    return Math.max(...this.#below(id).map(([one, { used }]) => (one === id ? used : used + REPORT_MS)));
  }

  list(under: string): WorldElsewhere[] {
    return this.#below(under).map(([id, { release, used, about = {} }]) => ({ id, release, lastUsed: used, about }));
  }

  /** Adds to the purpose of a world. */
  note(id: string, about: WorldElsewhere['about']): WorldElsewhere | undefined {
    const row = this.#row(id);
    if (!row || row.gone) return undefined;
    this.#put(id, { ...row, about: { ...row.about, ...about } });
    return this.list(id)[0];
  }

  /** Adds a world's usage since its last report. @returns what the tenant has used up */
  report(id: string, { requests, bytes, used }: WorldUsage): ExceededQuota | undefined {
    const row = this.#row(id);
    if (row && !row.gone) this.#put(id, { ...row, bytes, used });
    const day = Math.floor(used / MS_A_DAY);
    const about = this.#about;
    const requestsOfDay = requests + (about.day === day ? about.asked : 0);
    this.storage.kv.put('about', { ...about, day, asked: requestsOfDay });
    if (about.requests !== undefined && requestsOfDay > about.requests)
      return { what: 'requests', most: about.requests, until: (day + 1) * MS_A_DAY };
    if (about.bytes !== undefined && this.use().bytes > about.bytes) return { what: 'bytes', most: about.bytes, until: used };
    return undefined;
  }

  /** Usage of all worlds of the tenant. */
  use(): TenantUsage {
    const { name: _, tenant: __, serials: ___, day: ____, asked, ...quotas } = this.#about;
    const rows = this.#rows();
    const all = [...rows, ...this.entries<Origin>('origin/')].reduce((sum, [, { bytes }]) => sum + bytes, 0);
    return { worlds: rows.length, bytes: all, requests: asked, quotas };
  }

  /** The worlds below others that never had a request, and when each was opened, milliseconds since 1970. */
  unused(): [id: string, opened: number][] {
    return this.#rows().flatMap(([id, { bytes, used, gone }]) =>
      bytes === 0 && !gone && id.includes('~') ? [[id, used] as [string, number]] : [],
    );
  }

  /** Starts the deletion of a world and those below it. */
  leave(id: string): void {
    for (const [one, row] of this.#below(id)) this.#put(one, { ...row, gone: true });
  }

  get leaving(): string[] {
    return this.#rows().flatMap(([id, { gone }]) => (gone ? [id] : []));
  }

  /** A world is deleted completely. */
  left(id: string): void {
    this.storage.kv.delete(`world/${id}`);
  }

  /** An origin is about to be used. */
  hold(ref: string, base: string | undefined, bytes: number): void {
    const known = this.#get<Origin>(`origin/${ref}`);
    const origin: Origin = { base: base ?? known?.base, bytes: bytes || (known?.bytes ?? 0), until: this.now() + HELD_MS };
    this.storage.kv.put(`origin/${ref}`, origin);
  }

  /** The origins that no world and no other origin is based on. */
  unheld(now: number): string[] {
    const used = new Set(this.#rows().map(([, { ref }]) => ref));
    const origins = this.entries<Origin>('origin/');
    for (const [, { base }] of origins) if (base !== undefined) used.add(base);
    return origins.flatMap(([ref, { until }]) => (used.has(ref) || until > now ? [] : [ref]));
  }

  forget(ref: string): void {
    this.storage.kv.delete(`origin/${ref}`);
  }

  #get<T>(key: string): T | undefined {
    return this.storage.kv.get(key) as T | undefined;
  }

  #row(id: string): WorldRow | undefined {
    return this.#get(`world/${id}`);
  }

  #put(id: string, row: WorldRow): void {
    this.storage.kv.put(`world/${id}`, row);
  }

  #rows(under = ''): [string, WorldRow][] {
    return this.entries(`world/${under}`);
  }

  /** A world and those below it, without those that are being deleted. */
  #below(id: string): [string, WorldRow][] {
    return this.#rows(id).filter(([one, { gone }]) => !gone && isSameOrBelow(one, id));
  }
}
