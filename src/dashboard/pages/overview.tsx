// Overview: where the service is, with which keys, what it holds, and the state as a whole.
import { seedKeys } from '../../mock/control/calls/worlds.ts';
import { MEGABYTE } from '../../mock/control/memory.ts';
import type { Context } from '../context.ts';
import { Person, WordChip } from '../data/cells.tsx';
import { ActionButton, Confirm, PageForm } from '../fields.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { drawCallButtons, ReproButton } from '../page-head.tsx';
import { Card, CodeBlock, Empty, formatNumber, Link, LinkButton, Mono, Muted, pluralizeNoun } from '../parts.tsx';
import { type Column, DataTable } from '../table.tsx';
import { drawLatest } from './latest-requests.tsx';
import { DELIVERIES_PATH } from './webhook-parts.tsx';

const MAX_OVERVIEW = { keys: 12, snapshots: 50, failedWorlds: 5 };

/** The first key for each scope and workspace. */
const pickSeedKeys = ({ instance }: Context) => {
  const firsts = new Map<string, ReturnType<typeof seedKeys>[number]>();
  for (const key of seedKeys(instance)) {
    const of = `${key.workspace_id} ${key.scope}`;
    if (!firsts.has(of)) firsts.set(of, key);
  }
  return [...firsts.values()].slice(0, MAX_OVERVIEW.keys);
};

const buildConnectColumns = (context: Context): readonly Column<ReturnType<typeof pickSeedKeys>[number]>[] => [
  ['Scope', ({ scope }) => <WordChip word={scope} />],
  ['Key', ({ value, scope, workspace_id }) => <Mono text={value} copy={`Copy the ${scope} key of ${workspace_id}`} />],
  [
    'User',
    ({ user_id, workspace_id }) => [
      <Person id={user_id} context={context} />,
      <Muted>, {context.world.workspaces.get(workspace_id)?.name}</Muted>,
    ],
    'nowrap',
  ],
];

const drawConnect = (context: Context) => {
  const { baseUrl } = context;
  const keys = pickSeedKeys(context);
  const key = keys.find(({ scope }) => scope === 'write') ?? keys[0];
  const bearer = `Bearer ${key?.value ?? '<key>'}`;
  const curl = `curl "${baseUrl}/tasks?limit=3" \\\n  -H "Authorization: ${bearer}"`;
  const fetching = `const response = await fetch(\n  '${baseUrl}/tasks?limit=3',\n  { headers: { authorization: '${bearer}' } },\n);\nconst { items, meta } = await response.json();`;
  return (
    <Card title="Connect" says="Point your app at this address. Every origin may call it.">
      <p class="row">
        <Muted>Base URL</Muted>
        <Mono text={baseUrl} copy="Copy the base URL" />
      </p>
      <DataTable label="Keys" columns={buildConnectColumns(context)} rows={keys} heading={-1}>
        <Empty title="No key of the seed works any more">
          Make one under Settings: its value is shown once, when it is made.
        </Empty>
      </DataTable>
      <div class="snippets">
        <CodeBlock text={curl} language="Shell" label="Copy the curl line" />
        <CodeBlock text={fetching} language="JavaScript" label="Copy the fetch call" />
      </div>
    </Card>
  );
};

const drawCounts = ({ world, instance, host, base }: Context) => {
  const records = ['project', 'task', 'user', 'team', 'comment'] as const;
  const tiles = [
    ...records.map((one) => [one, `/dashboard/data/${one}s`, world.store[`${one}s`].size] as const),
    ['webhook', '/dashboard/webhooks', world.store.webhooks.size],
    ['request', '/dashboard/requests', instance.journal.next - 1],
    ['delivery', DELIVERIES_PATH, instance.webhooks.deliveries.size],
    ['world', '/dashboard/worlds', host.list().length + 1],
  ] as const;
  return (
    <section class="tiles" id="counts" data-live="" aria-label="What the world holds">
      {tiles.map(([one, path, count]) => (
        <a class="tile" href={base + path}>
          <span class="tile-number">{formatNumber(count)}</span>
          <span class="tile-label">{pluralizeNoun(count, one)}</span>
        </a>
      ))}
    </section>
  );
};

