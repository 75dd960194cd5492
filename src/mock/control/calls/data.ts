// Calls on records of every kind, on workspaces, and operations as their owners.
import { OPERATIONS, type OperationId } from '../../../service/contract/operations.ts';
import { NAMES } from '../../../service/world/records.ts';
import type { Workspace, World } from '../../../service/world/world.ts';
import { type Call, type Calls, findOr404, pageOfRows, refuse } from '../call.ts';
import { ownerView, performAs } from '../owner.ts';
import { RECORD_VERBS, type RecordCallId, recordCallId } from '../record-types.ts';
import { RECORD_ACTIONS } from '../records.ts';

export const dataCalls = Object.fromEntries(
  NAMES.flatMap((name) =>
    RECORD_VERBS.map((verb) => [
      recordCallId(verb, name),
      (call: Call<RecordCallId>) => RECORD_ACTIONS[verb](call.instance.world, name, call as never),
    ]),
  ),
) as unknown as Readonly<Record<RecordCallId, (call: Call<RecordCallId>) => unknown>>;

const showWorkspace = (world: World, { id, name, plan }: Workspace) => ({
  id,
  name,
  plan,
  requests_per_minute: world.limitOf(id),
  window_ms: world.windowMsOf(id),
});

export const workspaceCalls = {
  listWorkspaces: ({ instance: { world }, query }) =>
    pageOfRows(query, [...world.workspaces.values()], 'list', (workspace) => showWorkspace(world, workspace)),

  setPlan: ({ instance, variable, body: { plan, window_ms: ms } }) => {
    const { world } = instance;
    findOr404('workspace', variable, world.workspaces.get(variable));
    if (plan !== undefined) world.setPlan(variable, plan);
    if (ms !== undefined) world.setWindow(variable, ms);
    const workspace = world.workspaces.get(variable)!;
    const window = ms === undefined ? '' : `, window of ${ms} ms`;
    instance.timeline.note('edit', `${variable}: plan ${workspace.plan}${window}`);
    instance.feed.tell('state', () => ({ kind: 'plan', workspace_id: variable, plan: workspace.plan }));
    return showWorkspace(world, workspace);
  },

  performOperation: ({ instance: { world }, variable: id, body: { workspace_id, variable, body } }) => {
    findOr404('operation', id, Object.hasOwn(OPERATIONS, id));
    if (!world.workspaces.has(workspace_id)) refuse([{ field: 'workspace_id', issue: 'must be the id of a workspace' }]);
    return performAs(ownerView(world, workspace_id), id as OperationId, { variable, body }) ?? { status: 'ok' };
  },
} satisfies Calls;
