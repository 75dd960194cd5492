// From a shelf to the host that was kept there.
import { Host, type HostOptions } from '../control/host.ts';
import type { Live, Still } from '../control/state.ts';
import type { Held } from '../webhooks/deliveries.ts';
import { ofEach, type RecordName } from '../world/records.ts';
import { FORMAT, imagePrefix, Keeper, type KeptLive, type SavedHost } from './keeper.ts';
import type { SavedLive } from './live-image.ts';
import { type SavedRow, type SavedState, stillFrom } from './saved-state.ts';
import type { Shelf } from './shelf.ts';

type Kept = ReadonlyMap<string, unknown>;
type Rows = Readonly<Record<RecordName, SavedRow[]>>;

/** The values whose keys begin so, by the rest of their keys. */
const below = (kept: Kept, prefix: string): [string, unknown][] =>
  [...kept].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key.slice(prefix.length), value]);

const listBelow = <T>(kept: Kept, prefix: string): T[] => below(kept, prefix).map(([, value]) => value as T);

const rowsOf = (kept: Kept, id: number): Rows =>
  ofEach((name) => listBelow<SavedRow[]>(kept, `${imagePrefix(id)}rows/${name}/`).flat());

/** The rows of the base with those of the live image in their places. */
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
  readonly stills = new Map<number, Still>();
  readonly lives = new Map<number, KeptLive>();
  readonly #kept: Kept;

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  still(id: number): Still {
    const known = this.stills.get(id);
    if (known) return known;
    const saved = this.#kept.get(`${imagePrefix(id)}still`) as Omit<SavedState, 'rows'>;
    const still = stillFrom({ ...saved, rows: rowsOf(this.#kept, id) });
    this.stills.set(id, still);
    return still;
  }

  /** @param open makes it live. */
  live(id: number, open: (still: Still) => Live): void {
    const prefix = imagePrefix(id);
    const core = this.#kept.get(`${prefix}core`) as SavedLive;
    this.still(core.base);
    const deliveries = below(this.#kept, `${prefix}delivery/`) as [string, Held][];
    const live = open(
      stillFrom({
        ...core,
        rows: laidOver(this.#kept, id, rowsOf(this.#kept, core.base)),
        journal: listBelow(this.#kept, `${prefix}exchange/`),
        deliveries: deliveries.map(([, held]) => held),
        inbox: (this.#kept.get(`${prefix}inbox`) ?? []) as SavedState['inbox'],
      }),
    );
    for (const secret of core.retired) live.retired.add(secret);
    for (const delivery of (this.#kept.get(`${prefix}attempted`) ?? []) as string[]) live.attempted.add(delivery);
    const numbers = new Map(deliveries.map(([key, { delivery }]) => [delivery.id, Number(key)]));
    this.lives.set(id, { live, base: core.base, deliveries: numbers });
  }
}

interface Reopened {
  readonly host: Host;
  readonly keeper: Keeper;
}

/** Brings a host, made of the main origin alone, to where it was. */
const goOn = (host: Host, images: Images, { sites, minting }: SavedHost): void => {
  for (const { id, origin } of sites.slice(1)) host.open(id, images.still(origin), false);
  for (const { id, live, snapshots, taken, lastUsed } of sites) {
    const site = host.get(id) ?? host.main;
    site.resume(
      snapshots.map(([name, image]) => [name, images.still(image)] as const),
      taken,
    );
    if (live !== null) images.live(live, (still) => site.goOn(still));
    site.lastUsed = lastUsed;
  }
  host.resume(minting);
};

/** The host that a shelf keeps, with its keeper; a new one when what is kept was made of something else, or cannot be read. */
export const reopen = async (
  shelf: Shelf,
  madeOf: string,
  options: HostOptions,
  plant: () => Promise<Still>,
): Promise<Reopened> => {
  const kept = await shelf.read();
  const saved = kept.get('host') as SavedHost | undefined;
  const keeperOf = (host: Host) => new Keeper(host, shelf, madeOf);
  if (saved?.format === FORMAT && saved.made_of === madeOf) {
    let host: Host | undefined;
    try {
      const images = new Images(kept);
      host = new Host(images.still(saved.sites[0]!.origin), options);
      goOn(host, images, saved);
      const keeper = keeperOf(host);
      keeper.adopt(saved.images, images.stills, images.lives);
      return { host, keeper };
    } catch {
      // Another version of this program wrote it: better a new mock than one that never starts again.
      host?.close();
    }
  }
  const host = new Host(await plant(), options);
  return { host, keeper: keeperOf(host) };
};
