// Faults of users, teams and the registration of webhooks.
import type { Fields, Member, Team } from '../model.ts';
import type { Service } from '../service/service.ts';
import { around, clause, type Fault, isOn, memory, rule, without } from './fault.ts';

const profile = (service: Service, change: (fields: Fields) => Fields): void =>
  around(service, 'showProfile', (was, user, role) => change(was(user, role)));
const member = (service: Service, change: (fields: Fields, member: Member) => Fields): void =>
  around(service, 'showMember', (was, each) => change(was(each), each));

const userField = (line: number, name: string) => clause(line, `| ${name} | string`);
const me = clause(167, "`200` `data` = profile of the key's user (id, name, email, role, avatar_url, created_at)");
const members = clause(168, '`200` list of `{ id, name, email, role }`');
const pick = clause(168, 'usable to pick an `assignee_id`');

const users: Fault[] = [
  userField(64, 'id')('profile-id-missing', 'the profile has no id', (s) => profile(s, (all) => without(all, 'id'))),
  userField(65, 'name')('profile-name-split', 'the profile has first_name and last_name for name', (s) =>
    profile(s, (all) => ({ ...without(all, 'name'), first_name: 'A', last_name: 'B' })),
  ),
  userField(66, 'email')('profile-email-missing', 'the profile has no email', (s) => profile(s, (all) => without(all, 'email'))),
  userField(66, 'email')('member-email-missing', 'members have no email', (s) => member(s, (all) => without(all, 'email'))),
  userField(66, 'email')('member-email-for-admins-only', 'members have an email for admin keys alone', (s) => {
    let scope: string | undefined;
    around(s, 'memberRows', (was, call) => {
      scope = call.key?.scope;
      return was(call);
    });
    member(s, (all) => (scope === 'admin' ? all : without(all, 'email')));
  }),
  userField(65, 'name')('member-name-null', 'the name of a member of role admin is null', (s) =>
    member(s, (all) => (all.role === 'admin' ? { ...all, name: null } : all)),
  ),
  userField(67, 'role')('member-role-missing', 'members have no role', (s) => member(s, (all) => without(all, 'role'))),
  userField(67, 'role')('profile-role-missing', 'the profile has no role', (s) => profile(s, (all) => without(all, 'role'))),
  userField(67, 'role')('profile-role-list', 'role of the profile is an array', (s) =>
    profile(s, (all) => ({ ...all, role: [all.role] })),
  ),
  userField(67, 'role')('member-role-flag', 'members have is_admin for role', (s) =>
    member(s, (all) => ({ ...without(all, 'role'), is_admin: all.role === 'admin' })),
  ),
  userField(67, 'role')('member-roles-all-member', 'every row of the member list has role member', (s) =>
    member(s, (all) => ({ ...all, role: 'member' })),
  ),
  clause(68, '| avatar_url | string (URL) | profile only |')('profile-avatar-missing', 'the profile has no avatar_url', (s) =>
    profile(s, (all) => without(all, 'avatar_url')),
  ),
  clause(68, '| avatar_url | string (URL) | profile only |')('profile-avatar-path', 'avatar_url is a path', (s) =>
    profile(s, (all) => ({ ...all, avatar_url: '/faces/me.png' })),
  ),
  clause(68, '| avatar_url | string (URL) | profile only |')('profile-avatar-object', 'avatar_url is an object of sizes', (s) =>
    profile(s, (all) => ({ ...all, avatar_url: { small: all.avatar_url } })),
  ),
  clause(69, '| created_at | string (datetime) | profile only |')(
    'profile-created-missing',
    'the profile has no created_at',
    (s) => profile(s, (all) => without(all, 'created_at')),
  ),
  clause(69, '| created_at | string (datetime) | profile only |')(
    'profile-created-epoch',
    'created_at of the profile is a number',
    (s) => around(s, 'stamp', (was, at, what) => (what === 'user.created_at' ? at : was(at, what))),
  ),
  me('profile-cached', 'the profile is cached for a minute, for all keys of the workspace', (s) => {
    const cache = memory<string, { at: number; user: string }>();
    around(s, 'profileOf', (was, call) => {
      const name = call.workspace?.id ?? '';
      const held = cache.get(name);
      if (held && s.now() - held.at < 60_000) return held.user;
      cache.set(name, { at: s.now(), user: was(call) });
      return was(call);
    });
  }),
  me('profile-of-nobody', 'GET /users/me with a read key answers a user who is not a member', (s) =>
    around(s, 'profileOf', (was, call) => (call.key?.scope === 'read' ? (s.db.users.at(-1)?.id ?? '') : was(call))),
  ),
  me('profile-role-of-scope', 'role of the profile is the scope of the key', (s) => {
    around(s, 'readMe', (was, call) => {
      const { data } = was(call).body as { data: Fields };
      return s.single({ ...data, role: call.key?.scope }, 'read');
    });
  }),
  me('profile-id-other', 'the id of the profile is another than in the member list', (s) =>
    profile(s, (all) => ({ ...all, id: `${all.id}p` })),
  ),
  me('profile-route-missing', 'there is no route for the profile', (s) =>
    around(s, 'patternsOf', (was) => was().filter(([, , operation]) => operation !== 'readMe')),
  ),
  me('profile-for-writers', 'a read key gets 403 for its profile', (s) =>
    around(s, 'neededScope', (was, operation) => (operation === 'readMe' ? 'write' : was(operation))),
  ),
  members('members-per-team', 'a member is listed once for each of his teams', (s) =>
    around(s, 'memberRows', (was, call) =>
      was(call).flatMap((row) => [
        row,
        ...s.db.teams
          .filter((team) => team.members.includes(row.id) && team.workspace === call.workspace?.id)
          .slice(1)
          .map(() => row),
      ]),
    ),
  ),
  members('members-in-teams-only', 'only members of a team are listed', (s) =>
    around(s, 'memberRows', (was, call) => was(call).filter((row) => s.db.teams.some((team) => team.members.includes(row.id)))),
  ),
  members('members-without-self', 'the user of the key is not in the member list', (s) =>
    around(s, 'memberRows', (was, call) => was(call).filter(({ id }) => id !== call.key?.user)),
  ),
  members('members-without-admins', 'a read key does not see members of role admin', (s) =>
    around(s, 'memberRows', (was, call) =>
      was(call).filter((row) => call.key?.scope !== 'read' || (row as Member).role !== 'admin'),
    ),
  ),
  members('members-not-paged', 'limit has no effect on the member list', (s) =>
    around(s, 'cut', (was, rest, query) => (query.listing.name === 'member' ? rest : was(rest, query))),
  ),
  members('members-cursor-ignored', 'the cursor has no effect on the member list', (s) =>
    around(s, 'behind', (was, ordered, after, query) =>
      query.listing.name === 'member' ? [...ordered] : was(ordered, after, query),
    ),
  ),
  members('members-for-admins', 'the member list needs scope admin', (s) =>
    around(s, 'neededScope', (was, operation) => (operation === 'listMembers' ? 'admin' : was(operation))),
  ),
  members('members-nested', 'rows of the member list have the user nested', (s) =>
    member(s, ({ role, ...user }) => ({ user, role })),
  ),
  pick('members-by-membership-id', 'ids of the member list are those of memberships', (s) =>
    member(s, (all) => ({ ...all, id: `m${all.id}` })),
  ),
  pick('members-id-missing', 'members have no id', (s) => member(s, (all) => without(all, 'id'))),
];

