// Settings of a workspace, as in the service: its API keys, its members, its plan.
import { PLANS } from '../../contract/limits.ts';
import { ROLES } from '../../contract/states.ts';
import type { Context } from '../context.ts';
import { Person, Word } from '../data/cells.tsx';
import { short } from '../data/collection.ts';
import { Workspaces } from '../data/filters.tsx';
import { Do, Field, Form, Hidden } from '../fields.tsx';
import type { Page } from '../page.ts';
import { Card, Chip, PageHead, Table, Time } from '../parts.tsx';
import { Keys } from './keys.tsx';
import { Release, setRelease } from './release.tsx';

const MOST_MEMBERS = 50;
const NEWEST = { equal: [], by: 'created_at', descending: true, nulls: 'last' } as const;

const Members = ({ context }: { context: Context }) => {
  const { world, workspace } = context;
  const list = world.store.users.list(NEWEST, workspace.id, []);
  const invited = world.store.users.list({ ...NEWEST, equal: ['state'] }, workspace.id, ['invited']);
  const joined = world.store.users.list({ ...NEWEST, equal: ['state'] }, workspace.id, ['joined']);
  const form = context.form('inviteMember');
  const shown = [...invited.rows(0, MOST_MEMBERS), ...joined.rows(0, MOST_MEMBERS)].slice(0, MOST_MEMBERS);
  return (
    <Card
      title="Members"
      says="An invitation fires member.invited; whoever accepts it fires member.joined and can be assigned from then on."
      flush
      id="members"
    >
      <div class="pad">
        <Form context={context} label="Invite somebody">
          <div class="stack">
            <div class="bar">
              <Field form={form} name="name" label="Full name" grow />
              <Field form={form} name="email" label="Email" grow />
              <Field form={form} name="role" label="Role" options={ROLES} value="member" />
              <Do action="inviteMember">Invite</Do>
            </div>
          </div>
        </Form>
      </div>
      <div id="member-list" data-live="">
        <Table label="Members" columns={['Name', 'Email', 'Role', 'Since', '']}>
          {shown.map(({ value: user }) => (
            <tr data-row={user.id}>
              <th scope="row">
                <Person id={user.id} context={context} />
              </th>
              <td>{short(user.email, 60)}</td>
              <td>
                <Word word={user.role} tones={{ admin: 'warn' }} />
              </td>
              <td class="nowrap">
                <Time at={user.created_at} context={context} />
              </td>
              <td class="end">
                {user.state === 'joined' ? (
                  <span class="muted">joined</span>
                ) : (
                  <Form context={context} inline label={`Let ${short(user.name, 60)} join`}>
                    <Hidden values={{ id: user.id }} />
                    <Chip tone="warn">invited</Chip>
                    <Do action="joinMember" small label={`Accept the invitation as ${short(user.name, 60)}`}>
                      Accept
                    </Do>
                  </Form>
                )}
              </td>
            </tr>
          ))}
        </Table>
      </div>
      {list.total > shown.length ? (
        <p class="pager muted">
          {shown.length} of {list.total.toLocaleString('en')}.{' '}
          <a href={context.href('/dashboard/data/users', { workspace: workspace.id })}>All members</a>
        </p>
      ) : null}
    </Card>
  );
};

const PLAN_OPTIONS = Object.entries(PLANS).map(
  ([name, limit]) => [name, `${name}: ${limit.toLocaleString('en')} a minute`] as const,
);

const Plan = ({ context }: { context: Context }) => {
  const { world, workspace } = context;
  const form = context.form('setPlan');
  const custom = typeof workspace.plan === 'number';
  return (
    <Card title="Plan" says="How many requests a minute the workspace may make. A new plan counts at once." id="plan">
      <Form context={context} label="Plan">
        <div class="stack">
          <div class="bar">
            <Field
              form={form}
              name="plan"
              label="Plan"
              wider
              value={custom ? '' : String(workspace.plan)}
              options={[...PLAN_OPTIONS, ['', 'a limit of its own']]}
            />
            <Field
              form={form}
              name="requests_per_minute"
              label="Limit of its own"
              value={custom ? String(workspace.plan) : ''}
              placeholder="Requests a minute"
            />
            <Do action="setPlan">Change plan</Do>
          </div>
          <p class="hint">
            Now {world.limitOf(workspace.id).toLocaleString('en')} requests a minute. The free plan's 60 are soon used up: a way
            to meet 429.
          </p>
        </div>
      </Form>
    </Card>
  );
};

const planIn = (form: URLSearchParams): string | number => {
  const plan = form.get('plan') ?? '';
  if (plan !== '') return plan;
  const typed = form.get('requests_per_minute') ?? '';
  return /^\d{1,12}$/.test(typed) ? Number(typed) : typed;
};

export const settings: Page = {
  id: 'settings',
  path: '/dashboard/settings',
  title: 'Settings',
  nav: { label: 'Settings', icon: 'settings', key: 's', group: 'Service' },
  live: ['state', 'request'],
  examples: { settings: '/dashboard/settings', 'settings-globex': '/dashboard/settings?workspace=ws_globex' },
  render: (context) => (
    <>
      <PageHead title="Settings" says={`${context.workspace.name}: what people do in the settings of the service.`}>
        {context.world.workspaces.size > 1 ? <Workspaces context={context} /> : null}
      </PageHead>
      <Keys context={context} />
      <Members context={context} />
      <Plan context={context} />
      <Release context={context} />
    </>
  ),
  actions: {
    setRelease,
    createKey: async (context, form) => {
      const text = (name: string) => form.get(name) ?? '';
      const body = { workspace_id: context.workspace.id, name: text('name'), scope: text('scope'), user_id: text('user_id') };
      const key = await context.call('createKey', { body });
      return {
        says: `The key ${short(key.name, 60)} is made.`,
        once: { label: `Copy its value now: it is shown this once. Scope ${key.scope}.`, value: key.value },
      };
    },
    revokeKey: async (context, form) => {
      const { name } = await context.call('revokeKey', { variable: form.get('id') ?? '' });
      return { says: `The key ${short(name, 60)} is revoked.` };
    },
    inviteMember: async (context, form) => {
      const text = (name: string) => form.get(name) ?? '';
      const body = { workspace_id: context.workspace.id, name: text('name'), email: text('email'), role: text('role') };
      const { name } = await context.call('inviteMember', { body });
      return { says: `${short(name, 60)} is invited.` };
    },
    joinMember: async (context, form) => {
      const { name } = await context.call('joinMember', { variable: form.get('id') ?? '' });
      return { says: `${short(name, 60)} has joined.` };
    },
    setPlan: async (context, form) => {
      const { requests_per_minute } = await context.call('setPlan', {
        variable: context.workspace.id,
        body: { plan: planIn(form) },
      });
      return { says: `From now on ${requests_per_minute.toLocaleString('en')} requests a minute.` };
    },
  },
};
