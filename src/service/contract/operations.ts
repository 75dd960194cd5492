// The table of operations, in the order of the spec. Routes, checks, types, OpenAPI, docs and coverage read it.
import { type ChoiceId, type Choices, statusPoint } from './choices.ts';
import type { ErrorCode } from './errors.ts';
import { mapValues } from './keyed.ts';
import type { Version } from './releases.ts';
import {
  ENVELOPES,
  type EventName,
  type Page,
  ProjectDraft,
  ProjectPatch,
  type RESOURCES,
  TaskDraft,
  TaskPatch,
  TeamDraft,
  WebhookDraft,
} from './resources.ts';
import { type Is, oneOf, type Schema, string } from './schema.ts';
import { PRIORITIES, type Scope, STATUSES, VISIBILITIES } from './states.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type CollectionName = Exclude<keyof typeof RESOURCES, 'keys'>;

export interface Operation {
  readonly method: Method;
  /** Below the base URL; `{...}` marks a path variable. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Minimum scope, or the open point that decides it. */
  readonly scope: Scope | 'team-scope' | 'webhook-scope';
  readonly since: Version;
  /** Collection of the record that the path must name, checked before query and body. */
  readonly finds?: CollectionName;
  readonly body?: Schema<object>;
  readonly status: 200 | 201 | 204;
  readonly response?: Schema<unknown>;
  /** Filters and sort fields of a list. */
  readonly list?: { readonly filters: Readonly<Record<string, Schema<string>>>; readonly sorts: readonly string[] };
  /** Errors besides 401, 403 for writes, 429 and 500, which every operation has. */
  readonly errors: readonly ErrorCode[];
  readonly announces: readonly EventName[];
  readonly open: readonly ChoiceId[];
}

interface OperationSpec extends Partial<Pick<Operation, 'description' | 'body' | 'response' | 'list' | 'announces' | 'open'>> {
  /** Method and path below the base URL; `{project_id}` must name a record of the projects. */
  readonly call: `${Method} /${string}`;
  readonly summary: string;
  /** If later than that of its tag. */
  readonly since?: Version;
  /** Open point that decides the scope. */
  readonly scope?: ChoiceId & `${string}-scope`;
  /** Errors besides those that follow from an id in the path, a body, and a list. */
  readonly errors?: readonly ErrorCode[];
}

type Derived = Pick<Operation, 'method' | 'path' | 'tag' | 'scope' | 'since' | 'status' | 'errors' | 'announces' | 'open'>;
/** Completes a row with the collection that its path names. */
type RowOf<S extends OperationSpec> = Omit<S, keyof Derived | 'call'> &
  Derived &
  (S['call'] extends `${string}{${infer N}_id}${string}` ? { readonly finds: `${N}s` } : unknown);

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
] as const;

const BODY_POINTS = ['unknown-body-fields', 'content-type', 'value-fault-status', 'mixed-faults', 'length-unit'] as const;
const PATCH_POINTS = [...BODY_POINTS, 'patch-status', 'noop-patch', 'null-in-body', 'check-order'] as const;

const rowOf = (tag: string, since: Version, { call, errors = [], open = [], ...stated }: OperationSpec): Operation => {
  const [method, path] = call.split(' ') as [Method, string];
  const [, finds] = /\{(\w+)_id\}/.exec(path) ?? [];
  const points = method === 'PATCH' ? PATCH_POINTS : stated.body ? BODY_POINTS : stated.list ? LIST_POINTS : [];
  const invalid = stated.body || stated.list ? (['validation_error'] as const) : [];
  return {
    scope: method === 'GET' ? 'read' : 'write',
    announces: [],
    since,
    ...stated,
    method,
    path,
    tag,
    status: method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200,
    ...(finds && { finds: `${finds}s` as CollectionName }),
    errors: [...invalid, ...(finds ? (['not_found'] as const) : []), ...errors],
    open: [...points, ...open],
  };
};

