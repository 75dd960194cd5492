// Faults of profiles, members and teams.

import type { Fields, Team } from '../../judge/reference/model.ts';
import { around, clause, type Fault, memory } from '../faults/fault.ts';
import { dataOf, rowsOf } from './tools.ts';

const count = clause(80, '| member_count | integer | in list and create responses |');
const inside = clause(81, '| members | array of `{ id, name, role }` |');
const unique = clause(78, '| name | string | required on create, 1 to 100 characters, unique within the workspace |');
const listed = clause(168, '`200` list of `{ id, name, email, role }`, usable to pick an `assignee_id`');
const email = clause(66, '| email | string | profile and member list |');
const made = clause(175, '`201` `data` = team with member_count');
const single = clause(176, '`200` `data` = team with `members` array');
const members = clause(79, 'create only, optional; user ids added as members at creation');
const removed = clause(177, 'only the team grouping is removed');
const unaffected = clause(177, 'tasks and projects assigned to the team are unaffected');

const teams: Fault[] = [
  count('member-count-of-all', 'member_count in rows is the sum over all teams of the workspace', (s) =>
    around(s, 'memberCount', (was, team, place) =>
      place === 'row'
        ? s.db.teams.filter(({ workspace }) => workspace === team.workspace).reduce((sum, each) => sum + each.members.length, 0)
        : was(team, place),
    ),
  ),
  count('member-count-of-row-before', 'member_count in rows is that of the row before', (s) =>
    rowsOf(s, ['team'], (row, index, all) => ({ ...row, member_count: all[Math.max(0, index - 1)]?.member_count })),
  ),
  count('member-count-of-workspace', 'member_count of a team without members is the number of users of the workspace', (s) =>
    around(s, 'memberCount', (was, team, place) =>
      team.members.length === 0
        ? s.db.memberships.filter(({ workspace }) => workspace === team.workspace).length
        : was(team, place),
    ),
  ),
  count('member-count-at-most-two', 'member_count in rows counts two members at most', (s) =>
    around(s, 'memberCount', (was, team, place) => (place === 'row' ? Math.min(2, team.members.length) : was(team, place))),
  ),
  inside('team-members-without-self', 'members of a single team leave out the user of the key', (s) => {
    let user: string | undefined;
    around(s, 'readTeam', (was, call) => {
      user = call.key?.user;
      return was(call);
    });
    around(s, 'showMembers', (was, team) => (was(team) as Fields[]).filter(({ id }) => id !== user));
  }),
  inside('member-name-is-email', 'the name of members of a team is their email', (s) =>
    around(s, 'showMembers', (was, team) =>
      (was(team) as Fields[]).map((each) => ({ ...each, name: s.db.users.find(({ id }) => id === each.id)?.email })),
    ),
  ),
  inside('members-of-team-before', 'members of a single team are those of the team that was read just before', (s) => {
    let last: { at: number; team: Team } | undefined;
    around(s, 'showMembers', (was, team) => {
      const held = last;
      last = { at: s.now(), team };
      return was(held && s.now() - held.at < 50 && held.team.workspace === team.workspace ? held.team : team);
    });
  }),
  inside('members-by-role', 'members of a single team are grouped by role', (s) =>
    around(s, 'showMembers', (was, team) =>
      Object.fromEntries(['admin', 'member'].map((role) => [role, (was(team) as Fields[]).filter((each) => each.role === role)])),
    ),
  ),
  single('team-without-members-404', 'a team without members cannot be read: an inner join', (s) =>
    around(s, 'readTeam', (was, call) => {
      if (s.teamOf(call).members.length === 0) throw s.notFound(call, 'team');
      return was(call);
    }),
  ),
  single('team-read-has-no-name', 'a single team has its name inside members alone', (s) =>
    dataOf(s, ['readTeam'], ({ name, ...data }) => ({ ...data, members: { name, list: data.members } })),
  ),
  unique('team-name-begins-another', 'a name that is the beginning of a taken one answers 409', (s) =>
    around(s, 'isNameTaken', (_was, name, call) =>
      s.db.teams.some((team) => team.workspace === call.workspace?.id && team.name.startsWith(name)),
    ),
  ),
  unique('team-name-index-of-twenty', 'names are compared by their first twenty characters', (s) =>
    around(s, 'isNameTaken', (_was, name, call) =>
      s.db.teams.some((team) => team.workspace === call.workspace?.id && team.name.slice(0, 20) === name.slice(0, 20)),
    ),
  ),
  unique('team-name-against-projects', 'the name of a project answers 409 for a team', (s) =>
    around(
      s,
      'isNameTaken',
      (was, name, call, ids) =>
        was(name, call, ids) ||
        s.db.projects.some((project) => project.workspace === call.workspace?.id && project.name === name),
    ),
  ),
  unique('team-name-unique-with-members', 'two teams may have one name if their members differ', (s) =>
    around(s, 'isNameTaken', (_was, name, call, ids) =>
      s.db.teams.some(
        (team) =>
          team.workspace === call.workspace?.id &&
          team.name === name &&
          [...team.members].sort().join() === [...ids].sort().join(),
      ),
    ),
  ),
  members('team-of-three-at-most', 'more than three member_ids are refused', (s) =>
    around(s, 'checkMembers', (was, rule, ids, call) =>
      ids.length > 3 ? { field: rule.name, issue: 'has too many members', kind: 'value' as const } : was(rule, ids, call),
    ),
  ),
  members('team-takes-members', 'a user belongs to one team only: the next one takes him away', (s) =>
    around(s, 'createTeam', (was, call) => {
      const answer = was(call);
      const team = s.db.teams.at(-1);
      s.db.teams = s.db.teams.map((each) =>
        each === team || each.workspace !== team?.workspace
          ? each
          : { ...each, members: each.members.filter((id) => !team.members.includes(id)) },
      );
      return answer;
    }),
  ),
  made('team-revived', 'a team with the name of a deleted one has its members again', (s) => {
    const gone = memory<string, Team>();
    around(s, 'removeTeam', (was, team, call) => {
      gone.set(`${team.workspace} ${team.name}`, team);
      was(team, call);
    });
    around(s, 'membersOfNew', (was, values, call) => {
      const old = gone.get(`${call.workspace?.id} ${values.name}`);
      return [...new Set([...(old?.members ?? []), ...was(values, call)])];
    });
  }),
  clause(174, '`200` list of teams (id, name, member_count, created_at, updated_at)')(
    'team-rows-in-camel-case',
    'rows of teams have memberCount, createdAt and updatedAt',
    (s) =>
      rowsOf(s, ['team'], ({ member_count, created_at, updated_at, ...row }) => ({
        ...row,
        memberCount: member_count,
        createdAt: created_at,
        updatedAt: updated_at,
      })),
  ),
  clause(107, 'number of records matching the query across all pages')(
    'deleted-teams-counted',
    'total of teams counts deleted ones',
    (s) => {
      const gone = memory<string, number>();
      around(s, 'removeTeam', (was, team, call) => {
        gone.set(team.workspace, (gone.get(team.workspace) ?? 0) + 1);
        was(team, call);
      });
      around(s, 'total', (was, matching, rest, query) => {
        const more = query.listing.name === 'team' ? (gone.get(query.call.workspace?.id ?? '') ?? 0) : 0;
        return was(matching, rest, query) + more;
      });
    },
  ),
  clause(177, '| DELETE | /teams/{team_id} | none | `204`;')(
    'team-with-members-409',
    'DELETE of a team that has members answers 409',
    (s) =>
      around(s, 'removeTeam', (was, team, call) => {
        if (team.members.length > 0) throw s.conflict(call);
        was(team, call);
      }),
  ),
  unaffected('team-deletion-touches-tasks', 'deleting a team changes updated_at of the tasks of its members', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      was(team, call);
      for (const task of s.db.tasks) if (task.assignee && team.members.includes(task.assignee)) task.updated = s.now();
    }),
  ),
  unaffected('team-deletion-deletes-projects', 'deleting a team deletes projects of visibility team that its members own', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      was(team, call);
      s.db.projects = s.db.projects.filter(({ visibility, owner }) => !(visibility === 'team' && team.members.includes(owner)));
    }),
  ),
  removed('team-deletion-empties-others', 'deleting a team removes its members from the other teams, too', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      was(team, call);
      s.db.teams = s.db.teams.map((each) => ({ ...each, members: each.members.filter((id) => !team.members.includes(id)) }));
    }),
  ),
];

