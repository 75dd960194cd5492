// Every form of these pages: what it changes, where it leads, what it says, and how it refuses.
import { expect, test } from 'vitest';
import { type DashboardBench, send, stirred } from '../../test/dashboard.ts';
import { type Forms, transcriptsOf } from '../../test/forms.ts';

const DATA = '/dashboard/data';
const HOOKS = '/dashboard/webhooks';
const LOG = '/dashboard/webhooks/deliveries';
const INBOX = '/dashboard/webhooks/inbox';
const FAULTS = '/dashboard/faults';
const CLOCK = '/dashboard/clock';
const SETTINGS = '/dashboard/settings';
const CHOICES = '/dashboard/choices';

const stir = ({ mock }: DashboardBench) => stirred(mock);

const FORMS: Forms = {
  state: {
    steps: [
      ['/', { do: 'snapshot' }, '/_mock/snapshots'],
      ['/', { do: 'snapshot' }],
      ['/', { do: 'restore', id: 'snap_1' }],
      ['/', { do: 'restore', id: 'snap_9' }],
      ['/', { do: 'restore' }],
      ['/', { do: 'forget', id: 'snap_1' }, '/_mock/snapshots'],
      ['/', { do: 'forget', id: 'snap_1' }],
      ['/', { do: 'forget' }],
      [`${DATA}/teams`, { do: 'delete', id: 'team_care' }, '/v1/teams?limit=5'],
      ['/', { do: 'reset' }, '/v1/teams?limit=1'],
    ],
  },
  worlds: {
    steps: [
      ['/dashboard/worlds?note=3&a=b', { do: 'createWorld', id: ' play ', from: 'seed', mint_keys: 'yes' }],
      ['/dashboard/worlds', { do: 'createWorld', id: 'play', from: 'seed' }],
      ['/dashboard/worlds', { do: 'createWorld', id: '.wrong', from: 'seed' }],
      ['/dashboard/worlds', { do: 'createWorld', id: 'two', from: 'snap_7' }],
      ['/dashboard/worlds', { do: 'createWorld', id: 'three' }],
      ['/worlds/play/dashboard/worlds', { do: 'deleteWorld', id: 'three' }],
      ['/worlds/play/dashboard/worlds', { do: 'deleteWorld', id: 'play' }],
      ['/dashboard/worlds', { do: 'deleteWorld', id: 'play' }],
      ['/dashboard/worlds', { do: 'deleteWorld' }],
      ['/', { do: 'nothing' }],
      ['/', {}],
      ['/', { do: 'toString' }],
      ['/worlds/gone/', { do: 'reset' }],
    ],
  },
  settings: {
    steps: [
      [SETTINGS, { do: 'createKey', name: 'Robot', scope: 'write', user_id: 'user_ada' }],
      [SETTINGS, { do: 'createKey', name: `${'k'.repeat(90)}`, scope: 'read', user_id: 'user_ada' }],
      [SETTINGS, { do: 'createKey', name: '', scope: 'all', user_id: 'user_odile' }],
      [SETTINGS, { do: 'createKey' }],
      [SETTINGS, { do: 'revokeKey', id: 'key_nowhere' }],
      [SETTINGS, { do: 'revokeKey' }],
      [SETTINGS, { do: 'setPlan', plan: 'free', requests_per_minute: '7' }, '/_mock/workspaces'],
      [`${SETTINGS}?workspace=ws_globex`, { do: 'setPlan', plan: '', requests_per_minute: '1234' }, '/_mock/workspaces'],
      [SETTINGS, { do: 'setPlan', plan: '', requests_per_minute: 'many' }],
      [SETTINGS, { do: 'setPlan', plan: '', requests_per_minute: '5 ' }],
      [SETTINGS, { do: 'setPlan', plan: '', requests_per_minute: ' 5' }],
      [SETTINGS, { do: 'setPlan', plan: '', requests_per_minute: '0' }],
      [SETTINGS, { do: 'setPlan', plan: '', requests_per_minute: '1234567890123' }],
      [SETTINGS, { do: 'setPlan', plan: 'gold' }],
      [SETTINGS, { do: 'setPlan' }],
      [SETTINGS, { do: 'setRelease', release: '1.1', forward_compat: 'all' }],
      [SETTINGS, { do: 'setRelease', release: '1.2', forward_compat: 'none' }],
      [SETTINGS, { do: 'setRelease', release: '1.3', forward_compat: 'fields,order' }],
      [SETTINGS, { do: 'setRelease', release: '1.3', forward_compat: 'all' }],
      [SETTINGS, { do: 'setRelease', release: '1.3' }],
      [SETTINGS, { do: 'setRelease', release: '9', forward_compat: 'much' }],
      [SETTINGS, { do: 'setRelease' }],
    ],
  },
  requests: {
    before: stir,
    steps: [
      ['/dashboard/requests/req_3', { do: 'fork', id: ' play ' }],
      ['/dashboard/requests/req_3', { do: 'fork', id: 'play' }],
      ['/dashboard/requests/req_3', { do: 'fork', id: 'wrong name' }],
      ['/worlds/play/dashboard/requests/req_3', { do: 'fork', id: 'again' }],
      ['/dashboard/requests?status=4xx', { do: 'forget' }, '/_mock/requests'],
      ['/dashboard/requests/req_3', { do: 'fork', id: '.' }],
    ],
  },
  webhooks: {
    before: stir,
    steps: [
      [
        `${HOOKS}?new=1`,
        {
          do: 'register',
          url: ' http://127.0.0.1:9/mine ',
          events: ['', 'task.created', 'task.deleted'],
          workspace: 'ws_globex',
        },
        '/_mock/data/webhooks',
      ],
      [`${HOOKS}?new=1`, { do: 'register', url: 'http://127.0.0.1:9/all' }],
      [`${HOOKS}?new=1`, { do: 'register', url: 'ftp://x', events: ['task.gone'], workspace: 'ws_acme' }],
      [HOOKS, { do: 'register' }],
      [HOOKS, { do: 'simulate', id: 'wh_hooks', outcomes: '500' }],
      [HOOKS, { do: 'simulate', id: 'wh_hooks', outcomes: ' 500, timeout;302  dns,, ' }],
      [HOOKS, { do: 'simulate', id: 'wh_hooks', outcomes: 'maybe' }],
      [HOOKS, { do: 'simulate', id: 'wh_hooks', outcomes: '' }],
      [HOOKS, { do: 'simulate', id: 'wh_hooks' }],
      [HOOKS, { do: 'simulate', id: 'wh_hooks', outcomes: '20x 1e2' }],
      [HOOKS, { do: 'simulate', outcomes: '200' }],
      [`${LOG}/dlv_rm8qm094we55mb6y`, { do: 'replay' }],
      [`${LOG}/dlv_rm8qm094we55mb6y`, { do: 'simulate', id: 'wh_hooks', outcomes: '200' }],
      [`${LOG}/dlv_dfqmgv1aygapbxhg`, { do: 'replay' }],
      [`${LOG}/dlv_nowhere`, { do: 'replay' }],
      [HOOKS, { do: 'delete', id: 'wh_hooks' }],
      [HOOKS, { do: 'delete', id: 'wh_hooks' }],
      [HOOKS, { do: 'delete' }],
      [`${INBOX}?name=orders`, { do: 'respond', name: 'orders', statuses: '500, 404;201  503,' }, '/_mock/inbox/orders/messages'],
      [`${INBOX}?name=orders`, { do: 'respond', name: 'orders', statuses: '' }],
      [`${INBOX}?name=orders`, { do: 'respond', name: 'orders' }],
      [`${INBOX}?name=orders`, { do: 'respond', name: 'orders', statuses: 'later, 99' }],
      [`${INBOX}?name=orders`, { do: 'respond', statuses: '200' }],
    ],
  },
  clock: {
    before: async (bench) => {
      await stir(bench);
      await send(bench.mock, '/_mock/webhooks/wh_hooks/simulate', 'POST', { outcomes: [500, 204] });
    },
    steps: [
      [CLOCK, { do: 'advance', by: '30s', back: '/dashboard/faults?a=b#c' }],
      [CLOCK, { do: 'advance', by: '30s', back: '//evil.test' }],
      [`${CLOCK}?a=b`, { do: 'advance', by: 'next' }],
      [CLOCK, { do: 'advance', by: 'next' }],
      [CLOCK, { do: 'advance', by: 'next' }],
      [CLOCK, { do: 'advance', by: '1 year' }],
      [CLOCK, { do: 'advance' }],
      [CLOCK, { do: 'set', now: '2025-03-01T10:00', mode: 'frozen' }],
      [CLOCK, { do: 'set', now: ' 2025-03-01T10:00:05 ' }],
      [CLOCK, { do: 'set', now: '2025-03-01T10:00:05.25' }, '/_mock/clock'],
      [CLOCK, { do: 'set', now: '2025-03-01T10:00:05+02:00' }],
      [CLOCK, { do: 'set', now: 'x2025-03-01T10:00' }],
      [CLOCK, { do: 'set', now: '2025-03-01T10:00x' }],
      [CLOCK, { do: 'set', now: 'noon', mode: 'backwards' }],
      [CLOCK, { do: 'set' }],
      [CLOCK, { do: 'freeze' }],
      [`${CLOCK}?a=b&token=x&note=4`, { do: 'freeze' }],
    ],
  },
  'clock-attempts': {
    before: async (bench) => {
      for (const [name, outcomes] of [
        ['wh_hooks', [500, 200, 500]],
        ['wh_board', [500, 200, 500]],
      ] as const)
        await send(bench.mock, `/_mock/webhooks/${name}/simulate`, 'POST', { outcomes });
      const headers = { authorization: 'Bearer wm_acme_admin', 'content-type': 'application/json' };
      for (const title of ['One', 'Two'])
        await bench.mock.fetch('/projects/proj_app/tasks', { method: 'POST', headers, body: JSON.stringify({ title }) });
      await bench.mock.webhooks.settled();
    },
    steps: [
      [CLOCK, { do: 'advance', by: 'next' }],
      [CLOCK, { do: 'advance', by: '2m' }],
      [CLOCK, { do: 'advance', by: '2h' }],
      [CLOCK, { do: 'advance', by: '2h' }],
    ],
  },
  faults: {
    steps: [
      [`${FAULTS}?status=503`, { do: 'preset', preset: 'flaky' }],
      [FAULTS, { do: 'preset', preset: 'slow' }],
      [FAULTS, { do: 'preset', preset: 'offline' }],
      [FAULTS, { do: 'preset', preset: 'storm' }, '/_mock/faults'],
      [FAULTS, { do: 'preset', preset: 'toString' }],
      [FAULTS, { do: 'preset' }],
      [FAULTS, { do: 'removeAll' }, '/_mock/faults'],
      [
        FAULTS,
        {
          do: 'order',
          'match.operation': ' listTasks ',
          'match.method': 'GET',
          'match.path': '/tasks*',
          'match.key': 'key_x',
          'effect.status': '503',
          'effect.delay_ms': '200 - 900',
          times: '3',
          after: '2',
          probability: '12.5',
        },
      ],
      [FAULTS, { do: 'order', 'effect.delay_ms': '5to7', 'effect.body': 'truncated' }],
      [FAULTS, { do: 'order', 'effect.delay_ms': 'x5to7' }],
      [FAULTS, { do: 'order', 'effect.delay_ms': '1…20', 'effect.end': 'abort' }],
      [FAULTS, { do: 'order', 'effect.delay_ms': '10–20', 'effect.end': 'hold', after: '0' }, '/_mock/faults'],
      [FAULTS, { do: 'order', 'effect.end': 'else', 'effect.delay_ms': '250' }],
      [
        FAULTS,
        { do: 'order', 'effect.status': '503', 'effect.delay_ms': 'a1-2b', times: '-1.5', after: 'x1', probability: 'half' },
      ],
      [FAULTS, { do: 'order', 'effect.status': '5o3', 'effect.delay_ms': '1-2b', times: '1x', after: '1.', probability: '101' }],
      [FAULTS, { do: 'order', 'effect.status': 'x', 'effect.delay_ms': '-5', times: '.5', after: '-1', probability: '-1' }],
      [FAULTS, { do: 'order' }],
      [FAULTS, { do: 'release', id: 'fault_7' }],
      [FAULTS, { do: 'release', id: 'fault_8' }, '/_mock/faults'],
      [FAULTS, { do: 'release' }],
      [FAULTS, { do: 'remove', id: 'fault_6' }],
      [FAULTS, { do: 'remove', id: 'fault_6' }],
      [FAULTS, { do: 'remove' }],
    ],
  },
  choices: {
    steps: [
      [`${CHOICES}?find=owner`, { do: 'answer', name: 'owner-field', answer: 'owner_id' }],
      [CHOICES, { do: 'answer', name: 'signature', answer: 'github' }],
      [CHOICES, { do: 'answer', name: 'owner-field', answer: 'x' }],
      [CHOICES, { do: 'answer', name: 'nothing', answer: 'x' }],
      [CHOICES, { do: 'answer' }],
      [CHOICES, { do: 'defaults' }],
      [CHOICES, { do: 'defaults' }],
    ],
  },
};

test('Each form leads on with a note, or says at its fields why it is refused', async () => {
  await expect(await transcriptsOf(FORMS)).toMatchFileSnapshot('golden/forms.txt');
});
