// Events by the change that causes them, and their envelope (spec: Events).
import type { EventName } from './resources.ts';
import { oneOf, open, type Schema, string, time } from './schema.ts';

/** The key of the envelope's `data`: the resource type. A later release may have more. */
export type EventResource = 'task' | 'project' | 'member' | 'comment';

/** Body of a delivery: one event with a snapshot of its resource. */
export interface Envelope {
  readonly id: string;
  readonly event: EventName;
  readonly created_at: string;
  readonly data: { readonly [Resource in EventResource]?: object };
}

/** Fields that every snapshot of a task has. */
export const TASK_SNAPSHOT = ['id', 'title', 'project_id', 'status', 'assignee_id'] as const;

export const resourceOf = (event: EventName): EventResource => event.slice(0, event.indexOf('.')) as EventResource;

export const envelope = (event: EventName, snapshot: Schema<unknown>): Schema<unknown> =>
  open({
    id: string({ minLength: 1, description: 'Unique id of the event, the same on every retry.', examples: ['evt_4k2m9x7q1wzt'] }),
    event: oneOf([event], { description: 'Name of the event.' }),
    created_at: time('When the event was generated, in UTC.'),
    data: open({ [resourceOf(event)]: snapshot }),
  });

interface Stored {
  readonly state?: unknown;
}

const ofMember = (before: Stored | undefined, after: Stored | undefined): EventName | undefined => {
  if (!before && after?.state === 'invited') return 'member.invited';
  return before?.state === 'invited' && after?.state === 'joined' ? 'member.joined' : undefined;
};

/** Event of a change; undefined if it has none. */
export const eventOf = (collection: string, before: object | undefined, after: object | undefined): EventName | undefined => {
  if (collection === 'users') return ofMember(before, after);
  if (collection !== 'tasks' && collection !== 'projects') return undefined;
  const resource = collection === 'tasks' ? 'task' : 'project';
  return `${resource}.${!before ? 'created' : !after ? 'deleted' : 'updated'}`;
};
