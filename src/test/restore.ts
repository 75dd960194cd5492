// A snapshot as it is read from a shelf, on which it was written whole.

import { entriesOf, type SavedRest, snapshotBelow } from '../mock/control/saved-state.ts';
import type { Snapshot } from '../mock/control/snapshot.ts';

/** @param edit changes what stands on the shelf, by its keys */
export const restore = (snapshot: Snapshot, edit: (kept: Map<string, unknown>) => void = () => {}): Snapshot => {
  const kept = new Map<string, unknown>(JSON.parse(JSON.stringify(entriesOf(snapshot, undefined, {}))));
  edit(kept);
  return snapshotBelow(kept, '', undefined, kept.get('snapshot') as SavedRest);
};
