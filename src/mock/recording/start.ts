// The state that a file starts from where earlier steps were dropped, as data; and back.
import type { RecordedStart } from '../control/recorder.ts';
import { entriesOf, nearest, type SavedRest, snapshotBelow } from '../control/saved-state.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { statesOf } from './recorded-step.ts';
import type { Repro } from './steps.ts';

type Start = NonNullable<Repro['start']>;

/** Texts of requests and messages may hold secrets that no step tells of; nothing that is replayed depends on them. */
const withoutPast = (rest: SavedRest): SavedRest => ({
  ...rest,
  journal: [],
  timeline: [],
  inbox: rest.inbox.map(([name, box]) => [name, { ...box, messages: [] }]),
});

export const writeStart = (start: RecordedStart): Start => {
  const { snapshots, now, taken, attempted } = start;
  const states = statesOf(start);
  const images = states.map((state, i) => {
    const layer = nearest(state, states.slice(0, i));
    const entries = entriesOf(state, layer, {}).map(([key, value]) => [
      key,
      key === 'snapshot' ? withoutPast(value as SavedRest) : value,
    ]);
    return { ...(layer && { base: states.indexOf(layer.base) }), entries };
  });
  return { images, snapshots: [...snapshots.keys()], runs: now !== undefined, taken, attempted };
};

export const readStart = ({ images, snapshots: ids, runs, taken, attempted }: Start): RecordedStart => {
  const states: Snapshot[] = [];
  for (const { base, entries } of images) {
    const kept = new Map(entries as [string, unknown][]);
    states.push(snapshotBelow(kept, '', base === undefined ? undefined : states[base], kept.get('snapshot') as SavedRest));
  }
  const snapshots = new Map(ids.map((id, i) => [id, states[i + 1]!]));
  return { origin: states[0]!, snapshots, now: runs ? states.at(-1) : undefined, taken, attempted };
};
