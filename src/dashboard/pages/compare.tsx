// Compare: what is created, gone or changed from one world to another, field by field, and their deliveries.
import type { Different } from '../../mock/control/diff.ts';
import type { Context } from '../context.ts';
import { type FieldRow, FilterForm } from '../fields.tsx';
import type { DashboardPage } from '../page.ts';
import { Card, countWords, Empty, Link, PageHead } from '../parts.tsx';
import { Pager } from '../table.tsx';
import { RecordDifference } from './request-changes.tsx';
import { timelineHref } from './timeline.tsx';
import { deliveryHref } from './webhook-parts.tsx';

const MAX_DIFFERENCES = 25;

const buildCompareFields = ({ host, instance }: Context): readonly FieldRow[] => {
  const worlds = host.all().map(({ id }) => id);
  return [
    { name: 'from', label: 'From', options: [['', 'as it began'], ...worlds] },
    { name: 'to', label: 'To', options: [['', `${instance.id}, this one`], ...worlds.filter((id) => id !== instance.id)] },
  ];
};

const DifferentRecord = ({ context, of: { id, record, ...shown } }: { context: Context; of: Different }) => {
  const to = shown.collection === 'deliveries' ? deliveryHref(context, record) : timelineHref(context, { record });
  return <RecordDifference {...shown} label={`What differs in ${id}`} record={<Link to={to} says={record} kind="link mono" />} />;
};

const renderCompare = async (context: Context) => {
  const choice = context.queries('from', 'to', 'cursor');
  const query = { ...choice, limit: String(MAX_DIFFERENCES) };
  const { from, to, created, gone, changed, items, next_cursor: next } = await context.call('diff', { query });
  return (
    <>
      <PageHead
        title="Compare worlds"
        says={`From ${choice.from ? from : `${to} as it began`} to ${to}: ${created} created, ${gone} gone, ${changed} changed.`}
      />
      <FilterForm context={context} label="Choose two worlds" fields={buildCompareFields(context)} says="Compare" />
      <Card title={countWords(created + gone + changed, 'difference')} live="differences" flush={items.length > 0}>
        {items.length === 0 ? (
          <Empty title="Nothing differs">Records, keys, registrations and deliveries are the same in both.</Empty>
        ) : (
          items.map((one) => <DifferentRecord context={context} of={one as Different} />)
        )}
        {next || choice.cursor ? (
          <Pager
            says="Records first, then deliveries."
            back={choice.cursor && [context.here({ cursor: undefined }), 'First']}
            next={next && [context.here({ cursor: next }), 'More']}
          />
        ) : null}
      </Card>
    </>
  );
};

export const comparePage: DashboardPage = {
  id: 'compare',
  path: '/dashboard/compare',
  title: 'Compare worlds',
  live: ['request', 'delivery', 'state'],
  examples: { compare: '/dashboard/compare' },
  render: renderCompare,
};
