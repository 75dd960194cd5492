// Good sense that no sentence of the spec states: seen in what a client sends, told as advice.
import { groupBy } from '../service/contract/keyed.ts';
import { type OperationId, operation } from '../service/contract/operations.ts';
import { LIST_PARAMETERS } from '../service/contract/releases.ts';
import { type Conduct, ConductLog } from './conduct-log.ts';
import type { AdviceName } from './duties.ts';
import { type ExchangeNote, exchangesIn, type Note, queryOf } from './notes.ts';

type AdviceLog = ConductLog<AdviceName>;

const adviseOnPages = (log: AdviceLog, exchanges: readonly ExchangeNote[]): void => {
  const lists = exchanges.filter(({ operation: id, next }) => id !== undefined && next !== undefined);
  for (const [id, pages] of groupBy(lists, (one) => one.operation as OperationId)) {
    // A page of one record is read for its total.
    const open = pages.find(({ more, ids = [] }) => more && ids.length > 1);
    if (!open || exchanges.some(({ operation: other, path }) => other === id && queryOf({ path }).has('cursor'))) continue;
    const { path } = operation(id);
    log.meet('first-page-only', open, `It reads the first page of ${path} alone, though there are more.`);
  }
};

/** This many reads within this time are a pattern. */
const MANY = { reads: 10, ms: 10_000 };

/** Consecutive reads of a group that are close in time. */
const findBurst = (reads: readonly ExchangeNote[]): ExchangeNote | undefined =>
  reads.find((one, i) => i + 1 >= MANY.reads && one.at - reads[i + 1 - MANY.reads]!.at <= MANY.ms);

const adviseOnReads = (log: AdviceLog, exchanges: readonly ExchangeNote[]): void => {
  const reads = exchanges.filter(({ method, status }) => method === 'GET' && status === 200);
  const single = reads.filter(({ operation: id }) => id && operation(id).finds !== undefined && !operation(id).list);
  for (const group of groupBy(single, ({ world, operation: id }) => `${world} ${id}`).values()) {
    const burst = findBurst(group);
    if (burst && new Set(group.map(({ path }) => path)).size >= MANY.reads)
      log.meet('one-by-one', burst, `It reads ${group.length} records one by one.`);
  }
  for (const group of groupBy(reads, ({ world, path, key }) => `${world} ${key} ${path}`).values()) {
    const burst = findBurst(group);
    if (burst) log.meet('polling', burst, `It sends the same request ${group.length} times.`);
  }
};

const adviseOnRepeats = (log: AdviceLog, exchanges: readonly ExchangeNote[]): void => {
  const failed = exchanges.filter(({ method, status }) => method === 'POST' && (status === 0 || status >= 500));
  for (const one of failed) {
    const next = exchanges.find(({ at, world }) => at >= one.ended && world === one.world);
    const isAgain = next?.method === 'POST' && next.path === one.path && JSON.stringify(next.body) === JSON.stringify(one.body);
    if (isAgain)
      log.meet('blind-repeat', next, `It repeats the POST after ${one.status === 0 ? 'a lost response' : one.status}.`);
  }
};

const adviseOnQueries = (log: AdviceLog, exchanges: readonly ExchangeNote[]): void => {
  for (const exchange of exchanges) {
    if (exchange.operation === undefined) continue;
    const names = [...queryOf(exchange).keys()];
    const { list } = operation(exchange.operation);
    const unknown = names.find((name) => !(list && (Object.hasOwn(LIST_PARAMETERS, name) || name.startsWith('filter['))));
    if (unknown) log.meet('unknown-query', exchange, `It sends the parameter ${unknown}.`);
  }
};

export const adviseOnConduct = (notes: readonly Note[]): Conduct<AdviceName> => {
  const log = new ConductLog<AdviceName>();
  const exchanges = exchangesIn(notes);
  for (const advise of [adviseOnPages, adviseOnReads, adviseOnRepeats, adviseOnQueries]) advise(log, exchanges);
  return log;
};