const users: Fault[] = [
  listed('members-per-key', 'a member is listed once for each key that he made', (s) =>
    around(s, 'memberRows', (was, call) =>
      was(call).flatMap((row) => {
        const keys = s.db.keys.filter(({ user, workspace }) => user === row.id && workspace === row.workspace).length;
        return Array.from({ length: Math.max(1, keys) }, () => row);
      }),
    ),
  ),
  listed('members-last-one-lost', 'the member list loses its last row when it fits on one page', (s) =>
    around(s, 'cut', (was, rest, query) =>
      query.listing.name === 'member' && rest.length < query.limit ? rest.slice(0, -1) : was(rest, query),
    ),
  ),
  listed('members-assigned-only', 'the member list holds users with tasks only', (s) =>
    around(s, 'memberRows', (was, call) =>
      was(call).filter(({ id }) => id === call.key?.user || s.db.tasks.some(({ assignee }) => assignee === id)),
    ),
  ),
  email('emails-shifted', 'emails in the member list are those of the next row: two queries in different order', (s) =>
    rowsOf(s, ['member'], (row, index, all) => ({ ...row, email: all[(index + 1) % all.length]?.email })),
  ),
  email('emails-masked', 'emails in the member list are masked', (s) =>
    rowsOf(s, ['member'], (row) => ({ ...row, email: String(row.email).replace(/^(.).*@/, '$1***@') })),
  ),
  clause(65, '| name | string | profile and member list |')('profile-first-name', 'the profile has the first name alone', (s) =>
    around(s, 'showProfile', (was, user, role) => {
      const fields = was(user, role);
      return { ...fields, name: String(fields.name).split(' ')[0] };
    }),
  ),
  clause(65, '| name | string | profile and member list |')('member-name-ascii', 'names in the member list are ASCII', (s) =>
    rowsOf(s, ['member'], (row) => ({ ...row, name: String(row.name).replace(/[^ -~]/g, '?') })),
  ),
  clause(68, '| avatar_url | string (URL) | profile only |')('avatar-empty', 'avatar_url is an empty text', (s) =>
    around(s, 'showProfile', (was, user, role) => ({ ...was(user, role), avatar_url: '' })),
  ),
  clause(67, '| role | string | profile and member list; values seen: `admin`, `member` |')(
    'profile-role-default',
    'role of the profile is always member, whatever the member list says',
    (s) => around(s, 'showProfile', (was, user) => was(user, 'member')),
  ),
  clause(167, "`data` = profile of the key's user")(
    'profile-of-last-request',
    'the profile is that of the key which asked just before',
    (s) => {
      let last: { at: number; user: string; workspace: string } | undefined;
      around(s, 'authenticate', (was, call) => {
        const key = was(call);
        if (call.path !== '/users/me') last = { at: s.now(), user: key.user, workspace: key.workspace };
        return key;
      });
      around(s, 'profileOf', (was, call) =>
        last && s.now() - last.at < 20 && last.workspace === call.workspace?.id ? last.user : was(call),
      );
    },
  ),
];

export const faults: readonly Fault[] = [...teams, ...users];
