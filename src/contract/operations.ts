// The table: nineteen operations in the order of the spec. Routes, checks, types, OpenAPI, docs and coverage read it.
import { type ChoiceId, type Choices, statusPoint } from './choices.ts';
import type { ErrorCode } from './errors.ts';
import type { Version } from './releases.ts';
import {
  Comment,
  type EventName,
  Member,
  Meta,
  type Page,
  Profile,
  Project,
  ProjectDraft,
  ProjectPatch,
  type RESOURCES,
  Task,
  TaskDraft,
  TaskPatch,
  Team,
  TeamDetail,
  TeamDraft,
  Webhook,
  WebhookDraft,
} from './resources.ts';
import { array, type Is, object, oneOf, type Schema, string } from './schema.ts';
import type { Scope } from './scopes.ts';
import { PRIORITIES, STATUSES, VISIBILITIES } from './states.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type CollectionName = Exclude<keyof typeof RESOURCES, 'keys'>;

export interface Operation {
  readonly method: Method;
  /** Below the base URL; `{...}` marks a path variable. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The least scope, or the open point that decides it. */
  readonly scope: Scope | 'team-scope' | 'webhook-scope';
  readonly since: Version;
  /** The collection in which the path variable must name a record, before anything else is read. */
  readonly finds?: CollectionName;
  readonly body?: Schema<object>;
  readonly status: 200 | 201 | 204;
  readonly response?: Schema<unknown>;
  /** For a list: what it can be filtered and sorted by. */
  readonly list?: { readonly filters: Readonly<Record<string, Schema<string>>>; readonly sorts: readonly string[] };
  /** Besides 401, 403 for writes, 429 and 500, which belong to all. */
  readonly errors: readonly ErrorCode[];
  readonly announces: readonly EventName[];
  readonly open: readonly ChoiceId[];
}

const envelope = <T>(schema: Schema<T>): Schema<{ readonly data: T }> =>
  object({ data: schema } as never, {}, { description: 'A single resource.' }) as Schema<{ readonly data: T }>;

const one = <T>(schema: Schema<T>) => ({ status: 200 as const, response: envelope(schema), errors: [], announces: [] });

const oneOfMany = <T, const N extends CollectionName>(schema: Schema<T>, finds: N) => ({
  ...one(schema),
  finds,
  errors: ['not_found'] as const,
});

const created = <T>(schema: Schema<T>) => ({ status: 201 as const, response: envelope(schema) });

const LIST_POINTS = [
  'limit-above-100',
  'limit-below-1',
  'default-order',
  'unknown-filter',
  'unknown-query',
  'page-and-offset',
  'broken-cursor',
  'cursor-conflict',
  'cursor-limit',
  'sortable-fields',
  'unsupported-sort-code',
  'page-size',
  'page-numbering',
  'page-with-offset',
  'page-with-cursor',
  'page-beyond-end',
  'page-meta',
  'deprecation-value',
  'deprecation-reach',
] as const;

const listOf = <T>(
  item: Schema<T>,
  filters: Readonly<Record<string, Schema<string>>>,
  sorts: readonly string[],
  open: readonly ChoiceId[] = [],
) => ({
  status: 200 as const,
  response: object({ items: array(item), meta: Meta }, {}, { description: 'One page of a list.' }) as Schema<Page<T>>,
  list: { filters, sorts },
  announces: [],
  open: [...LIST_POINTS, ...open],
});

const READ = { scope: 'read', since: '1.0.0' } as const;
const WRITE = { scope: 'write', since: '1.0.0' } as const;
const BODY_POINTS = ['unknown-body-fields', 'content-type', 'value-fault-status', 'mixed-faults', 'length-unit'] as const;
const PATCH_POINTS = [...BODY_POINTS, 'patch-status', 'noop-patch', 'null-in-body', 'check-order'] as const;
const REMOVED = { status: 204, errors: ['not_found'] } as const;

const byStatus = oneOf(STATUSES, { description: 'Tasks with this status.' });
const byPriority = oneOf(PRIORITIES, { description: 'Tasks with this priority.', 'x-since': '1.3.0' });
const byAssignee = string({ description: 'Tasks assigned to this user id.' });
const byProject = string({ description: 'Tasks of this project.' });
const byVisibility = oneOf(VISIBILITIES, { description: 'Projects with this visibility.' });
const TASK_SORTS = ['due_date', 'created_at', 'updated_at', 'title'] as const;
const TASK_LIST_POINTS = ['filter-value', 'null-due-date', 'absent-values'] as const;

