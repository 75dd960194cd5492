// Faults of members, teams and comments.
import { around, clause, type Fault, isOn } from '../faults/fault.ts';
import { rowsOf } from '../faults-third/tools.ts';

const unique = clause(78, 'unique within the workspace');
const conflict = clause(288, 'for example a unique name already in use');
const count = clause(80, '| member_count | integer | in list and create responses |');
const members = clause(81, '| members | array of `{ id, name, role }` |');
const list = clause(168, '`200` list of `{ id, name, email, role }`');
const comment = clause(88, '| id | string |', { needs: 'comments' });

const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, '-');

export const faults: readonly Fault[] = [
  conflict('team-name-taken-by-slug', 'a team name is taken when another one differs in accents or punctuation alone', (s) =>
    around(s, 'isNameTaken', (was, name, call, ids) => {
      const near = s.db.teams.some((team) => team.workspace === call.workspace?.id && plain(team.name) === plain(name));
      return was(name, call, ids) || (near && plain(name).length > 1);
    }),
  ),
  unique('team-name-twice-at-once', 'a team name is free for a second after it was taken, for a replica is asked', (s) =>
    around(s, 'isNameTaken', (_was, name, call) =>
      s.db.teams.some((team) => team.workspace === call.workspace?.id && team.name === name && team.created <= s.now() - 1000),
    ),
  ),
  members('team-members-named-by-email', 'the members of a team have their email as name', (s) =>
    around(s, 'showMembers', (was, team) =>
      (was(team) as readonly { id: string }[]).map((member) => ({
        ...member,
        name: s.db.users.find(({ id }) => id === member.id)?.email,
      })),
    ),
  ),
  count('empty-team-counted-one', 'an outer join counts one member in a team without members, in lists', (s) =>
    around(s, 'memberCount', (was, team, place) => (place === 'row' ? Math.max(1, Number(was(team, place))) : was(team, place))),
  ),
  count('member-count-as-text', 'member_count is a text in lists, as the driver gives counts', (s) =>
    around(s, 'memberCount', (was, team, place) => (place === 'row' ? String(was(team, place)) : was(team, place))),
  ),
  list('member-once-per-team', 'a join lists a member once for each of the teams that the member is in', (s) =>
    around(s, 'memberRows', (was, call) =>
      was(call).flatMap((row) => {
        const teams = s.db.teams.filter((team) => team.workspace === row.workspace && team.members.includes(row.id));
        return Array.from({ length: Math.max(1, teams.length) }, () => row);
      }),
    ),
  ),
  list('emails-masked-for-read', 'the list of members masks the emails for keys of scope read', (s) =>
    rowsOf(s, ['member'], (fields, _index, _all, call) =>
      call.key?.scope === 'read' ? { ...fields, email: String(fields.email).replace(/^(.).*@/, '$1***@') } : fields,
    ),
  ),
  comment('comment-id-made-on-read', 'each reading gives a comment another id', (s) =>
    around(s, 'perform', (was, call, operation) => {
      const answer = was(call, operation);
      if (!isOn(call, 'listComments')) return answer;
      const body = answer.body as { items: readonly object[] };
      return { ...answer, body: { ...body, items: body.items.map((each) => ({ ...each, id: s.newId('cmt') })) } };
    }),
  ),
];
