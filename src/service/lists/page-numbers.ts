// Lists by `page` and `offset`, as the first two releases had them (spec: Versioning, Release history).
import { isIn, LIST_PARAMETERS } from '../contract/releases.ts';
import type { Meta } from '../contract/resources.ts';
import type { Terms } from '../contract/terms.ts';

/** Whether lists take a parameter, besides filters, at the release of the terms. */
export const hasParameter = (name: string, { contract }: Terms): boolean =>
  Object.hasOwn(LIST_PARAMETERS, name) && isIn(LIST_PARAMETERS[name as keyof typeof LIST_PARAMETERS], contract.release);

const MAX_SKIP = 1e12;

const wholeNumber = (text: string | undefined, min: number): number | undefined =>
  /^\d+$/.test(String(text)) && Number(text) >= min ? Math.min(Number(text), MAX_SKIP) : undefined;

/**
 * Reads how many records stand before a page.
 * @param refuse gets each invalid parameter.
 * @returns undefined if the list uses cursors.
 */
export const readSkip = (
  { page, offset, cursor }: Partial<Record<string, string>>,
  limit: number,
  terms: Terms,
  refuse: (field: string, issue: string) => undefined,
): number | undefined => {
  const cursors = hasParameter('cursor', terms);
  const isByCursor = (page ?? offset) === undefined;
  if (cursors && cursor !== undefined && !isByCursor) refuse('cursor', 'must not be given beside page or offset');
  if (page !== undefined && offset !== undefined) refuse('offset', 'must not be given beside page');
  const number = wholeNumber(page, 1);
  const skip = wholeNumber(offset, 0);
  if (page !== undefined && number === undefined) refuse('page', 'must be a whole number from 1 on');
  if (offset !== undefined && skip === undefined) refuse('offset', 'must be a whole number from 0 on');
  if (cursors && isByCursor) return undefined;
  return number === undefined ? (skip ?? 0) : (number - 1) * limit;
};

/** The meta of a page as its release has it: before cursors came, without one. */
export const metaAt = (terms: Terms, meta: Meta): Meta => {
  if (hasParameter('cursor', terms)) return meta;
  const { next_cursor: _, ...counts } = meta;
  return counts as Meta;
};
