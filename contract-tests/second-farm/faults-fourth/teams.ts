// Faults of teams.

import type { Call, Fields, Team } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, rule, without } from '../faults/fault.ts';
import { dataOf, rowsOf, takenText } from '../faults-third/tools.ts';
import { onSuccess, refuses, sent, showsTeam } from './tools.ts';

const name = clause(78, '| name | string | required on create, 1 to 100 characters, unique within the workspace |');
const memberIds = clause(79, '| member_ids | array of string | create only, optional; user ids added as members at creation |');
const count = clause(80, '| member_count | integer | in list and create responses |');
const members = clause(81, '| members | array of `{ id, name, role }` | in the single-team read response');
const times = clause(82, '| created_at, updated_at | string (datetime) | server-set |');
const listed = clause(174, '`200` list of teams (id, name, member_count, created_at, updated_at)');
const deletion = clause(177, 'only the team grouping is removed; members stay in the workspace');
const unaffected = clause(177, 'tasks and projects assigned to the team are unaffected');
const taken = clause(288, '| 409 | conflict with current state, for example a unique name already in use |');
const wrongType = clause(300, '400 for structural problems (missing required field, wrong type)');

interface Entry {
  readonly id: string;
  readonly name: unknown;
  readonly role: unknown;
}

const entries = (service: Service, change: (all: Entry[], team: Team) => unknown): void =>
  around(service, 'showMembers', (was, team) => change(was(team) as Entry[], team));
/** Takes a value of another type for a field of new teams. */
const converts = (service: Service, field: string, convert: (value: unknown) => unknown): void =>
  around(service, 'parse', (was, text, call) => {
    const body = was(text, call);
    return call.path === '/teams' && typeof body === 'object' && body !== null && field in body
      ? { ...body, [field]: convert((body as Fields)[field]) }
      : body;
  });
const wanted = (call: Call): readonly unknown[] => {
  const { member_ids } = sent(call);
  return Array.isArray(member_ids) ? member_ids : [];
};

