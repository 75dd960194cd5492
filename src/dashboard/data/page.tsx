// The data page: the records of one collection, with the filters, sorts and cursors of the service, each opened in its row.
import { clipText } from '../../mock/control/fault-words.ts';
import { singularOf } from '../../mock/control/record-types.ts';
import { Problem } from '../../service/contract/errors.ts';
import type { Context } from '../context.ts';
import { type FieldRow, FilterForm, WorkspaceChooser } from '../fields.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Empty, formatNumber, LinkButton, RefusedNotice, Tabs } from '../parts.tsx';
import { missingProblem } from '../respond.ts';
import { type CollectionTab, findPatch, listEditableFields, NEWEST_FIRST, readTyped } from './collection.ts';
import { COLLECTION_TABS } from './collections.tsx';
import { labelOf, makeFilters } from './derived.tsx';
import { type RecordListing, readListing } from './listing.ts';
import { buildPostLine, drawNewRecord, FIRST_PAGE, RecordTable } from './rows.tsx';

const findTab = ({ asked: { variable } }: Context): CollectionTab => {
  const found = COLLECTION_TABS.find(({ name }) => name === variable);
  if (!found)
    throw missingProblem(
      `There is no collection ${JSON.stringify(variable)}: ${COLLECTION_TABS.map(({ name }) => name).join(', ')}.`,
    );
  return found;
};

const searchField = ({ name }: CollectionTab): FieldRow => ({
  name: 'q',
  label: `Find ${name}`,
  searches: true,
  width: 'grow wider',
  placeholder: `${{ tasks: 'Title', comments: 'Text' }[name as string] ?? 'Name'} or id`,
});

const drawTabs = (context: Context, { name: current }: CollectionTab) => {
  const { id: workspace } = context.workspace;
  const tabOf = ({ name }: CollectionTab) => ({
    label: name,
    to: context.href(`/dashboard/data/${name}`, { workspace }),
    current: name === current,
    count: context.world.store[name].list(NEWEST_FIRST, workspace, []).total,
  });
  return <Tabs label="Collections" tabs={COLLECTION_TABS.map(tabOf)} />;
};

const drawFilters = (context: Context, collection: CollectionTab) => (
  <FilterForm
    context={context}
    label={`Filter ${collection.name}`}
    fields={[...makeFilters(collection, context), searchField(collection)]}
    kept={{ workspace: context.workspace.id, ...context.queries('sort', 'limit', 'task_id') }}
    narrowed={Boolean(context.query('task_id'))}
  />
);

const drawRecords = (context: Context, collection: CollectionTab) => {
  const { name, empty } = collection;
  const { curl, before } = buildPostLine(context, collection);
  const listing = readListing(context, collection);
  return (
    <Card live="rows" flush>
      {drawStrange(context, collection, listing)}
      {listing.problem ? (
        <RefusedNotice title="The list cannot be read." lines={[listing.problem.message]} />
      ) : listing.beside || listing.rows.length > 0 ? (
        <RecordTable context={context} collection={collection} listing={listing} />
      ) : isFiltered(context) ? (
        <Empty title={`No ${singularOf(name)} fits`}>
          Nothing in this workspace has what you ask for.{' '}
          <a href={context.href(context.asked.path, { workspace: context.workspace.id })}>Show all {name}</a>.
        </Empty>
      ) : (
        <Empty title={`There are no ${name} yet`} curl={before ? undefined : curl}>
          {before ?? empty.says ?? 'Create one above, or send it from your app:'}
        </Empty>
      )}
    </Card>
  );
};

/** Says where a record is that the address names and the list lacks. */
const drawStrange = (context: Context, { name }: CollectionTab, { strange }: RecordListing) => {
  if (!strange) return null;
  const { id, workspace } = strange;
  const words =
    workspace === undefined
      ? `There is no ${singularOf(name)} ${clipText(id, 60)}: it was deleted, or never was.`
      : [
          `${id} is in ${context.world.workspaces.get(workspace)?.name}. `,
          <a href={context.href(context.asked.path, { workspace, id })}>Open it there</a>,
        ];
  return (
    <p class="notice warn" role="status">
      {words}
    </p>
  );
};

