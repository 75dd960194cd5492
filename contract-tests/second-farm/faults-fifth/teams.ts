// Faults of teams.

import type { Fields } from '../../judge/reference/model.ts';
import { around, clause, type Fault, rule, without } from '../faults/fault.ts';
import { sent } from '../faults-fourth/tools.ts';

const length = clause(336, '| team name | 1 to 100 characters, unique in workspace |');
const unique = clause(78, 'unique within the workspace');
const added = clause(79, 'user ids added as members at creation', { style: 'a' });
const count = clause(80, '| member_count | integer | in list and create responses |');
const members = clause(81, '| members | array of `{ id, name, role }` |');
const grouping = clause(177, 'only the team grouping is removed; members stay in the workspace');
const unaffected = clause(177, 'tasks and projects assigned to the team are unaffected');
const taken = clause(288, 'conflict with current state, for example a unique name already in use');

export const faults: readonly Fault[] = [
  length('team-name-to-150', 'a team name may have 150 characters, as a project name', (s) =>
    rule(s, 'team', 'name', { max: 150 }),
  ),
  taken('team-name-used-422', 'the name of another team is refused with 422', (s) =>
    around(s, 'conflict', (_was, call) => s.invalid(422, [{ field: 'name', issue: 'is taken', kind: 'value' }], call)),
  ),
  unique('team-name-held-by-deleted', 'the name of a deleted team stays taken', (s) => {
    const names = new Set<string>();
    around(s, 'removeTeam', (was, team, call) => {
      names.add(`${team.workspace} ${team.name}`);
      was(team, call);
    });
    around(s, 'isNameTaken', (was, name, call, ids) => was(name, call, ids) || names.has(`${call.workspace?.id} ${name}`));
  }),
  added('team-without-its-members', 'member_ids is not read: a new team has no members', (s) =>
    around(s, 'membersOfNew', () => []),
  ),
  added(
    'team-with-stranger',
    'a user of another workspace becomes a member of a team',
    (s) => {
      around(s, 'checkMembers', () => undefined);
      around(s, 'membersOfNew', (was, values, call) => {
        const ids = sent(call).member_ids;
        return Array.isArray(ids) ? ids.filter((id) => s.db.users.some((user) => user.id === id)) : was(values, call);
      });
    },
    { needs: 'second workspace' },
  ),
  count('team-count-zero-in-list', 'member_count is 0 for each team of the list', (s) =>
    around(s, 'memberCount', (was, team, place) => (place === 'row' ? 0 : was(team, place))),
  ),
  members('team-members-without-role', 'the members of a team have no role', (s) =>
    around(s, 'showMembers', (was, team) => (was(team) as readonly Fields[]).map((each) => without(each, 'role'))),
  ),
  grouping('team-takes-members-along', 'the members of a deleted team leave the workspace', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      was(team, call);
      s.db.memberships = s.db.memberships.filter(
        ({ user, workspace }) => workspace !== team.workspace || !team.members.includes(user),
      );
    }),
  ),
  unaffected('team-unassigns-members', 'the tasks of its members have no assignee when a team is deleted', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      was(team, call);
      for (const task of s.db.tasks)
        if (task.workspace === team.workspace && team.members.includes(task.assignee ?? '')) task.assignee = null;
    }),
  ),
];
