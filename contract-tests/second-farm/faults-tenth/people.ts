// Faults of people and teams: an administrator's own reads, long names, and lists within lists.

import type { Answer, Fields } from '../../judge/reference/model.ts';
import { around, clause, isOn } from '../faults/fault.ts';
import { isElsewhere } from './tools.ts';

const unique = clause(78, 'unique within the workspace');
const wrongType = clause(300, '400 for structural problems (missing required field, wrong type)');

const changed = (answer: Answer, change: (data: Fields) => Fields): Answer => ({
  ...answer,
  body: { data: change((answer.body as { data: Fields }).data) },
});

export const faults = [
  clause(68, 'string (URL)')(
    'administrators-without-avatar',
    'the profile of an admin key has `null` as `avatar_url`',
    (service) =>
      around(service, 'readMe', (was, call) =>
        call.key?.scope === 'admin' ? changed(was(call), (data) => ({ ...data, avatar_url: null })) : was(call),
      ),
  ),
  clause(81, 'in the single-team read response, instead of member_count')(
    'administrators-count-members',
    'an admin key reads a team with `member_count` in place of `members`',
    (service) =>
      around(service, 'readTeam', (was, call) =>
        call.key?.scope === 'admin' ? service.single(service.showTeam(service.teamOf(call), 'read'), 'read') : was(call),
      ),
  ),
  clause(81, 'array of `{ id, name, role }`')(
    'strangers-to-their-own-team',
    'in the second workspace a team that is read has no members',
    (service) =>
      around(service, 'readTeam', (was, call) =>
        isElsewhere(call) ? changed(was(call), (data) => ({ ...data, members: [] })) : was(call),
      ),
    { needs: 'second workspace' },
  ),
  unique(
    'names-compared-to-64-characters',
    'a team name is in use when another one begins with the same 64 characters',
    (service) =>
      around(
        service,
        'isNameTaken',
        (was, name, call, members) =>
          was(name, call, members) ||
          (name.length > 64 &&
            service.db.teams.some(
              (team) => team.workspace === call.workspace?.id && team.name.slice(0, 64) === name.slice(0, 64),
            )),
      ),
  ),
  unique(
    'name-of-empty-team-is-free',
    'the name of a team without members can be used again',
    (service) =>
      around(service, 'isNameTaken', (_was, name, call) =>
        service.db.teams.some((team) => team.workspace === call.workspace?.id && team.name === name && team.members.length > 0),
      ),
    { style: 'b' },
  ),
  wrongType('members-in-lists', 'a list within `member_ids` counts as the ids that it holds', (service) =>
    around(service, 'readBody', (was, call) => {
      const body = was(call);
      return Array.isArray(body.member_ids) ? { ...body, member_ids: body.member_ids.flat() } : body;
    }),
  ),
  wrongType('nobody-among-members', '`null` within `member_ids` is passed over', (service) =>
    around(service, 'readBody', (was, call) => {
      const body = was(call);
      const ids = body.member_ids;
      return Array.isArray(ids) && ids.some((id) => typeof id === 'string')
        ? { ...body, member_ids: ids.filter((id) => id !== null) }
        : body;
    }),
  ),
  clause(78, 'name | string')('numbered-teams', 'the list of teams shows a name of digits as a number', (service) =>
    around(service, 'showTeam', (was, team, place) => {
      const shown = was(team, place);
      return place === 'row' && /^\d+$/.test(team.name) ? { ...shown, name: Number(team.name) } : shown;
    }),
  ),
  clause(168, 'usable to pick an `assignee_id`')(
    'administrators-not-assignable-by-members',
    'a task cannot be given to the user of the admin key, unless by that key',
    (service) =>
      around(service, 'isAssignable', (was, user, call, act) => {
        const boss = service.db.keys.find((key) => key.scope === 'admin' && key.workspace === call.workspace?.id);
        return was(user, call, act) && (act === 'create' || user !== boss?.user || call.key?.user === user);
      }),
  ),
  clause(174, 'list of teams (id, name, member_count, created_at, updated_at)')(
    'teams-of-readers',
    'a read key lists teams of which its user is a member and those without members',
    (service) =>
      around(service, 'teamRows', (was, call) =>
        isOn(call, 'listTeams') && call.key?.scope === 'read'
          ? was(call).filter(
              (row) => 'members' in row && (row.members.length === 0 || row.members.includes(call.key?.user ?? '')),
            )
          : was(call),
      ),
  ),
];