const isFiltered = ({ url }: Context): boolean =>
  [...url.searchParams].some(([name, value]) => value !== '' && /^(filter\[.*|id|q|task_id|cursor)$/s.test(name));

const findFormRecord = (context: Context, collection: CollectionTab, form: URLSearchParams) => {
  const id = form.get('id') ?? '';
  if (id === '')
    throw new Problem(400, 'validation_error', `The form names no ${singularOf(collection.name)}. Load the page again.`);
  const row = context.viewOf(context.workspace.id).find(collection.name, id);
  if (!row) throw missingProblem(`The ${singularOf(collection.name)} ${id} is gone: it has been deleted.`);
  return row.value;
};

const MAX_CREATED = 1000;

export const data: DashboardPage<CollectionTab> = {
  id: 'data',
  path: '/dashboard/data/{collection}',
  title: 'Data',
  titled: (context) => [context.query('open') ?? context.query('id') ?? [], labelOf(context.asked.variable)].flat().join(' · '),
  nav: { label: 'Data', icon: 'data', key: 'd', group: 'Service', to: '/dashboard/data/tasks' },
  live: ['state'],
  examples: {
    'data-projects': '/dashboard/data/projects',
    'data-tasks': '/dashboard/data/tasks',
    'data-task-open': '/dashboard/data/tasks?id=task_launch_date',
    'data-task-new': '/dashboard/data/tasks?new=1',
    'data-users': '/dashboard/data/users',
    'data-teams': '/dashboard/data/teams?open=team_launch',
    'data-comments': '/dashboard/data/comments?workspace=ws_globex',
    'data-none': '/dashboard/data/tasks?filter%5Bstatus%5D=done&id=task_nowhere',
  },
  load: findTab,
  says: (_, { says }) => says,
  side: (context, { create }) => [
    <WorkspaceChooser context={context} />,
    !context.isMaking('create') && (
      <LinkButton to={context.here({ new: 1, open: undefined })} says={create.label} kind="primary" icon="plus" />
    ),
  ],
  parts: [drawTabs, (context, tab) => context.isMaking('create') && drawNewRecord(context, tab), drawFilters, drawRecords],
  actions: {
    create: async (context, form) => {
      const { name, create, fields } = findTab(context);
      const typed = readTyped(form, fields(context));
      const [to, done] = [context.here(FIRST_PAGE), create.done ?? 'created'];
      const count = Math.min(MAX_CREATED, Math.floor(Number(form.get('count'))) || 1);
      if (count < 2) return { to, says: `${(await create.run(context, typed)).id} is ${done}.` };
      // The longest text first: if one is refused, none is made.
      for (let n = count; n > 0; n--) await create.run(context, { ...typed, title: `${typed.title ?? ''} ${n}`.trim() });
      return { to, says: `${formatNumber(count)} ${name} are ${done}.` };
    },
    update: async (context, form) => {
      const tab = findTab(context);
      const patch = findPatch(tab.name, context);
      if (!patch) throw missingProblem(`Records of ${tab.name} cannot be changed here.`);
      const record = findFormRecord(context, tab, form);
      const sent = listEditableFields(tab, context).filter(({ name, multiple }) => multiple || form.has(name));
      await context.perform(patch, { variable: record.id, body: readTyped(form, sent, record as never) });
      return { says: `${record.id} is updated.` };
    },
    delete: async (context, form) => {
      const { name, remove } = findTab(context);
      if (!remove) throw missingProblem(`Records of ${name} cannot be deleted here.`);
      const { id } = findFormRecord(context, findTab(context), form);
      await remove.run(context, id);
      return { to: context.here({ open: undefined, id: undefined }), says: `${id} is ${remove.done ?? 'deleted'}.` };
    },
    join: makeCallAction(
      'updateUserRecord',
      ({ name }) => `${name} has joined.`,
      () => ({ body: { state: 'joined' } }),
    ),
  },
};
