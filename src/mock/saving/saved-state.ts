// The state of a world as plain values, and back: a restored world behaves like the original.

import { bytesOfExchange } from '../../service/http/exchange.ts';
import { Deliveries, type LoggedDelivery } from '../../service/webhooks/deliveries.ts';
import type { Scripted } from '../../service/webhooks/delivery.ts';
import { Scripts } from '../../service/webhooks/scripts.ts';
import type { Collection, Row } from '../../service/world/collection.ts';
import { Faults, type SavedFaults } from '../../service/world/faults.ts';
import { Journal } from '../../service/world/journal.ts';
import { BLANKS, FIELDS } from '../../service/world/records.ts';
import { type RecordName, type Records, type SavedWorld, World } from '../../service/world/world.ts';
import { Inbox, type SavedBox } from '../control/inbox.ts';
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

/** A state without its rows: plain data, fit for JSON. */
export interface SavedRest extends SavedCore {
  readonly journal: readonly SavedExchange[];
  readonly timeline: readonly Occurrence[];
  readonly deliveries: readonly LoggedDelivery[];
  readonly inbox: readonly (readonly [string, SavedBox])[];
}

export const saveRow = ({ value, workspace, sequence }: Row<Records[RecordName]>): SavedRow => [value, workspace, sequence];

type LooseState = Readonly<Record<string, unknown>>;

/** A record with the fields that its kind has by now: what it was kept without holds what it starts with. */
const completeRecord = (name: RecordName, kept: LooseState): LooseState => {
  const fields = FIELDS[name];
  if (Object.keys(kept).length === fields.length && fields.every((field) => Object.hasOwn(kept, field.name))) return kept;
  const held = fields.flatMap((field) => (Object.hasOwn(kept, field.name) ? [[field.name, kept[field.name]]] : []));
  return { ...BLANKS[name], ...Object.fromEntries(held) };
};

export const rowFrom = (name: RecordName, [value, workspace, sequence]: SavedRow): Row<Records[RecordName]> => ({
  value: completeRecord(name, value as unknown as LooseState) as unknown as Records[RecordName],
  workspace,
  sequence,
});

type SavedParts = Pick<Snapshot, 'world' | 'faults' | 'journal' | 'timeline'>;

export const saveCore = ({ world, faults, journal, timeline }: SavedParts, scripts: Scripts | undefined): SavedCore => ({
  world: world.save(),
  faults: faults.save(),
  nextExchange: journal.next,
  nextHappened: timeline.next,
  scripts: [...(scripts?.ordered ?? [])],
});

export const saveRest = (snapshot: Snapshot): SavedRest => ({
  ...saveCore(snapshot, snapshot.webhooks?.scripts),
  journal: saveExchanges(snapshot.journal.all()),
  timeline: snapshot.timeline.log.all(),
  deliveries: snapshot.webhooks?.deliveries.held() ?? [],
  inbox: snapshot.inbox.save(),
});

export const snapshotFrom = (
  saved: SavedRest,
  collectionOf: (name: RecordName) => Collection<Records[RecordName]>,
): Snapshot => ({
  world: World.from(saved.world, collectionOf),
  faults: Faults.from(saved.faults),
  journal: new Journal(bytesOfExchange, saved.nextExchange, exchangesFrom(saved.journal)),
  inbox: Inbox.from(saved.inbox),
  timeline: Timeline.from(saved.timeline, saved.nextHappened),
  webhooks: { deliveries: new Deliveries(saved.deliveries), scripts: new Scripts(new Map(saved.scripts)) },
});
