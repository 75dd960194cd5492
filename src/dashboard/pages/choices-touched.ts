// Open points that a request or a delivery touches: another choice could have changed its response.
import type { Instance } from '../../mock/control/instance.ts';
import type { ChoiceId } from '../../service/contract/choices.ts';
import { getOrMake } from '../../service/contract/keyed.ts';
import { operation } from '../../service/contract/operations.ts';
import { findWarnings } from '../../service/http/client-warnings.ts';
import { methodsAt } from '../../service/http/endpoint.ts';
import type { Exchange } from '../../service/http/exchange.ts';
import type { Delivery } from '../../service/webhooks/delivery.ts';

/** Facts of an exchange that decide which points it touches. */
const touchSubjectOf = (exchange: Exchange) => {
  const { request, response, aborted } = exchange;
  const row = request.operation === undefined ? undefined : operation(request.operation);
  const value = (name: string): string | undefined => request.parameters.find(([one]) => one === name)?.[1];
  return {
    exchange,
    row,
    status: aborted ? 0 : response.status,
    /** Names of the list's filters; undefined where the operation lists nothing. */
    filters: row?.list ? Object.keys(row.list.filters) : undefined,
    takesBody: row?.body !== undefined,
    has: (name: string) => value(name) !== undefined,
    value,
    names: request.parameters.map(([name]) => name),
  };
};
type TouchSubject = ReturnType<typeof touchSubjectOf>;

const filterNameIn = (name: string): string | undefined => /^filter\[(.*)\]$/s.exec(name)?.[1];
const LIST_QUERY_NAMES = ['limit', 'cursor', 'sort', 'page', 'offset'];

const isListRequest = ({ filters }: TouchSubject): boolean => filters !== undefined;

/** Points that only some requests touch. */
const NARROW_POINTS: readonly (readonly [fits: (seen: TouchSubject) => boolean, ...points: ChoiceId[]])[] = [
  [(seen) => isListRequest(seen) && Number(seen.value('limit')) > 100, 'limit-above-100'],
  [(seen) => isListRequest(seen) && seen.has('limit') && !(Number(seen.value('limit')) >= 1), 'limit-below-1'],
  [(seen) => isListRequest(seen) && !seen.has('sort'), 'default-order'],
  [
    ({ filters, names }) =>
      filters !== undefined && names.map(filterNameIn).some((name) => name !== undefined && !filters.includes(name)),
    'unknown-filter',
  ],
  [(seen) => isListRequest(seen) && seen.names.some((name) => filterNameIn(name) !== undefined), 'filter-value'],
  [({ names }) => names.some((name) => filterNameIn(name) === undefined && !LIST_QUERY_NAMES.includes(name)), 'unknown-query'],
  [({ has }) => has('page') || has('offset'), 'page-and-offset'],
  [({ has }) => has('cursor'), 'broken-cursor', 'cursor-conflict', 'cursor-limit'],
  [(seen) => isListRequest(seen) && seen.has('sort'), 'sortable-fields'],
  [(seen) => isListRequest(seen) && seen.has('sort') && seen.status >= 400, 'unsupported-sort-code'],
  [({ value }) => /^-?due_date$/.test(value('sort') ?? ''), 'null-due-date'],
  [
    ({ exchange, has }) => exchange.request.operation === 'listProjectTasks' && has('filter[project_id]'),
    'project-filter-in-project',
  ],
  [
    ({ exchange, takesBody }) => takesBody && findWarnings(exchange, []).some(({ code }) => code === 'unknown-field'),
    'unknown-body-fields',
  ],
  [({ exchange, takesBody }) => takesBody && !/^application\/json/i.test(exchange.request.contentType ?? ''), 'content-type'],
  [({ takesBody, status }) => takesBody && (status === 400 || status === 422), 'value-fault-status', 'mixed-faults'],
  [({ takesBody, status }) => takesBody && status >= 400, 'check-order'],
  [({ exchange: { request, terms } }) => !request.operation && methodsAt(terms, request.path).length > 0, 'wrong-method'],
  [({ status }) => status === 401, 'www-authenticate', 'anonymous-limit'],
  [({ status }) => status === 404, 'not-found-code'],
  [({ status }) => status === 409, 'conflict-code'],
  [({ status }) => status === 429, 'refused-requests', 'retry-after'],
  [({ status }) => status >= 500, 'internal-code'],
  [({ status }) => status >= 400, 'error-details', 'error-status-field'],
  [({ exchange }) => exchange.response.caller !== undefined, 'rate-window', 'rate-source'],
];
const NARROW_POINT_IDS = new Set(NARROW_POINTS.flatMap(([, ...points]) => points));

/** An exchange never changes, so it is read once. */
const pointsByExchange = new WeakMap<Exchange, readonly ChoiceId[]>();

export const findTouchedPoints = (exchange: Exchange): readonly ChoiceId[] =>
  getOrMake(pointsByExchange, exchange, () => {
    const subject = touchSubjectOf(exchange);
    const whole = (subject.row?.open ?? []).filter((id) => !NARROW_POINT_IDS.has(id) && exchange.response.status < 400);
    return [...whole, ...NARROW_POINTS.flatMap(([fits, ...ids]) => (fits(subject) ? ids : []))];
  });

const findDeliveryPoints = ({ event: { event }, attempts }: Delivery): readonly ChoiceId[] => [
  ...(attempts.length > 0 ? (['signature'] as const) : []),
  ...(attempts.length > 1 ? (['retry-counted-from'] as const) : []),
  ...(event.startsWith('task.') ? (['task-snapshot'] as const) : []),
  ...(event.startsWith('member.') ? (['member-snapshot'] as const) : []),
  ...(event === 'project.deleted' ? (['project-delete-events'] as const) : []),
];

export interface PointTouches {
  requests: number;
  deliveries: number;
  /** The numbers of the newest requests, the newest first. */
  latest: readonly number[];
}

const MAX_LATEST = 3;

/** Counts of the journal and the delivery log by open point. */
export const countTouches = ({ journal, webhooks }: Pick<Instance, 'journal' | 'webhooks'>) => {
  const found = new Map<ChoiceId, PointTouches>();
  const touch = (id: ChoiceId): PointTouches => getOrMake(found, id, () => ({ requests: 0, deliveries: 0, latest: [] }));
  for (let number = journal.first; number < journal.next; number++) {
    for (const id of findTouchedPoints(journal.get(number)!)) {
      const one = touch(id);
      one.requests += 1;
      one.latest = [number, ...one.latest].slice(0, MAX_LATEST);
    }
  }
  for (const { delivery } of webhooks.deliveries.log.all())
    for (const id of findDeliveryPoints(delivery)) touch(id).deliveries += 1;
  return found;
};
