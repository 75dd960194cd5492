// Faults of workspaces: queries that forget to which workspace they belong.
import { around, clause, isOn } from '../faults/fault.ts';

const own = clause(13, "only sees that workspace's resources", { needs: 'second workspace' });
const foreign = clause(287, 'belongs to a workspace the key cannot access', { needs: 'second workspace' });

export const faults = [
  own('teams-counted-in-all-workspaces', '`total` of the teams counts those of all workspaces', (service) =>
    around(service, 'total', (was, matching, rest, query) =>
      query.listing.name === 'team' ? service.db.teams.length : was(matching, rest, query),
    ),
  ),
  clause(51, 'id of a member of the workspace', { needs: 'second workspace' })(
    'foreign-user-assigned-by-change',
    'a change assigns a task to a user of another workspace',
    (service) =>
      around(
        service,
        'isAssignable',
        (was, user, call, act) => was(user, call, act) || (act === 'change' && service.db.users.some(({ id }) => id === user)),
      ),
  ),
  clause(78, 'unique within the workspace', { needs: 'second workspace' })(
    'team-name-unique-everywhere',
    'a team cannot have the name of a team of another workspace',
    (service) =>
      around(
        service,
        'isNameTaken',
        (was, name, call, members) => was(name, call, members) || service.db.teams.some((each) => each.name === name),
      ),
  ),
  foreign('foreign-project-403', 'a project of another workspace gives 403', (service) =>
    around(service, 'projectOf', (was, call) => {
      const other = service.db.projects.some(({ id, workspace }) => id === call.ids.project && workspace !== call.workspace?.id);
      if (other) throw service.forbidden(call);
      return was(call);
    }),
  ),
  foreign('foreign-comments-listed', 'the comments of a task of another workspace can be listed', (service) =>
    around(service, 'sees', (was, call, row, what) => isOn(call, 'listComments') || was(call, row, what)),
  ),
  foreign('foreign-project-takes-tasks', 'a task can be created in a project of another workspace', (service) =>
    around(service, 'sees', (was, call, row, what) => isOn(call, 'createTask') || was(call, row, what)),
  ),
];
