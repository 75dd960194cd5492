// The records of the reference server, and what passes between its steps.

export type Scope = 'read' | 'write' | 'admin';

export interface Workspace {
  readonly id: string;
  /** The plan's requests a minute. */
  readonly perMinute: number;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly avatar: string;
  readonly created: number;
}

export interface Membership {
  readonly workspace: string;
  readonly user: string;
  readonly role: string;
}

export interface Key {
  readonly value: string;
  readonly scope: Scope;
  readonly workspace: string;
  readonly user: string;
  readonly revoked?: boolean;
}

/** Members of every record: `nth` is the order of creation over all records. Times are milliseconds since 1970. */
interface Stored {
  id: string;
  workspace: string;
  created: number;
  updated: number;
  readonly nth: number;
}

export interface Project extends Stored {
  readonly owner: string;
  name: string;
  description: string | null;
  visibility: string;
}

export interface Task extends Stored {
  project: string;
  title: string;
  description: string | null;
  assignee: string | null;
  due: number | null;
  /** Absent on a task that is older than the field. */
  priority: string | undefined;
  status: string;
}

export interface Team extends Stored {
  name: string;
  members: readonly string[];
}

export interface Comment extends Stored {
  task: string;
  author: string;
  body: string;
}

/** A user in a workspace, as the member list shows it. */
export interface Member extends Stored {
  readonly user: User;
  readonly role: string;
}

export interface Hook extends Stored {
  readonly url: string;
  readonly events: readonly string[];
  readonly secret: string;
}

export type Row = Project | Task | Team | Comment | Member;
export type Fields = Record<string, unknown>;
export type Resource = 'project' | 'task' | 'team' | 'webhook';
/** Where a record is shown. */
export type Place = 'created' | 'read' | 'changed' | 'row';

export const OPERATIONS = [
  ['GET', '/projects', 'listProjects'],
  ['POST', '/projects', 'createProject'],
  ['GET', '/projects/:project', 'readProject'],
  ['PATCH', '/projects/:project', 'changeProject'],
  ['DELETE', '/projects/:project', 'deleteProject'],
  ['GET', '/projects/:project/tasks', 'listProjectTasks'],
  ['POST', '/projects/:project/tasks', 'createTask'],
  ['GET', '/tasks', 'listTasks'],
  ['GET', '/tasks/:task', 'readTask'],
  ['PATCH', '/tasks/:task', 'changeTask'],
  ['DELETE', '/tasks/:task', 'deleteTask'],
  ['GET', '/tasks/:task/comments', 'listComments'],
  ['GET', '/users/me', 'readMe'],
  ['GET', '/workspace/members', 'listMembers'],
  ['GET', '/teams', 'listTeams'],
  ['POST', '/teams', 'createTeam'],
  ['GET', '/teams/:team', 'readTeam'],
  ['DELETE', '/teams/:team', 'deleteTeam'],
  ['POST', '/webhooks', 'createWebhook'],
] as const;
export type Operation = (typeof OPERATIONS)[number][2];

export const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];
export const PRIORITIES = ['low', 'medium', 'high', 'urgent'];
export const VISIBILITIES = ['private', 'team', 'public'];
const CHANGES = ['created', 'updated', 'deleted'];
export const EVENT_NAMES = [
  ...['task', 'project'].flatMap((kind) => CHANGES.map((change) => `${kind}.${change}`)),
  ...['member.invited', 'member.joined'],
];

/** One request on its way through the steps. */
export interface Call {
  readonly method: string;
  /** Path below /v1, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The query as it was sent. */
  readonly search: string;
  readonly headers: Headers;
  readonly text: string;
  operation: Operation | undefined;
  /** Path variables by name. */
  ids: Readonly<Record<string, string>>;
  key: Key | undefined;
  workspace: Workspace | undefined;
}

export interface ServiceResponse {
  status: number;
  body?: unknown;
  headers: Record<string, string>;
}

/** A request to a registered endpoint. */
export interface Post {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends a request and gives the status of the response; rejects when there is none. Redirects are not followed. */
export type Send = (post: Post) => Promise<number>;

export interface Issue {
  readonly field: string;
  readonly issue: string;
  /** The kind of the broken rule; decides between 400 and 422. */
  readonly kind: 'structure' | 'length' | 'value' | 'reference';
}

/** A response that is an error. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[] | undefined;
  constructor(status: number, code: string, message: string, issues?: readonly Issue[]) {
    super(message);
    this.status = status;
    this.code = code;
    this.issues = issues;
  }
}
