// Restores a host from its shelf.

import type { LoggedDelivery } from '../../service/webhooks/deliveries.ts';
import { Host, type HostOptions } from '../control/host.ts';
import type { Running } from '../control/running.ts';
import type { Snapshot } from '../control/snapshot.ts';
import type { Occurrence } from '../control/timeline.ts';
import { inThisFormat } from './formats.ts';
import {
  imagePrefix,
  Keeper,
  type KeptRunning,
  type KeptSnapshot,
  type Origins,
  type SavedHost,
  type SavedLayer,
} from './keeper.ts';
import { below, type Kept, snapshotBelow } from './layers.ts';
import type { Group, SavedRunning } from './running-image.ts';
import type { SavedExchange } from './saved-exchange.ts';
import type { SavedRest } from './saved-state.ts';
import type { Shelf } from './shelf.ts';

const listBelow = <T>(kept: Kept, prefix: string): T[] => below(kept, prefix).map(([, value]) => value as T);

class Images {
  readonly snapshots = new Map<Snapshot, KeptSnapshot>();
  readonly runnings = new Map<number, KeptRunning>();
  readonly #byId = new Map<number, Snapshot>();
  readonly #kept: Kept;
  readonly #elsewhere: ReadonlyMap<string, Snapshot>;

  constructor(kept: Kept, elsewhere: ReadonlyMap<string, Snapshot>) {
    this.#kept = kept;
    this.#elsewhere = elsewhere;
  }

  snapshot(id: number): Snapshot {
    const known = this.#byId.get(id);
    if (known) return known;
    const { ref, base: on, ...saved } = this.#kept.get(`${imagePrefix(id)}snapshot`) as SavedRest & SavedLayer;
    const base = on === undefined ? undefined : this.snapshot(on);
    const snapshot = ref === undefined ? snapshotBelow(this.#kept, imagePrefix(id), base, saved) : this.#elsewhere.get(ref)!;
    this.#byId.set(id, snapshot);
    this.snapshots.set(snapshot, { id, base });
    return snapshot;
  }

  /** @param open makes it run. */
  running(id: number, open: (from: Snapshot) => Running): void {
    const prefix = imagePrefix(id);
    const core = this.#kept.get(`${prefix}core`) as SavedRunning;
    const base = this.snapshot(core.base);
    const deliveries = below(this.#kept, `${prefix}delivery/`) as [string, LoggedDelivery][];
    // In earlier formats each has its own key.
    const grouped = listBelow<SavedExchange | SavedExchange[]>(this.#kept, `${prefix}exchange/`).map((one) => [one].flat());
    const journal = grouped.flat();
    const saved: SavedRest = {
      ...core,
      journal,
      // The last ones may not have been saved.
      nextExchange: (journal.at(-1)?.number ?? core.nextExchange - 1) + 1,
      timeline: listBelow<Occurrence>(this.#kept, `${prefix}timeline/`),
      deliveries: deliveries.map(([, held]) => held),
      inbox: (this.#kept.get(`${prefix}inbox`) ?? []) as SavedRest['inbox'],
    };
    const running = open(snapshotBelow(this.#kept, prefix, base, saved));
    for (const secret of core.retired) running.retired.add(secret);
    for (const delivery of (this.#kept.get(`${prefix}attempted`) ?? []) as string[]) running.attempted.add(delivery);
    const numbers = new Map(deliveries.map(([key, { delivery }]) => [delivery.id, Number(key)]));
    const groups = grouped.map((group): Group => [group[0]!.number, group.at(-1)!.number]);
    this.runnings.set(id, { running, base, deliveries: numbers, groups });
  }
}

/** Restores the state of a host that was made from the main origin alone. */
const goOn = (host: Host, images: Images, { instances, minting }: SavedHost): void => {
  for (const { id, origin } of instances.slice(1)) host.open(id, images.snapshot(origin), false);
  for (const { id, running, snapshots, taken, lastUsed } of instances) {
    const instance = host.get(id) ?? host.main;
    const kept = snapshots.map(([name, image]) => [name, images.snapshot(image)] as const);
    instance.resume(kept, taken);
    if (running !== null) images.running(running, (from) => instance.goOn(from));
    instance.lastUsed = lastUsed;
  }
  host.resume(minting);
};

/** The snapshots that a shelf names but does not hold. */
const elsewhereOf = async (kept: Kept, origins: Origins | undefined): Promise<ReadonlyMap<string, Snapshot>> => {
  const found = new Map<string, Snapshot>();
  for (const [key, value] of kept) {
    const ref = /^image\/\d+\/snapshot$/.test(key) ? (value as SavedLayer).ref : undefined;
    if (ref !== undefined) found.set(ref, await origins!.get(ref));
  }
  return found;
};

/** The host from a shelf's entries; undefined when it has none with this origin. @throws Error when it cannot be read: the shelf is not changed */
export const goOnFrom = async (read: Kept, shelf: Shelf, madeOf: string, options: HostOptions, origins?: Origins) => {
  const kept = inThisFormat(read);
  const saved = kept?.get('host') as SavedHost | undefined;
  if (!kept || saved?.made_of !== madeOf) return undefined;
  const images = new Images(kept, await elsewhereOf(kept, origins));
  const host = new Host(images.snapshot(saved.instances[0]!.origin), options);
  try {
    goOn(host, images, saved);
  } catch (error) {
    host.close();
    throw error;
  }
  const keeper = new Keeper(host, shelf, madeOf, origins);
  // State in an older format is rewritten completely.
  if (kept === read) keeper.adopt(saved.images, images.snapshots, images.runnings);
  return { host, keeper };
};

/** The host from a shelf, with its keeper; a new host when the saved one has another origin or cannot be read. */
export const reopen = async (shelf: Shelf, madeOf: string, options: HostOptions, plant: () => Promise<Snapshot>) => {
  const read = await shelf.read();
  try {
    const kept = await goOnFrom(read, shelf, madeOf, options);
    if (kept) return kept;
  } catch {
    // Better a new mock than one that never starts again.
  }
  const host = new Host(await plant(), options);
  return { host, keeper: new Keeper(host, shelf, madeOf) };
};
