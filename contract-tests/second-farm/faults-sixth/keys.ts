// Faults of keys, scopes and workspaces.

import type { Task } from '../../judge/reference/model.ts';
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { cached } from '../faults-third/tools.ts';
import { hasFilter } from './tools.ts';

const invalid = clause(211, 'A missing or malformed header, an invalid key or a revoked key gives `401`');
const revoked = clause(210, 'A revoked key is invalid immediately; later requests with it get `401`.');
const bearer = clause(297, 'header missing, no Bearer prefix, key invalid or revoked');
const read = clause(216, 'no create, update or delete');
const reads = clause(216, 'retrieve any resource of the workspace');
const write = clause(217, 'everything read allows, plus create, update and delete of projects, tasks');
const TENANT = { needs: 'second workspace' } as const;
const elsewhere = clause(287, 'resource does not exist, or belongs to a workspace the key cannot access', TENANT);
const own = clause(13, "An API key belongs to one workspace and only sees that workspace's resources.", TENANT);
const assignee = clause(51, 'id of a member of the workspace', TENANT);
const members = clause(79, 'user ids added as members at creation', TENANT);

export const faults: readonly Fault[] = [
  invalid('key-longer-accepted', 'a key with more characters behind it is accepted, for the hash ends before them', (s) =>
    around(s, 'keyOf', (_was, token) => s.db.keys.find(({ value }) => token.startsWith(value))),
  ),
  revoked('revoked-key-has-profile', 'GET /users/me answers a revoked key', (s) =>
    around(s, 'isRevoked', (was, key, call) => call.path !== '/users/me' && was(key, call)),
  ),
  bearer('basic-key-accepted', 'a key is accepted as the name of Basic authentication', (s) =>
    around(s, 'tokenOf', (was, call) => {
      const basic = /^Basic (\S+)$/.exec(call.headers.get('authorization') ?? '')?.[1];
      return basic === undefined ? was(call) : Buffer.from(basic, 'base64').toString().split(':')[0];
    }),
  ),
  read('read-patches-own-tasks', 'a key of scope read may PATCH the tasks that are assigned to its user', (s) =>
    around(s, 'authorise', (was, call, operation) => {
      const mine = operation === 'changeTask' && s.db.tasks.find(({ id }) => id === call.ids.task)?.assignee === call.key?.user;
      if (!mine) was(call, operation);
    }),
  ),
  read('read-posts-in-public', 'a key of scope read may create tasks in public projects', (s) =>
    around(s, 'authorise', (was, call, operation) => {
      const open = s.db.projects.find(({ id }) => id === call.ids.project)?.visibility === 'public';
      if (operation !== 'createTask' || !open) was(call, operation);
    }),
  ),
  reads('read-cannot-read-team', 'GET /teams/{team_id} wants the scope write', (s) =>
    around(s, 'neededScope', (was, operation) => (operation === 'readTeam' ? 'write' : was(operation))),
  ),
  write('write-deletes-own-projects-only', 'a key of scope write may not delete the projects of others', (s) =>
    around(s, 'authorise', (was, call, operation) => {
      was(call, operation);
      const project = s.db.projects.find(({ id }) => id === call.ids.project);
      if (operation === 'deleteProject' && call.key?.scope === 'write' && project && project.owner !== call.key.user)
        throw s.forbidden(call);
    }),
  ),
  elsewhere('foreign-comments-shown', 'the comments of a task of another workspace are answered', (s) =>
    around(s, 'sees', (was, call, row, what) => isOn(call, 'listComments') || was(call, row, what)),
  ),
  elsewhere('foreign-patch-403', 'PATCH of a project of another workspace gives 403', (s) =>
    around(s, 'notFound', (was, call, what) =>
      isOn(call, 'changeProject') && s.db.projects.some(({ id }) => id === call.ids.project)
        ? s.forbidden(call)
        : was(call, what),
    ),
  ),
  assignee('patch-assigns-foreigner', 'PATCH assigns a task to a user of another workspace', (s) =>
    around(s, 'isAssignable', (was, user, call, act) =>
      act === 'change' ? s.db.users.some(({ id }) => id === user) : was(user, call, act),
    ),
  ),
  members(
    'team-with-foreigner-beside-member',
    'a user of another workspace becomes a member of a team when one of the others is a member of the workspace',
    (s) => {
      const mixed = (ids: readonly string[], workspace: string | undefined) =>
        ids.some((id) => s.isMember(id, workspace)) && ids.every((id) => s.db.users.some((user) => user.id === id));
      around(s, 'checkMembers', (was, rule, ids, call) => (mixed(ids, call.workspace?.id) ? undefined : was(rule, ids, call)));
      around(s, 'take', (was, rule, value, call, act) =>
        rule.kind === 'members' && mixed(value as string[], call.workspace?.id) ? value : was(rule, value, call, act),
      );
    },
  ),
  own('assignee-filter-in-all', 'a filter on the assignee lists tasks of all workspaces', (s) =>
    around(s, 'allTaskRows', (was, call) =>
      hasFilter(call, 'assignee_id') && isOn(call, 'listTasks') ? (s.db.tasks as readonly Task[]) : was(call),
    ),
  ),
  own('teams-cached-for-all', 'a list of teams is kept for two seconds, for all workspaces', (s) =>
    cached(
      s,
      2000,
      (call) => (isOn(call, 'listTeams') ? call.search : undefined),
      (call) => (isOn(call, 'createTeam', 'deleteTeam') ? '' : undefined),
    ),
  ),
];
