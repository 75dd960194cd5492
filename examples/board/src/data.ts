// What the board reads: the people, the projects, and one list a column, page by page.
import { type QueryClientConfig, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Api, ApiError, type Meta, taken, useApi } from './api';
import { applied, type Column, type Page } from './board';
import { usePendingChanges } from './changes';

const PAGE_SIZE = 10;

/** The mock may be on this machine alone, or in this very page: being offline is no reason not to ask. */
const networkMode = 'always';
/** A service that stumbles is asked once more; what it refuses is not. */
const retry = (failures: number, error: Error) => failures < 1 && error instanceof ApiError && error.status >= 500;

export const settings: QueryClientConfig = {
  defaultOptions: {
    queries: { networkMode, retry, retryDelay: 300, staleTime: 60_000, refetchOnWindowFocus: false },
    mutations: { networkMode },
  },
};

/** Every page of a list that is short by nature. */
const whole = async <T>(page: (cursor: { cursor?: string }) => Promise<{ items: T[]; meta: Meta }>): Promise<T[]> => {
  const items: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { items: more, meta } = await page(cursor ? { cursor } : {});
    items.push(...more);
    cursor = meta.next_cursor;
  }
  return items;
};

export const useMe = () => {
  const api = useApi();
  return useQuery({ queryKey: ['me'], queryFn: async ({ signal }) => (await taken(api.GET('/users/me', { signal }))).data });
};

export const useProjects = () => {
  const api = useApi();
  const page = (signal: AbortSignal) => (cursor: { cursor?: string }) =>
    taken(api.GET('/projects', { signal, params: { query: { limit: 100, ...cursor } } }));
  return useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => whole(page(signal)) });
};

export const useMembers = () => {
  const api = useApi();
  const page = (signal: AbortSignal) => (cursor: { cursor?: string }) =>
    taken(api.GET('/workspace/members', { signal, params: { query: { limit: 100, ...cursor } } }));
  return useQuery({ queryKey: ['members'], queryFn: ({ signal }) => whole(page(signal)) });
};

const pageOf = (api: Api, { status, project, assignee, priority }: Column, cursor: string, signal: AbortSignal) => {
  const query = {
    limit: PAGE_SIZE,
    sort: '-updated_at' as const,
    'filter[status]': status,
    ...(project && { 'filter[project_id]': project }),
    ...(assignee && { 'filter[assignee_id]': assignee }),
    ...(priority && { 'filter[priority]': priority }),
    ...(cursor && { cursor }),
  };
  return taken<Page>(api.GET('/tasks', { signal, params: { query } }));
};

/** A column as the user shall see it: what the service said, and on top of it what was done and not yet answered. */
export const useColumn = (column: Column) => {
  const api = useApi();
  const changes = usePendingChanges();
  const query = useInfiniteQuery({
    queryKey: ['tasks', column],
    queryFn: ({ pageParam, signal }) => pageOf(api, column, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ meta }: Page) => meta.next_cursor,
  });
  const pages = query.data && changes.reduce((all, change) => applied(all, change, column), query.data.pages as readonly Page[]);
  return { ...query, tasks: pages?.flatMap(({ items }) => items), total: pages?.[0]?.meta.total };
};