const drawFailedWorlds = ({ host }: Context) => {
  const failed = host.all().filter(({ about }) => about.outcome === 'failed');
  return (
    <p class="notice bad" id="failed" data-live="">
      {failed.slice(0, MAX_OVERVIEW.failedWorlds).map(({ id, about }) => (
        <>
          Failed: <Link to={`/worlds/${id}/dashboard/requests`} says={about.title ?? id} />
          <br />
        </>
      ))}
    </p>
  );
};

const formatMegabytes = (bytes: number): string => formatNumber(Math.round((10 * bytes) / MEGABYTE) / 10);

/** The budget of what a mock may keep beyond its seed, once a tenth of it is used. */
const MemoryBudget = ({ limit, used }: { limit: number; used: number }) => (
  <p id="memory" data-live="">
    {used < limit / 10 ? null : `${formatMegabytes(limit - used)} of ${formatMegabytes(limit)} MB of the memory budget left`}
  </p>
);

const drawState = (context: Context) => {
  const snapshots = [...context.instance.snapshots.keys()].slice(-MAX_OVERVIEW.snapshots);
  const files = [
    ['state?format=yaml', 'Export seed (YAML)', 'wm-mock.yaml'],
    ['state?format=json', 'JSON', 'wm-mock.json'],
    ['har', 'HAR', 'wm-mock.har'],
  ] as const;
  const says = `Try something, then go back.${context.host.options.recording ? '' : ' Start with --record to save a repro file.'}`;
  return (
    <Card title="State" says={says} id="state" side={drawCallButtons(context, 'overview', 'state')}>
      {snapshots.length > 0 ? (
        <ul class="list">
          {snapshots.map((id) => (
            <li>
              <span class="mono">{id}</span>
              <span class="actions">
                <PageForm context={context} kind="inline" label={`Snapshot ${id}`} hidden={{ id }}>
                  <ActionButton action="restore" says="Restore" label={`Restore ${id}`} />
                  <ActionButton action="forget" says="Forget" kind="quiet" label={`Forget ${id}`} />
                </PageForm>
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">No snapshots yet. One holds data, clock, limits, journal and deliveries, and costs next to nothing.</p>
      )}
      <MemoryBudget limit={context.host.memory.limit} used={context.host.memory.read().used} />
      <div class="actions">
        {files.map(([path, says, name]) => (
          <LinkButton to={context.href(`/_mock/${path}`)} says={says} download={name} />
        ))}
        <ReproButton context={context} says="Save for a bug report" />
        <Confirm context={context} action="reset" ask="Reset to seed…" button="Reset to seed">
          Everything since the start is lost: data, clock, faults, journal.
        </Confirm>
      </div>
    </Card>
  );
};

export const overviewPage: DashboardPage = {
  id: 'overview',
  path: '/',
  title: 'Overview',
  nav: { label: 'Overview', icon: 'overview', key: 'o', group: 'Service' },
  live: ['request', 'delivery', 'clock', 'state'],
  examples: { overview: '/' },
  says: ({ world, instance, host }) => {
    const names = [...world.workspaces.values()].slice(0, 3).map(({ name }) => name);
    const more = world.workspaces.size - names.length;
    const all = more > 0 ? [...names, `${more} more workspaces`] : names;
    const listed = [all.slice(0, -1).join(', '), ...all.slice(-1)].filter(Boolean).join(' and ');
    return `${instance === host.main ? 'The default world' : `World ${instance.id}`} with ${listed}.`;
  },
  parts: [drawFailedWorlds, drawCounts, drawConnect, drawLatest, drawState],
  actions: {
    reset: makeCallAction('reset', 'Back to the seed.'),
    restore: makeCallAction('restoreSnapshot', ({ id }) => `Back at ${id}. The snapshot stays.`),
    forget: makeCallAction('deleteSnapshot', (_, { about }) => `${about} is forgotten.`),
  },
};
