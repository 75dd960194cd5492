// What the log of a run says: which requests were under way together, and whether an order was kept.
import { EVERY_REQUEST, type Hold, LOST_STATUS, type Order, type RaceNote } from './delayed-responses.ts';

/** How what was tried ended, and what happened in its world. */
export interface WorldRun {
  readonly passed: boolean;
  /** The test that failed, where its name is known. */
  readonly test?: string;
  readonly log: readonly RaceNote[];
}

/** The requests that came, in their order. */
export const listArrivals = (log: readonly RaceNote[]): readonly string[] =>
  log.flatMap(({ what, name }) => (what === 'came' ? [name] : []));

/** The requests that were answered between the coming and the going of another, in the order of their responses. */
export const listOvertaking = (log: readonly RaceNote[], name: string): readonly string[] => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  if (from === undefined || to === undefined || from < 0 || to < 0) return [];
  const later = new Set(listArrivals(log.slice(from + 1, to)));
  return log.slice(from, to).flatMap((note) => (note.what === 'went' && later.has(note.name) ? [note.name] : []));
};

/** Whether a response went out though what it waited for had not come. */
export const hasGivenUp = ({ log }: WorldRun): boolean => log.some(({ what }) => what === 'gave up');

/** Whether each response waited for what it was to wait for, and what it waited for came while it did; or was lost. */
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

/** The requests that came while another was under way. */
export const listLaterArrivals = (log: readonly RaceNote[], name: string): readonly string[] => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  return from === undefined || to === undefined || from < 0 ? [] : listArrivals(log.slice(from + 1, to < 0 ? undefined : to));
};
