// Which release a target is, by its responses: the newest of which it shows a sign.
import type { Client } from './client.ts';
import { type Exchange, errorOf, isRecord, metaOf, records, succeeded, text } from './exchange.ts';
import { pathOf } from './paths.ts';
import { isIn, type Release } from './releases.ts';
import type { Role } from './terms.ts';

export interface Detected {
  readonly release: Release;
  /** The evidence for it. */
  readonly because: string;
}

/** A service that says in its own error shape that something is not there. */
const absent = async (client: Client, path: string, as: Role): Promise<boolean> => {
  const x = await client.send('GET', path, { as });
  return x.status === 404 && text(errorOf(x).code) !== undefined;
};

/** The newest release that shows a sign of its own: what came after it looks the same. */
const SIGNED: Release = '1.3';

/** @param tasks its first tasks, asked for with that limit @param told what it is said to be @returns undefined when its responses tell nothing. */
export const detect = async (
  client: Client,
  as: Role,
  tasks: Exchange,
  asked: number,
  { told, latest }: { readonly told: Release | undefined; readonly latest: Release },
): Promise<Detected | undefined> => {
  if (!succeeded(tasks)) return undefined;
  const [task] = records(tasks);
  const newest = told !== undefined && isIn({ since: SIGNED }, told) ? told : latest;
  if (task && 'priority' in task) return { release: newest, because: 'tasks have a priority' };
  const id = text(task?.id);
  if (id !== undefined && succeeded(await client.send('GET', `${pathOf('/tasks', id)}/comments`, { as }))) {
    return { release: newest, because: 'tasks have comments' };
  }
  if (!task) {
    const filtered = await client.send('GET', '/tasks?filter[priority]=low', { as });
    if (succeeded(filtered) && !(await absent(client, '/teams', as))) {
      return { release: newest, because: 'filter[priority] is accepted and teams are there' };
    }
  }
  if (!(await absent(client, '/teams', as))) {
    return task ? { release: '1.2', because: 'teams are there, and tasks have no priority' } : undefined;
  }
  const { next_cursor: cursor, has_more: more, limit } = metaOf(tasks);
  const led = typeof cursor === 'string' || (cursor === null && more === false && limit === asked);
  if (led) return { release: '1.1', because: 'lists have a next_cursor, and there are no teams' };
  return isRecord(tasks.json) && 'meta' in tasks.json
    ? { release: '1.0', because: 'no next_cursor leads on, and there are no teams' }
    : undefined;
};