const define = <const T extends Readonly<Record<string, Operation>>>(table: T): T => table;

export const OPERATIONS = define({
  listProjects: {
    ...READ,
    method: 'GET',
    path: '/projects',
    tag: 'Projects',
    summary: 'List the projects of the workspace',
    ...listOf(Project, { visibility: byVisibility }, ['created_at', 'updated_at'], ['filter-value', 'owner-field']),
    errors: ['validation_error'],
  },
  createProject: {
    ...WRITE,
    method: 'POST',
    path: '/projects',
    tag: 'Projects',
    summary: 'Create a project',
    description: 'The owner is the user whose key makes the request.',
    body: ProjectDraft,
    ...created(Project),
    errors: ['validation_error'],
    announces: ['project.created'],
    open: [...BODY_POINTS, 'owner-field', 'id-style'],
  },
  getProject: {
    ...READ,
    method: 'GET',
    path: '/projects/{project_id}',
    tag: 'Projects',
    summary: 'Read a project',
    ...oneOfMany(Project, 'projects'),
    open: ['owner-field', 'absent-values', 'datetime-format'],
  },
  updateProject: {
    ...WRITE,
    method: 'PATCH',
    path: '/projects/{project_id}',
    tag: 'Projects',
    summary: 'Update a project',
    description: 'Fields that are left out stay as they are.',
    body: ProjectPatch,
    ...oneOfMany(Project, 'projects'),
    errors: ['validation_error', 'not_found'],
    announces: ['project.updated'],
    open: PATCH_POINTS,
  },
  deleteProject: {
    ...WRITE,
    method: 'DELETE',
    path: '/projects/{project_id}',
    tag: 'Projects',
    summary: 'Delete a project for good',
    description: 'Its tasks and their comments are deleted with it and cannot be recovered.',
    finds: 'projects',
    ...REMOVED,
    announces: ['project.deleted'],
    open: ['project-delete-events'],
  },
  listProjectTasks: {
    ...READ,
    method: 'GET',
    path: '/projects/{project_id}/tasks',
    tag: 'Tasks',
    summary: 'List the tasks of a project',
    finds: 'projects',
    ...listOf(Task, { status: byStatus, assignee_id: byAssignee, priority: byPriority }, TASK_SORTS, [
      ...TASK_LIST_POINTS,
      'project-filter-in-project',
    ]),
    errors: ['validation_error', 'not_found'],
  },
  listTasks: {
    ...READ,
    method: 'GET',
    path: '/tasks',
    tag: 'Tasks',
    summary: 'List the tasks of the workspace',
    ...listOf(
      Task,
      { status: byStatus, assignee_id: byAssignee, project_id: byProject, priority: byPriority },
      TASK_SORTS,
      TASK_LIST_POINTS,
    ),
    errors: ['validation_error'],
  },
  createTask: {
    ...WRITE,
    method: 'POST',
    path: '/projects/{project_id}/tasks',
    tag: 'Tasks',
    summary: 'Create a task in a project',
    finds: 'projects',
    body: TaskDraft,
    ...created(Task),
    errors: ['validation_error', 'not_found'],
    announces: ['task.created'],
    open: [...BODY_POINTS, 'id-style', 'null-in-body', 'date-only', 'check-order', 'invited-members'],
  },
  getTask: {
    ...READ,
    method: 'GET',
    path: '/tasks/{task_id}',
    tag: 'Tasks',
    summary: 'Read a task',
    description: 'Works regardless of the containing project.',
    ...oneOfMany(Task, 'tasks'),
    open: ['absent-values', 'datetime-format'],
  },
  updateTask: {
    ...WRITE,
    method: 'PATCH',
    path: '/tasks/{task_id}',
    tag: 'Tasks',
    summary: 'Update a task',
    description: 'Fields that are left out stay as they are. Any status may follow any other.',
    body: TaskPatch,
    ...oneOfMany(Task, 'tasks'),
    errors: ['validation_error', 'not_found'],
    announces: ['task.updated'],
    open: [...PATCH_POINTS, 'date-only', 'invited-members'],
  },
  deleteTask: {
    ...WRITE,
    method: 'DELETE',
    path: '/tasks/{task_id}',
    tag: 'Tasks',
    summary: 'Delete a task and its comments for good',
    finds: 'tasks',
    ...REMOVED,
    announces: ['task.deleted'],
    open: [],
  },
  listTaskComments: {
    scope: 'read',
    since: '1.3.0',
    method: 'GET',
    path: '/tasks/{task_id}/comments',
    tag: 'Tasks',
    summary: 'List the comments on a task',
    finds: 'tasks',
    ...listOf(Comment, {}, ['created_at']),
    errors: ['validation_error', 'not_found'],
  },
  getMe: {
    ...READ,
    method: 'GET',
    path: '/users/me',
    tag: 'Users',
    summary: "Read the profile of the key's user",
    ...one(Profile),
    open: ['datetime-format'],
  },
  listMembers: {
    ...READ,
    method: 'GET',
    path: '/workspace/members',
    tag: 'Users',
    summary: 'List the members of the workspace',
    description: 'Any of the ids can be an `assignee_id`.',
    ...listOf(Member, {}, [], ['invited-members']),
    errors: ['validation_error'],
  },
  listTeams: {
    scope: 'read',
    since: '1.2.0',
    method: 'GET',
    path: '/teams',
    tag: 'Teams',
    summary: 'List the teams of the workspace',
    ...listOf(Team, {}, ['created_at', 'updated_at']),
    errors: ['validation_error'],
  },
  createTeam: {
    scope: 'team-scope',
    since: '1.2.0',
    method: 'POST',
    path: '/teams',
    tag: 'Teams',
    summary: 'Create a team',
    body: TeamDraft,
    ...created(Team),
    errors: ['validation_error', 'conflict'],
    announces: [],
    open: [...BODY_POINTS, 'team-scope', 'conflict-code', 'team-name-comparison', 'repeated-ids', 'invited-members'],
  },
  getTeam: {
    scope: 'read',
    since: '1.2.0',
    method: 'GET',
    path: '/teams/{team_id}',
    tag: 'Teams',
    summary: 'Read a team with its members',
    ...oneOfMany(TeamDetail, 'teams'),
    open: ['datetime-format'],
  },
  deleteTeam: {
    scope: 'team-scope',
    since: '1.2.0',
    method: 'DELETE',
    path: '/teams/{team_id}',
    tag: 'Teams',
    summary: 'Delete a team',
    description: 'Only the grouping is removed: members stay, tasks and projects are unaffected.',
    finds: 'teams',
    ...REMOVED,
    announces: [],
    open: ['team-scope'],
  },
  createWebhook: {
    scope: 'webhook-scope',
    since: '1.0.0',
    method: 'POST',
    path: '/webhooks',
    tag: 'Webhooks',
    summary: 'Register a receiver of events',
    description: 'The signing secret is in this answer and never shown again.',
    body: WebhookDraft,
    ...created(Webhook),
    errors: ['validation_error'],
    announces: [],
    open: [
      ...BODY_POINTS,
      'webhook-create-status',
      'webhook-create-shape',
      'webhook-scope',
      'webhook-url',
      'webhook-events-absent',
      'all-events-name',
      'repeated-ids',
    ],
  },
});

/** The scope that an operation needs under some answers to the open points. */
export const neededScope = ({ scope }: Operation, choices: Choices): Scope =>
  scope === 'team-scope' || scope === 'webhook-scope' ? choices[scope] : scope;

/** The status of an operation's success under some answers to the open points. */
export const successStatus = ({ method, path, status }: Operation, choices: Choices): number => {
  const point = statusPoint(method, path);
  return point ? Number(choices[point]) : status;
};

export type OperationId = keyof typeof OPERATIONS;
export const OPERATION_IDS = Object.keys(OPERATIONS) as readonly OperationId[];

type Table = typeof OPERATIONS;

/** The checked body of an operation; undefined when it takes none. */
export type Body<Id extends OperationId> = Table[Id] extends { body: Schema<infer T> } ? T : undefined;

/** What an operation answers; undefined for an empty body. */
export type Output<Id extends OperationId> = Table[Id] extends { response: infer S } ? Is<S> : undefined;

/** The row of an operation, with the optional keys in reach. */
export const operation = (id: OperationId): Operation => OPERATIONS[id];
