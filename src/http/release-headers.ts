// The headers that an answer has by its release: `Deprecation` of `page` and `offset` at v1.1 (spec: Versioning; RFC 9745).
import type { Operation } from '../contract/operations.ts';
import { HEADER_SPANS, isIn } from '../contract/releases.ts';
import type { Terms } from '../contract/terms.ts';
import { readParameters } from '../lists/query.ts';

const VALUES = { date: '@1725148800', true: 'true' } as const;

/** The headers that a response has by its release; undefined when it has none. */
export const headersFor = (
  { contract, choices }: Terms,
  row: Operation | undefined,
  url: string,
): Readonly<Record<string, string>> | undefined => {
  if (!row?.list || !isIn(HEADER_SPANS.Deprecation, contract.release)) return undefined;
  const reaches =
    choices['deprecation-reach'] === 'lists' || readParameters(url).some(([name]) => name === 'page' || name === 'offset');
  return reaches ? { deprecation: VALUES[choices['deprecation-value']] } : undefined;
};
