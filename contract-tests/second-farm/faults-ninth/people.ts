// Faults of teams, members, profiles and comments.

import type { Fields, Member, Team } from '../../judge/reference/model.ts';
import { around, clause, without } from '../faults/fault.ts';
import { changed } from './tools.ts';

const members = clause(81, 'array of `{ id, name, role }`');
const unique = clause(78, 'required on create, 1 to 100 characters, unique within the workspace');
const profile = clause(167, "`200` `data` = profile of the key's user (id, name, email, role, avatar_url, created_at)");
const comments = clause(159, '`200` list of comments');

export const faults = [
  unique('name-index-outlives-team', 'the name of a deleted team cannot be used again', (service) => {
    const names: string[] = [];
    around(service, 'removeTeam', (was, team, call) => {
      names.push(`${team.workspace} ${team.name}`);
      was(team, call);
    });
    around(
      service,
      'isNameTaken',
      (was, name, call, sent) => names.includes(`${call.workspace?.id} ${name}`) || was(name, call, sent),
    );
  }),
  unique(
    'same-name-with-members',
    'a name in use is accepted when the new team has members',
    (service) => around(service, 'isNameTaken', (was, name, call, sent) => sent.length === 0 && was(name, call, sent)),
    { style: 'a' },
  ),
  clause(80, 'in list and create responses')(
    'member-count-without-creator',
    'the answer to creation counts the members before they are added',
    (service) => around(service, 'memberCount', (was, team, place) => (place === 'created' ? 0 : was(team, place))),
  ),
  members('admins-not-among-members', 'admins of the workspace are missing among the `members` of a team', (service) =>
    around(service, 'showMembers', (was, team) => (was(team) as Fields[]).filter(({ role }) => role !== 'admin')),
  ),
  clause(177, 'tasks and projects assigned to the team are unaffected')(
    'team-deletion-unassigns',
    'with a team the tasks of its members lose their assignee',
    (service) =>
      around(service, 'removeTeam', (was, team, call) => {
        for (const task of service.db.tasks)
          if (task.workspace === team.workspace && team.members.includes(task.assignee ?? '')) task.assignee = null;
        was(team, call);
      }),
  ),
  clause(177, 'only the team grouping is removed')(
    'deleted-team-listed-until-next',
    'a deleted team stays in the list until another team is created',
    (service) => {
      let ghosts: Team[] = [];
      around(service, 'removeTeam', (was, team, call) => {
        ghosts.push(team);
        was(team, call);
      });
      around(service, 'createTeam', (was, call) => {
        const answer = was(call);
        ghosts = [];
        return answer;
      });
      around(service, 'teamRows', (was, call) => [
        ...was(call),
        ...ghosts.filter(({ workspace }) => workspace === call.workspace?.id),
      ]);
    },
  ),
  profile('profile-of-first-caller', 'the profile is cached by workspace: all keys see the user who asked first', (service) => {
    const first = new Map<string, string>();
    around(service, 'profileOf', (was, call) => {
      const workspace = call.workspace?.id ?? '';
      const user = first.get(workspace) ?? was(call);
      first.set(workspace, user);
      return user;
    });
  }),
  profile('profile-without-created-at', 'the profile lacks `created_at`', (service) =>
    around(service, 'readMe', (was, call) => changed(was(call), (data) => without(data, 'created_at'))),
  ),
  clause(168, 'usable to pick an `assignee_id`')(
    'members-without-caller',
    'the list of members leaves out the user of the key',
    (service) =>
      around(service, 'memberRows', (was, call) => was(call).filter((row) => (row as Member).user.id !== call.key?.user)),
  ),
  clause(168, '`200` list of `{ id, name, email, role }`')(
    'emails-hidden-from-read-keys',
    'the list of members has no `email` for keys of the scope read',
    (service) =>
      around(service, 'listMembers', (was, call) => {
        const answer = was(call);
        const body = answer.body as { items: Fields[] };
        return call.key?.scope === 'read'
          ? { ...answer, body: { ...body, items: body.items.map((each) => without(each, 'email')) } }
          : answer;
      }),
  ),
  comments('no-comments-404', 'the comments of a task that has none give 404', (service) =>
    around(service, 'listComments', (was, call) => {
      if (service.commentRows(call, service.taskOf(call)).length === 0) throw service.notFound(call, 'comment');
      return was(call);
    }),
  ),
];
