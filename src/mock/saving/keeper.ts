// Saves a host to a shelf: writes its changes as they happen, in order, and nothing else.
//
// Exchanges are stored five to a value, each distinct page once. A hosted world may write them up to 250 ms after the change
// that they describe, and concurrent changes share one write. It stores strings over 900 characters in a table of their own,
// because SQLite would otherwise read them whenever it searches the keys beside them.
// docs/decisions/0008 of the repository gives the reasons.

import type { Host, Minting } from '../control/host.ts';
import type { Instance } from '../control/instance.ts';
import type { Running } from '../control/running.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { entriesOf, nearest, padded } from './layers.ts';
import { type KeptNumbers, RunningImage } from './running-image.ts';
import type { Shelf, ShelfChange } from './shelf.ts';

/** Increases whenever the written data changes its shape: `formats.ts` then gets a step. */
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
  readonly minting: Minting;
  readonly images: number;
}

/** A running world that was read from the shelf, and its image there. */
export interface KeptRunning extends KeptNumbers {
  readonly running: Running;
  /** The image it is based on. */
  readonly base: Snapshot;
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

/** A snapshot on the shelf. */
export interface KeptSnapshot {
  readonly id: number;
  readonly base: Snapshot | undefined;
}

export const imagePrefix = (id: number): string => `image/${padded(id)}/`;

interface Batch {
  readonly put: [string, unknown][];
  readonly remove: string[];
  readonly clear: string[];
}

export class Keeper {
  readonly #host: Host;
  readonly #shelf: Shelf;
  readonly #madeOf: string;
  readonly #origins: Origins | undefined;
  readonly #snapshots = new Map<Snapshot, KeptSnapshot>();
  readonly #runnings = new Map<Running, { readonly id: number; readonly image: RunningImage }>();
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
  adopt(made: number, snapshots: ReadonlyMap<Snapshot, KeptSnapshot>, runnings: ReadonlyMap<number, KeptRunning>): void {
    this.#made = made;
    this.#fresh = false;
    for (const [snapshot, kept] of snapshots) this.#snapshots.set(snapshot, kept);
    for (const [id, kept] of runnings)
      this.#watch(kept.running, id, new RunningImage(kept.running, kept.base, snapshots.get(kept.base)!.id, kept));
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
    const batch: Batch = { put: [], remove: [], clear: this.#fresh ? [''] : [] };
    this.#fresh = false;
    const used = new Set<number>();
    const instances = [this.#host.main, ...this.#host.list()].map((instance) => this.#instance(instance, batch, used));
    const host: Omit<SavedHost, 'images'> = { format: FORMAT, made_of: this.#madeOf, instances, minting: this.#host.minting };
    for (const [snapshot, { id }] of this.#snapshots) if (!used.has(id)) this.#drop(this.#snapshots, snapshot, id, batch);
    for (const [running, { id }] of this.#runnings) if (!used.has(id)) this.#drop(this.#runnings, running, id, batch);
    this.#whole = false;
    const text = JSON.stringify(host);
    if (text !== this.#hostText) batch.put.push(['host', { ...host, images: this.#made } satisfies SavedHost]);
    this.#hostText = text;
    return batch;
  }

  #drop<T>(images: Map<T, unknown>, image: T, id: number, { clear }: Batch): void {
    images.delete(image);
    clear.push(imagePrefix(id));
  }

  #instance(instance: Instance, batch: Batch, used: Set<number>): SavedInstance {
    const snapshots = instance.snapshots.map((id) => [id, this.#snapshot(instance.snapshotOf(id)!, batch, used)] as const);
    return {
      id: instance.id,
      origin: this.#snapshot(instance.origin, batch, used),
      running: instance.opened ? this.#running(instance.opened, batch, used) : null,
      snapshots,
      taken: instance.taken,
      lastUsed: instance === this.#host.main ? 0 : Math.ceil(instance.lastUsed / USED_MS) * USED_MS,
    };
  }

  #snapshot(snapshot: Snapshot, batch: Batch, used: Set<number>): number {
    const { id, base } = this.#snapshots.get(snapshot) ?? this.#writeSnapshot(snapshot, batch);
    if (!used.has(id) && base) this.#snapshot(base, batch, used);
    used.add(id);
    return id;
  }

  #writeSnapshot(snapshot: Snapshot, { put }: Pick<Batch, 'put'>): KeptSnapshot {
    const ref = this.#origins?.refOf(snapshot);
    const near =
      ref === undefined ? nearest(snapshot, [...this.#snapshots.keys(), ...(this.#origins?.lasting ?? [])]) : undefined;
    if (near && !this.#snapshots.has(near.base)) this.#writeSnapshot(near.base, { put });
    const kept: KeptSnapshot = { id: ++this.#made, base: near?.base };
    const prefix = imagePrefix(kept.id);
    const layer: SavedLayer = { ...(ref !== undefined && { ref }), ...(near && { base: this.#snapshots.get(near.base)!.id }) };
    this.#snapshots.set(snapshot, kept);
    const entries = ref === undefined ? entriesOf(snapshot, near, layer) : [['snapshot', layer] as const];
    for (const [key, value] of entries) put.push([prefix + key, value]);
    return kept;
  }

  #running(running: Running, batch: Batch, used: Set<number>): number {
    let known = this.#runnings.get(running);
    if (!known) {
      const base = this.#snapshot(running.base, batch, used);
      known = this.#watch(running, ++this.#made, new RunningImage(running, running.base, base));
    }
    const { id, image } = known;
    this.#snapshot(image.base, batch, used);
    used.add(id);
    const to = {
      put: (key: string, value: unknown) => batch.put.push([key, value]),
      remove: (key: string) => batch.remove.push(key),
    };
    image.write(imagePrefix(id), to, this.#whole);
    return id;
  }

  #watch(running: Running, id: number, image: RunningImage) {
    // Saves background changes as well; the next request reports a failure.
    const told = () => this.onKept?.();
    running.webhooks.onDelivery(() => void this.save().then(told, () => {}));
    const known = { id, image };
    this.#runnings.set(running, known);
    return known;
  }
}
