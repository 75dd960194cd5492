// Snapshots that a tenant's worlds start from: stored once, by content hash, and held once per process.
import { entriesOf, nearest, type SavedRest, snapshotBelow } from '../mock/control/saved-state.ts';
import type { Snapshot } from '../mock/control/snapshot.ts';
import type { Origins, SavedLayer } from '../mock/saving/host-keeper.ts';
import { sha256 } from '../service/webhooks/sign.ts';
import { named } from './engine.ts';
import type { Env } from './env.ts';
import { splitValue } from './kv-shelf.ts';
import { PARTS_AT_ONCE } from './origin-object.ts';

/** Loaded snapshots of this process; only finished ones, so that no request waits for another's work. */
const loadedSnapshots = new Map<string, WeakRef<Snapshot>>();
const refs = new WeakMap<Snapshot, string>();

export class SharedOrigins implements Origins {
  readonly #env: Env;
  readonly #tenant: string;
  readonly lasting: Snapshot[] = [];

  /** @param tenant theirs: nothing is shared between tenants */
  constructor(env: Env, tenant: string) {
    this.#env = env;
    this.#tenant = tenant;
  }

  refOf(snapshot: Snapshot): string | undefined {
    return refs.get(snapshot);
  }

  async get(ref: string): Promise<Snapshot> {
    const known = loadedSnapshots.get(this.#name(ref))?.deref();
    if (known) return known;
    const object = this.#object(ref);
    const size = await object.size();
    if (size === 0) throw new Error(`the origin ${ref} is not there`);
    const parts: string[] = [];
    while (parts.length < size) parts.push(...(await object.get(parts.length)));
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
    const ref = await sha256(text);
    if (!(await this.#isThere(ref, base, text.length))) await this.#store(ref, splitValue(text));
    this.#note(ref, snapshot);
    return ref;
  }

  /** Held first, so that it is not collected meanwhile. */
  async #isThere(ref: string, base?: string, size = 0): Promise<boolean> {
    await named(this.#env.DIRECTORY, this.#tenant).hold(ref, base, size);
    return (await this.#object(ref).size()) > 0;
  }

  async #store(ref: string, parts: readonly string[]): Promise<void> {
    for (let from = 0, to = 0; from < parts.length; from = to) {
      to = from + PARTS_AT_ONCE;
      await this.#object(ref).put(from, parts.slice(from, to), to >= parts.length);
    }
  }

  #object(ref: string) {
    return named(this.#env.ORIGINS, this.#name(ref));
  }

  #name(ref: string): string {
    return `${this.#tenant}/${ref}`;
  }

  #note(ref: string, snapshot: Snapshot): Snapshot {
    refs.set(snapshot, ref);
    loadedSnapshots.set(this.#name(ref), new WeakRef(snapshot));
    return snapshot;
  }
}
