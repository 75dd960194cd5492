// Questions to the log of a run: which requests overlapped, and whether an order took effect.
import { EVERY_REQUEST, type Hold, LOST_STATUS, type Order, type RaceNote } from './delayed-responses.ts';

export interface WorldRun {
  readonly passed: boolean;
  /** The failed test, if known. */
  readonly test?: string;
  readonly log: readonly RaceNote[];
}

export const listArrivals = (log: readonly RaceNote[]): readonly string[] =>
  log.flatMap(({ what, name }) => (what === 'came' ? [name] : []));

/** Requests that arrived and got a response while another was in progress. */
export const listOvertaking = (log: readonly RaceNote[], name: string): readonly string[] => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  if (from === undefined || to === undefined || from < 0 || to < 0) return [];
  const later = new Set(listArrivals(log.slice(from + 1, to)));
  return log.slice(from, to).flatMap((note) => (note.what === 'went' && later.has(note.name) ? [note.name] : []));
};

export const hasGivenUp = ({ log }: WorldRun): boolean => log.some(({ what }) => what === 'gave up');

/** Whether each hold took effect, or its response was lost. */
export const isMet = (order: Order, ran: WorldRun): boolean => {
  const came = listArrivals(ran.log);
  const holds = ({ held, after, lost }: Hold) =>
    held === EVERY_REQUEST ||
    (lost && ran.log.some(({ what, name, status }) => what === 'went' && name === held && status === LOST_STATUS)) ||
    (after === undefined
      ? listLaterArrivals(ran.log, held).length > 0
      : came.includes(held) && came.indexOf(held) < came.indexOf(after));
  return order.every(holds) && !hasGivenUp(ran);
};

/** Requests that arrived while another was in progress. */
export const listLaterArrivals = (log: readonly RaceNote[], name: string): readonly string[] => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  return from === undefined || to === undefined || from < 0 ? [] : listArrivals(log.slice(from + 1, to < 0 ? undefined : to));
};
