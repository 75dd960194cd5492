// The journal: every exchange with `/v1`, looked through and forgotten.
import type { Exchange } from '../../http/exchange.ts';
import { numberOf, type RequestEntry, type RequestSummary } from '../../http/show-exchange.ts';
import { globFits } from '../../world/glob.ts';
import { type Calls, nothingHere } from '../call.ts';
import type { Instance } from '../instance.ts';

export interface RequestFilter {
  readonly method?: string | undefined;
  /** With or without `/v1`; `*` stands for any characters. */
  readonly path?: string | undefined;
  /** Such as `404` or `4xx`. */
  readonly status?: string | number | undefined;
  readonly operation?: string | undefined;
  /** The newest so many. */
  readonly limit?: number | undefined;
}

const bare = (path: string): string => path.replace(/^\/?v1(?=\/|\?|$)/, '').replace(/^(?=[^/*])/, '/');

const fits = ({ method, status, operation }: RequestFilter, { asked, reply, aborted }: Exchange): boolean => {
  const answered = aborted ? 0 : reply.status;
  return (
    (method === undefined || asked.method === method.toUpperCase()) &&
    (operation === undefined || asked.id === operation) &&
    (status === undefined || String(answered) === String(status) || `${Math.floor(answered / 100)}xx` === status)
  );
};

const pathFits = (pattern: string, shown: string): boolean => {
  const wanted = bare(pattern);
  const path = bare(shown);
  return globFits(wanted, wanted.includes('?') ? path : path.replace(/\?.*/s, ''));
};

/** The exchanges that fit, oldest first. */
export const requestsOf = (instance: Instance, filter: RequestFilter = {}): RequestEntry[] => {
  const showing = instance.showing();
  const fitting = instance.journal
    .all()
    .filter((exchange) => fits(filter, exchange))
    .filter((exchange) => filter.path === undefined || pathFits(filter.path, showing.path(exchange)));
  return (filter.limit === undefined ? fitting : fitting.slice(-filter.limit)).map((exchange) => showing.entry(exchange));
};

/** The exchanges that fit in one line each, newest first, from before one of them on; looks no further than for one more than asked for. */
export const newestOf = (
  instance: Instance,
  filter: Omit<RequestFilter, 'limit'>,
  { before, most }: { readonly before?: string | undefined; readonly most: number },
): { readonly items: readonly RequestSummary[]; readonly more: boolean } => {
  const showing = instance.showing();
  const { journal } = instance.running;
  const found: Exchange[] = [];
  const start = Math.min(before === undefined ? journal.next : numberOf(before), journal.next) - 1;
  for (let number = start; number >= journal.first && found.length <= most; number--) {
    const exchange = journal.get(number)!;
    if (!fits(filter, exchange)) continue;
    if (filter.path === undefined || pathFits(filter.path, showing.path(exchange))) found.push(exchange);
  }
  return { items: found.slice(0, most).map((exchange) => showing.summary(exchange)), more: found.length > most };
};

export const journalCalls: Calls<'listRequests' | 'getRequest' | 'deleteRequests'> = {
  listRequests: ({ instance, query: { limit, ...filter } }) => ({
    items: requestsOf(instance, { ...filter, limit: limit === undefined ? undefined : Number(limit) }),
  }),

  getRequest: ({ instance, variable }) => {
    const exchange = instance.journal.get(numberOf(variable));
    if (!exchange) throw nothingHere('exchange', variable, 'requests');
    return instance.showing().entry(exchange);
  },

  deleteRequests: ({ instance }) => instance.journal.clear(),
};
