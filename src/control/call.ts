// What a call of the control API is: a function from the world that it is meant for, and a checked input, to an answer.
import { type FieldIssue, Problem } from '../contract/errors.ts';
import { BLANKS } from '../world/records.ts';
import { type Caller, View } from '../world/view.ts';
import type { World } from '../world/world.ts';
import type { Host } from './host.ts';
import type { Instance } from './instance.ts';
import type { ControlBody, ControlId } from './operations.ts';

export interface Call<Id extends ControlId> {
  readonly host: Host;
  readonly instance: Instance;
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
  const [id, name, created_at] = ['dashboard', 'Dashboard', new Date(0).toISOString()];
  const user = { ...BLANKS.users, id, name, email: '', role: 'admin', created_at };
  const key = { ...BLANKS.keys, id, value: '', name, user_id: id, created_at };
  const caller: Caller = { key, user, workspace };
  return new View(world, caller);
};
