// Overview: where the service is, with which keys, what it holds, and the state as a whole.
import type { World } from '../../world/world.ts';
import type { Context } from '../context.ts';
import { Person, Word } from '../data/cells.tsx';
import { calling, type Page } from '../page.ts';
import { Card, Code, Empty, Link, Mono, named, PageHead } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';
import { DELIVERIES } from './webhook-parts.tsx';
import { State } from './worlds.tsx';

const MOST_KEYS = 12;
const LISTED = new Intl.ListFormat('en-GB');

/** One working key of each scope of each workspace, of those that the seed named: values that were made later are shown once only. */
const keysOf = (origin: World, now: World) => {
  const firsts = new Map<string, ReturnType<typeof origin.store.keys.all>[number]>();
  for (const key of origin.store.keys.all()) {
    const of = `${key.workspace} ${key.value.scope}`;
    if (now.store.keys.get(key.value.id)?.value.revoked === false && !firsts.has(of)) firsts.set(of, key);
  }
  return [...firsts.values()].slice(0, MOST_KEYS);
};

const columnsOf = (context: Context): readonly Column<ReturnType<typeof keysOf>[number]>[] => [
  ['Scope', ({ value: { scope } }) => <Word word={scope} />],
  ['Key', ({ value: { value, scope }, workspace }) => <Mono text={value} copy={`Copy the ${scope} key of ${workspace}`} />],
  [
    'Whose',
    ({ value: { user_id }, workspace }) => (
      <>
        <Person id={user_id} context={context} />
        <span class="muted">, {context.world.workspaces.get(workspace)?.name}</span>
      </>
    ),
    'nowrap',
  ],
];

const Connect = ({ context }: { context: Context }) => {
  const { world, baseUrl } = context;
  const keys = keysOf(context.instance.origin.world, world);
  const key = keys.find(({ value }) => value.scope === 'write') ?? keys[0];
  const curl = `curl "${baseUrl}/tasks?limit=3" \\\n  -H "Authorization: Bearer ${key?.value.value ?? '<key>'}"`;
  const fetching = `const answer = await fetch(\n  '${baseUrl}/tasks?limit=3',\n  { headers: { authorization: 'Bearer ${key?.value.value ?? '<key>'}' } },\n);\nconst { items, meta } = await answer.json();`;
  return (
    <Card title="Connect" says="Point your app at this address. Every origin may call it.">
      <p class="row base-url">
        <span class="muted">Base URL</span>
        <Mono text={baseUrl} copy="Copy the base URL" />
      </p>
      {keys.length > 0 ? (
        <Table label="Keys" columns={columnsOf(context)} rows={keys} />
      ) : (
        <Empty title="No key of the seed works any more">
          Make one under Settings: its value is shown once, when it is made.
        </Empty>
      )}
      <div class="snippets">
        <Code text={curl} language="Shell" label="Copy the curl line" />
        <Code text={fetching} language="JavaScript" label="Copy the fetch call" />
      </div>
    </Card>
  );
};

const Counts = ({ context }: { context: Context }) => {
  const { world, instance } = context;
  const records = (['project', 'task', 'user', 'team', 'comment'] as const).map((one) => {
    return [one, `/dashboard/data/${one}s`, world.store[`${one}s`].size] as const;
  });
  const tiles = [
    ...records,
    ['webhook', '/dashboard/webhooks', world.store.webhooks.size],
    ['request', '/dashboard/requests', instance.journal.next - 1],
    ['delivery', DELIVERIES, instance.webhooks.deliveries.size],
    ['world', '/dashboard/worlds', context.host.list().length + 1],
  ] as const;
  return (
    <section class="tiles" id="counts" data-live="" aria-label="What the world holds">
      {tiles.map(([one, path, count]) => (
        <a class="tile" href={context.href(path)}>
          <span class="tile-number">{count.toLocaleString('en')}</span>
          <span class="tile-label">{named(count, one)}</span>
        </a>
      ))}
    </section>
  );
};

const MOST_FAILED = 5;

/** The worlds whose tests have failed, the newest first: what was asked in each. */
const Failed = ({ context: { host } }: { context: Context }) => {
  const failed = host.all().filter(({ about }) => about.outcome === 'failed');
  return (
    <p class="notice bad" id="failed" data-live="">
      {failed.slice(0, MOST_FAILED).map(({ id, about }) => (
        <>
          Failed: <Link to={`/worlds/${id}/dashboard/requests`} says={about.title ?? id} />
          <br />
        </>
      ))}
    </p>
  );
};

const Overview = ({ context }: { context: Context }) => {
  const { world, instance, host } = context;
  const names = [...world.workspaces.values()].slice(0, 3).map(({ name }) => name);
  const more = world.workspaces.size - names.length;
  return (
    <>
      <PageHead
        title="Overview"
        says={`${instance === host.main ? 'The default world' : `World ${instance.id}`} with ${LISTED.format(more > 0 ? [...names, `${more} more workspaces`] : names)}.`}
      />
      <Failed context={context} />
      <Counts context={context} />
      <Connect context={context} />
      <State context={context} />
    </>
  );
};

export const overview: Page = {
  id: 'overview',
  path: '/',
  title: 'Overview',
  nav: { label: 'Overview', icon: 'overview', key: 'o', group: 'Service' },
  live: ['request', 'delivery', 'clock', 'state'],
  examples: { overview: '/' },
  render: (context) => <Overview context={context} />,
  actions: {
    reset: calling('reset', () => 'Back to the seed.'),
    snapshot: calling('createSnapshot', ({ id }) => `Saved as ${id}.`),
    restore: calling('restoreSnapshot', ({ id }) => `Back at ${id}. The snapshot stays.`),
    forget: calling('deleteSnapshot', (_, { about }) => `${about} is forgotten.`),
  },
};
