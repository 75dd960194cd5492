// The data page: the records of one collection, with the filters, sorts and cursors of the service, each opened in its row.
import { Problem } from '../../contract/errors.ts';
import type { Context } from '../context.ts';
import { Icon } from '../icons.tsx';
import type { Action, Page } from '../page.ts';
import { Card, Empty, PageHead, Tabs } from '../parts.tsx';
import { type Collection, typedIn } from './collection.ts';
import { COLLECTIONS } from './collections.ts';
import { New } from './edit.tsx';
import { Filters, Workspaces } from './filters.tsx';
import { listingOf } from './listing.ts';
import { BACK_TO_FIRST, Pager, Rows } from './rows.tsx';

const collectionOf = ({ variable }: Context): Collection => {
  const found = COLLECTIONS.find(({ name }) => name === variable);
  if (!found)
    throw new Problem(
      404,
      'not_found',
      `There is no collection ${JSON.stringify(variable)}: ${COLLECTIONS.map(({ name }) => name).join(', ')}.`,
    );
  return found;
};

const Data = ({ context }: { context: Context }) => {
  const collection = collectionOf(context);
  const listing = listingOf(context, collection);
  const { workspaces, store } = context.world;
  const workspace = context.workspace.id;
  const making = collection.create && (context.query('new') !== undefined || context.failure?.action === 'create');
  return (
    <>
      <PageHead title="Data" says={collection.says}>
        {workspaces.size > 1 ? <Workspaces context={context} /> : null}
        {collection.create && !making ? (
          <a class="button primary" href={context.here({ new: 1, open: undefined })}>
            <Icon name="plus" />
            {collection.create.label}
          </a>
        ) : null}
      </PageHead>
      <Tabs
        label="Collections"
        tabs={COLLECTIONS.map(({ name }) => ({
          label: name,
          to: context.href(`/dashboard/data/${name}`, { workspace }),
          current: name === collection.name,
          count: store[name].list({ equal: [], by: 'created_at', descending: true, nulls: 'last' }, workspace, []).total,
        }))}
      />
      {making ? <New context={context} collection={collection} /> : null}
      <Filters context={context} collection={collection} />
      <Card live="rows" flush>
        {listing.problem ? (
          <div class="notice bad" role="alert">
            <p class="strong">The list cannot be read.</p>
            <p>{listing.problem.message}</p>
          </div>
        ) : listing.rows.length > 0 ? (
          <>
            <Rows context={context} collection={collection} listing={listing} />
            <Pager context={context} listing={listing} />
          </>
        ) : filtered(context) ? (
          <Empty title={`No ${collection.one} fits`}>
            Nothing in this workspace has what you ask for.{' '}
            <a href={context.href(context.path, { workspace })}>Show all {collection.name}</a>.
          </Empty>
        ) : (
          <Empty title={`There are no ${collection.name} yet`} curl={collection.empty.curl(context)}>
            {collection.empty.says}
          </Empty>
        )}
      </Card>
    </>
  );
};

const filtered = ({ url }: Context): boolean =>
  [...url.searchParams].some(
    ([name, value]) => value !== '' && (/^filter\[/.test(name) || name === 'id' || name === 'task_id' || name === 'cursor'),
  );

const recordOf = (context: Context, collection: Collection, form: URLSearchParams) => {
  const id = form.get('id') ?? '';
  if (id === '') throw new Problem(400, 'validation_error', `The form names no ${collection.one}. Load the page again.`);
  const row = context.viewOf(context.workspace.id).find(collection.name, id);
  if (!row) throw new Problem(404, 'not_found', `The ${collection.one} ${id} is gone: somebody has deleted it.`);
  return row.value;
};

const act =
  (run: (collection: Collection, context: Context, form: URLSearchParams) => ReturnType<Action>): Action =>
  (context, form) =>
    run(collectionOf(context), context, form);

export const data: Page = {
  id: 'data',
  path: '/dashboard/data/{collection}',
  title: 'Data',
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
  render: (context) => <Data context={context} />,
  actions: {
    create: act(async (collection, context, form) => {
      if (!collection.create) throw new Problem(404, 'not_found', `Nobody can create ${collection.name} here.`);
      const done = await collection.create.run(context, typedIn(form, collection.fields(context)));
      return { to: context.here(BACK_TO_FIRST), ...done };
    }),
    update: act((collection, context, form) => {
      if (!collection.update) throw new Problem(404, 'not_found', `Nobody can change ${collection.name} here.`);
      const record = recordOf(context, collection, form);
      const fields = collection.fields(context, record as never);
      return collection.update(context, record as never, typedIn(form, fields, record as never));
    }),
    delete: act(async (collection, context, form) => {
      if (!collection.remove) throw new Problem(404, 'not_found', `Nobody can delete ${collection.name} here.`);
      const done = await collection.remove.run(context, recordOf(context, collection, form) as never);
      return { to: context.here({ open: undefined, id: undefined }), ...done };
    }),
    join: async (context, form) => {
      const { name } = await context.call('joinMember', { variable: form.get('id') ?? '' });
      return { says: `${name} has joined.` };
    },
  },
};
