// What people do in the dashboard of the service: plans, API keys, members, comments.
import { removeRecords } from '../../../service/http/handlers/remove.ts';
import type { Row } from '../../../service/world/collection.ts';
import { newId, newKeyValue } from '../../../service/world/ids.ts';
import { BLANKS, type KeyRecord, type UserRecord } from '../../../service/world/records.ts';
import type { Workspace, World } from '../../../service/world/world.ts';
import { type Calls, dashboardView, found, listed, refuse } from '../call.ts';

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
  window_ms: world.windowMsOf(id),
});

const NO_WORKSPACE = { field: 'workspace_id', issue: 'must be the id of a workspace' };

export const dashboardCalls = {
  listWorkspaces: ({ instance: { world }, query }) =>
    listed(query, [...world.workspaces.values()], 'list', (workspace) => workspaceShown(world, workspace)),

  setPlan: ({ instance, variable, body: { plan, window_ms: ms } }) => {
    const { world } = instance;
    found('workspace', variable, world.workspaces.get(variable));
    if (plan !== undefined) world.setPlan(variable, plan);
    if (ms !== undefined) world.setWindow(variable, ms);
    const workspace = world.workspaces.get(variable)!;
    const window = ms === undefined ? '' : `, window of ${ms} ms`;
    instance.timeline.says('edit', `${variable}: plan ${workspace.plan}${window}`);
    instance.feed.tell('state', () => ({ kind: 'plan', workspace_id: variable, plan: workspace.plan }));
    return workspaceShown(world, workspace);
  },

  listKeys: ({ instance: { world }, query }) => {
    const keys = world.store.keys.all().map((row) => keyShown(world, row));
    return listed(query, keys);
  },

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
    const row = found('key', variable, world.store.keys.get(variable));
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
    const row = found('user', variable, world.store.users.get(variable));
    if (row.value.state === 'joined') refuse([{ field: 'id', issue: 'is that of somebody who has joined already' }], 409);
    dashboardView(world, row.workspace).update('users', row, { ...row.value, state: 'joined' });
    return memberShown(world.store.users.get(variable)!);
  },

  createComment: ({ instance: { world }, variable, body: { author_id, body } }) => {
    const task = found('task', variable, world.store.tasks.get(variable));
    const view = dashboardView(world, task.workspace);
    if (!view.member(author_id))
      refuse([{ field: 'author_id', issue: 'must be the id of a member of the workspace of the task' }]);
    return { ...view.create('comments', { task_id: variable, author_id, body }), workspace_id: task.workspace };
  },

  deleteComment: ({ instance: { world }, variable }) => {
    const row = found('comment', variable, world.store.comments.get(variable));
    removeRecords(dashboardView(world, row.workspace), 'comments', [row]);
  },
} satisfies Calls;
