// Overview: where the service is, with which keys, what it holds, and the state as a whole.
import { type HostMemory, MEGABYTE } from '../../mock/control/memory.ts';
import type { World } from '../../service/world/world.ts';
import { Gauge } from '../clock-bar.tsx';
import type { Context } from '../context.ts';
import { Person, WordChip } from '../data/cells.tsx';
import { ActionButton, Confirm, PageForm } from '../fields.tsx';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Card, CodeBlock, Empty, formatNumber, Link, LinkButton, Mono, Muted, PageHead, pluralizeNoun } from '../parts.tsx';
import { type Column, DataTable } from '../table.tsx';
import { DELIVERIES_PATH } from './webhook-parts.tsx';

const MAX_CONNECT_KEYS = 12;
const MAX_SNAPSHOT_ROWS = 50;
const MAX_FAILED_WORLDS = 5;
const NAME_LIST_FORMAT = new Intl.ListFormat('en-GB');

/** One working key for each scope and workspace, from the seed alone: later values are shown only once. */
const pickSeedKeys = (origin: World, now: World) => {
  const firsts = new Map<string, ReturnType<typeof origin.store.keys.all>[number]>();
  for (const key of origin.store.keys.all()) {
    const of = `${key.workspace} ${key.value.scope}`;
    if (now.store.keys.get(key.value.id)?.value.revoked === false && !firsts.has(of)) firsts.set(of, key);
  }
  return [...firsts.values()].slice(0, MAX_CONNECT_KEYS);
};

const buildConnectColumns = (context: Context): readonly Column<ReturnType<typeof pickSeedKeys>[number]>[] => [
  ['Scope', ({ value: { scope } }) => <WordChip word={scope} />],
  ['Key', ({ value: { value, scope }, workspace }) => <Mono text={value} copy={`Copy the ${scope} key of ${workspace}`} />],
  [
    'User',
    ({ value: { user_id }, workspace }) => (
      <>
        <Person id={user_id} context={context} />
        <Muted>, {context.world.workspaces.get(workspace)?.name}</Muted>
      </>
    ),
    'nowrap',
  ],
];

