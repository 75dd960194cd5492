// Faults of keys, scopes, workspaces and the rate limit.

import type { Problem } from '../../judge/reference/model.ts';
import { around, clause, isOn } from '../faults/fault.ts';

const revoked = clause(211, 'an invalid key or a revoked key gives `401` with code `unauthorized`');
const read = clause(
  216,
  'retrieve any resource of the workspace (projects, tasks, members, webhooks); no create, update or delete',
);
const tenant = clause(13, "An API key belongs to one workspace and only sees that workspace's resources", {
  needs: 'second workspace',
});
const every = clause(318, 'Every response, success or error, carries these headers');
const reset = clause(324, 'Unix timestamp (UTC) when the window resets and the count returns to the full limit');

export const faults = [
  revoked('revoked-key-still-reads', 'a revoked key is checked for changes only, and still reads', (service) =>
    around(service, 'isRevoked', (was, key, call) => call.method !== 'GET' && was(key, call)),
  ),
  revoked('longer-key-accepted', 'a key is compared as far as it goes: with more characters behind it is valid', (service) =>
    around(
      service,
      'keyOf',
      (was, token, call) => was(token, call) ?? service.db.keys.find(({ value }) => token.startsWith(value)),
    ),
  ),
  clause(298, 'scope insufficient')('deletion-without-scope-404', 'a key of the scope read that deletes gets 404', (service) =>
    around(service, 'forbidden', (was, call) => (call.method === 'DELETE' ? service.notFound(call, 'resource') : was(call))),
  ),
  read('read-keys-change-tasks', 'PATCH of a task asks for no scope but read', (service) =>
    around(service, 'neededScope', (was, operation) => (operation === 'changeTask' ? 'read' : was(operation))),
  ),
  read('comments-need-write', 'the list of comments asks for the scope write', (service) =>
    around(service, 'neededScope', (was, operation) => (operation === 'listComments' ? 'write' : was(operation))),
  ),
  clause(217, 'plus create, update and delete of projects, tasks')(
    'project-deletion-for-admins',
    'the deletion of a project asks for the scope admin',
    (service) => around(service, 'neededScope', (was, operation) => (operation === 'deleteProject' ? 'admin' : was(operation))),
  ),
  tenant('project-filter-crosses', 'the filter by project finds the tasks of a project of another workspace', (service) =>
    around(service, 'allTaskRows', (was, call) => {
      const asked = call.query.get('filter[project_id]');
      return asked !== null && isOn(call, 'listTasks') ? service.db.tasks.filter(({ project }) => project === asked) : was(call);
    }),
  ),
  tenant('foreign-task-deleted', 'a task is deleted by its id, whatever its workspace', (service) =>
    around(service, 'sees', (was, call, row, what) => (what === 'task' && isOn(call, 'deleteTask')) || was(call, row, what)),
  ),
  tenant('foreign-team-members', 'a new team takes users of another workspace as members, and shows them', (service) => {
    let creating = false;
    around(service, 'createTeam', (was, call) => {
      creating = true;
      try {
        return was(call);
      } finally {
        creating = false;
      }
    });
    around(
      service,
      'isMember',
      (was, user, workspace) => was(user, workspace) || (creating && service.db.memberships.some((each) => each.user === user)),
    );
  }),
  clause(287, 'resource does not exist, or belongs to a workspace the key cannot access', { needs: 'second workspace' })(
    'foreign-project-changed-403',
    'PATCH, DELETE and a new task in a project of another workspace give 403',
    (service) =>
      around(service, 'notFound', (was, call, what): Problem => {
        const exists = service.db.projects.some(({ id }) => id === call.ids.project);
        return call.method !== 'GET' && what === 'project' && exists ? service.forbidden(call) : was(call, what);
      }),
  ),
  every('gateway-401-without-limits', 'the answer 401 has no headers of the rate limit', (service) =>
    around(service, 'quotaHeaders', (was, call, answer) => (answer.status === 401 ? {} : was(call, answer))),
  ),
  clause(309, 'Limits apply per workspace')('budget-for-each-key', 'each key of a workspace has a count of its own', (service) =>
    around(service, 'bucketOf', (was, call) => call.key?.value ?? was(call)),
  ),
  reset('reset-counts-down', '`X-RateLimit-Reset` is the number of seconds to the reset', (service) =>
    around(service, 'quotaHeaders', (was, call, answer) => ({
      ...was(call, answer),
      'X-RateLimit-Reset': String(Math.ceil((service.resetAt(call) - service.now()) / 1000)),
    })),
  ),
  clause(301, 'more requests in the current one-minute window than the plan allows', { needs: 'quota' })(
    'refusal-called-too-many',
    'the code of the answer 429 is `too_many_requests`',
    (service) => {
      around(service, 'fail', (was, error, call) => {
        const answer = was(error, call);
        if (answer.status !== 429) return answer;
        const { error: body } = answer.body as { error: object };
        return { ...answer, body: { error: { ...body, code: 'too_many_requests' } } };
      });
    },
  ),
];
