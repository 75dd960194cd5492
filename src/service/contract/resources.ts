// The resources of the spec: each field once, and the schemas of responses and requests derived from them.
import { draft, hidden, patch, pick, properties, shown, since, without } from './fields.ts';
import { LENGTHS } from './limits.ts';
import type { Version } from './releases.ts';
import { array, boolean, type Is, integer, nullable, oneOf, open, openEnum, type Schema, string, time } from './schema.ts';
import { DEFAULTS, PRIORITIES, ROLES, SCOPES, STATUSES, VISIBILITIES } from './states.ts';

const first = since('1.0.0');
const id = (prefix: string, description: string) => string({ description, examples: [`${prefix}_4k2m9x7q1wzt`], minLength: 1 });
const textSchema = (most: number, description: string, example: string, least = 0) =>
  string({ ...(least > 0 ? { minLength: least } : {}), maxLength: most, description, examples: [example] });

const created_at = first.server(time('When the record was created, ISO 8601 in UTC. Set by the server.'), {
  inSeeds: 'When it was created.',
});
const updated_at = first.server(time('When the record was last updated, ISO 8601 in UTC. Set by the server.'), {
  inSeeds: 'When it was last updated.',
});
const userId = id('user', 'User identifier.');

const ProjectVisibility = oneOf(VISIBILITIES, {
  description: '`private`: only explicitly added members; `team`: the whole workspace; `public`: reachable by a shareable link.',
  examples: ['team'],
});

export const PROJECTS = {
  id: first.server(id('proj', 'Project identifier.')),
  name: first.required(textSchema(LENGTHS.projectName, 'Name of the project.', 'Website relaunch', 1)),
  description: first.optional(textSchema(LENGTHS.projectDescription, 'Plain text.', 'New site before the spring campaign')),
  visibility: first.preset(ProjectVisibility, DEFAULTS.visibility),
  owner_id: hidden(
    first.server(userId, { refers: 'users', inSeeds: 'Owner of the project; the first user by default.' }),
    'owner-field',
  ),
  created_at,
  updated_at,
};
export const Project = shown(PROJECTS, 'A project: belongs to one workspace and holds tasks.');
export type Project = Is<typeof Project>;
export const ProjectDraft = draft(PROJECTS);
export type ProjectDraft = Is<typeof ProjectDraft>;
export const ProjectPatch = patch(PROJECTS);
export type ProjectPatch = Is<typeof ProjectPatch>;

const TaskPriority = oneOf(PRIORITIES, { description: 'How urgent the task is.', examples: ['high'], 'x-since': '1.3.0' });
const TaskStatus = oneOf(STATUSES, { description: 'Where the task stands.', examples: ['in_progress'] });

export const TASKS = {
  id: first.server(id('task', 'Task identifier.')),
  project_id: first.server(id('proj', 'The project that holds the task.'), { refers: 'projects', within: true }),
  title: first.required(textSchema(LENGTHS.taskTitle, 'Title of the task.', 'Write the release notes', 1)),
  description: first.optional(textSchema(LENGTHS.taskDescription, 'Plain text.', 'Two paragraphs, with the upgrade steps.')),
  assignee_id: first.optional(id('user', 'Id of a member of the workspace; not of a team.'), { refers: 'users' }),
  due_date: first.optional(
    string({
      format: 'date-time',
      description: 'ISO 8601 datetime; absent means no due date.',
      examples: ['2025-02-01T17:00:00.000Z'],
    }),
    { inSeeds: 'When it is due.' },
  ),
  priority: since('1.3.0').preset(TaskPriority, DEFAULTS.priority),
  status: first.preset(TaskStatus, DEFAULTS.status, { sent: { examples: ['todo'] } }),
  created_at,
  updated_at,
};
export const Task = shown(TASKS, 'A task: belongs to exactly one project.');
export type Task = Is<typeof Task>;
export const TaskDraft = draft(TASKS);
export type TaskDraft = Is<typeof TaskDraft>;
export const TaskPatch = patch(TASKS);
export type TaskPatch = Is<typeof TaskPatch>;

