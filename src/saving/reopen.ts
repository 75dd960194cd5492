// From a shelf to the host that was kept there.
import { Host, type HostOptions } from '../control/host.ts';
import type { Running } from '../control/running.ts';
import type { Snapshot } from '../control/snapshot.ts';
import type { Held } from '../webhooks/deliveries.ts';
import { ofEach, type RecordName } from '../world/records.ts';
import { FORMAT, imagePrefix, Keeper, type KeptRunning, type SavedHost } from './keeper.ts';
import type { SavedRunning } from './running-image.ts';
import { type SavedRow, type SavedState, snapshotFrom } from './saved-state.ts';
import type { Shelf } from './shelf.ts';

type Kept = ReadonlyMap<string, unknown>;
type Rows = Readonly<Record<RecordName, SavedRow[]>>;

/** The values whose keys begin so, by the rest of their keys. */
const below = (kept: Kept, prefix: string): [string, unknown][] =>
  [...kept].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key.slice(prefix.length), value]);

const listBelow = <T>(kept: Kept, prefix: string): T[] => below(kept, prefix).map(([, value]) => value as T);

const rowsOf = (kept: Kept, id: number): Rows =>
  ofEach((name) => listBelow<SavedRow[]>(kept, `${imagePrefix(id)}rows/${name}/`).flat());

/** The rows of the base with those of the image of a running world in their places. */
const laidOver = (kept: Kept, id: number, base: Rows): Rows => {
  return ofEach((name) => {
    const rows = new Map(base[name].map((row) => [row[0].id, row]));
    for (const [key, row] of below(kept, `${imagePrefix(id)}row/${name}/`)) {
      if (row === null) rows.delete(key);
      else rows.set(key, row as SavedRow);
    }
    return [...rows.values()];
  });
};

class Images {
  readonly snapshots = new Map<number, Snapshot>();
  readonly runnings = new Map<number, KeptRunning>();
  readonly #kept: Kept;

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  snapshot(id: number): Snapshot {
    const known = this.snapshots.get(id);
    if (known) return known;
    const saved = this.#kept.get(`${imagePrefix(id)}snapshot`) as Omit<SavedState, 'rows'>;
    const snapshot = snapshotFrom({ ...saved, rows: rowsOf(this.#kept, id) });
    this.snapshots.set(id, snapshot);
    return snapshot;
  }

  /** @param open makes it run. */
  running(id: number, open: (from: Snapshot) => Running): void {
    const prefix = imagePrefix(id);
    const core = this.#kept.get(`${prefix}core`) as SavedRunning;
    this.snapshot(core.base);
    const deliveries = below(this.#kept, `${prefix}delivery/`) as [string, Held][];
    const running = open(
      snapshotFrom({
        ...core,
        rows: laidOver(this.#kept, id, rowsOf(this.#kept, core.base)),
        journal: listBelow(this.#kept, `${prefix}exchange/`),
        timeline: listBelow(this.#kept, `${prefix}timeline/`),
        deliveries: deliveries.map(([, held]) => held),
        inbox: (this.#kept.get(`${prefix}inbox`) ?? []) as SavedState['inbox'],
      }),
    );
    for (const secret of core.retired) running.retired.add(secret);
    for (const delivery of (this.#kept.get(`${prefix}attempted`) ?? []) as string[]) running.attempted.add(delivery);
    const numbers = new Map(deliveries.map(([key, { delivery }]) => [delivery.id, Number(key)]));
    this.runnings.set(id, { running, base: core.base, deliveries: numbers });
  }
}

interface Reopened {
  readonly host: Host;
  readonly keeper: Keeper;
}

/** Brings a host, made of the main origin alone, to where it was. */
const goOn = (host: Host, images: Images, { instances, minting }: SavedHost): void => {
  for (const { id, origin } of instances.slice(1)) host.open(id, images.snapshot(origin), false);
  for (const { id, running, snapshots, taken, lastUsed } of instances) {
    const instance = host.get(id) ?? host.main;
    instance.resume(
      snapshots.map(([name, image]) => [name, images.snapshot(image)] as const),
      taken,
    );
    if (running !== null) images.running(running, (from) => instance.goOn(from));
    instance.lastUsed = lastUsed;
  }
  host.resume(minting);
};

/** The host that a shelf keeps, with its keeper; a new one when what is kept was made of something else, or cannot be read. */
export const reopen = async (
  shelf: Shelf,
  madeOf: string,
  options: HostOptions,
  plant: () => Promise<Snapshot>,
): Promise<Reopened> => {
  const kept = await shelf.read();
  const saved = kept.get('host') as SavedHost | undefined;
  const keeperOf = (host: Host) => new Keeper(host, shelf, madeOf);
  if (saved?.format === FORMAT && saved.made_of === madeOf) {
    let host: Host | undefined;
    try {
      const images = new Images(kept);
      host = new Host(images.snapshot(saved.instances[0]!.origin), options);
      goOn(host, images, saved);
      const keeper = keeperOf(host);
      keeper.adopt(saved.images, images.snapshots, images.runnings);
      return { host, keeper };
    } catch {
      // Another version of this program wrote it: better a new mock than one that never starts again.
      host?.close();
    }
  }
  const host = new Host(await plant(), options);
  return { host, keeper: keeperOf(host) };
};
