// Chooses the workspace that a page shows: the first, unless another is asked for.
import type { Context } from './context.ts';
import { type FieldRow, Filters } from './fields.tsx';

export const workspaceField = ({ world, workspace }: Context): FieldRow => {
  const options = [...world.workspaces.values()].map(({ id, name }) => [id, name] as const);
  return { name: 'workspace', label: 'Workspace', value: workspace.id, options };
};

export const Workspaces = ({ context }: { context: Context }) =>
  context.world.workspaces.size > 1 ? (
    <Filters context={context} label="Workspace" fields={[workspaceField(context)]} says="Show" />
  ) : null;