const ConnectCard = ({ context }: { context: Context }) => {
  const { world, baseUrl } = context;
  const keys = pickSeedKeys(context.instance.origin.world, world);
  const key = keys.find(({ value }) => value.scope === 'write') ?? keys[0];
  const bearer = `Bearer ${key?.value.value ?? '<key>'}`;
  const curl = `curl "${baseUrl}/tasks?limit=3" \\\n  -H "Authorization: ${bearer}"`;
  const fetching = `const answer = await fetch(\n  '${baseUrl}/tasks?limit=3',\n  { headers: { authorization: '${bearer}' } },\n);\nconst { items, meta } = await answer.json();`;
  return (
    <Card title="Connect" says="Point your app at this address. Every origin may call it.">
      <p class="row">
        <Muted>Base URL</Muted>
        <Mono text={baseUrl} copy="Copy the base URL" />
      </p>
      <DataTable label="Keys" columns={buildConnectColumns(context)} rows={keys}>
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

const CountTiles = ({ context }: { context: Context }) => {
  const { world, instance } = context;
  const records = ['project', 'task', 'user', 'team', 'comment'] as const;
  const tiles = [
    ...records.map((one) => [one, `/dashboard/data/${one}s`, world.store[`${one}s`].size] as const),
    ['webhook', '/dashboard/webhooks', world.store.webhooks.size],
    ['request', '/dashboard/requests', instance.journal.next - 1],
    ['delivery', DELIVERIES_PATH, instance.webhooks.deliveries.size],
    ['world', '/dashboard/worlds', context.host.list().length + 1],
  ] as const;
  return (
    <section class="tiles" id="counts" data-live="" aria-label="What the world holds">
      {tiles.map(([one, path, count]) => (
        <a class="tile" href={context.href(path)}>
          <span class="tile-number">{formatNumber(count)}</span>
          <span class="tile-label">{pluralizeNoun(count, one)}</span>
        </a>
      ))}
    </section>
  );
};

const FailedWorlds = ({ context: { host } }: { context: Context }) => (
  <p class="notice bad" id="failed" data-live="">
    {host
      .all()
      .filter(({ about }) => about.outcome === 'failed')
      .slice(0, MAX_FAILED_WORLDS)
      .map(({ id, about }) => (
        <>
          Failed: <Link to={`/worlds/${id}/dashboard/requests`} says={about.title ?? id} />
          <br />
        </>
      ))}
  </p>
);

const formatMegabytes = (bytes: number): string => (bytes / MEGABYTE).toLocaleString('en', { maximumFractionDigits: 1 });

/** The budget of what a mock may keep beyond its seed. */
const MemoryBudget = ({ memory }: { memory: HostMemory }) => {
  const { limit } = memory;
  const { used, by } = memory.read();
  const use = Object.entries(by).filter(([, bytes]) => bytes >= MEGABYTE / 20);
  const remaining = Math.max(0, limit - used);
  return (
    <p class="row" id="memory" data-live="">
      <span class="wide-gauge">
        <Gauge spent={{ limit, remaining }} />
      </span>
      {formatMegabytes(remaining)} of {formatMegabytes(limit)} MB of the memory budget left
      {use.length > 0 ? <Muted>{use.map(([name, bytes]) => `${name} ${formatMegabytes(bytes)}`).join(', ')}</Muted> : null}
    </p>
  );
};

const StateCard = ({ context }: { context: Context }) => {
  const snapshots = [...context.instance.snapshots.keys()].slice(-MAX_SNAPSHOT_ROWS);
  const exported = (format: string) => context.href('/_mock/state', { format });
  return (
    <Card
      title="State"
      says="Try something, then go back."
      id="state"
      side={
        <PageForm context={context} inline label="Snapshot">
          <ActionButton action="snapshot" says="Snapshot" />
        </PageForm>
      }
    >
      {snapshots.length > 0 ? (
        <ul class="list">
          {snapshots.map((id) => (
            <li>
              <span class="mono">{id}</span>
              <span class="actions">
                <PageForm context={context} inline label={`Snapshot ${id}`} hidden={{ id }}>
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
      <MemoryBudget memory={context.host.memory} />
      <div class="actions">
        <LinkButton to={exported('yaml')} says="Export seed (YAML)" download="wm-mock.yaml" />
        <LinkButton to={exported('json')} says="JSON" download="wm-mock.json" />
        <LinkButton to={context.href('/_mock/har')} says="HAR" download="wm-mock.har" />
        {context.host.options.recording ? (
          <LinkButton to={context.href('/_mock/repro')} says="Save for a bug report" download="bug.wm.json" />
        ) : null}
        <Confirm context={context} action="reset" ask="Reset to seed…" button="Reset to seed">
          Everything since the start is lost: data, clock, faults, journal.
        </Confirm>
      </div>
    </Card>
  );
};

const renderOverview = (context: Context) => {
  const { world, instance, host } = context;
  const names = [...world.workspaces.values()].slice(0, 3).map(({ name }) => name);
  const more = world.workspaces.size - names.length;
  return (
    <>
      <PageHead
        title="Overview"
        says={`${instance === host.main ? 'The default world' : `World ${instance.id}`} with ${NAME_LIST_FORMAT.format(more > 0 ? [...names, `${more} more workspaces`] : names)}.`}
      />
      <FailedWorlds context={context} />
      <CountTiles context={context} />
      <ConnectCard context={context} />
      <StateCard context={context} />
    </>
  );
};

export const overviewPage: DashboardPage = {
  id: 'overview',
  path: '/',
  title: 'Overview',
  nav: { label: 'Overview', icon: 'overview', key: 'o', group: 'Service' },
  live: ['request', 'delivery', 'clock', 'state'],
  examples: { overview: '/' },
  render: renderOverview,
  actions: {
    reset: makeCallAction('reset', 'Back to the seed.'),
    snapshot: makeCallAction('createSnapshot', ({ id }) => `Saved as ${id}.`),
    restore: makeCallAction('restoreSnapshot', ({ id }) => `Back at ${id}. The snapshot stays.`),
    forget: makeCallAction('deleteSnapshot', (_, { about }) => `${about} is forgotten.`),
  },
};
