// What differs between two states that have an origin in common: a snapshot is written as that, where it is little.
import type { Snapshot } from '../control/snapshot.ts';
import { ofEach } from '../world/records.ts';
import { NAMES, type RecordName } from '../world/world.ts';
import { type SavedRow, saveRow } from './saved-state.ts';

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
