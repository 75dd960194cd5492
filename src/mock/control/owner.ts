// Performs operations of the service as the owner of a workspace, for the dashboard: no key, quota or journal.
import { type OperationId, operation } from '../../service/contract/operations.ts';
import { type Terms, termsOf } from '../../service/contract/terms.ts';
import { performOperation } from '../../service/http/endpoint.ts';
import { RequestInfo } from '../../service/http/request-info.ts';
import type { KeyRecord, UserRecord } from '../../service/world/records.ts';
import { View } from '../../service/world/view.ts';
import type { World } from '../../service/world/world.ts';

/** Always in the latest release: whole records, cursors. */
class OwnerView extends View {
  override get terms(): Terms {
    return termsOf({ choices: this.choices });
  }
}

/** Operations read only the id of the caller and the scope of the key. */
const NO_OWNER = { id: 'dashboard' } as UserRecord;
const OWNER_KEY = { id: 'dashboard', scope: 'admin' } as KeyRecord;

/** A view of a workspace without scopes or quota, whose changes fire events. */
export const dashboardView = (world: World, workspace: string): View =>
  new View(world, { key: OWNER_KEY, user: NO_OWNER, workspace });

/** Views a workspace as its first joined admin, else its first member. */
export const ownerView = (world: World, workspace: string): View => {
  const joined = (equal: readonly string[], values: readonly string[]) =>
    world.store.users.list({ equal, by: 'created_at', descending: false, nulls: 'last' }, workspace, values).rows(0, 1)[0]?.value;
  const user = joined(['role', 'state'], ['admin', 'joined']) ?? joined(['state'], ['joined']) ?? NO_OWNER;
  return new OwnerView(world, { key: { ...OWNER_KEY, user_id: user.id }, user, workspace });
};

interface OperationInput {
  readonly variable?: string | undefined;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** @returns a page of a list, or the response; undefined without a body @throws Problem */
export const performAs = (view: View, id: OperationId, { variable, query = {}, body }: OperationInput): unknown => {
  const request = new RequestInfo({
    operation: id,
    method: operation(id).method,
    url: `http://wm-mock.test/?${new URLSearchParams(query)}`,
    headers: new Headers(),
    variable,
    authorization: undefined,
    contentType: 'application/json',
    body: body === undefined ? undefined : { text: JSON.stringify(body) },
  });
  const { text, page } = performOperation(id, operation(id), view, request);
  return page ?? (text === null ? undefined : JSON.parse(text));
};
