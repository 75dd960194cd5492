// Requests that overlap: an order in which they may have been served, and what each has beside it.
import type { Exchange, Sent } from './exchange.ts';

/** A request, its response if one came, and when it was under way, by any count. */
export interface Waiting {
  readonly sent: Sent;
  readonly x?: Exchange | undefined;
  readonly from: number;
  readonly until: number;
}

/** Requests that overlap: these may have been served first: what writes, what reads, what deletes, what is refused. */
const rankOf = ({ x }: Waiting): number => {
  if (!x) return 4;
  if (x.status < 200 || x.status >= 300) return 3;
  return x.method === 'DELETE' ? 2 : x.method === 'GET' ? 1 : 0;
};

const overlap = (a: Waiting, b: Waiting): boolean => a !== b && a.from < b.until && b.from < a.until;

/** One that ended before another began was served before it. */
const servedOrder = (waiting: readonly Waiting[]): Waiting[] => {
  const left = [...waiting].sort((a, b) => rankOf(a) - rankOf(b));
  const order: Waiting[] = [];
  while (left.length > 0) {
    const first = left.findIndex((one) => left.every((other) => other === one || other.until >= one.from));
    order.push(...left.splice(Math.max(first, 0), 1));
  }
  return order;
};

/** The responses in that order, each with the writes that overlapped with it; those without a response are left out. */
export const inOrder = (waiting: readonly Waiting[]): Exchange[] => {
  const writes = waiting.filter(({ sent }) => sent.method !== 'GET');
  const isMixed = waiting.length > 1 && writes.length > 0;
  return (isMixed ? servedOrder(waiting) : waiting).flatMap((one) => {
    if (!one.x) return [];
    if (!waiting.some((other) => overlap(one, other))) return [one.x];
    return [{ ...one.x, beside: writes.filter((other) => overlap(one, other)).map(({ sent }) => sent) }];
  });
};
