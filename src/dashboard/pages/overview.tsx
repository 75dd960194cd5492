// Overview: where the service is, with which keys, what it holds, and the state as a whole.
import type { World } from '../../world/world.ts';
import type { Context } from '../context.ts';
import type { Page } from '../page.ts';
import { Card, Chip, Code, Empty, Mono, PageHead, Table } from '../parts.tsx';
import { State, Worlds } from './worlds.tsx';

const MOST_KEYS = 12;
const LISTED = new Intl.ListFormat('en-GB');
/** How scopes stand out. */
export const SCOPE_TONES = { read: 'plain', write: 'info', admin: 'warn' } as const;

/** One working key of each scope of each workspace, of those that the seed named: values that were made later are shown once only. */
const keysOf = (origin: World, now: World) => {
  const seen = new Set<string>();
  return origin.store.keys
    .all()
    .filter(({ value, workspace }) => {
      const fresh =
        !value.revoked && now.store.keys.get(value.id)?.value.revoked === false && !seen.has(`${workspace} ${value.scope}`);
      if (fresh) seen.add(`${workspace} ${value.scope}`);
      return fresh;
    })
    .slice(0, MOST_KEYS);
};

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
        <Table label="Keys" columns={['Scope', 'Key', 'Whose']}>
          {keys.map(({ value, workspace }) => (
            <tr>
              <td>
                <Chip tone={SCOPE_TONES[value.scope]}>{value.scope}</Chip>
              </td>
              <td>
                <Mono text={value.value} copy={`Copy the ${value.scope} key of ${workspace}`} />
              </td>
              <td class="nowrap">
                {world.store.users.get(value.user_id)?.value.name ?? value.user_id}
                <span class="muted">, {world.workspaces.get(workspace)?.name}</span>
              </td>
            </tr>
          ))}
        </Table>
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

const COUNTED = ['projects', 'tasks', 'users', 'teams', 'comments'] as const;

const Counts = ({ context }: { context: Context }) => {
  const { store } = context.world;
  return (
    <section class="tiles" id="counts" data-live="" aria-label="What the world holds">
      {COUNTED.map((name) => (
        <a class="tile" href={context.href(`/dashboard/data/${name}`)}>
          <span class="tile-number">{store[name].size.toLocaleString('en')}</span>
          <span class="tile-label">{name}</span>
        </a>
      ))}
      <a class="tile" href={context.href('/dashboard/webhooks')}>
        <span class="tile-number">{store.webhooks.size.toLocaleString('en')}</span>
        <span class="tile-label">webhooks</span>
      </a>
      <a class="tile" href={context.href('/dashboard/requests')}>
        <span class="tile-number">{(context.instance.journal.next - 1).toLocaleString('en')}</span>
        <span class="tile-label">requests</span>
      </a>
      <a class="tile" href={context.href('/dashboard/webhooks')}>
        <span class="tile-number">{context.instance.webhooks.deliveries.size.toLocaleString('en')}</span>
        <span class="tile-label">deliveries</span>
      </a>
    </section>
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
      <Counts context={context} />
      <Connect context={context} />
      <div class="columns">
        <State context={context} />
        <Worlds context={context} />
      </div>
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
    reset: async (context) => {
      await context.call('reset');
      return { says: 'Back to the seed.' };
    },
    snapshot: async (context) => {
      const { id } = await context.call('createSnapshot');
      return { says: `Saved as ${id}.` };
    },
    restore: async (context, form) => {
      const { id } = await context.call('restoreSnapshot', { variable: form.get('id') ?? '' });
      return { says: `Back at ${id}. The snapshot stays.` };
    },
    forget: async (context, form) => {
      const id = form.get('id') ?? '';
      await context.call('deleteSnapshot', { variable: id });
      return { says: `${id} is forgotten.` };
    },
    createWorld: async (context, form) => {
      const id = form.get('id')?.trim() ?? '';
      const body = {
        ...(id === '' ? {} : { id }),
        from: form.get('from') ?? 'current',
        mint_keys: form.get('mint_keys') === 'yes',
      };
      const made = await context.call('createWorld', { body });
      return { to: `/worlds/${made.id}/`, says: `This is ${made.id}, a world of its own.` };
    },
    deleteWorld: async (context, form) => {
      const id = form.get('id') ?? '';
      await context.call('deleteWorld', { variable: id });
      return { to: id === context.instance.id ? '/' : context.here(), says: `${id} is deleted.` };
    },
  },
};
