// Settings of a workspace, as in the service: its API keys, its plan, the way to its members; and which release the service is.
import { FORWARD_KINDS, FORWARD_NAMES, type ForwardKind, forwardNamed } from '../../service/contract/forward.ts';
import { PLANS, WINDOW_MS } from '../../service/contract/limits.ts';
import { RELEASE_NAMES, releaseRow } from '../../service/contract/releases.ts';
import { SCOPES } from '../../service/contract/states.ts';
import type { KeyRecord } from '../../service/world/records.ts';
import type { Context } from '../context.ts';
import { Person, WordChip } from '../data/cells.tsx';
import { listOffered, NEWEST_FIRST, requireFields, shorten } from '../data/collection.ts';
import { BarForm, Confirm, type FieldRow, WorkspaceChooser } from '../fields.tsx';
import { readTexts } from '../form.ts';
import { type DashboardPage, makeCallAction } from '../page.ts';
import { Card, Chip, countWords, formatNumber, LinkButton, RelativeTime, RestCount } from '../parts.tsx';
import { type Column, DataTable } from '../table.tsx';

const MAX_KEY_ROWS = 100;

const RevokeKey = ({ of: { id, name }, context }: { of: KeyRecord; context: Context }) => {
  const ask = ['Revoke…', <span class="hidden"> {shorten(name, 60)}</span>];
  return (
    <Confirm ask={ask} context={context} action="revokeKey" hidden={{ id }} button="Revoke" small>
      Requests with it get 401 from now on.
    </Confirm>
  );
};

const buildKeyColumns = (context: Context): readonly Column<KeyRecord>[] => [
  ['Name', ({ name }) => shorten(name, 60)],
  ['Scope', ({ scope }) => <WordChip word={scope} />],
  ['User', ({ user_id }) => <Person id={user_id} context={context} />],
  ['Created', ({ created_at }) => <RelativeTime at={created_at} context={context} />, 'nowrap'],
  ['Last used', ({ id }) => <RelativeTime at={context.world.lastUsed.get(id)} context={context} />, 'nowrap'],
  ['', (key) => (key.revoked ? <Chip tone="bad">revoked</Chip> : <RevokeKey of={key} context={context} />), 'end'],
];

const drawKeys = (context: Context) => {
  const { world, workspace } = context;
  const list = world.store.keys.list(NEWEST_FIRST, workspace.id, []);
  const members = listOffered(context, 'users');
  const fields: readonly FieldRow[] = [
    { name: 'name', label: 'Name', placeholder: 'What it is for', width: 'grow' },
    { name: 'scope', label: 'Scope', options: SCOPES, value: 'read' },
    { name: 'user_id', label: 'User', ...(members ? { options: members } : { placeholder: 'The id of a member' }) },
  ];
  return (
    <Card
      title="API keys"
      says="A key belongs to one workspace and has one scope. Its value is shown once, when it is made; a lost key is revoked and replaced."
      flush
      id="keys"
    >
      <div class="pad">
        <BarForm context={context} action="createKey" label="New key" fields={fields} says="New key" kind="primary" />
      </div>
      <div id="key-list" data-live="">
        <DataTable
          label="API keys"
          columns={buildKeyColumns(context)}
          rows={list.rows(0, MAX_KEY_ROWS).map(({ value }) => value)}
          kind={({ revoked }) => (revoked ? 'gone' : undefined)}
        />
      </div>
      <RestCount of={list.total} shown={MAX_KEY_ROWS} says="older ones." />
    </Card>
  );
};

const PLAN_OPTIONS = [
  ...Object.entries(PLANS).map(([name, limit]) => [name, `${name}: ${formatNumber(limit)} a minute`] as const),
  ['', 'a limit of its own'],
] as const;

const drawPlan = (context: Context) => {
  const { world, workspace } = context;
  const own = typeof workspace.plan === 'number';
  const value = String(workspace.plan);
  const fields: readonly FieldRow[] = [
    { name: 'plan', label: 'Plan', width: 'wider', value: own ? '' : value, options: PLAN_OPTIONS },
    { name: 'requests_per_minute', label: 'Limit of its own', value: own ? value : '', placeholder: 'Requests a minute' },
  ];
  return (
    <Card title="Plan" says="How many requests a minute the workspace may make. A new plan counts at once." id="plan">
      <BarForm context={context} action="setPlan" fields={fields} says="Change plan" />
      <p class="hint">
        {`Now ${countWords(world.limitOf(workspace.id), 'request')} ${formatWindow(world.windowMsOf(workspace.id))}. The free plan's 60 are soon used up: a way to meet 429.`}
      </p>
    </Card>
  );
};

