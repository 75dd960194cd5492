// Compare: what is created, gone or changed from one world to another, field by field, and their deliveries.
import { pageOfRows } from '../../mock/control/call.ts';
import { comparedOf } from '../../mock/control/calls/journal.ts';
import { type Different, diffOf } from '../../mock/control/diff.ts';
import { clipText } from '../../mock/control/fault-words.ts';
import type { Instance } from '../../mock/control/instance.ts';
import type { ControlResponse } from '../../mock/control/invoke.ts';
import { rewindWorld } from '../../mock/control/recorder.ts';
import type { Snapshot } from '../../mock/control/snapshot.ts';
import { timelineOf } from '../../mock/control/timeline-entries.ts';
import { getOrMake } from '../../service/contract/keyed.ts';
import type { Context } from '../context.ts';
import { type FieldRow, FilterForm } from '../fields.tsx';
import type { DashboardPage } from '../page.ts';
import { Card, countWords, Empty, Link } from '../parts.tsx';
import { missingProblem } from '../respond.ts';
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

/** None where two moments are compared. */
const WorldsForm = ({ context }: { context: Context }) => {
  const [worlds, own] = [context.host.all().map(({ id }) => id), context.instance.id];
  const fields: readonly FieldRow[] = [
    { name: 'from', label: 'From', value: findParent(context), options: [['', 'as it began'], ...worlds] },
    { name: 'to', label: 'To', options: [['', `${own}, this one`], ...worlds.filter((id) => id !== own)] },
  ];
  return readMoments(context).length === 0 && <FilterForm context={context} label="Choose two worlds" fields={fields} />;
};

const DifferentRecord = ({ context, of: { id, record, ...shown } }: { context: Context; of: Different }) => {
  const to = shown.collection === 'deliveries' ? deliveryHref(context, record) : timelineHref(context, { record });
  return <RecordDifference {...shown} id={id} record={<Link to={to} says={record} kind="link mono" />} />;
};

type DiffPage = ControlResponse<'diff'>;

const MOMENTS = new WeakMap<Instance, Map<number, Promise<Snapshot>>>();

/** The world after an entry of its timeline, replayed once; no world is opened. @throws Problem 404, 409 */
const openMoment = async ({ host, instance }: Context, n: string) => {
  const { recording } = host.options;
  const step = timelineOf(instance, recording)
    .find(({ id }) => id === `t${n}`)
    ?.show().step;
  if (step === undefined)
    throw missingProblem(
      `No recording leads back to no. ${clipText(n, 20)} of the timeline. It was not recorded, or is too long ago.`,
    );
  const moments = getOrMake(MOMENTS, instance, () => new Map());
  const isLast = step === [...(recording?.stepsOf?.(instance.id)?.values() ?? [])].at(-1);
  const { world, webhooks } = isLast ? instance : await getOrMake(moments, step, () => rewindWorld(recording, instance, step));
  return comparedOf({ id: `no. ${n}`, world, webhooks });
};

/** Entries of the timeline that are compared, oldest first, as its form sends them or an address keeps them. */
const readMoments = ({ url }: Context): readonly string[] =>
  url.searchParams
    .getAll('at')
    .flatMap((at) => at.split(','))
    .sort((one, other) => Number(one) - Number(other));

const compareMoments = async (context: Context, [first = '', ...rest]: readonly string[], query: object): Promise<DiffPage> => {
  const last = rest.at(-1);
  const from = await openMoment(context, first);
  const whole = diffOf(from, last === undefined ? comparedOf(context.instance) : await openMoment(context, last));
  return { ...whole, ...context.instance.showing().hidden(pageOfRows(query, whole.items)) } as DiffPage;
};

const drawDiff = (context: Context, { created, gone, changed, items, next_cursor: next }: DiffPage) => {
  const [cursor, at] = [context.query('cursor'), readMoments(context).join()];
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
          back={cursor && [context.here({ at, cursor: undefined }), 'First']}
          next={next && [context.here({ at, cursor: next }), 'More']}
        />
      ) : null}
    </Card>
  );
};

export const comparePage: DashboardPage<DiffPage> = {
  id: 'compare',
  path: '/dashboard/compare',
  title: 'Compare worlds',
  within: 'timeline',
  live: ['request', 'delivery', 'state'],
  examples: { compare: '/dashboard/compare' },
  load: (context) => {
    const moments = readMoments(context);
    const from = findParent(context);
    const query = { ...context.queries('from', 'to', 'cursor'), limit: String(MAX_DIFFERENCES), ...(from && { from }) };
    return moments.length > 0 ? compareMoments(context, moments, query) : context.call('diff', { query });
  },
  says: (_, { from, to, created, gone, changed }) =>
    `From ${from === 'origin' ? `${to} as it began` : from} to ${to}: ${created} created, ${gone} gone, ${changed} changed.`,
  parts: [(context) => <WorldsForm context={context} />, drawDiff],
};
