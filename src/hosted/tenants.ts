// The tenants of a service, each with its number among all ever created.
import { realNow } from '../service/world/time.ts';
import type { Storage } from './engine.ts';

interface TenantRow {
  readonly serial: number;
  /** Until its first world exists: when its creation began, milliseconds since 1970. */
  readonly since?: number;
}

/** A tenant whose creation takes longer than this has failed. */
const BEGUN_MS = 60_000;

export class Tenants {
  protected readonly storage: Storage;
  protected readonly now: () => number;

  constructor(storage: Storage, now = realNow) {
    this.storage = storage;
    this.now = now;
  }

  /** Reserves an id. @returns the tenant's number; undefined if the id is taken */
  enrol(id: string): number | undefined {
    const { kv } = this.storage;
    const now = this.now();
    const known = this.#row(id);
    if (known && now - (known.since ?? now) < BEGUN_MS) return undefined;
    const serial = Number(kv.get('serials') ?? 0) + 1;
    kv.put('serials', serial);
    kv.put(`tenant/${id}`, { serial, since: now });
    return serial;
  }

  /** Its first world exists. */
  enrolled(id: string): void {
    this.storage.kv.put(`tenant/${id}`, { serial: this.#row(id)!.serial });
  }

  /** @returns whether it existed */
  deleteTenant(id: string): boolean {
    const there = this.#row(id) !== undefined;
    this.storage.kv.delete(`tenant/${id}`);
    return there;
  }

  tenants(): string[] {
    return this.entries('tenant/').map(([id]) => id);
  }

  /** The values whose keys have a prefix, by the part of the key behind its slash. */
  protected entries<T>(prefix: `${string}/${string}`): [string, T][] {
    const start = prefix.indexOf('/') + 1;
    return [...this.storage.kv.list({ prefix })].map(([key, value]) => [key.slice(start), value as T]);
  }

  #row(id: string): TenantRow | undefined {
    return this.storage.kv.get(`tenant/${id}`) as TenantRow | undefined;
  }
}
