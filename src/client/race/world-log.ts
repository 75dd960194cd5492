// What the log of a run says: which requests were under way together, and whether an order was kept.
import { EACH, type Hold, LOST, type Note, type Order } from './delayed-responses.ts';

/** How what was tried ended, and what happened in its world. */
export interface Ran {
  readonly passed: boolean;
  /** The test that failed, where its name is known. */
  readonly test?: string;
  readonly log: readonly Note[];
}

/** The requests that came, in their order. */
export const cameIn = (log: readonly Note[]): readonly string[] =>
  log.flatMap(({ what, name }) => (what === 'came' ? [name] : []));

/** The requests that were answered between the coming and the going of another, in the order of their responses. */
export const overtaking = (log: readonly Note[], name: string): readonly string[] => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  if (from === undefined || to === undefined || from < 0 || to < 0) return [];
  const later = new Set(cameIn(log.slice(from + 1, to)));
  return log.slice(from, to).flatMap((note) => (note.what === 'went' && later.has(note.name) ? [note.name] : []));
};

/** Whether a response went out though what it waited for had not come. */
export const hasGivenUp = ({ log }: Ran): boolean => log.some(({ what }) => what === 'gave up');

/** Whether each response waited for what it was to wait for, and what it waited for came while it did; or was lost. */
export const isMet = (order: Order, ran: Ran): boolean => {
  const came = cameIn(ran.log);
  const holds = ({ held, after, lost }: Hold) =>
    held === EACH ||
    (lost && ran.log.some(({ what, name, status }) => what === 'went' && name === held && status === LOST)) ||
    (after === undefined ? overtaken(ran.log, held).length > 0 : came.includes(held) && came.indexOf(held) < came.indexOf(after));
  return order.every(holds) && !hasGivenUp(ran);
};

/** The requests that came while another was under way. */
export const overtaken = (log: readonly Note[], name: string): readonly string[] => {
  const [from, to] = ['came', 'went'].map((what) => log.findIndex((note) => note.what === what && note.name === name));
  return from === undefined || to === undefined || from < 0 ? [] : cameIn(log.slice(from + 1, to < 0 ? undefined : to));
};