/** @param since the release that brought the operations, but for those that state a later one */
const tagged = <const T extends Readonly<Record<string, OperationSpec>>>(tag: string, since: Version, rows: T) =>
  mapValues(rows, (stated) => rowOf(tag, since, stated)) as {
    readonly [Id in keyof T]: RowOf<T[Id]>;
  };

/** Message for a filter of a type other than text. */
type TextsAlone =
  'A filter compares texts: use string() or oneOf(). Of other types, src/service/lists/query.ts has to read the value first.';
type ListFilters<F> = { readonly [N in keyof F]: F[N] extends Schema<string> ? F[N] : TextsAlone };

export const pageOf = <T, F extends Readonly<Record<string, Schema<unknown>>>>(
  response: Schema<Page<T>>,
  filters: F & ListFilters<F>,
  sorts: readonly string[],
) => ({ response, list: { filters: filters as unknown as Readonly<Record<string, Schema<string>>>, sorts } });

const byStatus = oneOf(STATUSES, { description: 'Tasks with this status.' });
const byPriority = oneOf(PRIORITIES, { description: 'Tasks with this priority.', 'x-since': '1.3.0' });
const byAssignee = string({ description: 'Tasks assigned to this user id.' });
const byProject = string({ description: 'Tasks of this project.' });
const byVisibility = oneOf(VISIBILITIES, { description: 'Projects with this visibility.' });
const TASK_SORTS = ['due_date', 'created_at', 'updated_at', 'title'] as const;
const TASK_LIST_POINTS = ['filter-value', 'null-due-date', 'absent-values'] as const;

