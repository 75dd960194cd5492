// How a mock is told to other programs: its address and keys under the names that the contract suite reads.
import type { NodeMock } from '../create-mock.ts';
import type { Server } from '../server/listen.ts';

/** Undefined values hide the keys of another service in the caller's environment. */
export const buildEnvironment = ({ keys, world, guard }: NodeMock, { baseUrl, origin }: Server) => {
  const workspace = keys[0]?.workspace_id;
  const own = keys.filter(({ workspace_id }) => workspace_id === workspace);
  const ofScope = (scope: string) => own.find((key) => key.scope === scope)?.value;
  const commented = world.store.comments.all().find((row) => row.workspace === workspace)?.value.task_id;
  return {
    WM_BASE_URL: baseUrl,
    WM_CONTROL_URL: `${origin}/_mock`,
    WM_MOCK_CONTROL_TOKEN: guard.token,
    WM_API_KEY_ADMIN: ofScope('admin'),
    WM_API_KEY_WRITE: ofScope('write'),
    WM_API_KEY_READ: ofScope('read'),
    WM_API_KEY_REVOKED: world.store.keys.all().find(({ value }) => value.revoked)?.value.value,
    WM_API_KEY_OTHER_WORKSPACE: keys.find(({ workspace_id }) => workspace_id !== workspace)?.value,
    WM_TASK_WITH_COMMENTS: commented,
  };
};
