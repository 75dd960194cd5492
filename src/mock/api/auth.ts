// The key that a request is made with, found by its scope.
import { SCOPES } from '../../service/contract/states.ts';
import type { MockKey } from './mock.ts';

/** A working key of a scope, in a workspace or in any. */
export const keyFor = (keys: readonly MockKey[], scope: string, workspace: string | undefined): MockKey | undefined =>
  keys.find((one) => one.scope === scope && (workspace === undefined || one.workspace_id === workspace));

/** The header that carries it. @throws RangeError naming the available workspaces or scopes */
export const authFrom = (keys: readonly MockKey[], scope: string, workspace?: string): { authorization: string } => {
  const key = keyFor(keys, scope, workspace);
  if (key) return { authorization: `Bearer ${key.value}` };
  const workspaces = [...new Set(keys.map(({ workspace_id }) => workspace_id))];
  if (workspace !== undefined && !workspaces.includes(workspace))
    throw new RangeError(`auth: expected one of the workspaces ${workspaces.join(', ')}, got "${workspace}"`);
  const there = keys.filter(({ workspace_id }) => workspace === undefined || workspace_id === workspace);
  const scopes = SCOPES.filter((one) => there.some((each) => each.scope === one));
  const what = `a scope that a working key${workspace === undefined ? '' : ` of ${workspace}`} has (${scopes.join(', ') || 'there is none'})`;
  throw new RangeError(`auth: expected ${what}, got "${scope}". Ask for another one, or add such a key to the seed.`);
};