const formatWindow = (ms: number): string => (ms === WINDOW_MS ? 'a minute' : `in ${formatNumber(ms / 1000)} s`);

const parseCount = (typed: string): string | number => (/^\d{1,12}$/.test(typed) ? Number(typed) : typed);

const parsePlan = (form: URLSearchParams) => ({ plan: form.get('plan') || parseCount(form.get('requests_per_minute') ?? '') });

const RELEASE_OPTIONS = RELEASE_NAMES.map((name) => [name, `v${releaseRow(name).version}, ${releaseRow(name).date}`] as const);
const FORWARD_OPTIONS = [
  ['none', 'not at all'],
  ['all', 'by all kinds of change'],
  ...FORWARD_NAMES.map((kind) => [kind, `${kind}: ${FORWARD_KINDS[kind]}`] as const),
] as const;

const formatForward = (kinds: readonly ForwardKind[]): string =>
  kinds.length === 0 ? 'none' : kinds.length === FORWARD_NAMES.length ? 'all' : kinds.join(',');

const drawRelease = (context: Context) => {
  const { release, terms } = context.world;
  const ahead = formatForward(terms.forward);
  const fields: readonly FieldRow[] = [
    { name: 'release', label: 'Release', value: release, options: RELEASE_OPTIONS },
    { name: 'forward_compat', label: 'Ahead of its clients', width: 'wider', value: ahead, options: FORWARD_OPTIONS },
  ];
  return (
    <Card
      title="Release"
      says="The service as it was at a release. Data that it does not know is kept and not shown."
      id="release"
    >
      <BarForm context={context} action="setRelease" fields={fields} says="Change release" />
      <p class="hint">{`v${releaseRow(release).version} brought: ${releaseRow(release).says.join('; ') || 'nothing yet'}.`}</p>
    </Card>
  );
};

const parseRelease = (form: URLSearchParams) => {
  const { release, forward_compat: ahead } = readTexts(form, 'release', 'forward_compat');
  return { release, forward_compat: ahead === 'none' || ahead === '' ? false : ahead === 'all' || ahead.split(',') };
};

export const settingsPage: DashboardPage = {
  id: 'settings',
  path: '/dashboard/settings',
  title: 'Settings',
  nav: { label: 'Settings', icon: 'settings', key: 's', group: 'Service' },
  live: ['state', 'request'],
  examples: { settings: '/dashboard/settings', 'settings-globex': '/dashboard/settings?workspace=ws_globex' },
  says: ({ workspace }) => `${workspace.name}: what people do in the settings of the service.`,
  side: (context) => [
    <WorkspaceChooser context={context} />,
    <LinkButton to={context.href('/dashboard/data/users', { workspace: context.workspace.id })} says="Members" />,
  ],
  parts: [drawKeys, drawPlan, drawRelease],
  actions: {
    setRelease: makeCallAction(
      'setRelease',
      ({ version, forward_compat }) => {
        const changes = forwardNamed(forward_compat);
        return `The service is v${version}${changes.length > 0 ? `, ahead by ${changes.join(', ')}` : ''}.`;
      },
      (form) => ({ body: parseRelease(form) }),
    ),
    createKey: makeCallAction(
      'createKeyRecord',
      ({ name, scope, value }) => ({
        says: `The key ${shorten(name, 60)} is made.`,
        once: { label: `Copy its value now: it is shown this once. Scope ${scope}.`, value },
      }),
      (form, { workspace }) => {
        const typed = readTexts(form, 'name', 'scope', 'user_id');
        requireFields([{ name: 'name', needed: true }], typed);
        return { body: { workspace_id: workspace.id, ...typed } };
      },
    ),
    revokeKey: makeCallAction(
      'updateKeyRecord',
      ({ name }) => `The key ${shorten(name, 60)} is revoked.`,
      () => ({ body: { revoked: true } }),
    ),
    setPlan: makeCallAction(
      'setPlan',
      ({ requests_per_minute, window_ms }) =>
        `From now on ${countWords(requests_per_minute, 'request')} ${formatWindow(window_ms)}.`,
      (form, { workspace }) => ({ variable: workspace.id, body: parsePlan(form) }),
    ),
  },
};
