// Which open points a request or a delivery has to do with: where another answer could have made a difference.
import type { ChoiceId } from '../../contract/choices.ts';
import { operation } from '../../contract/operations.ts';
import type { Instance } from '../../control/instance.ts';
import { warningsOf } from '../../http/conduct.ts';
import type { Exchange } from '../../http/exchange.ts';
import { readParameters } from '../../lists/query.ts';
import type { Delivery } from '../../webhooks/delivery.ts';

/** What a point looks at in an exchange. */
interface Seen {
  readonly exchange: Exchange;
  readonly status: number;
  /** The list that was asked for. */
  readonly filters: readonly string[] | undefined;
  readonly takesBody: boolean;
  readonly has: (name: string) => boolean;
  readonly value: (name: string) => string | undefined;
  readonly names: readonly string[];
}

const filterOf = (name: string): string | undefined => /^filter\[(.*)\]$/s.exec(name)?.[1];
const OF_LISTS = ['limit', 'cursor', 'sort', 'page', 'offset'];

const isList = ({ filters }: Seen): boolean => filters !== undefined;
/** As lists were read at v1.0. */
const paged = ({ has }: Seen): boolean => has('page') || has('offset') || has('per_page');
const refusedBody = ({ takesBody, status }: Seen): boolean => takesBody && (status === 400 || status === 422);
const refusedBy =
  (...statuses: readonly number[]) =>
  ({ status }: Seen): boolean =>
    statuses.includes(status);

/** Points that only some requests of their operations, or some of all, have to do with. */
const NARROWER: Readonly<Partial<Record<ChoiceId, (seen: Seen) => boolean>>> = {
  'limit-above-100': (seen) => isList(seen) && Number(seen.value('limit')) > 100,
  'limit-below-1': (seen) => isList(seen) && seen.has('limit') && !(Number(seen.value('limit')) >= 1),
  'default-order': (seen) => isList(seen) && !seen.has('sort'),
  'unknown-filter': ({ filters, names }) =>
    filters !== undefined && names.some((name) => filterOf(name) !== undefined && !filters.includes(filterOf(name)!)),
  'filter-value': (seen) => isList(seen) && seen.names.some((name) => filterOf(name) !== undefined),
  'unknown-query': ({ names }) => names.some((name) => filterOf(name) === undefined && !OF_LISTS.includes(name)),
  'page-and-offset': paged,
  'page-size': paged,
  'page-numbering': paged,
  'page-with-offset': paged,
  'page-beyond-end': paged,
  'page-meta': paged,
  'page-with-cursor': paged,
  'deprecation-value': paged,
  'deprecation-reach': paged,
  'broken-cursor': ({ has }) => has('cursor'),
  'cursor-conflict': ({ has }) => has('cursor'),
  'cursor-limit': ({ has }) => has('cursor'),
  'sortable-fields': (seen) => isList(seen) && seen.has('sort'),
  'unsupported-sort-code': (seen) => isList(seen) && seen.has('sort') && seen.status >= 400,
  'null-due-date': ({ value }) => /^-?due_date$/.test(value('sort') ?? ''),
  'project-filter-in-project': ({ exchange, has }) => exchange.asked.id === 'listProjectTasks' && has('filter[project_id]'),
  'unknown-body-fields': ({ exchange, takesBody }) =>
    takesBody && warningsOf(exchange, []).some(({ code }) => code === 'unknown-field'),
  'content-type': ({ exchange, takesBody }) => takesBody && !/^application\/json/i.test(exchange.asked.contentType ?? ''),
  'value-fault-status': refusedBody,
  'mixed-faults': refusedBody,
  'check-order': (seen) => seen.takesBody && seen.status >= 400,
  'wrong-method': ({ exchange }) => exchange.asked.id === undefined && exchange.asked.allowed.length > 0,
  'www-authenticate': refusedBy(401),
  'anonymous-limit': refusedBy(401),
  'not-found-code': refusedBy(404),
  'conflict-code': refusedBy(409),
  'internal-code': ({ status }) => status >= 500,
  'error-details': ({ status }) => status >= 400,
  'error-status-field': ({ status }) => status >= 400,
  'rate-window': ({ exchange }) => exchange.reply.caller !== undefined,
  'rate-source': ({ exchange }) => exchange.reply.caller !== undefined,
  'refused-requests': refusedBy(429),
  'retry-after': refusedBy(429),
};
const NARROW = Object.entries(NARROWER) as [ChoiceId, (seen: Seen) => boolean][];

const touchedOf = (exchange: Exchange): readonly ChoiceId[] => {
  const { asked, reply, aborted } = exchange;
  const row = asked.id === undefined ? undefined : operation(asked.id);
  const parameters = readParameters(asked.url);
  const value = (name: string) => parameters.find(([one]) => one === name)?.[1];
  const seen: Seen = {
    exchange,
    status: aborted ? 0 : reply.status,
    filters: row?.list ? Object.keys(row.list.filters) : undefined,
    takesBody: row?.body !== undefined,
    has: (name) => value(name) !== undefined,
    value,
    names: parameters.map(([name]) => name),
  };
  const whole = (row?.open ?? []).filter((id) => NARROWER[id] === undefined && reply.status < 400);
  return [...whole, ...NARROW.flatMap(([id, fits]) => (fits(seen) ? [id] : []))];
};

/** An exchange never changes: it is looked at once. */
const known = new WeakMap<Exchange, readonly ChoiceId[]>();

const ofDelivery = ({ event: { event }, attempts }: Delivery): readonly ChoiceId[] => [
  ...(attempts.length > 0 ? (['signature'] as const) : []),
  ...(attempts.length > 1 ? (['retry-counted-from'] as const) : []),
  ...(event.startsWith('task.') ? (['task-snapshot'] as const) : []),
  ...(event.startsWith('member.') ? (['member-snapshot'] as const) : []),
  ...(event === 'project.deleted' ? (['project-delete-events'] as const) : []),
];

export interface Touch {
  requests: number;
  deliveries: number;
  /** The number of the newest request. */
  last: number | undefined;
}

/** What the journal and the delivery log have to do with each open point. */
export const touches = ({
  journal,
  webhooks,
}: Pick<Instance, 'journal' | 'webhooks'>): ReadonlyMap<ChoiceId, Readonly<Touch>> => {
  const found = new Map<ChoiceId, Touch>();
  const touch = (id: ChoiceId): Touch => {
    const one = found.get(id) ?? { requests: 0, deliveries: 0, last: undefined };
    found.set(id, one);
    return one;
  };
  for (let number = journal.first; number < journal.next; number++) {
    const exchange = journal.get(number)!;
    const ids = known.get(exchange) ?? touchedOf(exchange);
    known.set(exchange, ids);
    for (const id of ids) {
      const one = touch(id);
      one.requests += 1;
      one.last = number;
    }
  }
  for (const { delivery } of webhooks.deliveries.held()) for (const id of ofDelivery(delivery)) touch(id).deliveries += 1;
  return found;
};
