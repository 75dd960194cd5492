// Faults of authentication, scopes and isolation.
import { OPERATIONS } from '../../engine/operations.ts';
import { type Mutant, mutant } from '../mutant.ts';
import { after, both, good, is, type Seen } from '../wrap.ts';
import { as, code, denied, status } from './refusals.ts';

export interface Keys {
  readonly admin: string;
  readonly write: string;
  readonly read: string;
  readonly revoked: string;
  readonly other: string;
}

export const accessMutants = (keys: Keys): readonly Mutant[] => {
  const from = (key: string) => (call: Seen) => call.key === key;
  const reads = (path: string) => (call: Seen) => call.key === keys.read && is(path)(call);
  const foreign =
    (...calls: string[]) =>
    (call: Seen) =>
      call.key === keys.other && is(...calls)(call);
  const powerless = (call: Seen) => call.key === keys.read && call.method !== 'GET';
  return [
    mutant(
      106,
      'no-header-403',
      'AUTH-001',
      after(
        (c, a) => a.status === 401 && c.authorization === undefined,
        (a) => Object.assign(a, { status: 403, json: { error: { code: 'forbidden', message: 'No.' } } }),
      ),
    ),
    mutant(
      107,
      'basic-accepted',
      'AUTH-003',
      as(keys.write, (c) => c.authorization?.startsWith('Basic ') ?? false),
    ),
    mutant(
      107,
      'no-prefix-accepted',
      'AUTH-002',
      as(keys.write, (c) => c.authorization === keys.write),
    ),
    mutant(
      108,
      'invalid-key-404',
      'AUTH-005',
      after(
        (c, a) => a.status === 401 && c.key === 'wmct-no-such-key',
        (a) => Object.assign(a, { status: 404, json: { error: { code: 'not_found', message: 'No.' } } }),
      ),
    ),
    mutant(109, '401-code-invalid-token', 'AUTH-007', code(401, 'invalid_token')),
    ...OPERATIONS.filter(({ id }) => id !== 'create_webhook').map(({ id, method, path, keyRequirement }) =>
      mutant(
        110,
        `open-${id}`,
        `${keyRequirement.slice(3)} ${id === 'create_task' ? 'AUTH-001 AUTH-008' : id === 'list_projects' ? 'AUTH-001 AUTH-002 AUTH-003 AUTH-004 AUTH-005' : ''}`.trim(),
        as(keys.admin, (c) => c.authorization === undefined && is(`${method} ${path.replace(/\{[^}]+\}/g, '*')}`)(c)),
      ),
    ),
    mutant(111, 'revoked-key-works', 'AUTH-006', as(keys.write, from(keys.revoked))),
    mutant(112, 'read-key-creates', 'SCOPE-005', as(keys.admin, reads('POST /projects'))),
    mutant(112, 'read-key-creates-tasks', 'SCOPE-008', as(keys.admin, reads('POST /projects/*/tasks'))),
    mutant(113, 'read-key-patches-tasks', 'SCOPE-009', as(keys.admin, reads('PATCH /tasks/*'))),
    mutant(113, 'read-key-deletes-teams', 'SCOPE-012', as(keys.admin, reads('DELETE /teams/*'))),
    mutant(undefined, 'read-key-patches-projects', 'SCOPE-006', as(keys.admin, reads('PATCH /projects/*'))),
    mutant(undefined, 'read-key-deletes-tasks', 'SCOPE-010', as(keys.admin, reads('DELETE /tasks/*'))),
    mutant(undefined, 'read-key-deletes-projects', 'SCOPE-007', as(keys.admin, reads('DELETE /projects/*'))),
    mutant(undefined, 'read-key-creates-teams', 'SCOPE-011', as(keys.admin, reads('POST /teams'))),
    mutant(114, 'read-key-refused-on-members', 'SCOPE-003', denied(reads('GET /workspace/members'), 403, 'forbidden')),
    mutant(undefined, 'read-key-refused-on-teams', 'SCOPE-004', denied(reads('GET /teams'), 403, 'forbidden')),
    mutant(
      115,
      'write-key-refused-on-task',
      'SCOPE-017',
      denied((c) => c.key === keys.write && is('POST /projects/*/tasks')(c), 403, 'forbidden'),
    ),
    mutant(
      116,
      'scope-401',
      'SCOPE-005',
      status(403, (a) => Object.assign(a, { status: 401, json: { error: { code: 'unauthorized', message: 'No.' } } }), powerless),
    ),
    mutant(117, '403-code', 'SCOPE-014', code(403, 'insufficient_scope')),
    mutant(118, '403-and-done', 'SCOPE-015', () => async (call, next) => {
      const answer = await next(call);
      if (powerless(call) && call.method === 'PATCH') await next({ ...call, authorization: `Bearer ${keys.admin}` });
      return answer;
    }),
    mutant(
      119,
      'admin-lacks-write',
      'SCOPE-018',
      denied((c) => c.key === keys.admin && is('POST /projects')(c), 403, 'forbidden'),
    ),
    mutant(120, 'foreign-project-read', 'ISO-001', as(keys.admin, foreign('GET /projects/*'))),
    mutant(
      121,
      'foreign-project-403',
      'ISO-001',
      status(
        404,
        (a) => Object.assign(a, { status: 403, json: { error: { code: 'forbidden', message: 'No.' } } }),
        foreign('GET /projects/*'),
      ),
    ),
    mutant(undefined, 'foreign-task-read', 'ISO-006', as(keys.admin, foreign('GET /tasks/*'))),
    mutant(undefined, 'foreign-team-read', 'ISO-010', as(keys.admin, foreign('GET /teams/*'))),
    mutant(undefined, 'foreign-comments-read', 'ISO-009', as(keys.admin, foreign('GET /tasks/*/comments'))),
    mutant(undefined, 'foreign-nested-list', 'ISO-004', as(keys.admin, foreign('GET /projects/*/tasks'))),
    mutant(undefined, 'foreign-patch', 'ISO-007', as(keys.admin, foreign('PATCH /tasks/*'))),
    mutant(
      122,
      'foreign-delete',
      'ISO-003',
      as(keys.admin, (c) => foreign('DELETE /projects/*')(c)),
    ),
    mutant(123, 'foreign-tasks-listed', 'ISO-013', as(keys.admin, foreign('GET /tasks'))),
    mutant(undefined, 'foreign-projects-listed', 'ISO-012', as(keys.admin, foreign('GET /projects'))),
    mutant(undefined, 'foreign-teams-listed', 'ISO-014', as(keys.admin, foreign('GET /teams'))),
    mutant(124, 'foreign-task-created', 'ISO-005', as(keys.admin, foreign('POST /projects/*/tasks'))),
    mutant(
      46,
      'total-of-all-workspaces',
      'ISO-017',
      after(
        both(good('GET /tasks'), (c) => c.key === keys.other && c.query.has('filter[project_id]')),
        (a) => (a.json.meta.total += 22),
      ),
    ),
  ];
};
