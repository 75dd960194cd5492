// Faults of keys, scopes and workspaces.

import { type Key, Problem } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { refuses } from '../faults-fourth/tools.ts';

const SOUTH = { needs: 'second workspace' } as const;
const sees = clause(13, "only sees that workspace's resources", SOUTH);
const required = clause(135, 'All endpoints require the `Authorization` header.');
const revoked = clause(210, 'A revoked key is invalid immediately; later requests with it get `401`.');
const invalid = clause(
  211,
  'A missing or malformed header, an invalid key or a revoked key gives `401` with code `unauthorized`.',
);
const prefix = clause(297, 'no Bearer prefix');
const noChange = clause(216, 'no create, update or delete');
const write = clause(217, 'create, update and delete of projects, tasks and other non-administrative resources');
const elsewhere = clause(287, 'belongs to a workspace the key cannot access', SOUTH);

export const faults: readonly Fault[] = [
  invalid('unknown-key-403', 'a key that does not exist gives 403', (s) =>
    around(s, 'unauthorized', (was, call, why) => (why === 'unknown' ? s.forbidden(call) : was(call, why))),
  ),
  invalid('other-scheme-400', 'an Authorization header without a Bearer key gives 400', (s) =>
    around(s, 'unauthorized', (was, call, why) =>
      why === 'missing' && call.headers.has('authorization')
        ? new Problem(400, 'validation_error', 'The Authorization header is malformed.')
        : was(call, why),
    ),
  ),
  prefix('key-without-prefix', 'a key without Bearer before it is accepted', (s) =>
    around(s, 'tokenOf', (was, call) => was(call) ?? /^\S+$/.exec(call.headers.get('authorization') ?? '')?.[0]),
  ),
  revoked('revoked-key-reads', 'a revoked key can still read', (s) =>
    around(s, 'isRevoked', (was, key, call) => was(key, call) && call.method !== 'GET'),
  ),
  required('public-project-without-key', 'GET /projects/{project_id} shows a public project to anyone', (s) =>
    around(s, 'authenticate', (was, call): Key => {
      const id = call.method === 'GET' ? /^\/projects\/([^/]+)$/.exec(call.path)?.[1] : undefined;
      const open = s.db.projects.find((each) => each.id === id && each.visibility === 'public');
      if (!open || call.headers.has('authorization')) return was(call);
      return { value: '', scope: 'read', workspace: open.workspace, user: open.owner };
    }),
  ),
  noChange('read-key-patches-tasks', 'keys of the scope read can PATCH tasks', (s) =>
    around(s, 'authorise', (was, call, operation) => {
      if (operation !== 'changeTask') was(call, operation);
    }),
  ),
  write('write-key-keeps-projects', 'deleting a project needs the scope admin', (s) =>
    refuses(
      s,
      ['deleteProject'],
      (call) => call.key?.scope === 'write',
      (call) => s.forbidden(call),
    ),
  ),
  elsewhere('stranger-project-403', 'a project of another workspace gives 403', (s) =>
    around(s, 'notFound', (was, call, what) =>
      s.db.projects.some(({ id }) => id === call.ids.project) ? s.forbidden(call) : was(call, what),
    ),
  ),
  elsewhere('stranger-project-tasks-empty', 'the tasks of a project of another workspace are an empty list', (s) =>
    around(s, 'sees', (was, call, row, what) => was(call, row, what) || isOn(call, 'listProjectTasks')),
  ),
  sees('stranger-tasks-by-project', 'filter[project_id] shows the tasks of a project of another workspace', (s) =>
    around(s, 'allTaskRows', (was, call) => {
      const id = isOn(call, 'listTasks') ? call.query.get('filter[project_id]') : null;
      return id === null ? was(call) : s.db.tasks.filter(({ project }) => project === id);
    }),
  ),
];
