// The type of a handler: a synchronous function from a view and a checked input to an output.
import type { FieldIssue } from '../../contract/errors.ts';
import type { Body, OPERATIONS, OperationId, Output } from '../../contract/operations.ts';
import type { PageOf } from '../../lists/page.ts';
import type { ListQuery } from '../../lists/query.ts';
import type { Row } from '../../world/collection.ts';
import type { View } from '../../world/view.ts';
import type { Records } from '../../world/world.ts';

type OperationTable = typeof OPERATIONS;

type FoundRow<Id extends OperationId> = OperationTable[Id] extends { finds: infer N extends keyof Records }
  ? Row<Records[N]>
  : undefined;

export interface HandlerInput<Id extends OperationId> {
  readonly found: FoundRow<Id>;
  readonly query: OperationTable[Id] extends { list: unknown } ? ListQuery : undefined;
  readonly body: Body<Id>;
}

/** The output of an operation, before it is put into its envelope. */
export type HandlerOutput<Id extends OperationId> =
  Output<Id> extends { readonly items: readonly (infer T)[] }
    ? PageOf<T>
    : Output<Id> extends { readonly data: infer T }
      ? T
      : undefined;

export type Handler<Id extends OperationId> = (view: View, input: HandlerInput<Id>) => HandlerOutput<Id>;

/** One handler an operation: leave one out and it does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** Rules about a body that need the world; they are shown only the fields that are sound in themselves. */
export type BodyRules = {
  readonly [Id in OperationId]?: (view: View, body: Partial<NonNullable<Body<Id>>>) => readonly FieldIssue[];
};
