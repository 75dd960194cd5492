// The timeline as it is shown: each entry with its words, its step, and its causes linked both ways.
import { array, type Is, integer, object, oneOf, string, time } from '../../service/contract/schema.ts';
import { touchedBy } from '../../service/http/differences.ts';
import type { Exchange } from '../../service/http/exchange.ts';
import { exchangeId } from '../../service/http/journal-entries.ts';
import type { Instance } from './instance.ts';
import type { Recording } from './recorder.ts';
import { MAX_OCCURRENCES, type Occurrence, TIMELINE_KINDS } from './timeline.ts';

const numbers = (description: string) => array(integer(), { description });

export const TouchedRecord = object({ collection: string(), id: string(), kind: oneOf(['created', 'updated', 'deleted']) });

export const TimelineEntry = object(
  {
    id: string({ examples: ['t7'] }),
    n: integer({ description: 'Its number.' }),
    kind: oneOf(TIMELINE_KINDS),
    at: time('On the clock of the world.'),
    real_at: time('In real time.'),
    title: string({ examples: ['PATCH /v1/tasks/task_1 → 200'] }),
    causes: numbers('What it follows from.'),
    effects: numbers('What followed from it.'),
    records: array(TouchedRecord, { description: 'The records that it has changed; of an event, the one that it tells of.' }),
  },
  {
    step: integer({ description: 'Its step in the recording: `POST /worlds {"at": …}` is the world as it was then.' }),
    request_id: string({ examples: ['req_1'] }),
    event_id: string(),
    delivery_ids: array(string()),
    fault: string({ description: 'The fault that was ordered, or that applied.' }),
  },
);
export interface TimelineEntry extends Is<typeof TimelineEntry> {}

export interface TimelineFilter {
  readonly kind?: string | undefined;
  /** A number: this entry, and all its effects. */
  readonly from?: string | number | undefined;
  /** The id of a record: its changes, its events and their attempts. */
  readonly record?: string | undefined;
}

interface Linked {
  readonly one: Occurrence;
  readonly exchange: Exchange | undefined;
  readonly causes: readonly number[];
  readonly effects: number[];
}

const knownOf = ({ timeline, journal, running: { held } }: Instance): Pick<Linked, 'one' | 'exchange'>[] => {
  const requests = [...journal.all(), ...held].flatMap((exchange) => {
    const { place: n, step, at, real, changes, fault } = exchange;
    if (n === undefined) return [];
    const one = { n, step, kind: 'request' as const, at, real, causes: [], title: '', records: changes.map(touchedBy), fault };
    return [{ one, exchange }];
  });
  const others = timeline.log.all().map((one) => ({ one, exchange: undefined }));
  return [...requests, ...others].sort((a, b) => a.one.n - b.one.n).slice(-MAX_OCCURRENCES);
};

const linkedOf = (instance: Instance): Map<number, Linked> => {
  const faults = new Map<string, number>();
  const linked = new Map<number, Linked>();
  for (const { one, exchange } of knownOf(instance)) {
    const { n, kind, fault } = one;
    const causes = [...one.causes, faults.get(fault ?? '') ?? 0].filter((cause) => linked.has(cause));
    if (kind === 'fault' && fault !== undefined) faults.set(fault, n);
    for (const cause of causes) linked.get(cause)!.effects.push(n);
    linked.set(n, { one, exchange, causes, effects: [] });
  }
  return linked;
};

const followedFrom = (linked: ReadonlyMap<number, Linked>, n: number, found = new Set<number>()): ReadonlySet<number> => {
  if (found.has(n) || !linked.has(n)) return found;
  found.add(n);
  for (const effect of linked.get(n)!.effects) followedFrom(linked, effect, found);
  return found;
};

const entryTitle = ({ one, exchange }: Linked, instance: Instance): string => {
  const showing = instance.showing();
  if (!exchange) return showing.hidden(one.title);
  const { request, response, aborted, number } = exchange;
  const status = number === 0 ? `kept back by ${exchange.fault}` : aborted ? 'closed' : response.status;
  return `${request.method} ${showing.path(exchange)} → ${status}`;
};

const showEntry = (linked: Linked, instance: Instance, steps: ReadonlyMap<number, number> | undefined): TimelineEntry => {
  const { one, exchange, causes, effects } = linked;
  const { n, kind, at, real, records, event, deliveries, fault } = one;
  const step = steps?.get(one.step ?? 0);
  return {
    id: `t${n}`,
    n,
    kind,
    at: new Date(at).toISOString(),
    real_at: new Date(real).toISOString(),
    title: entryTitle(linked, instance),
    causes,
    effects,
    records,
    ...(step !== undefined && { step }),
    ...(exchange && { request_id: exchangeId(exchange) }),
    ...(event !== undefined && { event_id: event }),
    ...(deliveries && { delivery_ids: deliveries }),
    ...(fault !== undefined && { fault }),
  };
};

/** Matching entries, oldest first, each shown on demand. */
export const timelineOf = (instance: Instance, recording: Recording | undefined, { kind, from, record }: TimelineFilter = {}) => {
  const linked = linkedOf(instance);
  const chain = from === undefined ? undefined : followedFrom(linked, Number(from));
  const touches = ({ records }: Occurrence) => records.some(({ id }) => id === record);
  const concerns = ({ one, causes }: Linked): boolean =>
    touches(one) || (one.kind === 'attempt' && causes.some((cause) => touches(linked.get(cause)!.one)));
  let steps: ReadonlyMap<number, number> | undefined;
  return [...linked.values()]
    .filter(
      (entry) =>
        (kind === undefined || entry.one.kind === kind) &&
        (chain === undefined || chain.has(entry.one.n)) &&
        (record === undefined || concerns(entry)),
    )
    .map((entry) => ({
      id: `t${entry.one.n}`,
      show: () => {
        steps ??= recording?.stepsOf?.(instance.id);
        return showEntry(entry, instance, steps);
      },
    }));
};
