// Faults of profiles and members.
import type { Fields, Member } from '../../judge/reference/model.ts';
import type { Service } from '../../judge/reference/service/service.ts';
import { around, clause, type Fault, memory, without } from './fault.ts';

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

export const faults: readonly Fault[] = [...users];
