// The operations of the specification: how each is called, what it returns, which requirement says so.
import { isIn, type Release } from './releases.ts';

export type Shape = 'project' | 'task' | 'profile' | 'member' | 'team' | 'team-read' | 'comment' | 'webhook';

export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly returns: 'one' | 'list' | 'nothing';
  readonly shape: Shape;
  /** Undefined: the specification does not show it. */
  readonly success: number | undefined;
  readonly requirement: string;
  readonly keyRequirement: string;
  /** The release that brought it; absent: the first. */
  readonly since?: Release;
}

const row = (
  id: string,
  call: string,
  returns: Operation['returns'],
  shape: Shape,
  success: number | undefined,
  number: number,
  since?: Release,
): Operation => {
  const [method, path] = call.split(' ') as [Operation['method'], string];
  const digits = String(number).padStart(3, '0');
  return {
    id,
    method,
    path,
    returns,
    shape,
    success,
    requirement: `WM-EP-${digits}`,
    keyRequirement: `WM-AUTH-${100 + number}`,
    ...(since ? { since } : {}),
  };
};

export const OPERATIONS: readonly Operation[] = [
  row('list_projects', 'GET /projects', 'list', 'project', 200, 1),
  row('create_project', 'POST /projects', 'one', 'project', 201, 2),
  row('read_project', 'GET /projects/{project_id}', 'one', 'project', 200, 3),
  row('update_project', 'PATCH /projects/{project_id}', 'one', 'project', undefined, 4),
  row('delete_project', 'DELETE /projects/{project_id}', 'nothing', 'project', 204, 5),
  row('list_project_tasks', 'GET /projects/{project_id}/tasks', 'list', 'task', 200, 6),
  row('list_tasks', 'GET /tasks', 'list', 'task', 200, 7),
  row('create_task', 'POST /projects/{project_id}/tasks', 'one', 'task', 201, 8),
  row('read_task', 'GET /tasks/{task_id}', 'one', 'task', 200, 9),
  row('update_task', 'PATCH /tasks/{task_id}', 'one', 'task', undefined, 10),
  row('delete_task', 'DELETE /tasks/{task_id}', 'nothing', 'task', 204, 11),
  row('list_comments', 'GET /tasks/{task_id}/comments', 'list', 'comment', 200, 12, '1.3'),
  row('read_profile', 'GET /users/me', 'one', 'profile', 200, 13),
  row('list_members', 'GET /workspace/members', 'list', 'member', 200, 14),
  row('list_teams', 'GET /teams', 'list', 'team', 200, 15, '1.2'),
  row('create_team', 'POST /teams', 'one', 'team', 201, 16, '1.2'),
  row('read_team', 'GET /teams/{team_id}', 'one', 'team-read', 200, 17, '1.2'),
  row('delete_team', 'DELETE /teams/{team_id}', 'nothing', 'team', 204, 18, '1.2'),
  row('create_webhook', 'POST /webhooks', 'one', 'webhook', undefined, 19),
];

export const operationsOf = (release: Release): readonly Operation[] =>
  OPERATIONS.filter((operation) => isIn(operation, release));

const patterns = OPERATIONS.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
}));

/** The operation that a method and a path (without query) call, if any. */
export const operationOf = (method: string, path: string): Operation | undefined =>
  patterns.find(({ operation, pattern }) => operation.method === method && pattern.test(path))?.operation;
