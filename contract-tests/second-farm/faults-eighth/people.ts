// Faults of people: profiles, members, teams and comments.

import type { Fields } from '../../judge/reference/model.ts';
import { around, clause, memory, without } from '../faults/fault.ts';
import { isSecond, sentNames } from './tools.ts';

const _row = clause(174, '`200` list of teams (id, name, member_count, created_at, updated_at)');
const members = clause(81, 'in the single-team read response, instead of member_count');
const unique = clause(78, 'unique within the workspace');

export const faults = [
  clause(66, 'profile and member list')(
    'profile-email-masked',
    'the profile shows the email address to a read key masked',
    (service) =>
      around(service, 'readMe', (was, call) => {
        const answer = was(call);
        if (call.key?.scope !== 'read') return answer;
        const { data } = answer.body as { data: Fields };
        return { ...answer, body: { data: { ...data, email: String(data.email).replace(/^(.).*@/, '$1***@') } } };
      }),
  ),
  clause(68, 'string (URL)')('member-avatar-is-a-path', 'the `avatar_url` of who is no admin is a path', (service) =>
    around(service, 'showProfile', (was, user, role) => {
      const shown = was(user, role);
      return role === 'admin' ? shown : { ...shown, avatar_url: new URL(user.avatar).pathname };
    }),
  ),
  clause(67, 'profile and member list')(
    'admins-listed-as-members-to-others',
    'the member list shows every role as `member` to a key that is not of scope `admin`',
    (service) =>
      around(service, 'memberRows', (was, call) =>
        was(call).map((each) => (call.key?.scope === 'admin' ? each : { ...each, role: 'member' })),
      ),
  ),
  clause(13, "only sees that workspace's resources")(
    'large-member-page-of-all-workspaces',
    'the member list with a limit above 50 shows the users of all workspaces',
    (service) =>
      around(service, 'memberRows', (was, call) => {
        if (Number(call.query.get('limit')) <= 50) return was(call);
        return service.db.workspaces.flatMap((workspace) => was({ ...call, workspace }));
      }),
    { needs: 'second workspace' },
  ),
  clause(168, 'usable to pick an `assignee_id`')(
    'newest-member-not-assignable',
    'the member who came last cannot be assigned to a task',
    (service) =>
      around(service, 'isAssignable', (was, user, call, act) => {
        const all = service.db.memberships.filter((each) => each.workspace === call.workspace?.id);
        return user !== all.at(-1)?.user && was(user, call, act);
      }),
  ),
  clause(168, '`200` list of `{ id, name, email, role }`')(
    'second-workspace-members-without-email',
    'the member list of the second workspace has no email addresses',
    (service) =>
      around(service, 'listMembers', (was, call) => {
        const answer = was(call);
        if (!isSecond(call, service.db.workspaces)) return answer;
        const body = answer.body as { items: Fields[] };
        return { ...answer, body: { ...body, items: body.items.map((item) => without(item, 'email')) } };
      }),
    { needs: 'second workspace' },
  ),
  unique(
    'team-name-unique-for-each-key',
    'a name is in use only when the same key has created the other team',
    (service) => {
      const makers = memory<string, string>();
      around(service, 'createTeam', (was, call) => {
        const answer = was(call);
        const made = service.db.teams.at(-1);
        if (made) makers.set(made.id, call.key?.value ?? '');
        return answer;
      });
      around(service, 'isNameTaken', (was, name, call, ids) =>
        service.db.teams.some((each) => each.name === name && makers.get(each.id) === call.key?.value)
          ? was(name, call, ids)
          : false,
      );
    },
    { style: 'a' },
  ),
  unique('refused-team-is-there', 'a team whose name is in use gives 409, and is in the list nevertheless', (service) =>
    around(service, 'conflict', (was, call) => {
      const { name } = service.readFields(call, 'team', 'create');
      const [id, now] = [service.newId('team'), service.now()];
      const times = { created: now, updated: now };
      const workspace = call.workspace?.id ?? '';
      service.db.teams.push({ id, workspace, name: String(name), members: [], ...times, nth: service.nextNth() });
      return was(call);
    }),
  ),
  clause(336, '1 to 100 characters')(
    'long-team-name-cut',
    'a team name of more than 100 characters is cut, not refused',
    (service) => {
      around(service, 'checkValue', (was, rule, value, call, act) => {
        const issue = was(rule, value, call, act);
        return rule.max === 100 && issue?.kind === 'length' ? undefined : issue;
      });
      around(service, 'takeText', (was, rule, value, call, act) => {
        const text = was(rule, value, call, act);
        return rule.max === 100 ? [...text].slice(0, 100).join('') : text;
      });
    },
  ),
  clause(79, 'user ids added as members at creation')(
    'third-member-not-added',
    'of three or more `member_ids` the last is not added',
    (service) =>
      around(service, 'membersOfNew', (was, values, call) => {
        const all = was(values, call);
        return all.length > 2 ? all.slice(0, -1) : all;
      }),
  ),
  clause(175, 'member_ids (optional array of user ids)')(
    'empty-member-ids-refused',
    'an empty array of `member_ids` is refused',
    (service) =>
      around(service, 'checkMembers', (was, rule, ids, call) =>
        ids.length === 0 ? { field: rule.name, issue: 'must not be empty', kind: 'value' as const } : was(rule, ids, call),
      ),
  ),
  clause(80, 'in list and create responses')(
    'admins-not-counted-in-list',
    'the list counts only the members of a team who are no admins',
    (service) =>
      around(service, 'memberCount', (was, team, place) =>
        place === 'row' ? team.members.filter((id) => service.roleOf(id, team.workspace) !== 'admin').length : was(team, place),
      ),
  ),
  members('empty-team-counted', 'reading a team without members answers `member_count` in place of `members`', (service) =>
    around(service, 'showWholeTeam', (was, team) =>
      team.members.length === 0 ? { ...without(was(team), 'members'), member_count: 0 } : was(team),
    ),
  ),
  clause(81, 'array of `{ id, name, role }`')(
    'team-members-all-of-first-role',
    'every entry of `members` has the role of the first',
    (service) =>
      around(service, 'showMembers', (was, team) => {
        const all = was(team) as Fields[];
        return all.map((each) => ({ ...each, role: all[0]?.role }));
      }),
  ),
  clause(24, '`201` for creation')('team-with-members-200', 'the creation of a team that has members answers 200', (service) =>
    around(service, 'createTeam', (was, call) => {
      const answer = was(call);
      return sentNames(call).includes('member_ids') ? { ...answer, status: 200 } : answer;
    }),
  ),
  clause(177, 'tasks and projects assigned to the team are unaffected')(
    'team-deletion-makes-projects-private',
    'the deletion of a team with members makes projects of visibility `team` private',
    (service) =>
      around(service, 'removeTeam', (was, team, call) => {
        if (team.members.length > 0)
          for (const project of service.db.projects)
            if (project.workspace === team.workspace && project.visibility === 'team') project.visibility = 'private';
        was(team, call);
      }),
  ),
  clause(91, 'string (datetime)')(
    'later-comments-without-time',
    'comments behind a cursor have no `created_at`',
    (service) =>
      around(service, 'listComments', (was, call) => {
        const answer = was(call);
        if (!call.query.has('cursor')) return answer;
        const body = answer.body as { items: Fields[] };
        return { ...answer, body: { ...body, items: body.items.map((item) => without(item, 'created_at')) } };
      }),
    { needs: 'comments' },
  ),
];
