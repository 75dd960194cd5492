// Faults of members, profiles, teams and comments.

import type { Answer, Fields } from '../../judge/reference/model.ts';
import { around, clause, rule, without } from '../faults/fault.ts';

const members = clause(81, 'array of `{ id, name, role }`');
const added = clause(79, 'user ids added as members at creation');
const REPLICA_MS = 200;

const masked = (email: unknown) => String(email).replace(/^(.).*@/, '$1***@');

export const faults = [
  clause(28, 'ISO 8601 datetime strings in UTC')(
    'comments-in-local-time',
    'comments have the local time and its offset',
    (service) =>
      around(service, 'stamp', (was, at, what) =>
        what === 'comment.created_at' ? String(was(at + 7_200_000, what)).replace(/Z$|\+00:00$/, '+02:00') : was(at, what),
      ),
    { needs: 'comments' },
  ),
  clause(24, '`201` for creation')('team-created-with-200', 'the creation of a team answers 200', (service) =>
    around(service, 'createTeam', (was, call) => ({ ...was(call), status: 200 })),
  ),
  clause(20, '{ "data": { <resource fields> } }')('profile-without-data', 'the profile is not inside `data`', (service) =>
    around(service, 'readMe', (was, call) => {
      const answer = was(call);
      return { ...answer, body: (answer.body as { data: unknown }).data };
    }),
  ),
  clause(66, 'profile and member list')(
    'emails-masked-for-read-keys',
    'a read key sees masked email addresses of members',
    (service) =>
      around(service, 'listMembers', (was, call): Answer => {
        const answer = was(call);
        const { items, meta } = answer.body as { items: readonly Fields[]; meta: Fields };
        if (call.key?.scope !== 'read') return answer;
        return { ...answer, body: { items: items.map((item) => ({ ...item, email: masked(item.email) })), meta } };
      }),
  ),
  clause(78, '1 to 100 characters')('team-name-of-255', 'a team name may have 255 characters', (service) =>
    rule(service, 'team', 'name', { max: 255 }),
  ),
  clause(78, 'unique within the workspace')(
    'team-name-checked-on-replica',
    'a team gets the name of another that was made less than 200 ms ago',
    (service) =>
      around(service, 'isNameTaken', (_was, name, call) =>
        service.db.teams.some(
          (each) => each.workspace === call.workspace?.id && each.name === name && each.created < service.now() - REPLICA_MS,
        ),
      ),
  ),
  added('team-takes-three-members', 'of more than three members the first three are added', (service) =>
    around(service, 'membersOfNew', (was, values, call) => was(values, call).slice(0, 3)),
  ),
  clause(291, 'unexpected server error')('unknown-member-breaks-team', 'a team with an unknown member gives 500', (service) =>
    around(service, 'checkMembers', (_was, _given, ids, call) => {
      if (!ids.every((id) => service.isMember(id, call.workspace?.id))) throw new Error('violates foreign key constraint');
      return undefined;
    }),
  ),
  members('team-members-with-user-id', 'the members of a team have `user_id` and no `id`', (service) =>
    around(service, 'showMembers', (was, team) => (was(team) as Fields[]).map(({ id, ...rest }) => ({ user_id: id, ...rest }))),
  ),
  members(
    'empty-team-without-members',
    'a team without members is read without `members`',
    (service) =>
      around(service, 'showWholeTeam', (was, team) => (team.members.length === 0 ? without(was(team), 'members') : was(team))),
    { style: 'a' },
  ),
  clause(82, 'string (datetime)')('team-never-updated', '`updated_at` of a team is null', (service) =>
    around(service, 'showTeam', (was, team, place) => ({ ...was(team, place), updated_at: null })),
  ),
  clause(216, 'retrieve any resource of the workspace')(
    'read-key-lists-teams-of-its-user',
    'a read key lists only the teams of its user',
    (service) =>
      around(service, 'teamRows', (was, call) => {
        const mine = new Set(
          service.db.teams.filter(({ members: ids }) => ids.includes(call.key?.user ?? '')).map(({ id }) => id),
        );
        return call.key?.scope === 'read' ? was(call).filter(({ id }) => mine.has(id)) : was(call);
      }),
  ),
];
