// Faults of what is shown of teams, and of their deletion.
import type { Fields, Team } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, isOn, memory, without } from './fault.ts';

const count = clause(80, '| member_count | integer | in list and create responses |');
const memberRows = clause(81, 'in the single-team read response, instead of member_count');
const shows = (service: Service, change: (fields: Fields, team: Team) => Fields, ...places: string[]): void =>
  around(service, 'showTeam', (was, team, place) =>
    places.length === 0 || places.includes(place) ? change(was(team, place), team) : was(team, place),
  );
const entries = (service: Service, change: (entry: Fields) => unknown): void =>
  around(service, 'showMembers', (was, team) => (was(team) as Fields[]).map(change));
const teamShapes: Fault[] = [
  count('team-count-missing-in-rows', 'rows of the list have no member_count', (s) =>
    shows(s, (all) => without(all, 'member_count'), 'row'),
  ),
  count('team-count-missing-when-created', 'the answer of a creation has no member_count', (s) =>
    shows(s, (all) => without(all, 'member_count'), 'created'),
  ),
  count('team-count-text', 'member_count is a text', (s) =>
    around(s, 'memberCount', (was, team, place) => String(was(team, place))),
  ),
  count('team-count-zero-when-created', 'member_count is 0 in the answer of a creation', (s) =>
    around(s, 'memberCount', (was, team, place) => (place === 'created' ? 0 : was(team, place))),
  ),
  count('team-count-with-one', 'member_count is one too many in rows', (s) =>
    around(s, 'memberCount', (was, team, place) => Number(was(team, place)) + (place === 'row' ? 1 : 0)),
  ),
  count(
    'team-count-null-when-none',
    'member_count is null for a team without members',
    (s) => around(s, 'memberCount', (was, team, place) => was(team, place) || null),
    { style: 'b' },
  ),
  memberRows('team-members-missing', 'the single team has no members', (s) =>
    around(s, 'showWholeTeam', (was, team) => without(was(team), 'members')),
  ),
  memberRows('team-members-count-only', 'the single team has member_count and no members', (s) =>
    around(s, 'showWholeTeam', (_was, team) => s.showTeam(team, 'read')),
  ),
  memberRows('team-members-ids', 'members is an array of ids', (s) => entries(s, ({ id }) => id)),
  memberRows('team-members-keyed', 'members is an object keyed by id', (s) =>
    around(s, 'showMembers', (was, team) => Object.fromEntries((was(team) as Fields[]).map((each) => [each.id, each]))),
  ),
  memberRows(
    'team-members-null-when-none',
    'members is null for a team without members',
    (s) => around(s, 'showMembers', (was, team) => (team.members.length === 0 ? null : was(team))),
    { style: 'a' },
  ),
  memberRows('team-members-at-most-two', 'members has at most two entries', (s) =>
    around(s, 'showMembers', (was, team) => (was(team) as Fields[]).slice(0, 2)),
  ),
  memberRows('team-members-of-workspace', 'members holds all members of the workspace', (s) =>
    around(s, 'showMembers', (was, team) =>
      was({ ...team, members: s.db.memberships.filter(({ workspace }) => workspace === team.workspace).map(({ user }) => user) }),
    ),
  ),
  clause(81, '| members | array of `{ id, name, role }` |')('team-member-role-missing', 'entries of members have no role', (s) =>
    entries(s, (each) => without(each, 'role')),
  ),
  clause(81, '| members | array of `{ id, name, role }` |')('team-member-name-missing', 'entries of members have no name', (s) =>
    entries(s, (each) => without(each, 'name')),
  ),
  clause(81, '| members | array of `{ id, name, role }` |')(
    'team-member-user-id',
    'entries of members have user_id for id',
    (s) => entries(s, (each) => ({ ...without(each, 'id'), user_id: each.id })),
  ),
  clause(82, '| created_at, updated_at | string (datetime) | server-set |')(
    'team-created-missing',
    'rows of teams have no created_at',
    (s) => shows(s, (all) => without(all, 'created_at'), 'row'),
  ),
  clause(82, '| created_at, updated_at | string (datetime) | server-set |')(
    'team-updated-missing',
    'the single team has no updated_at',
    (s) => around(s, 'showWholeTeam', (was, team) => without(was(team), 'updated_at')),
  ),
  clause(82, '| created_at, updated_at | string (datetime) | server-set |')(
    'team-updated-null',
    'updated_at is null in the answer of a creation',
    (s) => shows(s, (all) => ({ ...all, updated_at: null }), 'created'),
  ),
  clause(77, '| id | string | server-set |')('team-id-missing-in-rows', 'rows of teams have no id', (s) =>
    shows(s, (all) => without(all, 'id'), 'row'),
  ),
  clause(77, '| id | string | server-set |')('team-id-number', 'the id in the answer of a creation is a number', (s) =>
    shows(s, (all, { nth }) => ({ ...all, id: nth }), 'created'),
  ),
  clause(77, '| id | string | server-set |')(
    'team-id-adopted',
    'an id in the body is adopted',
    (s) => {
      around(s, 'createTeam', (was, call) => {
        const answer = was(call);
        const { id } = JSON.parse(call.text) as { id?: string };
        const made = s.db.teams.at(-1);
        if (id && made) Object.assign(made, { id });
        return id && made ? s.single(s.showTeam(made, 'created'), 'created', 201) : answer;
      });
    },
    { style: 'a' },
  ),
  clause(174, '`200` list of teams (id, name, member_count, created_at, updated_at)')(
    'teams-inner-join',
    'teams without members are not listed',
    (s) => around(s, 'teamRows', (was, call) => was(call).filter((row) => (row as Team).members.length > 0)),
    { style: 'b' },
  ),
  clause(174, '`200` list of teams (id, name, member_count, created_at, updated_at)')(
    'teams-row-per-member',
    'a team is listed once for each member',
    (s) =>
      around(s, 'teamRows', (was, call) => was(call).flatMap((row) => [row, ...(row as Team).members.slice(1).map(() => row)])),
  ),
  clause(174, '`200` list of teams (id, name, member_count, created_at, updated_at)')(
    'teams-of-me',
    'only teams of the user of the key are listed',
    (s) => around(s, 'teamRows', (was, call) => was(call).filter((row) => (row as Team).members.includes(call.key?.user ?? ''))),
  ),
  clause(174, '`200` list of teams (id, name, member_count, created_at, updated_at)')(
    'teams-name-missing',
    'rows of teams have no name',
    (s) => shows(s, (all) => without(all, 'name'), 'row'),
  ),
  clause(356, 'teams endpoints (list, create, get, delete)')('team-get-missing', 'there is no route to read a team', (s) =>
    around(s, 'patternsOf', (was) => was().filter(([, , operation]) => operation !== 'readTeam')),
  ),
  clause(356, 'teams endpoints (list, create, get, delete)')('team-delete-missing', 'there is no route to delete a team', (s) =>
    around(s, 'patternsOf', (was) => was().filter(([, , operation]) => operation !== 'deleteTeam')),
  ),
];
const stay = clause(177, 'only the team grouping is removed; members stay in the workspace');
const unaffected = clause(177, 'tasks and projects assigned to the team are unaffected');
const gone = clause(299, 'id unknown, deleted, or in another workspace');
const deletion: Fault[] = [
  stay('delete-team-removes-members', 'deleting a team removes its members from the workspace', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      s.db.memberships = s.db.memberships.filter(
        ({ user, workspace, role }) => workspace !== team.workspace || role === 'admin' || !team.members.includes(user),
      );
      was(team, call);
    }),
  ),
  unaffected('delete-team-unassigns', 'deleting a team removes its members from their tasks', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      for (const task of s.db.tasks)
        if (task.assignee && task.workspace === team.workspace && team.members.includes(task.assignee)) task.assignee = null;
      was(team, call);
    }),
  ),
  unaffected('delete-team-deletes-tasks', 'deleting a team deletes the tasks of its members', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      s.db.tasks = s.db.tasks.filter(
        ({ assignee, workspace }) => workspace !== team.workspace || !assignee || !team.members.includes(assignee),
      );
      was(team, call);
    }),
  ),
  unaffected('delete-team-closes-projects', 'deleting a team makes projects of visibility team private', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      for (const project of s.db.projects)
        if (project.visibility === 'team' && project.workspace === team.workspace) project.visibility = 'private';
      was(team, call);
    }),
  ),
  gone('deleted-team-readable', 'a deleted team can still be read', (s) => {
    const trash: Team[] = [];
    around(s, 'removeTeam', (was, team, call) => {
      trash.push(team);
      was(team, call);
    });
    around(
      s,
      'teamOf',
      (was, call) => (isOn(call, 'readTeam') ? trash.find(({ id }) => id === call.ids.team) : undefined) ?? was(call),
    );
  }),
  gone('deleted-team-listed', 'a deleted team stays in the list', (s) => {
    const trash: Team[] = [];
    around(s, 'removeTeam', (was, team, call) => {
      trash.push(team);
      was(team, call);
    });
    around(s, 'teamRows', (was, call) => [...was(call), ...trash.filter(({ workspace }) => workspace === call.workspace?.id)]);
  }),
  gone('deleted-team-not-removed', 'DELETE of a team with members answers 204 and does nothing', (s) =>
    around(s, 'removeTeam', (was, team, call) => (team.members.length > 0 ? undefined : was(team, call))),
  ),
  gone('deleted-team-again', 'a second DELETE of a team answers 204', (s) => {
    const trash = memory<string, true>();
    around(s, 'removeTeam', (was, team, call) => {
      trash.set(team.id, true);
      was(team, call);
    });
    around(s, 'deleteTeam', (was, call) => (trash.has(call.ids.team ?? '') ? s.empty() : was(call)));
    around(s, 'locate', (was, call) => (isOn(call, 'deleteTeam') ? undefined : was(call)));
  }),
  gone('unknown-team-500', 'an unknown team answers 500', (s) => {
    around(s, 'readTeam', (was, call) => {
      if (!s.db.teams.some(({ id }) => id === call.ids.team)) throw new Error('undefined is not a team');
      return was(call);
    });
    around(s, 'locate', (was, call) => (isOn(call, 'readTeam') ? undefined : was(call)));
  }),
];

export const faults: readonly Fault[] = [...teamShapes, ...deletion];
