// The state of a world as plain values under keys, and back. One that differs little from another is written as the difference.
import { Problem } from '../../service/contract/errors.ts';
import { getOrMake } from '../../service/contract/keyed.ts';
import { type SavedTerms, saveTerms, type Terms, termsFrom } from '../../service/contract/terms.ts';
import { bytesOfExchange, type Exchange, type ServiceResponse, withPageText } from '../../service/http/exchange.ts';
import { type RequestData, RequestInfo } from '../../service/http/request-info.ts';
import { Deliveries, type LoggedDelivery } from '../../service/webhooks/deliveries.ts';
import { Scripts } from '../../service/webhooks/scripts.ts';
import { Collection, type Row } from '../../service/world/collection.ts';
import { Faults } from '../../service/world/faults.ts';
import { Journal } from '../../service/world/log.ts';
import { BLANKS, FIELDS, ofEach } from '../../service/world/records.ts';
import { NAMES, type RecordName, type Records, World } from '../../service/world/world.ts';
import { Inbox, type SavedBox } from './inbox.ts';
import type { Snapshot, StateParts } from './snapshot.ts';
import { type Occurrence, Timeline } from './timeline.ts';

export interface SavedExchange extends Omit<Exchange, 'request' | 'response' | 'terms'> {
  readonly asked: Omit<RequestData, 'headers' | 'operation'> & {
    readonly headers: readonly string[];
    readonly id: RequestData['operation'];
  };
  /** A number in place of the text: the same text as in the exchange with this number. */
  readonly reply: Omit<ServiceResponse, 'problem' | 'page' | 'text'> & {
    readonly text: ServiceResponse['text'] | number;
    readonly problem: ConstructorParameters<typeof Problem> | null;
  };
  readonly terms: SavedTerms;
}

const saveProblem = ({ status, code, message, fields, headers, check }: Problem): ConstructorParameters<typeof Problem> => [
  status,
  code,
  message,
  { fields, headers, check },
];

/** A page that was sent more than once is written once. */
export const saveExchanges = (exchanges: readonly Exchange[]): SavedExchange[] => {
  const sent = new Map<unknown, Exchange>();
  return exchanges.map((exchange) => {
    const { request, response: full, terms, step: _step, ...kept } = exchange;
    const first = sent.get(full.page);
    const isKnown = first?.terms === terms;
    if (full.page && !isKnown) sent.set(full.page, exchange);
    const { page: _, problem, ...response } = isKnown ? { ...full, text: first.number } : withPageText(exchange);
    const { operation: id, ...asked } = request;
    const headers = Array.isArray(asked.headers) ? asked.headers : [...(asked.headers as Headers)].flat();
    const saved = { ...response, problem: problem ? saveProblem(problem) : null };
    return { ...kept, asked: { ...asked, id, headers }, reply: saved, terms: saveTerms(terms) };
  });
};

/** Exchanges with equal terms share them, as before. */
const exchangesFrom = (saved: readonly SavedExchange[]): Exchange[] => {
  const known = new Map<string, Terms>();
  const texts = new Map<number, string>();
  return saved.map(({ asked, reply: response, terms: savedTerms, ...kept }): Exchange => {
    const terms = getOrMake(known, JSON.stringify(savedTerms), () => termsFrom(savedTerms));
    const text = typeof response.text === 'number' ? texts.get(response.text)! : response.text;
    if (text !== null) texts.set(kept.number, text);
    const problem = response.problem ? new Problem(...response.problem) : undefined;
    return {
      ...kept,
      // Undefined members are lost in JSON.
      fault: kept.fault,
      request: new RequestInfo({ ...asked, operation: asked.id }).shrink(),
      response: { ...response, text, caller: response.caller, page: undefined, problem },
      terms,
    };
  });
};

/** Keys are in the order of their numbers. */
export const padded = (n: number): string => String(n).padStart(12, '0');
export const imagePrefix = (id: number): string => `image/${padded(id)}/`;

/** How many rows of a whole snapshot share a key. */
const ROWS_TOGETHER = 500;

/** A state is based on another if at most this share of its rows differs. */
const WORTH_A_LAYER = 0.5;

export type SavedCore = ReturnType<typeof saveCore>;

