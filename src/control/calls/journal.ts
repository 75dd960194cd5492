// The journal: every exchange with `/v1`, looked through and forgotten.
import type { Exchange } from '../../http/exchange.ts';
import { idOf, numberOf, type RequestEntry, type RequestSummary } from '../../http/show-exchange.ts';
import { pathFits, statusFits } from '../../world/glob.ts';
import { type Calls, found, listed } from '../call.ts';
import type { Instance } from '../instance.ts';

export interface RequestFilter {
  readonly method?: string | undefined;
  /** With or without `/v1`; `*` stands for any characters. */
  readonly path?: string | undefined;
  /** Such as `404` or `4xx`. */
  readonly status?: string | number | undefined;
  readonly operation?: string | undefined;
  readonly limit?: number | undefined;
}

const fits = ({ method, status, operation }: RequestFilter, { asked, reply, aborted }: Exchange): boolean =>
  (method === undefined || asked.method === method.toUpperCase()) &&
  (operation === undefined || asked.id === operation) &&
  (status === undefined || statusFits(status, aborted ? 0 : reply.status));

/** The exchanges that fit, newest first, from before a number on; looks no further than for as many as are asked for. */
const newest = (instance: Instance, filter: RequestFilter, before = Number.POSITIVE_INFINITY) => {
  const showing = instance.showing();
  const { journal } = instance.running;
  const { path, limit = Number.POSITIVE_INFINITY } = filter;
  const found: Exchange[] = [];
  for (let number = Math.min(before, journal.next) - 1; number >= journal.first && found.length < limit; number--) {
    const exchange = journal.get(number)!;
    if (fits(filter, exchange) && (path === undefined || pathFits(path, showing.path(exchange)))) found.push(exchange);
  }
  return { showing, found };
};

/** Every exchange, oldest first, and behind them those whose responses are kept back. */
export const requestsOf = (instance: Instance): RequestEntry[] => {
  const showing = instance.showing();
  return [...instance.journal.all(), ...instance.running.held].map((exchange) => showing.entry(exchange));
};

/** The exchanges that fit in one line each, newest first, from before one of them on, and whether there are more. */
export const newestOf = (
  instance: Instance,
  filter: Omit<RequestFilter, 'limit'>,
  { before, most }: { readonly before?: string | undefined; readonly most: number },
): { readonly items: readonly RequestSummary[]; readonly more: boolean } => {
  const { showing, found } = newest(
    instance,
    { ...filter, limit: most + 1 },
    before === undefined ? undefined : numberOf(before),
  );
  return { items: found.slice(0, most).map((exchange) => showing.summary(exchange)), more: found.length > most };
};

export const journalCalls = {
  listRequests: ({ instance, query }) => {
    const { limit: _, ...filter } = query;
    const { showing, found } = newest(instance, filter);
    const { items, ...more } = listed(
      query,
      found.reverse().map((exchange) => ({ id: idOf(exchange), exchange })),
      'log',
    );
    return { items: items.map(({ exchange }) => showing.entry(exchange)), ...more };
  },

  getRequest: ({ instance, variable }) =>
    instance.showing().entry(found('exchange', variable, instance.journal.get(numberOf(variable)))),

  deleteRequests: ({ instance }) => instance.journal.clear(),
} satisfies Calls;
