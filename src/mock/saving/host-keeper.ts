// Saves a host to a shelf: writes its changes as they happen, in order, and nothing else.
//
// Exchanges are stored five to a value, each distinct page once. A hosted world may write them up to 250 ms after the change
// that they describe, and concurrent changes share one write. It stores strings over 900 characters in a table of their own,
// because SQLite would otherwise read them whenever it searches the keys beside them.
// docs/decisions/0008 of the repository gives the reasons.

import type { Host } from '../control/host.ts';
import type { Instance } from '../control/instance.ts';
import type { Running } from '../control/running.ts';
import { entriesOf, imagePrefix, nearest } from '../control/saved-state.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { RunningImage, type Writing } from './running-image.ts';
import type { Shelf, ShelfChange } from './shelf.ts';

/** Increases whenever the written data changes its shape: `reopen.ts` then gets a step. */
export const FORMAT = 3;

/** Precision of a world's time of last use: idle worlds are not deleted to the second. */
const USED_MS = 10_000;

export interface SavedInstance {
  readonly id: string;
  readonly origin: number;
  readonly running: number | null;
  readonly snapshots: readonly (readonly [string, number])[];
  readonly taken: number;
  readonly lastUsed: number;
}

/** The value under the key `host`: its worlds and snapshots, by the numbers of their images. */
export interface SavedHost {
  readonly format: number;
  /** What the host was made from; a different origin makes a new host. */
  readonly made_of: string;
  /** The first is the main one. */
  readonly instances: readonly SavedInstance[];
  readonly minting: Host['minting'];
  readonly images: number;
}

/** Snapshots stored elsewhere, once for many shelves, by their names there. */
export interface Origins {
  /** @throws Error when there is none. */
  get(ref: string): Promise<Snapshot>;
  refOf(snapshot: Snapshot): string | undefined;
  /** Those that exist as long as this shelf: its snapshots may be based on them. */
  readonly lasting: Iterable<Snapshot>;
}

/** The value under the key of a snapshot's image, unless it is a whole one, whose rows are stored beside it. */
export interface SavedLayer {
  /** Its name elsewhere. */
  readonly ref?: string;
  /** The number of the image that it is based on: only differing rows are its own. */
  readonly base?: number;
}

export interface SnapshotImage {
  readonly id: number;
  readonly base: Snapshot | undefined;
}

/** One write, and the images that are still in use. */
interface Batch extends Writing {
  readonly clear: string[];
  readonly used: Set<number>;
}

export class Keeper {
  readonly #host: Host;
  readonly #shelf: Shelf;
  readonly #madeOf: string;
  readonly #origins: Origins | undefined;
  readonly #snapshots = new Map<Snapshot, SnapshotImage>();
  readonly #runnings = new Map<Running, RunningImage>();
  #made = 0;
  #hostText: string | undefined;
  /** The shelf's content is invalid: everything has to be written. */
  #fresh = true;
  #last: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  /** Whether the next write includes the journal. */
  #whole = false;
  /** Why nothing more is saved. */
  #failed: Error | undefined;
  /** Called when background changes have been saved. */
  onKept: (() => void) | undefined;

  constructor(host: Host, shelf: Shelf, madeOf: string, origins?: Origins) {
    this.#origins = origins;
    this.#host = host;
    this.#shelf = shelf;
    this.#madeOf = madeOf;
  }

  /** Treats what was read from the shelf as saved. */
  adopt(made: number, snapshots: ReadonlyMap<Snapshot, SnapshotImage>, runnings: readonly RunningImage[]): void {
    this.#made = made;
    this.#fresh = false;
    for (const [snapshot, image] of snapshots) this.#snapshots.set(snapshot, image);
    for (const image of runnings) this.#watch(image);
  }

  /**
   * Resolves when the host's current state is saved. Calls during a write share the next one.
   * @param whole false: new journal entries may wait for the next write
   * @throws Error if a write fails, and from then on: the shelf holds the last saved state.
   */
  save(whole = true): Promise<void> {
    this.#whole ||= whole;
    if (!this.#waiting) {
      this.#waiting = this.#last.then(() => this.#write());
      this.#last = this.#waiting.catch(() => {});
    }
    return this.#waiting;
  }

