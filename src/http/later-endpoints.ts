// Endpoints that a later release of v1 might have (`--forward-compat`): lists without records.
import { LATER_ENDPOINTS, LATER_HEADERS } from '../contract/forward.ts';
import { PAGE } from '../contract/limits.ts';
import type { Terms } from '../contract/terms.ts';
import type { PageOf } from '../lists/page.ts';
import type { Asked, Reply } from './exchange.ts';
import { rawPath, WORLD_PREFIX } from './paths.ts';

/** Whether a request is for one of them. */
export const isLaterEndpoint = ({ forward }: Terms, { method, url }: Asked): boolean => {
  if (method !== 'GET' || !forward.includes('endpoints')) return false;
  const path = rawPath(url).replace(WORLD_PREFIX, '');
  return LATER_ENDPOINTS.some((known) => path === `/v1${known}`);
};

export const emptyList = (terms: Terms): Pick<Reply, 'status' | 'text' | 'page' | 'headers'> => {
  const page: PageOf<unknown> = {
    rows: [],
    show: (record: unknown) => record,
    meta: { total: 0, limit: PAGE.usual, has_more: false, next_cursor: null },
  };
  return { status: 200, text: null, page, headers: terms.forward.includes('headers') ? LATER_HEADERS : {} };
};