const names: Fault[] = [
  name('team-name-255', 'up to 255 characters are accepted', (s) => rule(s, 'team', 'name', { max: 255 })),
  name('team-name-escaped', 'names come back with HTML entities', (s) =>
    takenText(
      s,
      (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;'),
      (_field, call) => call.operation === 'createTeam',
    ),
  ),
  name('team-name-checked-against-latest', 'a name is compared with that of the latest team alone', (s) =>
    around(s, 'isNameTaken', (_was, called, call) => {
      const last = s.db.teams.filter(({ workspace }) => workspace === call.workspace?.id).at(-1);
      return last?.name === called;
    }),
  ),
  wrongType('team-name-from-number', 'a number is taken as a name', (s) =>
    converts(s, 'name', (value) => (typeof value === 'number' ? String(value) : value)),
  ),
  taken('team-name-taken-after-the-fact', 'a taken name answers 409, and the team is made all the same', (s) =>
    around(s, 'conflict', (was, call) => {
      const now = s.now();
      const fields = { id: s.newId('team'), workspace: call.workspace?.id ?? '', name: String(sent(call).name), members: [] };
      s.db.teams.push({ ...fields, created: now, updated: now, nth: s.nextNth() });
      return was(call);
    }),
  ),
  taken('team-name-taken-replaces', 'a taken name answers 201 with a new team, which replaces the old one', (s) =>
    around(s, 'isNameTaken', (was, called, call, ids) => {
      if (was(called, call, ids))
        s.db.teams = s.db.teams.filter((each) => each.workspace !== call.workspace?.id || each.name !== called);
      return false;
    }),
  ),
  taken('team-name-taken-409-once', 'a taken name answers 409 the first time; when it is sent again the team is made', (s) => {
    const tried = new Set<string>();
    around(s, 'isNameTaken', (was, called, call, ids) => {
      if (!was(called, call, ids)) return false;
      const slot = `${call.workspace?.id} ${called}`;
      const again = tried.has(slot);
      tried.add(slot);
      return !again;
    });
  }),
];

const membership: Fault[] = [
  memberIds('team-members-of-one-refused', 'a team with one member is refused', (s) =>
    refuses(
      s,
      ['createTeam'],
      (call) => wanted(call).length === 1,
      (call) => s.invalid(422, [{ field: 'member_ids', issue: 'give at least two', kind: 'value' }], call),
    ),
  ),
  memberIds('team-members-last-only', 'the last of member_ids is added alone', (s) =>
    around(s, 'membersOfNew', (was, values, call) => was(values, call).slice(-1)),
  ),
  memberIds('team-members-answered-not-stored', 'member_count of a creation counts the members, and none is stored', (s) =>
    onSuccess(s, ['createTeam'], () => {
      const team = s.db.teams.at(-1);
      if (team) team.members = [];
    }),
  ),
  memberIds('team-members-unknown-500', 'an unknown user in member_ids answers 500', (s) =>
    around(s, 'checkMembers', (was, each, ids, call) => {
      if (ids.some((id) => !s.isMember(id, call.workspace?.id))) throw new Error('violates foreign key');
      return was(each, ids, call);
    }),
  ),
  count('team-count-one-less-with-many', 'member_count is one less in rows for teams of several members', (s) =>
    around(s, 'memberCount', (was, team, place) =>
      place === 'row' && team.members.length > 1 ? team.members.length - 1 : was(team, place),
    ),
  ),
  count('team-count-renamed', 'rows have members_count for member_count', (s) =>
    rowsOf(s, ['team'], ({ member_count, ...row }) => ({ ...row, members_count: member_count })),
  ),
  members('members-of-team-with-user', 'entries of members have id and name under user', (s) =>
    entries(s, (all) => all.map(({ id, name: called, role }) => ({ user: { id, name: called }, role }))),
  ),
  members('members-of-team-names', 'members is an array of names', (s) =>
    entries(s, (all) => all.map(({ name: called }) => called)),
  ),
  members('members-of-team-role-null', 'role of the entries of members is null', (s) =>
    entries(s, (all) => all.map((each) => ({ ...each, role: null }))),
  ),
  members('members-of-team-without-last', 'members leaves out the last of several', (s) =>
    entries(s, (all) => (all.length > 1 ? all.slice(0, -1) : all)),
  ),
];

const rows: Fault[] = [
  times('team-updated-at-of-request', 'updated_at of a single team is the time of the request', (s) =>
    dataOf(s, ['readTeam'], (data) => ({ ...data, updated_at: s.stamp(s.now(), 'team.updated_at') })),
  ),
  times('team-times-missing-when-created', 'the answer of a creation has no created_at and updated_at', (s) =>
    showsTeam(s, ['created'], (fields) => without(fields, 'created_at', 'updated_at')),
  ),
  listed('teams-never-more', 'has_more of teams is always false', (s) =>
    around(s, 'hasMore', (was, rest, items, query) => query.listing.name !== 'team' && was(rest, items, query)),
  ),
  deletion('next-team-deleted-too', 'deleting a team deletes the one that was made before it', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      const other = s.db.teams.filter(({ workspace, nth }) => workspace === team.workspace && nth < team.nth).at(-1);
      was(team, call);
      if (other) was(other, call);
    }),
  ),
  deletion('team-emptied-not-deleted', 'DELETE of a team takes its members away and leaves the team', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      if (team.members.length > 0) team.members = [];
      else was(team, call);
    }),
  ),
  unaffected('team-deletion-resets-tasks', 'deleting a team sets the tasks of its members to backlog', (s) =>
    around(s, 'removeTeam', (was, team, call) => {
      was(team, call);
      for (const task of s.db.tasks) if (task.assignee && team.members.includes(task.assignee)) task.status = 'backlog';
    }),
  ),
];

export const faults: readonly Fault[] = [...names, ...membership, ...rows];