  async #write(): Promise<void> {
    this.#waiting = undefined;
    try {
      if (this.#failed) throw this.#failed;
      // Even if nothing has changed: the shelf says whether this keeper still owns it.
      await this.#shelf.write(this.#changes());
    } catch (error) {
      this.#failed ??= error instanceof Error ? error : new Error(String(error));
      throw this.#failed;
    }
  }

  #changes(): ShelfChange {
    const batch: Batch = { put: [], remove: [], clear: this.#fresh ? [''] : [], used: new Set() };
    const { put, remove, clear, used } = batch;
    this.#fresh = false;
    const instances = [this.#host.main, ...this.#host.list()].map((instance) => this.#instance(instance, batch));
    const host: Omit<SavedHost, 'images'> = { format: FORMAT, made_of: this.#madeOf, instances, minting: this.#host.minting };
    for (const images of [this.#snapshots, this.#runnings] as Map<object, { readonly id: number }>[]) {
      for (const [state, { id }] of images) {
        if (used.has(id)) continue;
        images.delete(state);
        clear.push(imagePrefix(id));
      }
    }
    this.#whole = false;
    const text = JSON.stringify(host);
    if (text !== this.#hostText) put.push(['host', { ...host, images: this.#made } satisfies SavedHost]);
    this.#hostText = text;
    return { put, remove, clear };
  }

  #instance(instance: Instance, batch: Batch): SavedInstance {
    const snapshots = Array.from(instance.snapshots, ([id, one]) => [id, this.#snapshot(one, batch)] as const);
    return {
      id: instance.id,
      origin: this.#snapshot(instance.origin, batch),
      running: instance.opened ? this.#running(instance.opened, batch) : null,
      snapshots,
      taken: instance.taken,
      lastUsed: instance === this.#host.main ? 0 : Math.ceil(instance.lastUsed / USED_MS) * USED_MS,
    };
  }

  #snapshot(snapshot: Snapshot, batch: Batch): number {
    const { id, base } = this.#snapshots.get(snapshot) ?? this.#writeSnapshot(snapshot, batch);
    if (!batch.used.has(id) && base) this.#snapshot(base, batch);
    batch.used.add(id);
    return id;
  }

  #writeSnapshot(snapshot: Snapshot, batch: Batch): SnapshotImage {
    const ref = this.#origins?.refOf(snapshot);
    const bases = [...this.#snapshots.keys(), ...(this.#origins?.lasting ?? [])];
    const near = ref === undefined ? nearest(snapshot, bases) : undefined;
    const below = near && (this.#snapshots.get(near.base) ?? this.#writeSnapshot(near.base, batch));
    const image: SnapshotImage = { id: ++this.#made, base: near?.base };
    const layer: SavedLayer = { ...(ref !== undefined && { ref }), ...(below && { base: below.id }) };
    this.#snapshots.set(snapshot, image);
    const entries = ref === undefined ? entriesOf(snapshot, near, layer) : [['snapshot', layer] as const];
    for (const [key, value] of entries) batch.put.push([imagePrefix(image.id) + key, value]);
    return image;
  }

  #running(running: Running, batch: Batch): number {
    let image = this.#runnings.get(running);
    if (!image) {
      const base = this.#snapshot(running.base, batch);
      image = this.#watch(new RunningImage(++this.#made, running, running.base, base));
    }
    this.#snapshot(image.base, batch);
    batch.used.add(image.id);
    image.write(batch, this.#whole);
    return image.id;
  }

  #watch(image: RunningImage): RunningImage {
    // Saves background changes as well; the next request reports a failure.
    const told = () => this.onKept?.();
    image.running.webhooks.onDelivery(() => void this.save().then(told, () => {}));
    this.#runnings.set(image.running, image);
    return image;
  }
}
