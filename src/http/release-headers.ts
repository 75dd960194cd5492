// The headers that an answer has by its release: `Deprecation` of `page` and `offset` at v1.1 (spec: Versioning; RFC 9745), later ones.
import type { Operation } from '../contract/operations.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import type { Terms } from '../contract/terms.ts';
import { readParameters } from '../lists/query.ts';
import { laterHeaders } from './later.ts';

const VALUES = { date: '@1725148800', true: 'true' } as const;

const deprecation = (
  { contract, choices }: Terms,
  { list }: Operation,
  url: string,
): Readonly<Record<string, string>> | undefined => {
  if (!list || !isIn(HEADER_SPANS.Deprecation, contract.release)) return undefined;
  const reaches =
    choices['deprecation-reach'] === 'lists' || readParameters(url).some(([name]) => name === 'page' || name === 'offset');
  return reaches ? { deprecation: VALUES[choices['deprecation-value']] } : undefined;
};

/** The headers that an answer has by its release; undefined when it has none. */
export const headersFor = (
  terms: Terms,
  row: Operation | undefined | '',
  url: string,
): Readonly<Record<string, string>> | undefined => {
  const old = row ? deprecation(terms, row, url) : undefined;
  const more = laterHeaders(terms);
  return old && more ? { ...old, ...more } : (old ?? more);
};
