// The resources of the spec: what the service answers, what a client may send.
import { LENGTHS } from './limits.ts';
import { array, type Is, integer, nullable, object, oneOf, openEnum, partial, type Schema, string } from './schema.ts';
import { DEFAULTS, PRIORITIES, ROLES, STATUSES, VISIBILITIES } from './states.ts';

const when = (description: string) => string({ format: 'date-time', description, examples: ['2025-01-20T09:00:00.000Z'] });
const id = (prefix: string, description: string) => string({ description, examples: [`${prefix}_4k2m9x7q1wzt`], minLength: 1 });
const createdAt = when('When the record was created, ISO 8601 in UTC. Set by the server.');
const updatedAt = when('When the record was last updated, ISO 8601 in UTC. Set by the server.');
const text = (most: number, description: string, example: string, least = 0) =>
  string({ ...(least > 0 ? { minLength: least } : {}), maxLength: most, description, examples: [example] });

const projectName = text(LENGTHS.projectName, 'Name of the project.', 'Website relaunch', 1);
const projectDescription = text(LENGTHS.projectDescription, 'Plain text.', 'New site before the spring campaign');
const VISIBILITY_SAYS =
  '`private`: only explicitly added members; `team`: the whole workspace; `public`: reachable by a shareable link.';

export const Project = object(
  {
    id: id('proj', 'Project identifier.'),
    name: projectName,
    visibility: openEnum(VISIBILITIES, { description: VISIBILITY_SAYS, examples: ['team'] }),
    created_at: createdAt,
    updated_at: updatedAt,
  },
  { description: nullable(projectDescription) },
  { description: 'A project: belongs to one workspace and holds tasks.' },
);
export type Project = Is<typeof Project>;

export const ProjectDraft = object(
  { name: projectName },
  {
    description: nullable(projectDescription),
    visibility: oneOf(VISIBILITIES, { default: DEFAULTS.visibility, description: VISIBILITY_SAYS, examples: ['team'] }),
  },
);
export type ProjectDraft = Is<typeof ProjectDraft>;

export const ProjectPatch = partial(ProjectDraft);
export type ProjectPatch = Is<typeof ProjectPatch>;

const taskTitle = text(LENGTHS.taskTitle, 'Title of the task.', 'Write the release notes', 1);
const taskDescription = text(LENGTHS.taskDescription, 'Plain text.', 'Two paragraphs, with the upgrade steps.');
const assignee = id('user', 'Id of a member of the workspace; not of a team.');
const dueDate = string({
  format: 'date-time',
  description: 'ISO 8601 datetime; absent means no due date.',
  examples: ['2025-02-01T17:00:00.000Z'],
});

export const Task = object(
  {
    id: id('task', 'Task identifier.'),
    project_id: id('proj', 'The project that holds the task.'),
    title: taskTitle,
    priority: openEnum(PRIORITIES, { description: 'How urgent the task is.', examples: ['high'], 'x-since': '1.3.0' }),
    status: openEnum(STATUSES, { description: 'Where the task stands.', examples: ['in_progress'] }),
    created_at: createdAt,
    updated_at: updatedAt,
  },
  { description: nullable(taskDescription), assignee_id: nullable(assignee), due_date: nullable(dueDate) },
  { description: 'A task: belongs to exactly one project.' },
);
export type Task = Is<typeof Task>;

const taskOptions = {
  description: nullable(taskDescription),
  assignee_id: nullable(assignee),
  due_date: nullable(dueDate),
  priority: oneOf(PRIORITIES, {
    default: DEFAULTS.priority,
    description: 'How urgent the task is.',
    examples: ['high'],
    'x-since': '1.3.0',
  }),
  status: oneOf(STATUSES, { default: DEFAULTS.status, description: 'Where the task stands.', examples: ['todo'] }),
};
export const TaskDraft = object({ title: taskTitle }, taskOptions);
export type TaskDraft = Is<typeof TaskDraft>;

export const TaskPatch = partial(TaskDraft);
export type TaskPatch = Is<typeof TaskPatch>;

const userId = id('user', 'User identifier.');
const userName = string({ description: 'Name of the person.', examples: ['Ada Lovelace'] });
const email = string({ description: 'E-mail address.', examples: ['ada@acme.test'] });
const role = openEnum(ROLES, { description: 'Role in the workspace; values seen: `admin`, `member`.', examples: ['admin'] });

export const Member = object(
  { id: userId, name: userName, email, role },
  {},
  { description: 'A member of the workspace, as the member list shows one.' },
);
export type Member = Is<typeof Member>;

export const Profile = object(
  {
    id: userId,
    name: userName,
    email,
    role,
    avatar_url: nullable(string({ description: 'Address of a picture.', examples: ['https://acme.test/ada.png'] })),
    created_at: createdAt,
  },
  {},
  { description: "The profile of the key's user." },
);
export type Profile = Is<typeof Profile>;

const teamName = text(LENGTHS.teamName, 'Name of the team, unique in the workspace.', 'Design', 1);
const teamId = id('team', 'Team identifier.');

export const Team = object(
  {
    id: teamId,
    name: teamName,
    member_count: integer({ minimum: 0, description: 'How many members the team has.', examples: [2] }),
    created_at: createdAt,
    updated_at: updatedAt,
  },
  {},
  { description: 'A team, as the list and the create answer show one.' },
);
export type Team = Is<typeof Team>;

