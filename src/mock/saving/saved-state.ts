// The whole state of a world as one plain value, and back: a restored world behaves like the original.

import { bytesOfExchange } from '../../service/http/exchange.ts';
import { Deliveries, type Held } from '../../service/webhooks/deliveries.ts';
import type { Scripted } from '../../service/webhooks/delivery.ts';
import { Scripts } from '../../service/webhooks/scripts.ts';
import { Collection, type Row } from '../../service/world/collection.ts';
import { Faults, type SavedFaults } from '../../service/world/faults.ts';
import { Journal } from '../../service/world/journal.ts';
import { BLANKS, FIELDS } from '../../service/world/records.ts';
import { type RecordName, type Records, type SavedWorld, World } from '../../service/world/world.ts';
import { Inbox, type SavedBox } from '../control/inbox.ts';
import type { Running } from '../control/running.ts';
import type { Snapshot } from '../control/snapshot.ts';
import { type Occurrence, Timeline } from '../control/timeline.ts';
import { exchangesFrom, type SavedExchange, saveExchanges } from './saved-exchange.ts';

/** A record, its workspace, its turn of creation. */
export type SavedRow = readonly [Records[RecordName], string, number];

/** Small values that change with most requests. */
export interface SavedCore {
  readonly world: SavedWorld;
  readonly faults: SavedFaults;
  /** The number of the next exchange. */
  readonly nextExchange: number;
  /** The number of the next one on the timeline. */
  readonly nextHappened: number;
  readonly scripts: readonly (readonly [string, readonly Scripted[]])[];
}

/** A complete state: plain data, fit for JSON. */
export interface SavedState extends SavedCore {
  readonly rows: { readonly [N in RecordName]: readonly SavedRow[] };
  readonly journal: readonly SavedExchange[];
  readonly timeline: readonly Occurrence[];
  readonly deliveries: readonly Held[];
  readonly inbox: readonly (readonly [string, SavedBox])[];
}

export const saveRow = ({ value, workspace, sequence }: Row<Records[RecordName]>): SavedRow => [value, workspace, sequence];

type Loose = Readonly<Record<string, unknown>>;

/** A record with the fields that its kind has by now: what it was kept without holds what it starts with. */
const brought = (name: RecordName, kept: Loose): Loose => {
  const fields = FIELDS[name];
  if (Object.keys(kept).length === fields.length && fields.every((field) => Object.hasOwn(kept, field.name))) return kept;
  const held = fields.flatMap((field) => (Object.hasOwn(kept, field.name) ? [[field.name, kept[field.name]]] : []));
  return { ...BLANKS[name], ...Object.fromEntries(held) };
};

const rowFrom = (name: RecordName, [value, workspace, sequence]: SavedRow): Row<Records[RecordName]> => ({
  value: brought(name, value as unknown as Loose) as unknown as Records[RecordName],
  workspace,
  sequence,
});

type Parts = Pick<Snapshot, 'world' | 'faults' | 'journal' | 'timeline'>;

export const saveCore = ({ world, faults, journal, timeline }: Parts, scripts: Scripts | undefined): SavedCore => ({
  world: world.save(),
  faults: faults.save(),
  nextExchange: journal.next,
  nextHappened: timeline.next,
  scripts: [...(scripts?.ordered ?? [])],
});

/** A state without its rows. */
export type SavedRest = Omit<SavedState, 'rows'>;

/** Rows that differ from those of another state, by id; null if deleted. */
export type SavedOver = (name: RecordName) => readonly (readonly [string, SavedRow | null])[];

/** The current state of a world. */
export const saveState = (state: Running | Snapshot): SavedState => {
  const rows = Object.entries(state.world.store).map(([name, collection]) => [name, collection.all().map(saveRow as never)]);
  return { ...saveRest(state), rows: Object.fromEntries(rows) };
};

export const saveRest = (state: Running | Snapshot): SavedRest => {
  const webhooks = 'base' in state ? state.webhooks.save() : state.webhooks;
  return {
    ...saveCore(state, webhooks?.scripts),
    journal: saveExchanges(state.journal.all()),
    timeline: state.timeline.log.all(),
    deliveries: webhooks?.deliveries.held() ?? [],
    inbox: state.inbox.save(),
  };
};

/** The snapshot that was saved. */
export const snapshotFrom = (saved: SavedState): Snapshot =>
  snapshotWith(saved, (name) => new Collection(saved.rows[name].map((row) => rowFrom(name, row))));

/** The snapshot that was saved as a difference from another; it shares the rest with that one. */
export const snapshotOver = (base: Snapshot, saved: SavedRest, over: SavedOver): Snapshot =>
  snapshotWith(saved, (name) => {
    const rows = base.world.store[name].fork() as Collection<Records[RecordName]>;
    for (const [id, row] of over(name)) {
      if (row) rows.put(rowFrom(name, row));
      else rows.remove(id);
    }
    return rows;
  });

const snapshotWith = (saved: SavedRest, collectionOf: (name: RecordName) => Collection<Records[RecordName]>): Snapshot => ({
  world: World.from(saved.world, collectionOf),
  faults: Faults.from(saved.faults),
  journal: new Journal(bytesOfExchange, saved.nextExchange, exchangesFrom(saved.journal)),
  inbox: Inbox.from(saved.inbox),
  timeline: Timeline.from(saved.timeline, saved.nextHappened),
  webhooks: {
    deliveries: new Deliveries(saved.deliveries),
    scripts: new Scripts(new Map(saved.scripts)),
  },
});
