// Restores a host from its shelf, on which any released wm-mock has saved it.
import { Host, type HostOptions } from '../control/host.ts';
import { imagePrefix, type Kept, type SavedRest, snapshotBelow } from '../control/saved-state.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { FORMAT, Keeper, type Origins, type SavedHost, type SavedLayer, type SnapshotImage } from './host-keeper.ts';
import { type RunningImage, runningBelow } from './running-image.ts';
import type { Shelf } from './shelf.ts';

const STATE_KEY = /^image\/(\d+)\/(snapshot|core)$/;

/** By the format that a step migrates from. */
const FORMAT_STEPS: Readonly<Record<number, (key: string, value: unknown) => unknown>> = {
  // Format 3 adds snapshots based on others (those of format 2 are whole), and a timeline for each world.
  2: (key, value) => (STATE_KEY.test(key) ? { timeline: [], nextHappened: 1, ...(value as object) } : value),
};

/** The entries in this program's format. @throws Error when they cannot be read */
const inThisFormat = (kept: Kept, format: number): Kept => {
  if (format === FORMAT) return kept;
  const migrate = FORMAT_STEPS[format];
  if (migrate) return inThisFormat(new Map(Array.from(kept, ([key, value]) => [key, migrate(key, value)])), format + 1);
  const known = `formats ${Object.keys(FORMAT_STEPS)[0]} to ${FORMAT}`;
  const says = `the state was kept in format ${format}, and this wm-mock reads ${known}. Use the version that wrote it, or a newer one. docs/hosted.md of wm-mock says more.`;
  throw new Error(says);
};

/** The snapshots of a shelf, in the order in which they are based on one another. */
const snapshotsOf = async (kept: Kept, origins: Origins | undefined): Promise<ReadonlyMap<Snapshot, SnapshotImage>> => {
  const byId = new Map<number, Snapshot>();
  const images = new Map<Snapshot, SnapshotImage>();
  for (const [key, value] of kept) {
    const [, number, kind] = STATE_KEY.exec(key) ?? [];
    if (kind !== 'snapshot') continue;
    const id = Number(number);
    const { ref, base: on, ...saved } = value as SavedRest & SavedLayer;
    const base = on === undefined ? undefined : byId.get(on);
    const snapshot = ref === undefined ? snapshotBelow(kept, imagePrefix(id), base, saved) : await origins!.get(ref);
    byId.set(id, snapshot);
    images.set(snapshot, { id, base });
  }
  return images;
};

/** The host from a shelf's entries; undefined when it has none with this origin. @throws Error when it cannot be read: the shelf is not changed */
export const goOnFrom = async (read: Kept, shelf: Shelf, madeOf: string, options: HostOptions, origins?: Origins) => {
  const { format, made_of, images, instances, minting } = (read.get('host') ?? {}) as SavedHost;
  const kept = format === undefined ? read : inThisFormat(read, format);
  if (made_of !== madeOf) return undefined;
  const snapshots = await snapshotsOf(kept, origins);
  const byId = new Map(Array.from(snapshots, ([snapshot, { id }]) => [id, snapshot]));
  const snapshotAt = (id: number): Snapshot => {
    const snapshot = byId.get(id);
    if (!snapshot) throw new Error(`the snapshot ${id} is not there`);
    return snapshot;
  };
  const host = new Host(snapshotAt(instances[0]!.origin), options);
  const runnings: RunningImage[] = [];
  try {
    for (const { id, origin } of instances.slice(1)) host.open(id, snapshotAt(origin), false);
    for (const { id, running, snapshots: own, taken, lastUsed } of instances) {
      const instance = host.get(id) ?? host.main;
      for (const [name, image] of own) instance.snapshots.set(name, snapshotAt(image));
      instance.taken = taken;
      if (running !== null) runnings.push(runningBelow(kept, running, snapshotAt, (from) => instance.resumeFrom(from)));
      instance.lastUsed = lastUsed;
    }
    host.resume(minting);
  } catch (error) {
    host.close();
    throw error;
  }
  const keeper = new Keeper(host, shelf, madeOf, origins);
  // State in an older format is rewritten completely.
  if (kept === read) keeper.adopt(images, snapshots, runnings);
  return { host, keeper };
};

/** The host from a shelf, with its keeper; a new host when the saved one has another origin or cannot be read. */
export const reopen = async (shelf: Shelf, madeOf: string, options: HostOptions, plant: () => Promise<Snapshot>) => {
  const read = await shelf.read();
  // Better a new mock than one that never starts again.
  const kept = await goOnFrom(read, shelf, madeOf, options).catch(() => undefined);
  if (kept) return kept;
  const host = new Host(await plant(), options);
  return { host, keeper: new Keeper(host, shelf, madeOf) };
};
