// A cache of the pages read since the last write.
import type { Terms } from '../contract/terms.ts';
import type { World } from '../world/world.ts';
import type { PageOf } from './page.ts';

/** How many pages are cached between two writes. */
const MAX_CACHED_PAGES = 100;

interface CachedPage {
  readonly page: PageOf<unknown>;
  readonly terms: Terms;
}

/** The page of a URL in a workspace, valid until a write or other terms. @throws what `read` throws */
export const cachePage = ({ pages, terms }: World, workspace: string, url: string, read: () => PageOf<unknown>) => {
  const key = `${workspace} ${url}`;
  const known = pages.get(key) as CachedPage | undefined;
  if (known?.terms === terms) {
    known.page.again = true;
    return known.page;
  }
  const page = read();
  if (pages.size >= MAX_CACHED_PAGES) pages.clear();
  pages.set(key, { page, terms } satisfies CachedPage);
  return page;
};
