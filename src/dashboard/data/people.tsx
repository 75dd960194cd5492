// Users and teams on the data page.
import { ROLES } from '../../service/contract/states.ts';
import { ActionButton, PageForm } from '../fields.tsx';
import { Person, WordChip } from './cells.tsx';
import { type CollectionTab, creating, curlToCreate, deleting, listInWorkspace, requireFields, shorten } from './collection.ts';
import { makeColumns, makeInputs } from './derived.tsx';

export const users: CollectionTab<'users'> = {
  name: 'users',
  says: 'Members of the workspace, and those who were invited and have not come yet. The API only reads them.',
  empty: {
    says: 'Invite somebody above:',
    curl: ({ url, base }) =>
      `curl -X POST "${url.origin}${base}/_mock/data/users" -H "Content-Type: application/json" -d '{"state":"invited"}'`,
  },
  operation: 'listMembers',
  columns: makeColumns('users', ['name', 'email', 'role', 'state', 'id', 'created_at'], ['avatar_url'], {
    name: { cell: ({ id }, context) => <Person id={id} context={context} /> },
    email: { cell: ({ email }) => shorten(email, 60) },
    role: { cell: ({ role }) => <WordChip word={role} /> },
  }),
  // The list of the service leaves out who was invited.
  list: (context, query) => listInWorkspace(context, 'users', 'listMembers', query),
  fields: () => [
    { name: 'name', label: 'Full name', needed: true },
    { name: 'email', label: 'Email', type: 'email', needed: true },
    { name: 'role', label: 'Role', needed: true, start: 'member', hint: `Such as ${ROLES.join(' or ')}.` },
  ],
  more: (user, context) =>
    user.state === 'joined' ? null : (
      <PageForm context={context} inline label={`Let ${user.name} join`} hidden={{ id: user.id }}>
        <span>Accept the invitation as {user.name}: fires member.joined.</span>
        <ActionButton action="join" says="Join" kind="primary" />
      </PageForm>
    ),
  create: {
    label: 'Invite somebody',
    run: async (context, typed) => {
      requireFields(users.fields(context), typed);
      const { id } = await context.call('createUserRecord', {
        body: { ...typed, workspace_id: context.workspace.id, state: 'invited' },
      });
      return { says: `${id} is invited.` };
    },
  },
};

export const teams: CollectionTab<'teams'> = {
  name: 'teams',
  says: 'A team is a name and its members, both given when it is created.',
  empty: { curl: curlToCreate('/teams', '{"name":"Design"}') },
  operation: 'listTeams',
  columns: makeColumns('teams', ['name', 'member_ids', 'id', 'created_at', 'updated_at'], []),
  fields: (context) => makeInputs('teams', context, ['name', 'member_ids']),
  more: (team, context) => (
    <div class="stack">
      <h2 class="minor">Members</h2>
      {team.member_ids.length === 0 ? (
        <p class="muted">Nobody yet. Members are given when a team is created: the API shows no way to change them.</p>
      ) : null}
      <ul class="people">
        {team.member_ids.slice(0, 200).map((id) => (
          <li>
            <Person id={id} context={context} />
          </li>
        ))}
      </ul>
    </div>
  ),
  create: { label: 'New team', run: creating('createTeam') },
  remove: { says: 'Its members stay in the workspace.', run: deleting('deleteTeam') },
};
