// Changes of records, field by field, for a request and for the comparison of worlds; and the deliveries that a request caused.
import type { Child } from 'hono/jsx';
import { clipText } from '../../mock/control/fault-words.ts';
import { differencesOf, touchedBy } from '../../service/http/differences.ts';
import type { Exchange } from '../../service/http/exchange.ts';
import type { Delivery } from '../../service/webhooks/delivery.ts';
import type { Change } from '../../service/world/world.ts';
import type { Context } from '../context.ts';
import { WordChip } from '../data/cells.tsx';
import { Card, countWords, Mono, Muted, RestCount } from '../parts.tsx';
import { type Column, DataTable, TableCard } from '../table.tsx';
import { buildDeliveryColumns } from './deliveries.tsx';
import { subjectOf } from './webhook-parts.tsx';

const MAX_CHANGES = { records: 10, deliveries: 20, characters: 240 };

const DifferenceSide = ({ value, tone }: { value: unknown; tone: 'before' | 'after' }) => {
  if (value === undefined) return <Muted>—</Muted>;
  const text = clipText(typeof value === 'string' ? value : JSON.stringify(value), MAX_CHANGES.characters);
  const Tag = tone === 'before' ? 'del' : 'ins';
  return (
    <Tag class={`diff-${tone}`}>
      <span class="hidden">{tone === 'before' ? 'was ' : 'is '}</span>
      {text === '' ? '(empty)' : text}
    </Tag>
  );
};

export type ShownDifference = ReturnType<typeof differencesOf>[number];

export const FIELD_COLUMNS: readonly Column<ShownDifference>[] = [
  ['Field', ({ field }) => <code>{field}</code>],
  ['Before', ({ before }) => <DifferenceSide value={before} tone="before" />],
  ['After', ({ after }) => <DifferenceSide value={after} tone="after" />],
];

interface RecordDifferenceProps {
  readonly kind: string;
  readonly collection: string;
  readonly record: Child;
  readonly id: string;
  readonly fields: readonly ShownDifference[];
}

/** Where one side lacks the record, empty fields say nothing. */
export const RecordDifference = ({ kind, collection, record, id, fields }: RecordDifferenceProps) => {
  const isWhole = kind !== 'updated' && kind !== 'changed';
  const name = fields.find(({ field }) => /^(title|name|event|url)$/.test(field));
  const rows = fields.filter(({ before, after }) => !isWhole || (after ?? before ?? null) !== null);
  return (
    <div class="change">
      <p class="row">
        <WordChip word={kind} />
        <span>{collection}</span>
        {record}
        {name ? <Muted>{clipText(String(name.after ?? name.before), 80)}</Muted> : null}
      </p>
      <details class="fold" open={!isWhole}>
        <summary>{countWords(rows.length, 'field')}</summary>
        <DataTable label={`Fields of ${id}`} columns={FIELD_COLUMNS} rows={rows} />
      </details>
    </div>
  );
};

const ChangedRecord = ({ change }: { change: Change }) => {
  const { id, kind } = touchedBy(change);
  const shown = { id, kind, collection: change.name, fields: differencesOf(change) };
  return <RecordDifference {...shown} record={<Mono text={id} />} />;
};

export const drawChanges = ({ changes }: Exchange) => (
  <Card title="What changed" flush={changes.length > 0}>
    {changes.length === 0 ? (
      <p class="muted">Nothing: this request only read, or was refused before it changed anything.</p>
    ) : null}
    {changes.slice(0, MAX_CHANGES.records).map((change) => (
      <ChangedRecord change={change} />
    ))}
    <RestCount of={changes.length} shown={MAX_CHANGES.records} says="more records." />
  </Card>
);

export const listCausedDeliveries = ({ instance }: Context, { changes, at }: Exchange): readonly Delivery[] => {
  if (changes.length === 0) return [];
  const ids = new Set(changes.map(({ before, after }) => (after ?? before)?.id));
  const when = new Set(changes.map((change) => change.at).concat(at));
  const isCaused = (one: Delivery) => ids.has(subjectOf(one).id) && when.has(Date.parse(one.event.created_at));
  return instance.webhooks.deliveries.list().filter(isCaused);
};

export const drawCausedDeliveries = (context: Context, exchange: Exchange) => {
  const rows = listCausedDeliveries(context, exchange);
  const table = { columns: buildDeliveryColumns(context), rows, most: MAX_CHANGES.deliveries, heading: 1, id: () => undefined };
  return rows.length > 0 && <TableCard title="Deliveries" says="Of the events that this request caused." {...table} />;
};
