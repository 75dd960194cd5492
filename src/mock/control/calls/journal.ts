// The journal, also as an HTTP Archive; the timeline, and the differences between worlds.
import { releaseRow } from '../../../service/contract/releases.ts';
import type { Exchange } from '../../../service/http/exchange.ts';
import { exchangeId, exchangeNumber, type JournalReader, type RequestEntry } from '../../../service/http/journal-entries.ts';
import { globFitsPath, statusFits } from '../../../service/world/fault-match.ts';
import { type Call, type Calls, findOr404, MAX_SHOWN_BYTES, pageOfRows, showUpTo } from '../call.ts';
import { diffOf } from '../diff.ts';
import type { Instance } from '../instance.ts';
import type { Snapshot } from '../snapshot.ts';
import { timelineOf } from '../timeline-entries.ts';

const archivedText = (body: unknown): string =>
  body === null || body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
const nameValues = (of: Readonly<Record<string, string>> | URLSearchParams) =>
  [...(of instanceof URLSearchParams ? of : Object.entries(of))].map(([name, value]) => ({ name, value }));
/** Fields that HAR requires and the journal lacks. */
const UNKNOWN = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1, bodySize: -1 };

const entryOf = ({ at, duration_ms, method, path, status, request, response }: RequestEntry, base: string) => {
  const url = new URL(base + path);
  const sent = archivedText(request.body);
  const text = archivedText(response.body);
  return {
    startedDateTime: at,
    time: duration_ms,
    request: {
      ...UNKNOWN,
      method,
      url: url.href,
      headers: nameValues(request.headers),
      queryString: nameValues(url.searchParams),
      ...(sent === '' ? {} : { postData: { mimeType: request.headers['content-type'] ?? '', text: sent } }),
    },
    response: {
      ...UNKNOWN,
      status,
      statusText: '',
      headers: nameValues(response.headers),
      content: { size: text.length, mimeType: response.headers['content-type'] ?? '', text },
      redirectURL: response.headers.location ?? '',
    },
    cache: {},
    timings: { send: 0, wait: duration_ms, receive: 0 },
  };
};

const har = async ({ host, instance, request, query: { id } }: Call<'har'>): Promise<object> => {
  const { journal, world } = instance;
  const kept = id === undefined ? [...journal.all()].reverse() : [findOr404('exchange', id, journal.get(exchangeNumber(id)))];
  const base = `${new URL(request.url).origin}${instance === host.main ? '' : `/worlds/${instance.id}`}`;
  const showing = instance.showing();
  const entries = showUpTo(kept, (exchange) => entryOf(showing.entry(exchange), base), 2 * MAX_SHOWN_BYTES).reverse();
  const version = (await host.options.version?.()) ?? '';
  return {
    log: {
      version: '1.2',
      creator: { name: 'wm-mock', version, comment: `release ${releaseRow(world.release).version} of the API` },
      ...(entries.length < kept.length && { comment: `the newest ${entries.length} of ${kept.length}` }),
      entries,
    },
  };
};

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
    const pending = cursor === undefined ? [...instance.running.held].filter(fits) : [];
    return { items: [...items, ...showUpTo(pending, (one) => showing.entry(one))], ...more };
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
