// Keeps a host on a shelf: each change of it is written as it happens, in order, and only what has changed.
import type { Host, Minting } from '../control/host.ts';
import type { Site } from '../control/site.ts';
import type { Live, Still } from '../control/state.ts';
import { NAMES } from '../world/world.ts';
import { LiveImage, padded } from './live-image.ts';
import { saveRow, saveState } from './saved-state.ts';
import type { Shelf, ShelfChange } from './shelf.ts';

/** Changes whenever what is written changes its shape: what an older wm-mock has kept is not read. */
export const FORMAT = 1;

/** Rows of a still state stand together, so many under one key. */
const ROWS_TOGETHER = 500;

export interface SavedSite {
  readonly id: string;
  readonly origin: number;
  readonly live: number | null;
  readonly snapshots: readonly (readonly [string, number])[];
  readonly taken: number;
  readonly lastUsed: number;
}

/** The value under the key `host`: what there is, by the numbers of its images. */
export interface SavedHost {
  readonly format: number;
  /** What the host was made of; of something else, another host is made. */
  readonly made_of: string;
  /** The first is the main one. */
  readonly sites: readonly SavedSite[];
  readonly minting: Minting;
  readonly images: number;
}

/** A live state that was read from the shelf, and how it stands there. */
export interface KeptLive {
  readonly live: Live;
  /** The number of the image that it builds on. */
  readonly base: number;
  /** The numbers of its deliveries. */
  readonly deliveries: ReadonlyMap<string, number>;
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
  readonly #stills = new Map<Still, number>();
  readonly #lives = new Map<Live, { readonly id: number; readonly image: LiveImage }>();
  #made = 0;
  #hostText: string | undefined;
  /** Nothing on the shelf counts: everything has to be written. */
  #fresh = true;
  #last: Promise<void> = Promise.resolve();
  #waiting: Promise<void> | undefined;
  /** Why nothing more is kept. */
  #failed: Error | undefined;

  constructor(host: Host, shelf: Shelf, madeOf: string) {
    this.#host = host;
    this.#shelf = shelf;
    this.#madeOf = madeOf;
  }

  /** Takes for kept what was read from the shelf. */
  adopt(made: number, stills: ReadonlyMap<number, Still>, lives: ReadonlyMap<number, KeptLive>): void {
    this.#made = made;
    this.#fresh = false;
    for (const [id, still] of stills) this.#stills.set(still, id);
    for (const [id, { live, base, deliveries }] of lives)
      this.#watch(live, id, new LiveImage(live, stills.get(base)!, base, deliveries));
  }

  /**
   * Resolves when the host as it is now is kept. Those who ask while something is written share the next writing.
   * @throws Error once something could not be kept, and from then on: the shelf holds the last state that was.
   */
  save(): Promise<void> {
    this.#waiting ??= this.#next();
    return this.#waiting;
  }

  async #next(): Promise<void> {
    const before = this.#last;
    let ended = () => {};
    this.#last = new Promise((end) => {
      ended = end;
    });
    await before;
    this.#waiting = undefined;
    try {
      if (this.#failed) throw this.#failed;
      // Even when nothing has changed: the shelf says whether this is still its state.
      await this.#shelf.write(this.#changes());
    } catch (error) {
      this.#failed ??= error instanceof Error ? error : new Error(String(error));
      throw this.#failed;
    } finally {
      ended();
    }
  }

  #changes(): ShelfChange {
    const batch: Batch = { put: [], remove: [], clear: this.#fresh ? [''] : [] };
    this.#fresh = false;
    const used = new Set<number>();
    const sites = [this.#host.main, ...this.#host.list()].map((site) => this.#site(site, batch, used));
    const host: Omit<SavedHost, 'images'> = {
      format: FORMAT,
      made_of: this.#madeOf,
      sites,
      minting: this.#host.minting,
    };
    for (const [still, id] of this.#stills) if (!used.has(id)) this.#drop(this.#stills, still, id, batch);
    for (const [live, { id }] of this.#lives) if (!used.has(id)) this.#drop(this.#lives, live, id, batch);
    const text = JSON.stringify(host);
    if (text !== this.#hostText) batch.put.push(['host', { ...host, images: this.#made } satisfies SavedHost]);
    this.#hostText = text;
    return batch;
  }

  #drop<T>(images: Map<T, unknown>, image: T, id: number, { clear }: Batch): void {
    images.delete(image);
    clear.push(imagePrefix(id));
  }

  #site(site: Site, batch: Batch, used: Set<number>): SavedSite {
    const snapshots = site.snapshots.map((id) => [id, this.#still(site.snapshotOf(id)!, batch, used)] as const);
    return {
      id: site.id,
      origin: this.#still(site.origin, batch, used),
      live: site.opened ? this.#live(site.opened, batch, used) : null,
      snapshots,
      taken: site.taken,
      lastUsed: site === this.#host.main ? 0 : site.lastUsed,
    };
  }

  #still(still: Still, batch: Batch, used: Set<number>): number {
    const id = this.#stills.get(still) ?? this.#writeStill(still, batch);
    used.add(id);
    return id;
  }

  #writeStill(still: Still, { put }: Batch): number {
    const id = ++this.#made;
    this.#stills.set(still, id);
    const { rows: _, ...rest } = saveState(still);
    put.push([`${imagePrefix(id)}still`, rest]);
    for (const name of NAMES) {
      const rows = still.world.store[name].all() as Parameters<typeof saveRow>[0][];
      for (let from = 0; from < rows.length; from += ROWS_TOGETHER) {
        put.push([`${imagePrefix(id)}rows/${name}/${padded(from)}`, rows.slice(from, from + ROWS_TOGETHER).map(saveRow)]);
      }
    }
    return id;
  }

  #live(live: Live, batch: Batch, used: Set<number>): number {
    let known = this.#lives.get(live);
    if (!known) {
      const base = this.#still(live.base, batch, used);
      known = this.#watch(live, ++this.#made, new LiveImage(live, live.base, base));
    }
    const { id, image } = known;
    this.#still(image.base, batch, used);
    used.add(id);
    image.write(imagePrefix(id), {
      put: (key, value) => batch.put.push([key, value]),
      remove: (key) => batch.remove.push(key),
    });
    return id;
  }

  #watch(live: Live, id: number, image: LiveImage) {
    // What happens by itself is kept as well; that it could not be is told to the next request.
    live.webhooks.onDelivery(() => void this.save().catch(() => {}));
    const known = { id, image };
    this.#lives.set(live, known);
    return known;
  }
}
