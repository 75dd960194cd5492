// What differs between two states that have an origin in common: a snapshot is written as that, where it is little.
import type { Snapshot } from '../control/snapshot.ts';
import { ofEach } from '../world/records.ts';
import { NAMES, type RecordName } from '../world/world.ts';
import {
  type SavedOver,
  type SavedRest,
  type SavedRow,
  type SavedState,
  saveRest,
  saveRow,
  snapshotFrom,
  snapshotOver,
} from './saved-state.ts';

/** Keys are in the order of their numbers. */
export const padded = (n: number): string => String(n).padStart(12, '0');

/** Rows of a whole snapshot stand together, so many under one key. */
const ROWS_TOGETHER = 500;

/** A state is laid on another one when at most this part of its rows differs. */
const WORTH_A_LAYER = 0.5;

export interface Layer {
  readonly base: Snapshot;
  /** The ids of the rows that may differ. */
  readonly changed: Readonly<Record<RecordName, ReadonlySet<string>>>;
  /** How many they are. */
  readonly size: number;
}

const layerOn = (base: Snapshot, snapshot: Snapshot): Layer => {
  const changed = ofEach((name) => snapshot.world.store[name].changedSince(base.world.store[name] as never));
  const sizes = NAMES.map((name) => changed[name]?.size ?? Number.POSITIVE_INFINITY);
  return { base, changed: changed as Layer['changed'], size: sizes.reduce((sum, size) => sum + size, 0) };
};

/** What a state is best laid on; undefined when it is better written whole. */
export const nearest = (snapshot: Snapshot, bases: Iterable<Snapshot>): Layer | undefined => {
  const rows = NAMES.reduce((sum, name) => sum + snapshot.world.store[name].size, 0);
  let best: Layer | undefined;
  for (const base of bases) {
    const layer = layerOn(base, snapshot);
    if (layer.size <= Math.min(rows * WORTH_A_LAYER, (best?.size ?? Number.POSITIVE_INFINITY) - 1)) best = layer;
  }
  return best;
};

/** A row as it is written; null when it is not there. */
export const savedRow = ({ world }: Pick<Snapshot, 'world'>, name: RecordName, id: string): SavedRow | null => {
  const row = world.store[name].get(id);
  return row ? saveRow(row as Parameters<typeof saveRow>[0]) : null;
};

/** What is written of a snapshot, key by key. @param layer what it is laid on; undefined: it stands by itself. @param head says so */
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

/** The values whose keys begin so, by the rest of their keys. */
export const below = (kept: Kept, prefix: string): [string, unknown][] =>
  [...kept].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => [key.slice(prefix.length), value]);

/** The rows of an image that differ from those that it is laid on. */
export const overOf =
  (kept: Kept, prefix: string): SavedOver =>
  (name) =>
    below(kept, `${prefix}row/${name}/`) as [string, SavedRow | null][];

/** The snapshot of which the entries were written below a prefix. */
export const snapshotBelow = (kept: Kept, prefix: string, base: Snapshot | undefined, saved: SavedRest): Snapshot => {
  if (base) return snapshotOver(base, saved, overOf(kept, prefix));
  const rows = ofEach((name) => below(kept, `${prefix}rows/${name}/`).flatMap(([, rows]) => rows as SavedRow[]));
  return snapshotFrom({ ...saved, rows: rows as SavedState['rows'] });
};
