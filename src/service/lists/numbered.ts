// Lists by `page` and `offset`, as the first two releases had them (spec: Versioning, Release history).
import type { Choices } from '../contract/choices.ts';
import { isIn, LIST_PARAMETERS } from '../contract/releases.ts';
import type { Meta } from '../contract/resources.ts';
import type { Terms } from '../contract/terms.ts';

/** Where a numbered page begins, and what else its meta holds. */
export interface Numbered {
  readonly from: number;
  readonly meta: Choices['page-meta'] | 'cursor';
  /** The response to a page beyond the last record. */
  readonly beyond: Choices['page-beyond-end'];
  readonly first: number;
}

/** The parameter that sizes a page; undefined when there is none. */
export const sizeParameter = ({ contract, choices }: Terms): 'limit' | 'per_page' | undefined => {
  if (isIn(LIST_PARAMETERS.limit, contract.release)) return 'limit';
  return choices['page-size'] === 'fixed' ? undefined : choices['page-size'];
};

export const isNumbered = ({ contract }: Terms): boolean => isIn(LIST_PARAMETERS.page, contract.release);

export const hasCursors = ({ contract }: Terms): boolean => isIn(LIST_PARAMETERS.cursor, contract.release);

const BEYOND = 1e12;

/** An integer of at least `least`; undefined for any other text. */
const whole = (text: string | undefined, least: number): number | undefined =>
  /^\d+$/.test(String(text)) && Number(text) >= least ? Math.min(Number(text), BEYOND) : undefined;

/** Reads where a page begins. @param refuse gets each invalid parameter. @returns undefined if the list uses cursors. */
export const readNumbered = (
  given: { readonly page?: string | undefined; readonly offset?: string | undefined; readonly cursor?: string | undefined },
  limit: number,
  terms: Terms,
  refuse: (field: string, issue: string) => undefined,
): Numbered | undefined => {
  const { choices } = terms;
  const cursors = hasCursors(terms);
  const { page, offset } = given;
  const first = choices['page-numbering'] === 'from-0' ? 0 : 1;
  const beside = cursors && given.cursor !== undefined && (page ?? offset) !== undefined;
  if (beside && choices['page-with-cursor'] === 'refused') refuse('cursor', 'must not be given beside page or offset');
  const both = page !== undefined && offset !== undefined;
  if (both && choices['page-with-offset'] === 'refused') refuse('offset', 'must not be given beside page');
  const number = whole(page, first);
  const skipped = whole(offset, 0);
  if (page !== undefined && number === undefined) refuse('page', `must be a whole number from ${first} on`);
  if (offset !== undefined && skipped === undefined) refuse('offset', 'must be a whole number from 0 on');
  if (cursors && (beside || (page ?? offset) === undefined)) return undefined;
  const byPage = number === undefined ? undefined : (number - first) * limit;
  const from = (both && choices['page-with-offset'] === 'offset' ? skipped : (byPage ?? skipped)) ?? 0;
  return { from, meta: cursors ? 'cursor' : choices['page-meta'], beyond: choices['page-beyond-end'], first };
};

/** The meta of a numbered page, as its release has it. */
export const numberedMeta = ({ meta, from, first }: Numbered, whole: Meta): Meta => {
  if (meta === 'cursor') return whole;
  const { next_cursor: _, ...counts } = whole;
  if (meta === 'null-cursor') return { ...counts, next_cursor: null };
  const pages = Math.ceil(whole.total / whole.limit);
  const shown = meta === 'pages' ? { ...counts, page: Math.floor(from / whole.limit) + first, pages } : counts;
  // The type is the current one, which has a cursor.
  return shown as unknown as Meta;
};
