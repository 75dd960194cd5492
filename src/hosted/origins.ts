// Snapshots that a tenant's worlds start from: stored once, by content hash, and held once per process.
import type { Snapshot } from '../mock/control/snapshot.ts';
import type { Origins, SavedLayer } from '../mock/saving/keeper.ts';
import { entriesOf, nearest, type SavedRest, snapshotBelow } from '../mock/saving/saved-state.ts';
import type { ObjectState, Storage } from './engine.ts';
import { MAX_VALUE_CHARS, splitValue } from './kv-shelf.ts';
import { hashOf } from './tokens.ts';

/** Where the texts of origins are kept. */
export interface OriginStore {
  /** Their tenant: nothing is shared between tenants. */
  readonly tenant: string;
  /** Announces that one is about to be used. @param base the one that it is based on */
  hold(ref: string, base: string | undefined, size: number): Promise<void>;
  has(ref: string): Promise<boolean>;
  put(ref: string, parts: readonly string[]): Promise<void>;
  /** @returns its parts; none when there is no such one. */
  get(ref: string): Promise<readonly string[]>;
}

/** Loaded snapshots of this process; only finished ones, so that no request waits for another's work. */
const held = new Map<string, WeakRef<Snapshot>>();
const refs = new WeakMap<Snapshot, string>();

export class SharedOrigins implements Origins {
  readonly #store: OriginStore;
  readonly lasting: Snapshot[] = [];

  constructor(store: OriginStore) {
    this.#store = store;
  }

  refOf(snapshot: Snapshot): string | undefined {
    return refs.get(snapshot);
  }

  async get(ref: string): Promise<Snapshot> {
    const known = held.get(this.#name(ref))?.deref();
    if (known) return known;
    const parts = await this.#store.get(ref);
    if (parts.length === 0) throw new Error(`the origin ${ref} is not there`);
    const kept = new Map(JSON.parse(parts.join('')) as [string, unknown][]);
    const { ref: on, ...rest } = kept.get('snapshot') as SavedRest & SavedLayer;
    const base = on === undefined ? undefined : await this.get(on);
    return this.#note(ref, snapshotBelow(kept, '', base, rest));
  }

  /** The origin that the world is based on for its whole life. */
  async lean(ref: string): Promise<Snapshot> {
    const snapshot = await this.get(ref);
    this.lasting.push(snapshot);
    return snapshot;
  }

  /** Stores a snapshot, as a difference from the world's base if that is small. @returns its name. */
  async put(snapshot: Snapshot): Promise<string> {
    const known = refs.get(snapshot);
    if (known !== undefined && (await this.#isThere(known))) return known;
    const layer = nearest(snapshot, this.lasting);
    const base = layer && refs.get(layer.base);
    const text = JSON.stringify(entriesOf(snapshot, layer, base === undefined ? {} : { ref: base }));
    const ref = await hashOf(text);
    if (!(await this.#isThere(ref, base, text.length))) await this.#store.put(ref, splitValue(text));
    this.#note(ref, snapshot);
    return ref;
  }

  /** Held first, so that it is not collected meanwhile. */
  async #isThere(ref: string, base?: string, size = 0): Promise<boolean> {
    await this.#store.hold(ref, base, size);
    return this.#store.has(ref);
  }

  #name(ref: string): string {
    return `${this.#store.tenant}/${ref}`;
  }

  #note(ref: string, snapshot: Snapshot): Snapshot {
    refs.set(snapshot, ref);
    held.set(this.#name(ref), new WeakRef(snapshot));
    return snapshot;
  }
}

const ORIGIN = 'part/';
/** How much of an origin is sent at once. */
const MAX_CHUNK_CHARS = 8 * MAX_VALUE_CHARS;

/** A snapshot that many worlds start from, in parts. */
export class OriginObject {
  readonly #storage: Storage;

  constructor(ctx: ObjectState) {
    this.#storage = ctx.storage;
  }

  /** How many parts there are; 0 until all are stored. */
  size(): number {
    return Number(this.#storage.kv.get('size') ?? 0);
  }

  put(from: number, parts: readonly string[], whole: boolean): void {
    const { kv } = this.#storage;
    parts.forEach((text, i) => void kv.put(`${ORIGIN}${from + i}`, text));
    if (whole) kv.put('size', from + parts.length);
  }

  get(from: number): string[] {
    const parts: string[] = [];
    for (let size = 0; from + parts.length < this.size() && size < MAX_CHUNK_CHARS; size += MAX_VALUE_CHARS)
      parts.push(String(this.#storage.kv.get(`${ORIGIN}${from + parts.length}`)));
    return parts;
  }

  drop(): Promise<void> {
    return this.#storage.deleteAll();
  }
}