export const USERS = {
  id: first.server(userId),
  name: first.required(string({ description: 'Name of the person.', examples: ['Ada Lovelace'] })),
  email: first.required(string({ description: 'E-mail address.', examples: ['ada@acme.test'] })),
  role: first.required(
    openEnum(ROLES, { description: 'Role in the workspace; values seen: `admin`, `member`.', examples: ['admin'] }),
  ),
  avatar_url: first.preset(
    nullable(string({ description: 'Address of a picture.', examples: ['https://acme.test/ada.png'] })),
    null,
  ),
  created_at,
  state: hidden(first.preset(oneOf(['invited', 'joined'], { description: 'An invited user has not joined yet.' }), 'joined')),
};
export const Member = shown(
  pick(USERS, 'id', 'name', 'email', 'role'),
  'A member of the workspace, as the member list shows one.',
);
export type Member = Is<typeof Member>;
export const Profile = shown(USERS, "The profile of the key's user.");
export type Profile = Is<typeof Profile>;
export const TeamMember = shown(pick(USERS, 'id', 'name', 'role'), 'A member of a team.');
export type TeamMember = Is<typeof TeamMember>;

export const TEAMS = {
  id: first.server(id('team', 'Team identifier.')),
  name: first.required(textSchema(LENGTHS.teamName, 'Name of the team, unique in the workspace.', 'Design', 1)),
  member_ids: hidden(
    first.preset(array(userId, { description: 'Ids of users to add as members at creation.' }), [], { refers: 'users' }),
  ),
  member_count: first.derived(integer({ minimum: 0, description: 'How many members the team has.', examples: [2] })),
  members: first.derived(array(TeamMember, { description: 'The members, instead of their number.' })),
  created_at,
  updated_at,
};
export const Team = shown(without(TEAMS, 'members'), 'A team, as the list and the response to its creation show one.');
export type Team = Is<typeof Team>;
export const TeamDetail = shown(without(TEAMS, 'member_count'), 'A team, as a single read shows one.');
export type TeamDetail = Is<typeof TeamDetail>;
export const TeamDraft = draft(TEAMS);
export type TeamDraft = Is<typeof TeamDraft>;

export const COMMENTS = {
  id: first.server(id('cmt', 'Comment identifier.')),
  task_id: hidden(first.server(id('task', 'The task it is on.'), { refers: 'tasks', within: true })),
  author_id: first.server(userId, { refers: 'users', inSeeds: 'Author; the first user by default.' }),
  body: first.required(string({ description: 'Plain text.', examples: ['Looks good to me.'] })),
  created_at,
};
export const Comment = shown(COMMENTS, 'A comment on a task (read only).');
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
} as const satisfies Readonly<Record<string, { readonly since: Version; readonly when: string }>>;
export type EventName = keyof typeof EVENTS;
export const EVENT_NAMES = Object.keys(EVENTS) as [EventName, ...EventName[]];

const EVENT_RELEASES = Object.fromEntries(
  Object.entries(EVENTS).flatMap(([name, { since }]) => (since === '1.0.0' ? [] : [[name, since]])),
);

const EventNames = oneOf(EVENT_NAMES, { description: 'Name of an event.', 'x-since-by-value': EVENT_RELEASES });

export const WEBHOOKS = {
  id: first.server(id('wh', 'Registration identifier.')),
  url: first.required(
    string({ format: 'uri', description: 'Publicly reachable HTTPS URL.', examples: ['https://hooks.acme.test/work'] }),
  ),
  events: first.preset(
    array(EventNames, { description: 'Event names subscribed to.', examples: [['task.created', 'task.updated']] }),
    [],
    { sent: { minItems: 1 } },
  ),
  secret: first.server(
    string({ description: 'Signing secret; in this response and never again.', examples: ['whsec_Zk3v8s2n'], minLength: 1 }),
  ),
  created_at,
};
const { secret, ...unsaid } = properties(WEBHOOKS);
/** The spec says only of the secret that a registration shows it (spec: Webhook registration). */
export const Webhook = open({ secret }, unsaid, {
  description: 'A webhook registration, as the response to its creation shows it.',
});
export type Webhook = Is<typeof Webhook>;
export const WebhookDraft = draft(WEBHOOKS);
export type WebhookDraft = Is<typeof WebhookDraft>;

