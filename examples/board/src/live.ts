// Live updates: a webhook says that somebody changed something, and the board looks again.
import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Task } from './api';
import type { Page } from './board';
import { answered, askAgain } from './changes';

/** What the service sends: at least once, in any order, with a snapshot that may hold a few fields only. */
export interface WebhookEvent {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly task?: Pick<Task, 'id'> & Partial<Task> };
}

/** Where events come from. @returns what ends it. */
export type Events = (hear: (event: WebhookEvent) => void, tell: (live: boolean) => void) => () => void;

/** The events of an inbox, by way of the bridge in `live-bridge.ts`. */
export const inboxEvents =
  (inbox: string): Events =>
  (hear, tell) => {
    const source = new EventSource(`/live?inbox=${encodeURIComponent(inbox)}`);
    source.onmessage = ({ data }) => hear(JSON.parse(data));
    source.onopen = () => tell(true);
    source.onerror = () => tell(false);
    return () => source.close();
  };

/** What the board shows of a task, where an event has it: fields that it does not know may differ. */
const SHOWN = ['title', 'description', 'status', 'priority', 'assignee_id', 'due_date'] as const satisfies (keyof Task)[];

/** Whether a snapshot says nothing new: the user's own changes come back as events, too. */
const isKnown = (client: QueryClient, { event, data: { task } }: WebhookEvent): boolean => {
  if (!task || event === 'task.deleted') return false;
  const lists = client.getQueriesData<InfiniteData<Page>>({ queryKey: ['tasks'], type: 'active' });
  const pages = lists.flatMap(([, data]) => data?.pages ?? []);
  const known = pages.flatMap(({ items }) => items).find(({ id }) => id === task.id);
  return known !== undefined && SHOWN.every((name) => !(name in task) || known[name] === task[name]);
};

/** @returns whether events arrive at present. */
export const useLive = (events: Events | undefined): boolean => {
  const client = useQueryClient();
  const [live, setLive] = useState(false);
  useEffect(() => {
    const hear = async (event: WebhookEvent) => {
      // An event may overtake the response to the request that caused it.
      await answered(client, event.data.task?.id);
      if (isKnown(client, event)) return;
      askAgain(client, client.getQueryCache().findAll({ queryKey: ['tasks'] }));
      if (event.event.startsWith('project.')) client.invalidateQueries({ queryKey: ['projects'] });
    };
    return events?.(hear, setLive);
  }, [client, events]);
  return live;
};
