// The difference between two states with a common origin: a snapshot is written as one if it is small.

import { Collection } from '../../service/world/collection.ts';
import { ofEach } from '../../service/world/records.ts';
import { NAMES, type RecordName, type Records } from '../../service/world/world.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { rowFrom, type SavedRest, type SavedRow, saveRest, saveRow, snapshotFrom } from './saved-state.ts';

/** Keys are in the order of their numbers. */
export const padded = (n: number): string => String(n).padStart(12, '0');

/** How many rows of a whole snapshot share a key. */
const ROWS_TOGETHER = 500;

/** A state is based on another if at most this share of its rows differs. */
const WORTH_A_LAYER = 0.5;

export interface Layer {
  readonly base: Snapshot;
  /** The ids of the rows that may differ. */
  readonly changed: Readonly<Record<RecordName, ReadonlySet<string>>>;
  /** How many there are. */
  readonly size: number;
}

const layerOn = (base: Snapshot, snapshot: Snapshot): Layer => {
  const changed = ofEach((name) => snapshot.world.store[name].changedSince(base.world.store[name] as never));
  const sizes = NAMES.map((name) => changed[name]?.size ?? Number.POSITIVE_INFINITY);
  return { base, changed: changed as Layer['changed'], size: sizes.reduce((sum, size) => sum + size, 0) };
};

/** The best base for a state; undefined when it is better written whole. */
export const nearest = (snapshot: Snapshot, bases: Iterable<Snapshot>): Layer | undefined => {
  const rows = NAMES.reduce((sum, name) => sum + snapshot.world.store[name].size, 0);
  let best: Layer | undefined;
  for (const base of bases) {
    const layer = layerOn(base, snapshot);
    if (layer.size <= Math.min(rows * WORTH_A_LAYER, (best?.size ?? Number.POSITIVE_INFINITY) - 1)) best = layer;
  }
  return best;
};

/** A row as written; null when it does not exist. */
export const savedRow = ({ world }: Pick<Snapshot, 'world'>, name: RecordName, id: string): SavedRow | null => {
  const row = world.store[name].get(id);
  return row ? saveRow(row as Parameters<typeof saveRow>[0]) : null;
};

/** The entries of a snapshot, key by key. @param layer its base; undefined: it is whole. @param head records this */
export const entriesOf = (snapshot: Snapshot, layer: Layer | undefined, head: object): [string, unknown][] => {
  const entries: [string, unknown][] = [['snapshot', { ...saveRest(snapshot), ...head }]];
  for (const name of NAMES) {
    if (layer) {
      for (const id of layer.changed[name]) entries.push([`row/${name}/${id}`, savedRow(snapshot, name, id)]);
      continue;
    }
    const all = snapshot.world.store[name].all() as Parameters<typeof saveRow>[0][];
    for (let from = 0; from < all.length; from += ROWS_TOGETHER)
      entries.push([`rows/${name}/${padded(from)}`, all.slice(from, from + ROWS_TOGETHER).map(saveRow)]);
  }
  return entries;
};

export type Kept = ReadonlyMap<string, unknown>;

/** The values whose keys have a prefix, by the rest of their keys. */
export const below = (kept: Kept, prefix: string): [string, unknown][] =>
  [...kept].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key.slice(prefix.length), value]);

/** The rows below a prefix: all of them, or those that differ from the rows of a base. */
const collectionBelow = (kept: Kept, prefix: string, base: Snapshot | undefined, name: RecordName) => {
  if (!base) {
    const rows = below(kept, `${prefix}rows/${name}/`).flatMap(([, some]) => some as SavedRow[]);
    return new Collection(rows.map((row) => rowFrom(name, row)));
  }
  const collection = base.world.store[name].fork() as Collection<Records[RecordName]>;
  for (const [id, row] of below(kept, `${prefix}row/${name}/`) as [string, SavedRow | null][]) {
    if (row) collection.put(rowFrom(name, row));
    else collection.remove(id);
  }
  return collection;
};

/** The snapshot whose rows were written below a prefix. */
export const snapshotBelow = (kept: Kept, prefix: string, base: Snapshot | undefined, saved: SavedRest): Snapshot =>
  snapshotFrom(saved, (name) => collectionBelow(kept, prefix, base, name));