/** A state without its rows: plain data, fit for JSON. */
export interface SavedRest extends SavedCore {
  readonly journal: readonly SavedExchange[];
  readonly timeline: readonly Occurrence[];
  readonly deliveries: readonly LoggedDelivery[];
  readonly inbox: readonly (readonly [string, SavedBox])[];
}

/** Small values that change with most requests. */
export const saveCore = ({ world, faults, journal, timeline }: StateParts, scripts: Scripts | undefined) => ({
  world: world.save(),
  faults: faults.save(),
  nextExchange: journal.next,
  nextHappened: timeline.next,
  scripts: [...(scripts?.ordered ?? [])],
});

type AnyRow = Row<Records[RecordName]>;

/** A record, its workspace, its turn of creation. */
type SavedRow = readonly [Records[RecordName], string, number];

const saveRow = ({ value, workspace, sequence }: AnyRow): SavedRow => [value, workspace, sequence];

/** A row as written; null when it does not exist. */
export const savedRow = ({ world }: Pick<Snapshot, 'world'>, name: RecordName, id: string): SavedRow | null => {
  const row = world.store[name].get(id);
  return row ? saveRow(row as AnyRow) : null;
};

/** A record with the fields that its kind has by now: a field that it was kept without holds what it starts with. */
const rowFrom = (name: RecordName, [value, workspace, sequence]: SavedRow): AnyRow => {
  const fields = FIELDS[name];
  const isComplete = Object.keys(value).length === fields.length && fields.every((field) => Object.hasOwn(value, field.name));
  if (isComplete) return { value, workspace, sequence };
  const filled = { ...BLANKS[name], ...value } as unknown as Readonly<Record<string, unknown>>;
  const current = Object.fromEntries(fields.map((field) => [field.name, filled[field.name]]));
  return { value: current as unknown as Records[RecordName], workspace, sequence };
};

export interface Layer {
  readonly base: Snapshot;
  /** The ids of the rows that may differ. */
  readonly changed: Readonly<Record<RecordName, ReadonlySet<string>>>;
}

/** The best base for a state; undefined when it is better written whole. */
export const nearest = ({ world: { store } }: Snapshot, bases: Iterable<Snapshot>): Layer | undefined => {
  let best: Layer | undefined;
  let limit = NAMES.reduce((sum, name) => sum + store[name].size, 0) * WORTH_A_LAYER;
  for (const base of bases) {
    const changed = ofEach((name) => store[name].changedSince(base.world.store[name] as never));
    const size = NAMES.reduce((sum, name) => sum + (changed[name]?.size ?? Number.POSITIVE_INFINITY), 0);
    if (size > limit) continue;
    best = { base, changed: changed as Layer['changed'] };
    limit = size - 1;
  }
  return best;
};

/** The entries of a snapshot, key by key. @param layer its base; undefined: it is whole. @param head records this */
export const entriesOf = (snapshot: Snapshot, layer: Layer | undefined, head: object): [string, unknown][] => {
  const { journal, timeline, webhooks, inbox } = snapshot;
  const rest: SavedRest = {
    ...saveCore(snapshot, webhooks?.scripts),
    journal: saveExchanges(journal.all()),
    timeline: timeline.log.all().map(({ step: _, ...one }) => one),
    deliveries: webhooks?.deliveries.log.all() ?? [],
    inbox: inbox.save(),
  };
  const entries: [string, unknown][] = [['snapshot', { ...rest, ...head }]];
  for (const name of NAMES) {
    if (layer) {
      for (const id of layer.changed[name]) entries.push([`row/${name}/${id}`, savedRow(snapshot, name, id)]);
      continue;
    }
    const all = snapshot.world.store[name].all() as AnyRow[];
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

export const snapshotBelow = (kept: Kept, prefix: string, base: Snapshot | undefined, saved: SavedRest): Snapshot => ({
  world: World.from(saved.world, (name) => collectionBelow(kept, prefix, base, name)),
  faults: Faults.from(saved.faults),
  journal: new Journal(bytesOfExchange, saved.nextExchange, exchangesFrom(saved.journal)),
  inbox: Inbox.from(saved.inbox),
  timeline: Timeline.from(saved.timeline, saved.nextHappened),
  webhooks: { deliveries: new Deliveries(saved.deliveries), scripts: new Scripts(new Map(saved.scripts)) },
});
