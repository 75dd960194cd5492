// What a call of the control API is: a function from the world that it is meant for, and a checked input, to an answer.
import { type FieldIssue, Problem } from '../contract/errors.ts';
import type { Caller } from '../world/view.ts';
import { View } from '../world/view.ts';
import type { World } from '../world/world.ts';
import type { Host } from './host.ts';
import type { ControlBody, ControlId } from './operations.ts';
import type { Site } from './site.ts';
import type { Live } from './state.ts';

export interface Call<Id extends ControlId> {
  readonly host: Host;
  readonly site: Site;
  readonly live: Live;
  /** The value of the path variable. */
  readonly variable: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: ControlBody<Id>;
  readonly request: Request;
}

/** An answer: a value to be written as JSON, a Response, or nothing. */
export type Calls<Ids extends ControlId = ControlId> = {
  readonly [Id in Ids]: (call: Call<Id>) => unknown;
};

export const nothingHere = (what: string, id: string, where: string): Problem =>
  new Problem(404, 'not_found', `No ${what} has the id ${JSON.stringify(id)}. GET /_mock/${where} lists them.`);

/** @throws Problem 422 naming each field. */
export const refuse = (fields: readonly FieldIssue[], status: 409 | 422 = 422): never => {
  const said = fields.map(({ field, issue }) => `${field} ${issue}`).join('; ');
  throw new Problem(
    status,
    status === 409 ? 'conflict' : 'validation_error',
    `The call is refused: ${said}. GET /_mock/openapi.json says what it takes.`,
    {
      fields,
    },
  );
};

/** A workspace as its dashboard sees it: changes made here are announced like any other. */
export const dashboardView = (world: World, workspace: string): View => {
  const created_at = new Date(0).toISOString();
  const user = {
    id: 'dashboard',
    name: 'Dashboard',
    email: '',
    role: 'admin',
    avatar_url: null,
    created_at,
    state: 'joined',
  } as const;
  const key = {
    id: 'dashboard',
    value: '',
    name: 'Dashboard',
    scope: 'admin',
    user_id: user.id,
    revoked: false,
    created_at,
  } as const;
  const caller: Caller = { key, user, workspace };
  return new View(world, caller);
};