export const OPERATIONS = {
  ...tagged('Projects', '1.0.0', {
    listProjects: {
      call: 'GET /projects',
      summary: 'List the projects of the workspace',
      ...pageOf(ENVELOPES.ProjectList, { visibility: byVisibility }, ['created_at', 'updated_at']),
      open: ['filter-value', 'owner-field'],
    },
    createProject: {
      call: 'POST /projects',
      summary: 'Create a project',
      description: 'The owner is the user whose key makes the request.',
      body: ProjectDraft,
      response: ENVELOPES.ProjectResponse,
      announces: ['project.created'],
      open: ['owner-field', 'id-style'],
    },
    getProject: {
      call: 'GET /projects/{project_id}',
      summary: 'Read a project',
      response: ENVELOPES.ProjectResponse,
      open: ['owner-field', 'absent-values', 'datetime-format'],
    },
    updateProject: {
      call: 'PATCH /projects/{project_id}',
      summary: 'Update a project',
      description: 'Fields that are left out stay as they are.',
      body: ProjectPatch,
      response: ENVELOPES.ProjectResponse,
      announces: ['project.updated'],
    },
    deleteProject: {
      call: 'DELETE /projects/{project_id}',
      summary: 'Delete a project for good',
      description: 'Its tasks and their comments are deleted with it and cannot be recovered.',
      announces: ['project.deleted'],
      open: ['project-delete-events'],
    },
  }),
  ...tagged('Tasks', '1.0.0', {
    listProjectTasks: {
      call: 'GET /projects/{project_id}/tasks',
      summary: 'List the tasks of a project',
      ...pageOf(ENVELOPES.TaskList, { status: byStatus, assignee_id: byAssignee, priority: byPriority }, TASK_SORTS),
      open: [...TASK_LIST_POINTS, 'project-filter-in-project'],
    },
    listTasks: {
      call: 'GET /tasks',
      summary: 'List the tasks of the workspace',
      ...pageOf(
        ENVELOPES.TaskList,
        { status: byStatus, assignee_id: byAssignee, project_id: byProject, priority: byPriority },
        TASK_SORTS,
      ),
      open: TASK_LIST_POINTS,
    },
    createTask: {
      call: 'POST /projects/{project_id}/tasks',
      summary: 'Create a task in a project',
      body: TaskDraft,
      response: ENVELOPES.TaskResponse,
      announces: ['task.created'],
      open: ['id-style', 'null-in-body', 'date-only', 'check-order', 'invited-members'],
    },
    getTask: {
      call: 'GET /tasks/{task_id}',
      summary: 'Read a task',
      description: 'Works regardless of the containing project.',
      response: ENVELOPES.TaskResponse,
      open: ['absent-values', 'datetime-format'],
    },
    updateTask: {
      call: 'PATCH /tasks/{task_id}',
      summary: 'Update a task',
      description: 'Fields that are left out stay as they are. Any status may follow any other.',
      body: TaskPatch,
      response: ENVELOPES.TaskResponse,
      announces: ['task.updated'],
      open: ['date-only', 'invited-members'],
    },
    deleteTask: {
      call: 'DELETE /tasks/{task_id}',
      summary: 'Delete a task and its comments for good',
      announces: ['task.deleted'],
    },
    listTaskComments: {
      call: 'GET /tasks/{task_id}/comments',
      summary: 'List the comments on a task',
      since: '1.3.0',
      ...pageOf(ENVELOPES.CommentList, {}, ['created_at']),
    },
  }),
  ...tagged('Users', '1.0.0', {
    getMe: {
      call: 'GET /users/me',
      summary: "Read the profile of the key's user",
      response: ENVELOPES.ProfileResponse,
      open: ['datetime-format'],
    },
    listMembers: {
      call: 'GET /workspace/members',
      summary: 'List the members of the workspace',
      description: 'Any of the ids can be an `assignee_id`.',
      ...pageOf(ENVELOPES.MemberList, {}, []),
      open: ['invited-members'],
    },
  }),
  ...tagged('Teams', '1.2.0', {
    listTeams: {
      call: 'GET /teams',
      summary: 'List the teams of the workspace',
      ...pageOf(ENVELOPES.TeamList, {}, ['created_at', 'updated_at']),
    },
    createTeam: {
      call: 'POST /teams',
      summary: 'Create a team',
      scope: 'team-scope',
      body: TeamDraft,
      response: ENVELOPES.TeamResponse,
      errors: ['conflict'],
      open: ['team-scope', 'conflict-code', 'team-name-comparison', 'repeated-ids', 'invited-members'],
    },
    getTeam: {
      call: 'GET /teams/{team_id}',
      summary: 'Read a team with its members',
      response: ENVELOPES.TeamDetailResponse,
      open: ['datetime-format'],
    },
    deleteTeam: {
      call: 'DELETE /teams/{team_id}',
      summary: 'Delete a team',
      description: 'Only the grouping is removed: members stay, tasks and projects are unaffected.',
      scope: 'team-scope',
      open: ['team-scope'],
    },
  }),
  ...tagged('Webhooks', '1.0.0', {
    createWebhook: {
      call: 'POST /webhooks',
      summary: 'Register a receiver of events',
      description: 'The signing secret is in this response and never shown again.',
      scope: 'webhook-scope',
      body: WebhookDraft,
      response: ENVELOPES.WebhookResponse,
      open: [
        'webhook-create-status',
        'webhook-create-shape',
        'webhook-scope',
        'webhook-url',
        'webhook-events-absent',
        'all-events-name',
        'repeated-ids',
      ],
    },
  }),
};

export const neededScope = ({ scope }: Operation, choices: Choices): Scope =>
  scope === 'team-scope' || scope === 'webhook-scope' ? choices[scope] : scope;

export const successStatus = ({ method, path, status }: Operation, choices: Choices): number => {
  const point = statusPoint(method, path);
  return point ? Number(choices[point]) : status;
};

export type OperationId = keyof typeof OPERATIONS;
export const OPERATION_IDS = Object.keys(OPERATIONS) as readonly OperationId[];

/** Checked body of an operation; undefined if it has none. */
export type Body<Id extends OperationId> = (typeof OPERATIONS)[Id] extends { body: Schema<infer T> } ? T : undefined;

/** Body of the response; undefined if it is empty. */
export type Output<Id extends OperationId> = (typeof OPERATIONS)[Id] extends { response: infer S } ? Is<S> : undefined;

export const operation = (id: OperationId): Operation => OPERATIONS[id];