const teamName = clause(78, '| name | string | required on create, 1 to 100 characters, unique within the workspace |');
const unique = clause(78, 'unique within the workspace');
const conflict = clause(288, 'conflict with current state, for example a unique name already in use');
const memberIds = clause(79, 'user ids added as members at creation');
const count = clause(80, '| member_count | integer | in list and create responses |');
const memberRows = clause(81, 'in the single-team read response, instead of member_count');
const shows = (service: Service, change: (fields: Fields, team: Team) => Fields, ...places: string[]): void =>
  around(service, 'showTeam', (was, team, place) =>
    places.length === 0 || places.includes(place) ? change(was(team, place), team) : was(team, place),
  );
const entries = (service: Service, change: (entry: Fields) => unknown): void =>
  around(service, 'showMembers', (was, team) => (was(team) as Fields[]).map(change));

const teams: Fault[] = [
  teamName('team-name-empty', 'an empty name is accepted', (s) => rule(s, 'team', 'name', { min: 0 })),
  teamName('team-name-101', '101 characters are accepted', (s) => rule(s, 'team', 'name', { max: 101 })),
  teamName('team-name-150', 'the limit of a project name, 150, applies', (s) => rule(s, 'team', 'name', { max: 150 })),
  clause(336, '| team name | 1 to 100 characters, unique in workspace |')('team-name-99', '100 characters are refused', (s) =>
    rule(s, 'team', 'name', { max: 99 }),
  ),
  clause(336, '| team name | 1 to 100 characters, unique in workspace |')(
    'team-name-64',
    'more than 64 characters are refused',
    (s) => rule(s, 'team', 'name', { max: 64 }),
  ),
  clause(336, '| team name | 1 to 100 characters, unique in workspace |')(
    'team-name-three',
    'fewer than three characters are refused',
    (s) => rule(s, 'team', 'name', { min: 3 }),
  ),
  clause(336, '| team name | 1 to 100 characters')(
    'team-name-in-bytes',
    'the length is counted in bytes',
    (s) => around(s, 'length', (_was, text) => Buffer.byteLength(text)),
    { style: 'b' },
  ),
  teamName('team-name-truncated', 'a long name is cut to 100 characters and accepted', (s) => {
    rule(s, 'team', 'name', { max: 5000 });
    around(s, 'takeText', (was, each, value, call, act) =>
      isOn(call, 'createTeam') ? was(each, value, call, act).slice(0, 100) : was(each, value, call, act),
    );
  }),
  teamName('team-name-optional', 'a team without name is created', (s) => {
    rule(s, 'team', 'name', { required: false });
    around(s, 'isNameTaken', (was, name, call, ids) => name !== undefined && was(name, call, ids));
  }),
  teamName('team-name-slug', 'names are stored as slugs', (s) =>
    around(s, 'takeText', (was, each, value, call, act) =>
      isOn(call, 'createTeam') ? was(each, value, call, act).toLowerCase().replace(/ /g, '-') : was(each, value, call, act),
    ),
  ),
  unique('team-name-twice', 'a name can be used twice', (s) => around(s, 'isNameTaken', () => false)),
  unique(
    'team-name-twice-with-members',
    'a name can be used twice when members come with it',
    (s) => around(s, 'isNameTaken', (was, name, call, ids) => ids.length === 0 && was(name, call, ids)),
    { style: 'b' },
  ),
  unique(
    'team-name-twice-by-other-key',
    'a name that a write key took can be used again by another key',
    (s) => {
      const takers = memory<string, string>();
      around(s, 'isNameTaken', (was, name, call, ids) => {
        const taker = takers.get(name);
        const taken = was(name, call, ids) && (taker === undefined || taker === call.key?.value);
        if (!taken) takers.set(name, call.key?.value ?? '');
        return taken;
      });
    },
    { style: 'a' },
  ),
  unique('team-name-twice-beyond-ten', 'only the oldest ten teams are searched for the name', (s) =>
    around(s, 'isNameTaken', (_was, name, call) =>
      s.db.teams
        .filter(({ workspace }) => workspace === call.workspace?.id)
        .slice(0, 10)
        .some((team) => team.name === name),
    ),
  ),
  unique('team-name-never-free', 'the name of a deleted team stays taken', (s) => {
    const taken = memory<string, true>();
    around(s, 'isNameTaken', (was, name, call, ids) => {
      const known = taken.has(`${call.workspace?.id}/${name}`) || was(name, call, ids);
      taken.set(`${call.workspace?.id}/${name}`, true);
      return known;
    });
  }),
  conflict('team-name-taken-422', 'a taken name answers 422', (s) =>
    around(s, 'conflict', (_was, call) => s.invalid(422, [{ field: 'name', issue: 'is taken', kind: 'value' }], call)),
  ),
  conflict('team-name-taken-400', 'a taken name answers 400', (s) =>
    around(s, 'conflict', (_was, call) => s.invalid(400, [{ field: 'name', issue: 'is taken', kind: 'value' }], call)),
  ),
  conflict('team-name-taken-500', 'a taken name breaks a constraint of the database: 500', (s) =>
    around(s, 'conflict', (was, call) => Object.assign(was(call), { status: 500, code: 'internal_error' })),
  ),
  conflict('team-name-taken-returns-it', 'a taken name answers 201 with the team of that name', (s) => {
    around(s, 'createTeam', (was, call) => {
      const { name } = s.readFields(call, 'team', 'create');
      const found = s.db.teams.find((team) => team.name === name && team.workspace === call.workspace?.id);
      return found ? s.single(s.showTeam(found, 'created'), 'created', 201) : was(call);
    });
  }),
  conflict('team-name-taken-made-unique', 'a taken name gets a number', (s) => {
    around(s, 'isNameTaken', () => false);
    around(s, 'takeText', (was, each, value, call, act) => {
      const text = was(each, value, call, act);
      return isOn(call, 'createTeam') &&
        s.db.teams.some(({ name, workspace }) => name === text && workspace === call.workspace?.id)
        ? `${text} 2`
        : text;
    });
  }),
  memberIds('team-members-ignored', 'member_ids is ignored', (s) =>
    around(s, 'membersOfNew', (was, sent, call) => was(without(sent, 'member_ids'), call)),
  ),
  memberIds('team-members-first-only', 'only the first of member_ids is added', (s) =>
    around(s, 'membersOfNew', (was, sent, call) =>
      was({ ...sent, member_ids: (sent.member_ids as string[] | undefined)?.slice(0, 1) }, call),
    ),
  ),
  memberIds('team-members-without-last', 'the last of several member_ids is lost', (s) =>
    around(s, 'membersOfNew', (was, sent, call) => {
      const ids = (sent.member_ids as string[] | undefined) ?? [];
      return was({ ...sent, member_ids: ids.length > 1 ? ids.slice(0, -1) : ids }, call);
    }),
  ),
  memberIds('team-members-admins-refused', 'users of role admin are left out of teams', (s) =>
    around(s, 'membersOfNew', (was, sent, call) =>
      was(sent, call).filter((id) => s.roleOf(id, call.workspace?.id ?? '') !== 'admin'),
    ),
  ),
  memberIds('team-members-required', 'a team without member_ids is refused', (s) =>
    rule(s, 'team', 'member_ids', { required: true }),
  ),
  memberIds('team-members-empty-refused', 'an empty member_ids is refused', (s) =>
    around(s, 'checkMembers', (was, each, ids, call) =>
      ids.length === 0 ? { field: 'member_ids', issue: 'must not be empty', kind: 'value' as const } : was(each, ids, call),
    ),
  ),
  memberIds('team-members-unknown-counted', 'unknown users are counted as members', (s) => {
    around(s, 'checkMembers', () => undefined);
    around(s, 'take', (was, each, value, call, act) => (each.kind === 'members' ? value : was(each, value, call, act)));
  }),
  clause(79, '| member_ids | array of string | create only, optional;')(
    'team-member-ids-text',
    'a single text is taken as member_ids',
    (s) => {
      around(s, 'checkValue', (was, each, value, call, act) =>
        was(each, each.kind === 'members' && typeof value === 'string' ? [value] : value, call, act),
      );
      around(s, 'take', (was, each, value, call, act) =>
        was(each, each.kind === 'members' && typeof value === 'string' ? [value] : value, call, act),
      );
    },
  ),
  clause(79, '| member_ids | array of string | create only, optional;')(
    'team-member-ids-object',
    'an object is taken as member_ids',
    (s) => {
      const list = (kind: string, value: unknown) =>
        kind === 'members' && typeof value === 'object' && value !== null ? Object.values(value) : value;
      around(s, 'checkValue', (was, each, value, call, act) => was(each, list(each.kind, value), call, act));
      around(s, 'take', (was, each, value, call, act) => was(each, list(each.kind, value), call, act));
    },
  ),
  clause(79, '| member_ids | array of string | create only, optional;')(
    'team-member-ids-numbers',
    'numbers in member_ids are skipped',
    (s) => {
      const texts = (kind: string, value: unknown) =>
        kind === 'members' && Array.isArray(value) ? value.filter((each) => typeof each === 'string') : value;
      around(s, 'checkValue', (was, each, value, call, act) => was(each, texts(each.kind, value), call, act));
      around(s, 'take', (was, each, value, call, act) => was(each, texts(each.kind, value), call, act));
    },
  ),
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

const url = clause(97, '| url | string | publicly reachable HTTPS URL, required on create |');
const names = clause(98, '| events | array of string | event names subscribed to |');
const secret = clause(185, 'body includes `secret`');
const never = clause(99, 'signing secret, returned only in the create response and never again');
const hook = (service: Service, change: (fields: Fields) => Fields): void =>
  around(service, 'showHook', (was, each) => change(was(each)));
const answered = (service: Service, change: (text: string) => string): void =>
  around(service, 'write', (was, answer, call) => {
    const { text, type } = was(answer, call);
    return isOn(call, 'createWebhook') && answer.status < 300 && text ? { text: change(text), type } : { text, type };
  });

const webhooks: Fault[] = [
  url('webhook-url-optional', 'a registration without url is accepted', (s) => rule(s, 'webhook', 'url', { required: false })),
  url('webhook-url-http', 'a url of http is accepted', (s) =>
    around(s, 'isReachable', (was, text) => was(text.replace(/^http:/, 'https:'))),
  ),
  url('webhook-url-any-scheme', 'a url of any scheme is accepted', (s) =>
    around(s, 'isReachable', (_was, text) => URL.canParse(text)),
  ),
  url('webhook-url-anything', 'any text is accepted as url', (s) => around(s, 'isReachable', () => true)),
  url('webhook-url-empty', 'an empty url is accepted', (s) => around(s, 'isReachable', (was, text) => text === '' || was(text))),
  url('webhook-url-number', 'a number is accepted as url', (s) => {
    around(s, 'checkValue', (was, each, value, call, act) =>
      each.kind === 'url' && typeof value === 'number' ? undefined : was(each, value, call, act),
    );
  }),
  url('webhook-url-list', 'an array with one url is accepted', (s) =>
    around(s, 'checkValue', (was, each, value, call, act) =>
      was(each, each.kind === 'url' && Array.isArray(value) ? value[0] : value, call, act),
    ),
  ),
  url('webhook-url-null', 'null is accepted as url', (s) => rule(s, 'webhook', 'url', { clearable: true }), { style: 'a' }),
  names('webhook-events-text', 'a single text is accepted as events', (s) => {
    around(s, 'checkValue', (was, each, value, call, act) =>
      was(each, each.kind === 'events' && typeof value === 'string' ? [value] : value, call, act),
    );
    around(s, 'take', (was, each, value, call, act) =>
      was(each, each.kind === 'events' && typeof value === 'string' ? [value] : value, call, act),
    );
  }),
  names('webhook-events-object', 'an object is accepted as events', (s) => {
    const list = (kind: string, value: unknown) =>
      kind === 'events' && typeof value === 'object' && value !== null ? Object.values(value) : value;
    around(s, 'checkValue', (was, each, value, call, act) => was(each, list(each.kind, value), call, act));
    around(s, 'take', (was, each, value, call, act) => was(each, list(each.kind, value), call, act));
  }),
  names('webhook-events-numbers', 'numbers are accepted in events', (s) => {
    around(s, 'checkValue', (was, each, value, call, act) =>
      each.kind === 'events' && Array.isArray(value) && value.every((name) => typeof name === 'number')
        ? undefined
        : was(each, value, call, act),
    );
  }),
  secret('webhook-secret-missing', 'the answer has no secret', (s) => hook(s, (all) => without(all, 'secret'))),
  secret('webhook-secret-empty', 'the secret is empty', (s) => hook(s, (all) => ({ ...all, secret: '' }))),
  secret('webhook-secret-object', 'the secret is an object', (s) =>
    hook(s, (all) => ({ ...all, secret: { value: all.secret } })),
  ),
  secret('webhook-secret-renamed', 'the secret is named signing_key', (s) =>
    hook(s, (all) => ({ ...without(all, 'secret'), signing_key: all.secret })),
  ),
  secret('webhook-202-empty', 'POST /webhooks answers 202 without a body', (s) => {
    around(s, 'createWebhook', (was, call) => ({ ...was(call), status: 202 }));
    answered(s, () => '');
  }),
  never('webhook-secret-listed', 'GET /webhooks lists registrations with their secrets', (s) => {
    around(s, 'serve', (was, call) => {
      if (call.method !== 'GET' || call.path !== '/webhooks') return was(call);
      call.key = s.authenticate(call);
      call.workspace = s.workspaceOf(call.key);
      s.charge(call);
      const items = s.db.hooks.filter(({ workspace }) => workspace === call.workspace?.id).map((each) => s.showHook(each));
      return {
        status: 200,
        body: { items, meta: { total: items.length, limit: 20, has_more: false, next_cursor: null } },
        headers: {},
      };
    });
  }),
  never(
    'webhook-secret-delivered',
    'deliveries carry the secret in a header',
    (s) =>
      around(s, 'post', (was, delivery) => ({
        ...was(delivery),
        headers: { ...was(delivery).headers, 'X-Service-Secret': delivery.hook.secret },
      })),
    { needs: 'receiver' },
  ),
  never(
    'webhook-secret-in-envelope',
    'envelopes carry the secret',
    (s) => around(s, 'envelope', (was, delivery) => ({ ...(was(delivery) as Fields), secret: delivery.hook.secret })),
    { needs: 'receiver' },
  ),
  clause(185, '| POST | /webhooks |')('webhook-route-missing', 'there is no route to register webhooks', (s) =>
    around(s, 'patternsOf', (was) => was().filter(([, , operation]) => operation !== 'createWebhook')),
  ),
];

export const faults: readonly Fault[] = [...users, ...teams, ...deletion, ...webhooks];