/** API keys, which users create in the settings (spec: Authentication 2). */
export const KEYS = {
  id: first.server(id('key', 'Key identifier, for the control API.')),
  value: first.server(string({ minLength: 1, description: 'What clients send.', examples: ['wm_acme_admin'] })),
  name: first.server(string({ description: 'Name of the key.', examples: ['Release script'] })),
  scope: first.preset(oneOf(SCOPES, { description: 'What the key may do.' }), 'admin'),
  user_id: first.server(userId, { refers: 'users', inSeeds: 'Owner of the key; the first user by default.' }),
  revoked: first.preset(boolean({ description: 'Whether it is refused.' }), false),
  created_at,
};

/** Collections of records and their fields; everything else derives fields from here. */
export const RESOURCES = {
  projects: PROJECTS,
  tasks: TASKS,
  users: USERS,
  teams: TEAMS,
  comments: COMMENTS,
  webhooks: WEBHOOKS,
  keys: KEYS,
} as const;

export const Meta = open(
  {
    total: integer({ minimum: 0, description: 'Records that match the query, over all pages.', examples: [1] }),
    limit: integer({ minimum: 1, maximum: 100, description: 'The limit applied.', examples: [20] }),
    has_more: boolean({ description: 'Whether more pages exist.' }),
    next_cursor: nullable(string({ description: 'Cursor of the next page; null when there is none.', 'x-since': '1.1.0' })),
  },
  {},
  { description: 'What a list says about itself.' },
);
export type Meta = Is<typeof Meta>;

export interface Page<T> {
  readonly items: readonly T[];
  readonly meta: Meta;
}

const one = <T>(schema: Schema<T>) =>
  open({ data: schema } as never, {}, { description: 'A single resource.' }) as Schema<{ readonly data: T }>;
const pageSchema = <T>(item: Schema<T>): Schema<Page<T>> =>
  open({ items: array(item), meta: Meta }, {}, { description: 'One page of a list.' });

/** Schemas of responses, by the names that generated clients use. */
export const ENVELOPES = {
  ProjectResponse: one(Project),
  ProjectList: pageSchema(Project),
  TaskResponse: one(Task),
  TaskList: pageSchema(Task),
  CommentList: pageSchema(Comment),
  ProfileResponse: one(Profile),
  MemberList: pageSchema(Member),
  TeamResponse: one(Team),
  TeamDetailResponse: one(TeamDetail),
  TeamList: pageSchema(Team),
  WebhookResponse: one(Webhook),
} as const;

const FieldFault = open(
  { field: string({ description: 'Name of the failing field.' }), issue: string({ description: 'What is wrong with it.' }) },
  {},
  { description: 'One failing field.' },
);

const ErrorDetails = open({}, { fields: array(FieldFault) }, { description: 'For validation errors: each failing field.' });
const ErrorInfo = open(
  {
    code: string({ minLength: 1, description: 'Stable, machine-readable.', examples: ['not_found'] }),
    message: string({ description: 'For people; not stable.', examples: ['No project has this id.'] }),
  },
  { details: ErrorDetails, status: integer({ description: 'The HTTP status, repeated.' }) },
  { description: 'What went wrong.' },
);
export const ErrorBody = open({ error: ErrorInfo }, {}, { description: 'The envelope of every error.' });
export type ErrorBody = Is<typeof ErrorBody>;

/** Schemas that the OpenAPI document lists by name; recognized by identity. */
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
  ...ENVELOPES,
  TaskStatus,
  TaskPriority,
  ProjectVisibility,
  EventName: EventNames,
  FieldFault,
  ErrorDetails,
  ErrorInfo,
  ErrorResponse: ErrorBody,
} as const;
