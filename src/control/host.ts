// The host: many worlds behind one address, found by the path or by a key of their own.
import { Problem } from '../contract/errors.ts';
import type { Host as HttpHost } from '../http/app.ts';
import type { Exchange, Realm } from '../http/exchange.ts';
import { bearerOf } from '../http/identify.ts';
import { realNow } from '../world/clock.ts';
import type { Seed } from '../world/records.ts';
import { mintKeys } from './mint.ts';
import { Site } from './site.ts';
import type { Sending, Still } from './state.ts';

export interface HostOptions extends Sending {
  /** Delay of every `/v1` answer, milliseconds. */
  readonly latency?: { readonly min: number; readonly max: number } | undefined;
  /** Real milliseconds after which a world that nobody asks is deleted; 0: never. */
  readonly worldIdleMs: number;
  /** Reads an inline seed. @throws SeedError */
  readonly readSeed: (seed: unknown) => Promise<Seed>;
  /** Reads a parsed seed at once. @throws SeedError, RangeError when something in it is to be generated */
  readonly seedNow: (seed: object) => Seed;
}

/** What a host has given away, as plain data. */
export interface Minting {
  readonly made: number;
  /** Value of a key, id of its world. */
  readonly keys: readonly (readonly [string, string])[];
}

const PREFIX = '/worlds/';
const MOST_WORLDS = 10_000;
/** How often idle worlds are looked for, milliseconds. */
const SWEEP_MS = 1000;

export class Host implements HttpHost {
  readonly main: Site;
  readonly options: HostOptions;
  readonly latency?: { readonly min: number; readonly max: number };
  /** Told of each exchange of each world. */
  readonly onExchange = new Set<(site: Site, exchange: Exchange) => void>();
  readonly #sites = new Map<string, Site>();
  /** Worlds by the values of the keys minted for them. */
  readonly #minted = new Map<string, Site>();
  #made = 0;
  #swept = realNow();

  constructor(origin: Still, options: HostOptions) {
    this.options = options;
    if (options.latency) this.latency = options.latency;
    this.main = this.#site('default', origin);
  }

  realm(path: string, authorization: string | undefined): Realm | undefined {
    return this.site(path, authorization)?.live;
  }

  /** The world that a request is meant for. */
  site(path: string, authorization: string | undefined): Site | undefined {
    if (this.#sites.size === 0) return path.startsWith(PREFIX) ? undefined : this.main;
    this.#sweep();
    const site = this.#named(path) ?? (path.startsWith(PREFIX) ? undefined : (this.#owner(authorization) ?? this.main));
    if (site) site.lastUsed = realNow();
    return site;
  }

  get(id: string): Site | undefined {
    return this.#sites.get(id);
  }

  /** The world that a minted key leads to. */
  mintedFor(value: string): Site | undefined {
    return this.#minted.get(value);
  }

  list(): readonly Site[] {
    this.#sweep();
    return [...this.#sites.values()];
  }

  /** How many ids of worlds were made, and which worlds the minted keys lead to. */
  get minting(): Minting {
    return { made: this.#made, keys: [...this.#minted].map(([value, site]) => [value, site.id] as const) };
  }

  /** Goes on where it was saved, once its worlds are open again. */
  resume({ made, keys }: Minting): void {
    this.#made = made;
    for (const [value, id] of keys) {
      const site = this.#sites.get(id);
      if (site) this.#minted.set(value, site);
    }
  }

  /** An id that no world has. */
  freeId(): string {
    do this.#made += 1;
    while (this.#sites.has(`world_${this.#made}`));
    return `world_${this.#made}`;
  }

  /** Opens a world. @throws Problem 409 when the id is taken or there are too many. */
  open(id: string, origin: Still, mint: boolean): Site {
    this.#sweep();
    if (id === this.main.id || this.#sites.has(id)) {
      throw new Problem(409, 'conflict', `A world has the id ${id} already. Delete it, or choose another id.`, {
        fields: [{ field: 'id', issue: 'is taken' }],
      });
    }
    if (this.#sites.size >= MOST_WORLDS)
      throw new Problem(409, 'conflict', `There are ${MOST_WORLDS} worlds already. Delete some.`);
    const world = mint ? origin.world.fork() : origin.world;
    const site = this.#site(id, { ...origin, world });
    if (mint) for (const { value } of mintKeys(world, id)) this.#minted.set(value, site);
    this.#sites.set(id, site);
    return site;
  }

  /** @returns whether there was such a world. */
  remove(id: string): boolean {
    const site = this.#sites.get(id);
    if (!site) return false;
    this.#sites.delete(id);
    for (const [value, owner] of this.#minted) if (owner === site) this.#minted.delete(value);
    site.close();
    return true;
  }

  close(): void {
    for (const id of [...this.#sites.keys()]) this.remove(id);
    this.main.close();
  }

  #site(id: string, origin: Still): Site {
    const { sender, deliverPublic } = this.options;
    const sending = { sender, ...(deliverPublic === undefined ? {} : { deliverPublic }) };
    return new Site(id, origin, sending, (site, exchange) => {
      site.feed.tell('request', () => site.showing().summary(exchange));
      for (const told of this.onExchange) told(site, exchange);
    });
  }

  #named(path: string): Site | undefined {
    if (!path.startsWith(PREFIX)) return undefined;
    const end = path.indexOf('/', PREFIX.length);
    return this.#sites.get(path.slice(PREFIX.length, end < 0 ? undefined : end));
  }

  #owner(authorization: string | undefined): Site | undefined {
    if (this.#minted.size === 0) return undefined;
    const value = bearerOf(authorization);
    return value === undefined ? undefined : this.#minted.get(value);
  }

  #sweep(): void {
    const { worldIdleMs } = this.options;
    const now = realNow();
    if (worldIdleMs === 0 || now - this.#swept < Math.min(SWEEP_MS, worldIdleMs)) return;
    this.#swept = now;
    for (const [id, site] of this.#sites) if (now - site.lastUsed > worldIdleMs && site.feed.size === 0) this.remove(id);
  }
}
