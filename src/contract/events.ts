// Which store change announces which event, and the envelope that carries it (spec: Events).
import { EVENT_NAMES, type EventName } from './resources.ts';
import { type Is, object, oneOf, string } from './schema.ts';

/** The key of the envelope's `data`: the resource type. */
export type EventResource = 'task' | 'project' | 'member';

export const Envelope = object(
  {
    id: string({ minLength: 1, description: 'Unique id of the event; receivers deduplicate retried deliveries with it.' }),
    event: oneOf(EVENT_NAMES, { description: 'Name of the event, `resource.action`.' }),
    created_at: string({ format: 'date-time', description: 'When the event was generated, in UTC.' }),
    data: object(
      {},
      { task: object({}), project: object({}), member: object({}) },
      { minProperties: 1, maxProperties: 1, description: 'One key named after the resource type, holding a snapshot.' },
    ),
  },
  {},
  { description: 'What a receiver gets.' },
);
export type Envelope = Is<typeof Envelope>;

interface Stored {
  readonly state?: unknown;
}

const MEMBERS = { invited: 'member.invited', joined: 'member.joined' } as const;

const ofMember = (before: Stored | undefined, after: Stored | undefined): EventName | undefined => {
  if (!before && after?.state === 'invited') return MEMBERS.invited;
  return before?.state === 'invited' && after?.state === 'joined' ? MEMBERS.joined : undefined;
};

/** The event that a change of a collection announces; undefined when it announces none. */
export const eventOf = (collection: string, before: object | undefined, after: object | undefined): EventName | undefined => {
  if (collection === 'users') return ofMember(before, after);
  if (collection !== 'tasks' && collection !== 'projects') return undefined;
  const resource = collection === 'tasks' ? 'task' : 'project';
  return `${resource}.${!before ? 'created' : !after ? 'deleted' : 'updated'}`;
};

/** The resource type of an event: its part before the dot. */
export const resourceOf = (event: EventName): EventResource => event.slice(0, event.indexOf('.')) as EventResource;
