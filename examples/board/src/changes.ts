// What the user does to tasks: seen at once, sent in order, taken back when the service refuses.
import {
  type InfiniteData,
  type MutationOptions,
  type Query,
  type QueryClient,
  useMutationState,
  useQueryClient,
} from '@tanstack/react-query';
import { type Api, ApiError, type Task, taken, useApi } from './api';
import { applied, type Change, type Column, type Page } from './board';
import { notify } from './notices';

const KEY = ['change'];
/** Changes whose answer stands in the lists already. */
const settled = new WeakSet<Change>();

/** What was done and not yet answered, oldest first. It is laid over the lists, never into them: a failure has nothing to undo. */
export const usePendingChanges = (): readonly Change[] =>
  useMutationState({
    filters: { mutationKey: KEY, status: 'pending' },
    select: ({ state }) => state.variables as Change,
  }).filter((change) => !settled.has(change));

/** Waits until the service has answered what the user did to a task, or may have created as it. */
export const answered = (client: QueryClient, task: string | undefined): Promise<void> =>
  new Promise((resolve) => {
    const cache = client.getMutationCache();
    const concerns = ({ kind, task: { id } }: Change) => kind === 'create' || id === task;
    const look = () => {
      const pending = cache.findAll({ mutationKey: KEY, status: 'pending' });
      if (pending.some(({ state }) => concerns(state.variables as Change))) return;
      unsubscribe();
      resolve();
    };
    const unsubscribe = cache.subscribe(look);
    look();
  });

const send = async (api: Api, change: Change): Promise<Task> => {
  const { task } = change;
  const path = { task_id: task.id, project_id: task.project_id };
  if (change.kind === 'create') {
    return (await taken(api.POST('/projects/{project_id}/tasks', { params: { path }, body: change.draft }))).data;
  }
  if (change.kind === 'update') {
    return (await taken(api.PATCH('/tasks/{task_id}', { params: { path }, body: change.patch }))).data;
  }
  await taken(api.DELETE('/tasks/{task_id}', { params: { path } })).catch((error: ApiError) => {
    // Somebody else deleted it first: it is gone, as wished.
    if (error.status !== 404) throw error;
  });
  return task;
};

/** Asks for lists again. The first answer of a list is given up for it: the client would take it for the new one. */
export const askAgain = async (client: QueryClient, lists: readonly Query[]): Promise<void> => {
  const predicate = (query: Query) => lists.includes(query);
  await client.cancelQueries({ predicate });
  await client.invalidateQueries({ predicate });
};

/** Writes what the service answered into every list that is kept, so that nothing need be asked again. */
const write = (client: QueryClient, change: Change): void => {
  for (const { queryKey } of client.getQueryCache().findAll({ queryKey: ['tasks'] })) {
    client.setQueryData<InfiniteData<Page>>(
      queryKey,
      (data) => data && { ...data, pages: [...applied(data.pages, change, queryKey[1] as Column)] },
    );
  }
  // An answer that was on its way may be older than the change.
  askAgain(client, client.getQueryCache().findAll({ queryKey: ['tasks'], fetchStatus: 'fetching' }));
};

const FAILED = { create: 'was not created', update: 'was not saved', delete: 'was not deleted' };

const reasonOf = (error: Error): string =>
  error instanceof ApiError ? `${error.message}${error.status ? ` (${error.status} ${error.code})` : ''}` : String(error);

/** Makes a change: changes of one task are sent one after the other, those of others beside them. */
export const useChange = (): ((change: Change) => void) => {
  const api = useApi();
  const client = useQueryClient();
  const make = (change: Change): void => {
    const options: MutationOptions<Task, Error, Change> = {
      mutationKey: KEY,
      scope: { id: change.task.id },
      mutationFn: () => send(api, change),
      onSuccess: (task) => {
        settled.add(change);
        write(client, { ...change, task });
      },
      onError: (error) => {
        notify({ text: `“${change.task.title}” ${FAILED[change.kind]}.`, reason: reasonOf(error), again: () => make(change) });
        if (error instanceof ApiError && error.status === 404) client.invalidateQueries({ queryKey: ['tasks'] });
      },
    };
    // Beyond the life of the card that asks: it moves to another column, or is gone, before the answer comes.
    const mutation = client.getMutationCache().build(client, options);
    mutation.execute(change).catch(() => {});
  };
  return make;
};
