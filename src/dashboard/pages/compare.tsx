// Compare: what is created, gone or changed from one world to another, field by field, and their deliveries.
import type { Different } from '../../mock/control/diff.ts';
import type { ControlResponse } from '../../mock/control/invoke.ts';
import type { Context } from '../context.ts';
import { type FieldRow, FilterForm } from '../fields.tsx';
import type { DashboardPage } from '../page.ts';
import { Card, countWords, Empty, Link } from '../parts.tsx';
import { Pager } from '../table.tsx';
import { RecordDifference } from './request-changes.tsx';
import { timelineHref } from './timeline.tsx';
import { deliveryHref } from './webhook-parts.tsx';
import { PARENTS } from './world-list.tsx';

const MAX_DIFFERENCES = 25;

/** The world that this one is a copy of, where nothing else is chosen and it is still there. */
const findParent = ({ host, instance, url: { searchParams } }: Context): string | undefined => {
  const parent = searchParams.has('from') || searchParams.has('to') ? undefined : PARENTS.get(instance);
  return parent && host.all().includes(parent) ? parent.id : undefined;
};

const buildCompareFields = (context: Context): readonly FieldRow[] => {
  const { host, instance } = context;
  const worlds = host.all().map(({ id }) => id);
  return [
    { name: 'from', label: 'From', value: findParent(context), options: [['', 'as it began'], ...worlds] },
    { name: 'to', label: 'To', options: [['', `${instance.id}, this one`], ...worlds.filter((id) => id !== instance.id)] },
  ];
};

const DifferentRecord = ({ context, of: { id, record, ...shown } }: { context: Context; of: Different }) => {
  const to = shown.collection === 'deliveries' ? deliveryHref(context, record) : timelineHref(context, { record });
  return <RecordDifference folded {...shown} id={id} record={<Link to={to} says={record} kind="link mono" />} />;
};

type DiffPage = ControlResponse<'diff'>;

const drawDiff = (context: Context, { created, gone, changed, items, next_cursor: next }: DiffPage) => {
  const cursor = context.query('cursor');
  return (
    <Card title={countWords(created + gone + changed, 'difference')} live="differences" flush={items.length > 0}>
      {items.length === 0 ? (
        <Empty title="Nothing differs">Records, keys, registrations and deliveries are the same in both.</Empty>
      ) : (
        items.map((one) => <DifferentRecord context={context} of={one as Different} />)
      )}
      {next || cursor ? (
        <Pager
          says="Records first, then deliveries."
          back={cursor && [context.here({ cursor: undefined }), 'First']}
          next={next && [context.here({ cursor: next }), 'More']}
        />
      ) : null}
    </Card>
  );
};

export const comparePage: DashboardPage<DiffPage> = {
  id: 'compare',
  path: '/dashboard/compare',
  title: 'Compare worlds',
  live: ['request', 'delivery', 'state'],
  examples: { compare: '/dashboard/compare' },
  load: (context) => {
    const from = findParent(context);
    const query = { ...context.queries('from', 'to', 'cursor'), limit: String(MAX_DIFFERENCES), ...(from && { from }) };
    return context.call('diff', { query });
  },
  says: (context, { to, created, gone, changed }) =>
    `From ${context.query('from') ?? findParent(context) ?? `${to} as it began`} to ${to}: ${created} created, ${gone} gone, ${changed} changed.`,
  parts: [(context) => <FilterForm context={context} label="Choose two worlds" fields={buildCompareFields(context)} />, drawDiff],
};
