// Faults of events that the foreign server can have, at each step of a letter's way; and manners, which conform.
import { createHmac } from 'node:crypto';
import type { Hook } from './records.ts';

type Row = Readonly<Record<string, unknown>>;
type Has = (fault: string) => boolean;

/** What the server has to tell of a write. */
export interface News {
  readonly event: string;
  readonly snapshot: Row;
  /** The snapshot before the write. */
  readonly before?: Row | undefined;
  /** When the record was made. */
  readonly made: number;
  /** The key that wrote, and its scope. */
  readonly key: string;
  readonly scope: string;
  /** The record as it is by the time that it is asked for. */
  readonly fresh: () => Row;
}

export const toldOf = (has: Has, hooks: readonly Hook[], { event, scope }: News): readonly Hook[] => {
  const [kind, action] = event.split('.');
  const some = (test: (name: string) => boolean) => hooks.filter(({ events }) => events.some(test));
  if (has('event-not-by-admin') && scope === 'admin') return [];
  if (has('hook-unsubscribed')) return hooks;
  if (has('event-by-action')) return some((name) => name.endsWith(`.${action}`));
  if (has('event-by-resource')) return some((name) => name.startsWith(`${kind}.`));
  if (has('event-per-name')) return hooks.flatMap((hook) => hook.events.filter((name) => name === event).map(() => hook));
  const asked = some((name) => name === event);
  return has('event-to-the-first') ? asked.slice(0, 1) : asked;
};

const same = (a: Row, b: Row | undefined, ...names: string[]) => names.every((name) => a[name] === b?.[name]);

/** One write is one piece of news. */
export const newsOf = (has: Has, news: News): readonly News[] => {
  const { event, snapshot, before } = news;
  if (has('event-twice') || (has('event-deleted-twice') && event === 'task.deleted')) return [news, news];
  if (has('event-touches-project') && event === 'task.created')
    return [news, { ...news, event: 'project.updated', snapshot: { id: snapshot.project_id } }];
  if (has('event-for-titles') && event === 'task.updated' && same(snapshot, before, 'title')) return [];
  if (has('event-for-names') && event === 'project.updated' && same(snapshot, before, 'name')) return [];
  return [news];
};

export const snapshotIn = (has: Has, { event, snapshot, before, fresh }: News, tries: number): Row => {
  const isTask = event.startsWith('task.');
  const isGone = event.endsWith('.deleted');
  if (has('event-rendered-late') || (has('event-rendered-again') && tries > 0)) return fresh();
  if (has('event-old-project') && event === 'project.updated' && before) return before;
  if (has('event-gone-is-bare') && isTask && isGone) return { id: snapshot.id, project_id: snapshot.project_id };
  if (has('event-gone-is-a-status') && isTask && isGone) return { ...snapshot, status: 'deleted' };
  if (has('event-nobody-assigned') && isTask) return { ...snapshot, assignee_id: null };
  if (has('event-status-shouts') && isTask) return { ...snapshot, status: String(snapshot.status).toUpperCase() };
  if (has('event-wrong-project') && isTask) return { ...snapshot, project_id: snapshot.id };
  if (has('event-ascii') && isTask) return { ...snapshot, title: String(snapshot.title).replace(/[^ -~]/g, '?') };
  if (has('manner-leaves-out') && isTask && snapshot.assignee_id === null) {
    const { assignee_id: _, ...rest } = snapshot;
    return rest;
  }
  if (has('manner-nameless-projects') && !isTask) {
    const { id: _, ...rest } = snapshot;
    return rest;
  }
  if (has('event-short-text') && typeof snapshot.description === 'string')
    return { ...snapshot, description: snapshot.description.slice(0, 5) };
  return snapshot;
};

/** How long a letter takes, in milliseconds; the specification sets no bound. */
export const delayOf = (has: Has, number: number): number => {
  if (has('manner-late')) return 200_000;
  return has('manner-shuffled') ? ((number * 7919) % 60) * 1000 : 0;
};

/** Whether a letter that was accepted comes once more: delivery is at least once. */
export const strays = (has: Has, number: number, tries: number): boolean =>
  has('manner-repeats-some') && number % 9 === 0 && tries === 0;

/** When the event is said to have been generated. */
export const bornAt = (has: Has, { made }: News, now: number): number =>
  has('event-born-with-record') ? made : has('event-hour-off') ? now + 3_600_000 : now;

export const envelopeWith = (has: Has, letter: Row, hook: Hook): Row => {
  if (has('event-id-number')) return { ...letter, id: Number.parseInt(String(letter.id).slice(0, 8), 16) };
  if (has('event-zone')) {
    const there = new Date(Date.parse(String(letter.created_at)) + 7_200_000);
    return { ...letter, created_at: `${there.toISOString().slice(0, 19)}+02:00` };
  }
  return has('event-tells-secret') ? { ...letter, signed_with: hook.secret } : letter;
};

/** @param first the secret of the registration before all others */
export const macOf = (has: Has, stamp: string, body: string, secret: string, first: string, tries: number): string => {
  const key = has('hook-fixed-secret') ? 'fixed' : has('event-one-secret') ? first : secret;
  if (has('hook-constant-signature')) return 'constant';
  const content = has('event-signs-time') ? stamp : has('event-signs-retry-badly') && tries > 0 ? `${tries}.${body}` : body;
  return createHmac('sha256', key).update(`${stamp}.${content}`).digest('hex');
};

/** Whether a status is taken for what it is not; undefined when it is not. */
export const heard = (has: Has, status: number): boolean | undefined => {
  if (has('event-gone-is-final') && status === 410) return true;
  if (has('event-busy-is-final') && status === 429) return true;
  if (has('event-moved-is-final') && (status === 301 || status === 308)) return true;
  if (has('event-odd-success-fails') && status === 299) return false;
  return undefined;
};

/** News of what was no write: a refusal, a read. */
export const gossipOf = (has: Has, method: string, status: number): string | undefined => {
  if (has('event-on-refused-patch') && method === 'PATCH' && status >= 400) return 'task.updated';
  if (has('event-on-refused-delete') && method === 'DELETE' && status === 403) return 'task.deleted';
  return has('event-on-read') && method === 'GET' && status === 200 ? 'task.updated' : undefined;
};
