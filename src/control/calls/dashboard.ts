// What people do in the dashboard of the service: plans, API keys, members, comments.

import type { Row } from '../../world/collection.ts';
import { newId, newKeyValue } from '../../world/ids.ts';
import { BLANKS, type KeyRecord, type UserRecord } from '../../world/records.ts';
import type { Workspace, World } from '../../world/world.ts';
import { type Calls, dashboardView, nothingHere, refuse } from '../call.ts';

const keyShown = (world: World, { value: key, workspace }: Row<KeyRecord>) => {
  const used = world.lastUsed.get(key.id);
  const { id, name, scope, user_id, revoked, created_at } = key;
  const last_used_at = used === undefined ? null : new Date(used).toISOString();
  return { id, workspace_id: workspace, name, scope, user_id, revoked, created_at, last_used_at };
};

const memberShown = ({ value, workspace }: Row<UserRecord>) => {
  const { id, name, email, role, state, created_at } = value;
  return { id, workspace_id: workspace, name, email, role, state, created_at };
};

const workspaceShown = (world: World, { id, name, plan }: Workspace) => ({
  id,
  name,
  plan,
  requests_per_minute: world.limitOf(id),
});

const NO_WORKSPACE = { field: 'workspace_id', issue: 'must be the id of a workspace' };

export const dashboardCalls: Calls<
  | 'listWorkspaces'
  | 'setPlan'
  | 'listKeys'
  | 'createKey'
  | 'revokeKey'
  | 'inviteMember'
  | 'joinMember'
  | 'createComment'
  | 'deleteComment'
> = {
  listWorkspaces: ({ instance: { world } }) => ({
    items: [...world.workspaces.values()].map((workspace) => workspaceShown(world, workspace)),
  }),

  setPlan: ({ instance, variable, body: { plan } }) => {
    const { world } = instance;
    if (!world.workspaces.has(variable)) throw nothingHere('workspace', variable, 'workspaces');
    world.setPlan(variable, plan);
    instance.feed.tell('state', () => ({ kind: 'plan', workspace_id: variable, plan }));
    return workspaceShown(world, world.workspaces.get(variable)!);
  },

  listKeys: ({ instance: { world } }) => ({ items: world.store.keys.all().map((row) => keyShown(world, row)) }),

  createKey: ({ instance: { world }, body: { workspace_id, name, scope, user_id } }) => {
    const known = world.workspaces.has(workspace_id);
    const user = world.store.users.get(user_id);
    const member = user?.workspace === workspace_id && user.value.state === 'joined';
    if (!known || !member) {
      refuse([
        ...(known ? [] : [NO_WORKSPACE]),
        ...(member ? [] : [{ field: 'user_id', issue: 'must be the id of a member of the workspace' }]),
      ]);
    }
    const view = dashboardView(world, workspace_id);
    const id = newId(world.random, 'keys');
    const value = newKeyValue(world.random);
    view.insert('keys', { ...BLANKS.keys, id, value, name, scope, user_id, created_at: view.now() });
    return { ...keyShown(world, world.store.keys.get(id)!), value };
  },

  revokeKey: ({ instance: { world }, variable }) => {
    const row = world.store.keys.get(variable);
    if (!row) throw nothingHere('key', variable, 'keys');
    if (!row.value.revoked) dashboardView(world, row.workspace).update('keys', row, { ...row.value, revoked: true });
    return keyShown(world, world.store.keys.get(variable)!);
  },

  inviteMember: ({ instance: { world }, body: { workspace_id, name, email, role } }) => {
    if (!world.workspaces.has(workspace_id)) refuse([NO_WORKSPACE]);
    const view = dashboardView(world, workspace_id);
    const taken = view.list('users', { equal: ['email'], by: 'id', descending: false, nulls: 'last' }, [email]).total > 0;
    if (taken) refuse([{ field: 'email', issue: 'is already that of somebody in this workspace' }], 409);
    const { id } = view.create('users', { name, email, role, state: 'invited' });
    return memberShown(world.store.users.get(id)!);
  },

  joinMember: ({ instance: { world }, variable }) => {
    const row = world.store.users.get(variable);
    if (!row) throw nothingHere('user', variable, 'state');
    if (row.value.state === 'joined') refuse([{ field: 'id', issue: 'is that of somebody who has joined already' }], 409);
    dashboardView(world, row.workspace).update('users', row, { ...row.value, state: 'joined' });
    return memberShown(world.store.users.get(variable)!);
  },

  createComment: ({ instance: { world }, variable, body: { author_id, body } }) => {
    const task = world.store.tasks.get(variable);
    if (!task) throw nothingHere('task', variable, 'state');
    const view = dashboardView(world, task.workspace);
    if (!view.member(author_id))
      refuse([{ field: 'author_id', issue: 'must be the id of a member of the workspace of the task' }]);
    return view.create('comments', { task_id: variable, author_id, body });
  },

  deleteComment: ({ instance: { world }, variable }) => {
    const row = world.store.comments.get(variable);
    if (!row) throw nothingHere('comment', variable, 'state');
    dashboardView(world, row.workspace).remove('comments', row);
  },
};
