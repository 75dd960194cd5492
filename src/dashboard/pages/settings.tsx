// Settings of a workspace, as in the service: its API keys, its plan, the way to its members.
import { PLANS, WINDOW_MS } from '../../contract/limits.ts';
import type { Context } from '../context.ts';
import { short } from '../data/collection.ts';
import { BarForm, type FieldRow } from '../fields.tsx';
import { textsIn } from '../form.ts';
import { calling, type Page } from '../page.ts';
import { Card, counted, LinkButton, PageHead } from '../parts.tsx';
import { Workspaces } from '../workspaces.tsx';
import { Keys } from './keys.tsx';
import { Release, setRelease } from './release.tsx';

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
  return (
    <Card title="Plan" says="How many requests a minute the workspace may make. A new plan counts at once." id="plan">
      <BarForm
        context={context}
        action="setPlan"
        label="Plan"
        fields={fields}
        says="Change plan"
        hint={`Now ${counted(world.limitOf(workspace.id), 'request')} ${perWindow(world.windowMsOf(workspace.id))}. The free plan's 60 are soon used up: a way to meet 429.`}
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
        <Workspaces context={context} />
        <LinkButton to={context.href('/dashboard/data/users', { workspace: context.workspace.id })} says="Members" />
      </PageHead>
      <Keys context={context} />
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
      (form, { workspace }) => ({ body: { workspace_id: workspace.id, ...textsIn(form, 'name', 'scope', 'user_id') } }),
    ),
    revokeKey: calling('revokeKey', ({ name }) => `The key ${short(name, 60)} is revoked.`),
    setPlan: calling(
      'setPlan',
      ({ requests_per_minute, window_ms }) => `From now on ${counted(requests_per_minute, 'request')} ${perWindow(window_ms)}.`,
      (form, { workspace }) => ({ variable: workspace.id, body: { plan: planIn(form), ...windowIn(form) } }),
    ),
  },
};
