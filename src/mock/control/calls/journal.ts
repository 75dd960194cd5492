// The journal, the timeline, and the differences between worlds.
import type { Exchange } from '../../../service/http/exchange.ts';
import { exchangeId, exchangeNumber, type JournalReader, type RequestEntry } from '../../../service/http/journal-entries.ts';
import { globFitsPath, statusFits } from '../../../service/world/fault-match.ts';
import { type Calls, findOr404, pageOfRows, showUpTo } from '../call.ts';
import { diffOf } from '../diff.ts';
import type { Instance } from '../instance.ts';
import type { Snapshot } from '../snapshot.ts';
import { timelineOf } from '../timeline-entries.ts';
import { har } from './har.ts';

export interface RequestFilter {
  readonly method?: string | undefined;
  /** With or without `/v1`; `*` matches any characters. */
  readonly path?: string | undefined;
  /** Such as `404` or `4xx`. */
  readonly status?: string | number | undefined;
  readonly operation?: string | undefined;
}

interface JournalQuery {
  /** The id of an exchange: only older ones. */
  readonly before?: string | undefined;
  readonly most: number;
  readonly also?: ((exchange: Exchange, showing: JournalReader) => boolean) | undefined;
}

const fitsFilter =
  ({ method, path, status, operation }: RequestFilter, showing: JournalReader) =>
  (exchange: Exchange): boolean =>
    (method === undefined || exchange.request.method === method.toUpperCase()) &&
    (operation === undefined || exchange.request.operation === operation) &&
    (status === undefined || statusFits(status, exchange.aborted ? 0 : exchange.response.status)) &&
    (path === undefined || globFitsPath(path, showing.path(exchange)));

/** Matching exchanges, newest first. */
const findNewest = (instance: Instance, filter: RequestFilter, { before, most, also = () => true }: JournalQuery) => {
  const showing = instance.showing();
  const { journal } = instance;
  const fits = fitsFilter(filter, showing);
  const found: Exchange[] = [];
  const end = before === undefined ? journal.next : Math.min(exchangeNumber(before), journal.next);
  for (let number = end - 1; number >= journal.first && found.length < most; number--) {
    const exchange = journal.get(number)!;
    if (fits(exchange) && also(exchange, showing)) found.push(exchange);
  }
  return { showing, fits, found };
};

/** Every exchange, oldest first, then those whose responses are held. */
export const requestsOf = (instance: Instance): RequestEntry[] => {
  const showing = instance.showing();
  return [...instance.journal.all(), ...instance.running.held].map((exchange) => showing.entry(exchange));
};

/** Summaries of matching exchanges, newest first, and whether there are more. */
export const summarizeNewest = (instance: Instance, filter: RequestFilter, { most, ...query }: JournalQuery) => {
  const { showing, found } = findNewest(instance, filter, { ...query, most: most + 1 });
  return { items: found.slice(0, most).map((exchange) => showing.summary(exchange)), more: found.length > most };
};

export const comparedOf = ({ id, world, webhooks }: Pick<Snapshot, 'world' | 'webhooks'> & Pick<Instance, 'id'>) => ({
  id,
  world,
  deliveries: webhooks?.deliveries.list() ?? [],
});

export const journalCalls = {
  listRequests: ({ instance, query }) => {
    const { limit: _, cursor, ...filter } = query;
    const { showing, fits, found } = findNewest(instance, filter, { most: instance.journal.next });
    const rows = found.reverse().map((exchange) => ({ id: exchangeId(exchange), exchange }));
    const { items, ...more } = pageOfRows(query, rows, 'log', ({ exchange }) => showing.entry(exchange));
    const held = cursor === undefined ? [...instance.running.held].filter(fits) : [];
    return { items: [...items, ...showUpTo(held, (one) => showing.entry(one))], ...more };
  },

  getRequest: ({ instance, variable }) =>
    instance.showing().entry(findOr404('exchange', variable, instance.journal.get(exchangeNumber(variable)))),

  har,
  deleteRequests: ({ instance: { journal, feed } }) => {
    journal.clear();
    feed.tell('state', () => ({ kind: 'requests_cleared' }));
  },

  listTimeline: ({ host, instance, query }) =>
    pageOfRows(query, timelineOf(instance, host.options.recording, query), 'log', (one) => one.show()),

  diff: ({ host, instance, query }) => {
    const { from, to = instance.id } = query;
    const all = new Map(host.all().map((one) => [one.id, one]));
    const second = findOr404('world', to, all.get(to));
    const first = from === undefined ? second : findOr404('world', from, all.get(from));
    const whole = diffOf(comparedOf(from === undefined ? { ...first.origin, id: 'origin' } : first), comparedOf(second));
    return { ...whole, ...second.showing().hidden(first.showing().hidden(pageOfRows(query, whole.items))) };
  },
} satisfies Calls;
