// Faults of teams, members and the profile.

import type { Fields } from '../../judge/reference/model.ts';
import { around, clause, type Fault } from '../faults/fault.ts';

const unique = clause(78, '1 to 100 characters, unique within the workspace');
const count = clause(80, '| member_count | integer | in list and create responses |');
const members = clause(81, 'in the single-team read response, instead of member_count');
const joined = clause(79, 'user ids added as members at creation');
const deleted = clause(177, 'members stay in the workspace; tasks and projects assigned to the team are unaffected');
const profile = clause(167, "`200` `data` = profile of the key's user");
const email = clause(66, '| email | string | profile and member list |');
const role = clause(67, '| role | string | profile and member list');
const times = clause(82, '| created_at, updated_at | string (datetime) | server-set |');

export const faults: readonly Fault[] = [
  unique(
    'team-name-of-anyone',
    'team names are unique over all workspaces',
    (service) => around(service, 'isNameTaken', (_was, name) => service.db.teams.some((each) => each.name === name)),
    { needs: 'second workspace' },
  ),
  unique('team-name-for-ever', 'the name of a deleted team stays taken', (service) => {
    const past = new Set<string>();
    around(service, 'removeTeam', (was, team, call) => {
      past.add(`${team.workspace} ${team.name}`);
      was(team, call);
    });
    around(service, 'isNameTaken', (was, name, call, ids) => was(name, call, ids) || past.has(`${call.workspace?.id} ${name}`));
  }),
  unique('team-name-once-with-members', 'a name in use is seen only when no members are sent', (service) =>
    around(service, 'isNameTaken', (was, name, call, ids) => !/member_ids/.test(call.text) && was(name, call, ids)),
  ),
  count('member-count-of-creation-zero', 'member_count is 0 in the answer to the creation', (service) =>
    around(service, 'memberCount', (was, team, place) => (place === 'created' ? 0 : was(team, place))),
  ),
  members('members-at-most-two', 'a team shows two members at most', (service) =>
    around(service, 'showMembers', (was, team) => (was(team) as unknown[]).slice(0, 2)),
  ),
  members('members-named-by-email', 'the name of a member of a team is its email', (service) =>
    around(service, 'showMembers', (was, team) =>
      (was(team) as Fields[]).map((each) => ({ ...each, name: service.db.users.find(({ id }) => id === each.id)?.email })),
    ),
  ),
  members('members-null-when-none', 'members of a team without any is null', (service) =>
    around(service, 'showMembers', (was, team) => (team.members.length === 0 ? null : was(team))),
  ),
  joined('first-member-lost', 'the first of several member_ids is left out', (service) =>
    around(service, 'membersOfNew', (was, values, call) => {
      const sent = values.member_ids as string[] | undefined;
      return was({ ...values, ...(sent && sent.length > 1 ? { member_ids: sent.slice(1) } : {}) }, call);
    }),
  ),
  joined(
    'foreign-members-join',
    'users of other workspaces can be added to a team',
    (service) => {
      const known = (id: string) => service.db.users.some((user) => user.id === id);
      around(service, 'checkMembers', (was, one, ids, call) =>
        was(
          one,
          ids.filter((id) => !known(id)),
          call,
        ),
      );
      around(service, 'take', (was, one, value, call, act) =>
        one.kind === 'members' ? (value as string[]).filter(known) : was(one, value, call, act),
      );
    },
    { needs: 'second workspace' },
  ),
  deleted('team-goes-tasks-unassigned', 'the tasks of the members of a deleted team lose their assignee', (service) =>
    around(service, 'removeTeam', (was, team, call) => {
      was(team, call);
      for (const task of service.db.tasks) if (task.assignee && team.members.includes(task.assignee)) task.assignee = null;
    }),
  ),
  deleted('team-goes-tasks-touched', 'updated_at of the tasks of its members moves when a team is deleted', (service) =>
    around(service, 'removeTeam', (was, team, call) => {
      was(team, call);
      for (const task of service.db.tasks)
        if (task.assignee && team.members.includes(task.assignee)) service.touch(task, 'task', {});
    }),
  ),
  deleted('team-goes-with-members', 'the last member of a deleted team leaves the workspace', (service) =>
    around(service, 'removeTeam', (was, team, call) => {
      was(team, call);
      const last = team.members.at(-1);
      if (last && last !== call.key?.user)
        service.db.memberships = service.db.memberships.filter(
          ({ user, workspace }) => user !== last || workspace !== team.workspace,
        );
    }),
  ),
  profile('profile-role-is-scope', 'the role of the profile is the scope of the key', (service) =>
    around(service, 'readMe', (was, call) => {
      const answer = was(call);
      return { ...answer, body: { data: { ...(answer.body as { data: Fields }).data, role: call.key?.scope } } };
    }),
  ),
  profile('profile-first-seen', 'the profile is that of the first key that asked', (service) => {
    let first: string | undefined;
    around(service, 'profileOf', (was, call) => {
      first ??= was(call);
      return first;
    });
  }),
  email('email-masked', 'the list of members masks the emails', (service) =>
    around(service, 'showMember', (was, member) => ({ ...was(member), email: member.user.email.replace(/^(.).*@/, '$1***@') })),
  ),
  email('email-hidden-from-readers', 'a read key sees no emails', (service) =>
    around(service, 'perform', (was, call, operation) => {
      const answer = was(call, operation);
      return operation === 'listMembers' && call.key?.scope === 'read'
        ? { ...answer, body: JSON.parse(JSON.stringify(answer.body).replace(/"email":"[^"]*"/g, '"email":null')) }
        : answer;
    }),
  ),
  role('role-in-capitals', 'the role in the list of members is in capitals', (service) =>
    around(service, 'showMember', (was, member) => ({ ...was(member), role: member.role.toUpperCase() })),
  ),
  times('team-times-in-seconds', 'the times of teams are Unix times in the list', (service) =>
    around(service, 'showTeam', (was, team, place) => ({
      ...was(team, place),
      ...(place === 'row' ? { created_at: Math.floor(team.created / 1000), updated_at: Math.floor(team.updated / 1000) } : {}),
    })),
  ),
  times('team-time-of-reading', 'created_at of a team that is read is the time of reading', (service) =>
    around(service, 'showWholeTeam', (was, team) => ({
      ...was(team),
      created_at: service.stamp(service.now(), 'team.created_at'),
    })),
  ),
];
