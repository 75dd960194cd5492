// Tools for the faults of metadata.ts, pages.ts.
import type { ListName, Query } from '../../judge/reference/service/lists.ts';

export const onList =
  (...names: ListName[]) =>
  (query: Query): boolean =>
    names.includes(query.listing.name);
