// Compares two worlds: records field by field, and deliveries.
import { any, array, type Is, integer, object, oneOf, string } from '../../service/contract/schema.ts';
import { differencesOf, type FieldDifference } from '../../service/http/differences.ts';
import type { Delivery } from '../../service/webhooks/delivery.ts';
import type { Row } from '../../service/world/collection.ts';
import { NAMES, type RecordName, type World } from '../../service/world/world.ts';

const DIFFERENCE_KINDS = ['created', 'gone', 'changed'] as const;

export const Different = object({
  id: string({ examples: ['tasks/task_1'] }),
  collection: string({ description: 'The kind of the record, or `deliveries`.' }),
  record: string({ description: 'Its id.' }),
  kind: oneOf(DIFFERENCE_KINDS, { description: 'From the first world to the second.' }),
  fields: array(object({ field: string() }, { before: any('In the first world.'), after: any('In the second.') })),
});
export interface Different extends Omit<Is<typeof Different>, 'fields'> {
  readonly fields: readonly FieldDifference[];
}

export const Difference = {
  from: string({
    description:
      'The id of the first world; `origin`: the second one as it began, with its seed or with the state that it was forked from.',
  }),
  to: string({ description: 'The id of the second.' }),
  created: integer(),
  gone: integer(),
  changed: integer(),
};

export interface Compared {
  readonly id: string;
  readonly world: World;
  readonly deliveries: readonly Delivery[];
}

export interface WorldDiff extends Readonly<{ [F in keyof typeof Difference]: Is<(typeof Difference)[F]> }> {
  readonly items: readonly Different[];
}

const different = (collection: string, before: object | undefined, after: object | undefined): Different[] => {
  const fields = differencesOf({ name: collection as RecordName, before: before as never, after: after as never });
  if (fields.length === 0) return [];
  const { id: record } = (after ?? before) as { readonly id: string };
  const kind = !before ? 'created' : after ? 'changed' : 'gone';
  return [{ id: `${collection}/${record}`, collection, record, kind, fields }];
};

const both = <T>(collection: string, from: ReadonlyMap<string, T>, to: ReadonlyMap<string, T>, of: (one: T) => object) =>
  [...new Set([...from.keys(), ...to.keys()])].flatMap((id) => {
    const [before, after] = [from.get(id), to.get(id)];
    // Forks share unchanged records.
    return before === after ? [] : different(collection, before && of(before), after && of(after));
  });

const recordsIn = ({ world }: Compared, name: RecordName) => new Map(world.store[name].all().map((row) => [row.value.id, row]));
const deliveriesIn = ({ deliveries }: Compared) => new Map(deliveries.map((one) => [one.id, one]));

const inShort = ({ id, event, webhook_id, state, attempts, next_attempt_at }: Delivery) => ({
  id,
  event: event.event,
  webhook_id,
  state,
  attempts: attempts.map(({ status, outcome }) => status ?? outcome),
  next_attempt_at,
});

export const diffOf = (from: Compared, to: Compared): WorldDiff => {
  const records = NAMES.flatMap((name) =>
    both<Row<object>>(name, recordsIn(from, name), recordsIn(to, name), ({ value, workspace }) => ({
      workspace_id: workspace,
      ...value,
    })),
  );
  const items = [...records, ...both('deliveries', deliveriesIn(from), deliveriesIn(to), inShort)];
  const of = (kind: (typeof DIFFERENCE_KINDS)[number]) => items.filter((one) => one.kind === kind).length;
  return { from: from.id, to: to.id, created: of('created'), gone: of('gone'), changed: of('changed'), items };
};