export const TeamMember = object({ id: userId, name: userName, role }, {}, { description: 'A member of a team.' });
export type TeamMember = Is<typeof TeamMember>;

export const TeamDetail = object(
  {
    id: teamId,
    name: teamName,
    members: array(TeamMember, { description: 'The members, instead of their number.' }),
    created_at: createdAt,
    updated_at: updatedAt,
  },
  {},
  { description: 'A team, as a single read shows one.' },
);
export type TeamDetail = Is<typeof TeamDetail>;

export const TeamDraft = object(
  { name: teamName },
  { member_ids: array(userId, { description: 'Ids of users to add as members at creation.' }) },
);
export type TeamDraft = Is<typeof TeamDraft>;

export const Comment = object(
  {
    id: id('cmt', 'Comment identifier.'),
    author_id: userId,
    body: string({ description: 'Plain text.', examples: ['Looks good to me.'] }),
    created_at: createdAt,
  },
  {},
  { description: 'A comment on a task (read only).' },
);
export type Comment = Is<typeof Comment>;

/** The events of the spec, in its order (spec: Events), each with the release that brought it and when it fires. */
export const EVENTS = {
  'task.created': { since: '1.0.0', when: 'A task is created' },
  'task.updated': { since: '1.0.0', when: 'A task is updated' },
  'task.deleted': { since: '1.0.0', when: 'A task is deleted' },
  'project.created': { since: '1.0.0', when: 'A project is created' },
  'project.updated': { since: '1.0.0', when: 'A project is updated' },
  'project.deleted': { since: '1.0.0', when: 'A project is deleted' },
  'member.invited': { since: '1.2.0', when: 'A user is invited to the workspace' },
  'member.joined': { since: '1.2.0', when: 'An invited user accepts and completes a first login' },
} as const;
export type EventName = keyof typeof EVENTS;
export const EVENT_NAMES = Object.keys(EVENTS) as [EventName, ...EventName[]];

const LATER_EVENTS = Object.fromEntries(
  Object.entries(EVENTS).flatMap(([name, { since }]) => (since === '1.0.0' ? [] : [[name, since]])),
);

const webhookUrl = string({
  format: 'uri',
  description: 'Publicly reachable HTTPS URL.',
  examples: ['https://hooks.acme.test/work'],
});
const subscribed = (schema: Schema<string>) =>
  array(schema, { description: 'Event names subscribed to.', examples: [['task.created', 'task.updated']] });

export const WebhookDraft = object(
  { url: webhookUrl },
  {
    events: { ...subscribed(oneOf(EVENT_NAMES, { 'x-since-by-value': LATER_EVENTS })), minItems: 1 } as Schema<
      readonly EventName[]
    >,
  },
);
export type WebhookDraft = Is<typeof WebhookDraft>;

export const Webhook = object(
  {
    secret: string({
      description: 'Signing secret; in this answer and never again.',
      examples: ['whsec_Zk3v8s2n'],
      minLength: 1,
    }),
  },
  {
    id: id('wh', 'Registration identifier.'),
    url: webhookUrl,
    events: subscribed(openEnum(EVENT_NAMES, { 'x-since-by-value': LATER_EVENTS })),
    created_at: createdAt,
  },
  { description: 'A webhook registration, as its create answer shows it.' },
);
export type Webhook = Is<typeof Webhook>;

export const Meta = object(
  {
    total: integer({ minimum: 0, description: 'Records that match the query, over all pages.', examples: [1] }),
    limit: integer({ minimum: 1, maximum: 100, description: 'The limit applied.', examples: [20] }),
    has_more: { type: 'boolean', description: 'Whether more pages exist.', examples: [false] } as Schema<boolean>,
    next_cursor: nullable(string({ description: 'Cursor of the next page; null when there is none.', 'x-since': '1.1.0' })),
  },
  {},
  { description: 'What a list says about itself.' },
);
export type Meta = Is<typeof Meta>;

/** What the answer to a list request holds. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly meta: Meta;
}

export const FieldFault = object(
  { field: string({ description: 'Name of the failing field.' }), issue: string({ description: 'What is wrong with it.' }) },
  {},
  { description: 'One failing field.' },
);

export const ErrorBody = object(
  {
    error: object(
      {
        code: string({ minLength: 1, description: 'Stable, machine-readable.', examples: ['not_found'] }),
        message: string({ description: 'For people; not stable.', examples: ['No project has this id.'] }),
      },
      {
        details: object({}, { fields: array(FieldFault) }, { description: 'For validation errors: each failing field.' }),
        status: integer({ description: 'The HTTP status, repeated.' }),
      },
    ),
  },
  {},
  { description: 'The envelope of every error.' },
);
export type ErrorBody = Is<typeof ErrorBody>;

/** Every schema that the OpenAPI document lists by name; found again by identity. */
export const COMPONENTS = {
  Project,
  ProjectDraft,
  ProjectPatch,
  Task,
  TaskDraft,
  TaskPatch,
  Member,
  Profile,
  Team,
  TeamMember,
  TeamDetail,
  TeamDraft,
  Comment,
  Webhook,
  WebhookDraft,
  Meta,
  FieldFault,
  Error: ErrorBody,
} as const;
