// Settings of a workspace, as in the service: its API keys, its members, its plan.
import { PLANS, WINDOW_MS } from '../../contract/limits.ts';
import { ROLES } from '../../contract/states.ts';
import type { UserRecord } from '../../world/records.ts';
import type { Context } from '../context.ts';
import { Person, Word } from '../data/cells.tsx';
import { NEWEST, short } from '../data/collection.ts';
import { BarForm, Do, type FieldRow, Form, Hidden } from '../fields.tsx';
import { textsIn } from '../form.ts';
import { calling, type Page } from '../page.ts';
import { Card, Chip, PageHead, Time } from '../parts.tsx';
import { type Column, Table } from '../table.tsx';
import { Workspaces } from '../workspaces.tsx';
import { Keys } from './keys.tsx';
import { Release, setRelease } from './release.tsx';

const MOST_MEMBERS = 50;

const Join = ({ of: { id, name }, context }: { of: UserRecord; context: Context }) => (
  <Form context={context} inline label={`Let ${short(name, 60)} join`}>
    <Hidden values={{ id }} />
    <Chip tone="warn">invited</Chip>
    <Do action="joinMember" says="Accept" small label={`Accept the invitation as ${short(name, 60)}`} />
  </Form>
);

const columnsOf = (context: Context): readonly Column<UserRecord>[] => [
  ['Name', ({ id }) => <Person id={id} context={context} />],
  ['Email', ({ email }) => short(email, 60)],
  ['Role', ({ role }) => <Word word={role} tones={{ admin: 'warn' }} />],
  ['Since', ({ created_at }) => <Time at={created_at} context={context} />, 'nowrap'],
  ['', (user) => (user.state === 'joined' ? <span class="muted">joined</span> : <Join of={user} context={context} />), 'end'],
];

const INVITATION: readonly FieldRow[] = [
  { name: 'name', label: 'Full name', grow: true },
  { name: 'email', label: 'Email', grow: true },
  { name: 'role', label: 'Role', options: ROLES, value: 'member' },
];

const Members = ({ context }: { context: Context }) => {
  const { world, workspace } = context;
  const { total } = world.store.users.list(NEWEST, workspace.id, []);
  const shown = (['invited', 'joined'] as const)
    .flatMap((state) => world.store.users.list({ ...NEWEST, equal: ['state'] }, workspace.id, [state]).rows(0, MOST_MEMBERS))
    .slice(0, MOST_MEMBERS)
    .map(({ value }) => value);
  return (
    <Card
      title="Members"
      says="An invitation fires member.invited; whoever accepts it fires member.joined and can be assigned from then on."
      flush
      id="members"
    >
      <div class="pad">
        <BarForm context={context} action="inviteMember" label="Invite somebody" fields={INVITATION} says="Invite" />
      </div>
      <div id="member-list" data-live="">
        <Table label="Members" columns={columnsOf(context)} rows={shown} id={({ id }) => id} heading={0} />
      </div>
      {total > shown.length ? (
        <p class="pager muted">
          {shown.length} of {total.toLocaleString('en')}.{' '}
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
  const own = typeof workspace.plan === 'number';
  const value = String(workspace.plan);
  const fields: readonly FieldRow[] = [
    {
      name: 'plan',
      label: 'Plan',
      wider: true,
      value: own ? '' : value,
      options: [...PLAN_OPTIONS, ['', 'a limit of its own']],
    },
    { name: 'requests_per_minute', label: 'Limit of its own', value: own ? value : '', placeholder: 'Requests a minute' },
    { name: 'window_ms', label: 'Window (ms)', value: String(workspace.window_ms ?? ''), placeholder: String(WINDOW_MS) },
  ];
  const limit = world.limitOf(workspace.id).toLocaleString('en');
  return (
    <Card title="Plan" says="How many requests a minute the workspace may make. A new plan counts at once." id="plan">
      <BarForm
        context={context}
        action="setPlan"
        label="Plan"
        fields={fields}
        says="Change plan"
        hint={`Now ${limit} requests ${perWindow(world.windowMsOf(workspace.id))}. The free plan's 60 are soon used up: a way to meet 429.`}
      />
    </Card>
  );
};

const perWindow = (ms: number): string => (ms === WINDOW_MS ? 'a minute' : `in ${(ms / 1000).toLocaleString('en')} s`);

const windowIn = (form: URLSearchParams): { window_ms?: string | number } => {
  const typed = (form.get('window_ms') ?? '').trim();
  if (typed === '') return {};
  return { window_ms: /^\d{1,12}$/.test(typed) ? Number(typed) : typed };
};

const planIn = (form: URLSearchParams): string | number => {
  const plan = form.get('plan') ?? '';
  if (plan !== '') return plan;
  const typed = form.get('requests_per_minute') ?? '';
  return /^\d{1,12}$/.test(typed) ? Number(typed) : typed;
};

/** What a form says of the workspace that the page shows. */
const inWorkspace =
  (...names: readonly string[]) =>
  (form: URLSearchParams, { workspace }: Context) => ({ body: { workspace_id: workspace.id, ...textsIn(form, ...names) } });

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
    createKey: calling(
      'createKey',
      ({ name, scope, value }) => ({
        says: `The key ${short(name, 60)} is made.`,
        once: { label: `Copy its value now: it is shown this once. Scope ${scope}.`, value },
      }),
      inWorkspace('name', 'scope', 'user_id'),
    ),
    revokeKey: calling('revokeKey', ({ name }) => `The key ${short(name, 60)} is revoked.`),
    inviteMember: calling('inviteMember', ({ name }) => `${short(name, 60)} is invited.`, inWorkspace('name', 'email', 'role')),
    joinMember: calling('joinMember', ({ name }) => `${short(name, 60)} has joined.`),
    setPlan: calling(
      'setPlan',
      ({ requests_per_minute, window_ms }) =>
        `From now on ${requests_per_minute.toLocaleString('en')} requests ${perWindow(window_ms)}.`,
      (form, { workspace }) => ({ variable: workspace.id, body: { plan: planIn(form), ...windowIn(form) } }),
    ),
  },
};
