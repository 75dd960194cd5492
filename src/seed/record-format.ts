// The records of a seed file as JSON Schema, made of the contract's own fields.
import {
  Comment,
  EVENT_NAMES,
  type EventName,
  Profile,
  ProjectDraft,
  TaskDraft,
  Team,
  TeamDraft,
  Webhook,
  WebhookDraft,
} from '../contract/resources.ts';
import { array, boolean, object, oneOf, type Schema, string } from '../contract/schema.ts';
import { SCOPES } from '../contract/scopes.ts';

type Properties = Readonly<Record<string, Schema<unknown>>>;

/** An object that has no other properties than these. */
export const closed = <R extends Properties, O extends Properties>(required: R, optional: O, description: string) =>
  object(required, optional, { additionalProperties: false, description });

const fieldsOf = <T extends object>(schema: Schema<T>) =>
  schema.properties as { readonly [K in keyof T]-?: Schema<Exclude<T[K], undefined>> };

/** ISO 8601 with `Z` or an offset, as a regular expression. */
export const ABSOLUTE = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)';
const time = (description: string) => {
  const says = { description: `${description} ISO 8601 with \`Z\` or an offset, or relative to now.`, examples: ['-2h', '+3d'] };
  return string({ pattern: `^(${ABSOLUTE}|[+-]\\d+[smhdw])$`, 'x-time': 'any', ...says });
};
const orNull = <T>(schema: Schema<T>): Schema<T | null> => ({ ...schema, type: [schema.type, 'null'] });

export const id = (prefix: string, description: string) => string({ minLength: 1, description, examples: [`${prefix}_one`] });
const times = { created_at: time('When it was created.'), updated_at: time('When it was last updated.') };
const profile = fieldsOf(Profile);
const { secret } = fieldsOf(Webhook);
const userId = (description: string) => ({ ...profile.id, description }) as Schema<string>;

export const UserFile = closed(
  {},
  {
    id: profile.id,
    name: profile.name,
    email: profile.email,
    role: profile.role,
    avatar_url: profile.avatar_url,
    created_at: times.created_at,
    state: oneOf(['invited', 'joined'], { default: 'joined', description: 'Somebody who is invited has not joined yet.' }),
  },
  'A member of the workspace.',
);

export const KeyFile = closed(
  {},
  {
    id: id('key', 'Key identifier, for the control API.'),
    value: string({ minLength: 1, description: 'What clients send.', examples: ['wm_acme_admin'] }),
    name: string({ description: 'Name of the key.', examples: ['Release script'] }),
    scope: oneOf(SCOPES, { default: 'admin', description: 'What the key may do.' }),
    user_id: userId('Whose key it is; left out: the first user.'),
    revoked: boolean({ default: false, description: 'Whether it is refused.' }),
    created_at: times.created_at,
  },
  'An API key.',
);

const commentFields = {
  id: fieldsOf(Comment).id,
  author_id: userId('Who wrote it; left out: the first user.'),
  created_at: times.created_at,
};
const { body } = fieldsOf(Comment);
const NestedComment = closed({ body }, commentFields, 'A comment on the task.');
export const LooseComment = closed({ body, task_id: id('task', 'The task it is on.') }, commentFields, 'A comment on a task.');

const { title, ...taskFields } = fieldsOf(TaskDraft);
const taskOptions = {
  id: id('task', 'Task identifier.'),
  ...taskFields,
  due_date: orNull(time('When it is due.')),
  ...times,
  comments: array(NestedComment),
};
const NestedTask = closed({ title }, taskOptions, 'A task of the project.');
export const LooseTask = closed(
  { title, project_id: id('proj', 'The project that holds it.') },
  taskOptions,
  'A task of a project.',
);

export const ProjectFile = closed(
  {},
  {
    id: id('proj', 'Project identifier.'),
    ...fieldsOf(ProjectDraft),
    owner_id: userId('Whose project it is; left out: the first user.'),
    ...times,
    tasks: array(NestedTask),
  },
  'A project with its tasks.',
);

export const TeamFile = closed({}, { id: fieldsOf(Team).id, ...fieldsOf(TeamDraft), ...times }, 'A team.');

/** Words that stand for every event. */
export const ALL_EVENTS = ['all', '*'] as const;
const allEvents = oneOf(ALL_EVENTS);
const events: Schema<(typeof ALL_EVENTS)[number] | readonly (EventName | (typeof ALL_EVENTS)[number])[]> = {
  anyOf: [allEvents, array(oneOf([...EVENT_NAMES, ...ALL_EVENTS]))],
  description: 'Event names subscribed to; left out: all.',
};
export const WebhookFile = closed(
  { url: fieldsOf(WebhookDraft).url },
  { id: id('wh', 'Registration identifier.'), events, secret, created_at: times.created_at },
  'A webhook registration.',
);
