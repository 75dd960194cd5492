// The header that tells a client of v1.1 to leave `page` and `offset` (spec: Versioning, Release history; RFC 9745).
import type { Operation } from '../contract/operations.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import type { Terms } from '../contract/terms.ts';
import { readParameters } from '../lists/query.ts';

const VALUES = { date: '@1725148800', true: 'true' } as const;

/** The header of an answer; undefined when it has none. */
export const deprecation = (
  { contract, choices }: Terms,
  { list }: Operation,
  url: string,
): Readonly<Record<string, string>> | undefined => {
  if (!list || !isIn(HEADER_SPANS.Deprecation, contract.release)) return undefined;
  const reaches =
    choices['deprecation-reach'] === 'lists' || readParameters(url).some(([name]) => name === 'page' || name === 'offset');
  return reaches ? { deprecation: VALUES[choices['deprecation-value']] } : undefined;
};
