// Chooses the workspace that a page shows.
import type { Context } from './context.ts';

/** The first is shown unless another is asked for. */
export const Workspaces = ({ context }: { context: Context }) => (
  <form method="get" action={context.href(context.asked.path)} class="row" aria-label="Workspace">
    <label for="workspace">Workspace</label>
    <select id="workspace" name="workspace" class="narrow" data-submit="">
      {[...context.world.workspaces.values()].map(({ id, name }) => (
        <option value={id} selected={id === context.workspace.id}>
          {name}
        </option>
      ))}
    </select>
    <button type="submit" class="button nojs">
      Show
    </button>
  </form>
);
