// Every page in each of its states, line by line: what stands on it, in which words, and where it leads.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { type DashboardBench, DEMO_AT, dashboardBench, stirred } from '../test/dashboard.ts';
import { golden } from '../test/golden.ts';
import { mainOf, outline, partsOf } from '../test/outline.ts';

/** Receivers acknowledge at once, with no socket. */
const sender = async () => ({ kind: 'response', status: 204, took: 0 }) as const;
const DEMO = { ...DEMO_AT, sender };

const DATA = '/dashboard/data';
const LOG = '/dashboard/webhooks/deliveries';
const INBOX = '/dashboard/webhooks/inbox';

/** Pages by the names of their golden texts; with a pattern, the parts whose first line fits it. */
type Pages = Readonly<Record<string, string | readonly [path: string, part: RegExp]>>;

const written = async ({ get }: DashboardBench, path: string, part: RegExp | undefined): Promise<string> => {
  const { status, text } = await get(path);
  const lines = outline(mainOf(text));
  return [`GET ${path} ${status}`, ...(part ? partsOf(lines, part) : [lines])].join('\n');
};

const pagesOf = (pages: Pages, make: () => Promise<DashboardBench>): void => {
  let bench: DashboardBench;
  beforeAll(async () => {
    bench = await make();
  });
  afterAll(() => bench.mock.close());
  test.each(Object.entries(pages))('%s', async (name, page) => {
    const [path, part] = typeof page === 'string' ? [page, undefined] : page;
    golden(`dashboard/${name}`, await written(bench, path, part));
  });
};

const send = async (bench: DashboardBench, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  bench.mock.app.fetch(
    new Request(`http://127.0.0.1:4700${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }),
  );
const admin = { authorization: 'Bearer wm_acme_admin' };

const CARD = (title: string): RegExp => new RegExp(`^ *section .*id="${title}"`);
const TABLE = /^ *section aria-label/;

describe('After a morning of traffic', () => {
  pagesOf(
    {
      overview: '/',
      'data-projects': `${DATA}/projects`,
      'data-projects-of-globex': `${DATA}/projects?workspace=ws_globex&sort=-updated_at`,
      'data-project-open': [`${DATA}/projects?open=proj_launch&limit=2&sort=created_at`, CARD('rows')],
      'data-project-new': [`${DATA}/projects?new=1&limit=1`, CARD('new')],
      'data-tasks': [`${DATA}/tasks?limit=12`, TABLE],
      'data-tasks-by-title': [`${DATA}/tasks?limit=3&sort=title`, CARD('rows')],
      'data-tasks-filtered': `${DATA}/tasks?filter[status]=todo&filter[priority]=high&sort=-due_date&limit=2&workspace=ws_globex`,
      'data-tasks-due': [`${DATA}/tasks?sort=due_date&limit=4`, TABLE],
      'data-task-found': [`${DATA}/tasks?id=%20task_launch_date&workspace=ws_acme`, CARD('rows')],
      'data-task-open': [`${DATA}/tasks?open=task_launch_hinge&limit=50`, /tr class="open"/],
      'data-task-new': [`${DATA}/tasks?new=1&limit=1`, CARD('new')],
      'data-tasks-none': [`${DATA}/tasks?filter[status]=done&id=task_nowhere`, CARD('rows')],
      'data-tasks-none-filtered': [`${DATA}/tasks?filter[assignee_id]=user_nobody`, CARD('rows')],
      'data-tasks-wrong-cursor': [`${DATA}/tasks?cursor=broken`, CARD('rows')],
      'data-users': `${DATA}/users?limit=4`,
      'data-user-open': [`${DATA}/users?open=user_ada&sort=name`, /tr class="open/],
      'data-user-new': [`${DATA}/users?new=1&limit=1`, CARD('new')],
      'data-teams': `${DATA}/teams?open=team_launch`,
      'data-team-new': [`${DATA}/teams?new=1&limit=1`, CARD('new')],
      'data-comments': `${DATA}/comments?workspace=ws_globex&limit=2`,
      'data-comments-of-a-task': `${DATA}/comments?task_id=task_launch_hinge&open=cmt_hinge_2`,
      'data-comment-new': [`${DATA}/comments?new=1&task_id=task_launch_hinge`, CARD('new')],
      'data-comments-none': [`${DATA}/comments?task_id=task_app_nothing`, CARD('rows')],
      'data-nothing': `${DATA}/keys`,
      settings: '/dashboard/settings',
      'settings-of-globex': ['/dashboard/settings?workspace=ws_globex', /div class="page-head"|section .*id="(keys|plan)"/],
      requests: '/dashboard/requests',
      'requests-filtered': '/dashboard/requests?status=4xx&path=/tasks*&method=GET&operation=getTask',
      'requests-none': '/dashboard/requests?operation=deleteTeam',
      'requests-before': ['/dashboard/requests?before=req_3', CARD('journal')],
      'request-of-a-list': '/dashboard/requests/req_1',
      'request-that-creates': '/dashboard/requests/req_2',
      'request-that-changes': '/dashboard/requests/req_3',
      'request-with-a-fault': '/dashboard/requests/req_4',
      'request-of-another-release': ['/dashboard/requests/req_7', /div class="notice|ol class="checks"/],
      'request-with-mistakes': '/dashboard/requests/req_8',
      'request-of-a-revoked-key': '/dashboard/requests/req_10',
      'request-for-nothing': ['/dashboard/requests/req_11', /ol class="checks"|div class="page-head"/],
      'request-last': ['/dashboard/requests/req_15', /div class="page-head"|form aria-label|form action/],
      webhooks: '/dashboard/webhooks',
      'webhook-new': ['/dashboard/webhooks?new=1', /div class="page-head"|section class="card"/],
      'webhook-one': ['/dashboard/webhooks?id=wh_board', /dl class="facts"/],
      'webhook-none': '/dashboard/webhooks?id=wh_none',
      deliveries: LOG,
      'deliveries-retrying': `${LOG}?state=retrying&event=task.updated&webhook_id=wh_hooks`,
      'deliveries-before': [`${LOG}?before=dlv_rm8qm094we55mb6y`, CARD('deliveries')],
      'deliveries-none': [`${LOG}?state=pending`, CARD('deliveries')],
      'delivery-delivered': `${LOG}/dlv_83wn4z8c7y5bfa6g`,
      'delivery-failed': [`${LOG}/dlv_dfqmgv1aygapbxhg`, /section .*id="(attempts|answer)"|dl class="facts"/],
      'delivery-retrying': [`${LOG}/dlv_rm8qm094we55mb6y`, /div class="page-head"|section .*id="(attempts|answer)"/],
      inbox: INBOX,
      'inbox-box': `${INBOX}?name=orders`,
      'inbox-box-older': [`${INBOX}?name=orders&from=1`, CARD('messages')],
      'inbox-box-empty': `${INBOX}?name=%20mine%20`,
      clock: '/dashboard/clock',
      faults: '/dashboard/faults',
      'fault-prefilled': [
        '/dashboard/faults?operation=createTask&status=503&times=1&method=POST&path=%2Ftasks&key=key_x',
        CARD('new'),
      ],
      'choices-found': '/dashboard/choices?find=%20Cursor-limit',
      'choices-touched-found': '/dashboard/choices?show=touched&find=signature',
      'choices-changed': '/dashboard/choices?show=changed',
      'choices-none': '/dashboard/choices?show=changed&find=nothing-of-that',
      'choices-marks': ['/dashboard/choices', /section class="choice"|a class="chip info"|span class="chip info"/],
    },
    async () => {
      const bench = await dashboardBench(DEMO);
      await stirred(bench.mock);
      return bench;
    },
  );
});

describe('Where nothing is yet', () => {
  pagesOf(
    {
      'bare-overview': '/',
      ...Object.fromEntries(
        ['projects', 'tasks', 'teams', 'comments'].map((name) => [`bare-${name}`, [`${DATA}/${name}`, CARD('rows')] as const]),
      ),
      'bare-users': `${DATA}/users`,
      'bare-settings': '/dashboard/settings',
      'bare-requests': '/dashboard/requests',
      'bare-webhooks': '/dashboard/webhooks',
      'bare-deliveries': LOG,
      'bare-inbox': INBOX,
      'bare-clock': '/dashboard/clock',
      'bare-faults': ['/dashboard/faults', /div class="page-head"|section .*id="faults"/],
      'bare-choices': '/dashboard/choices?show=touched',
    },
    () => dashboardBench({ now: DEMO_AT.now, sender }),
  );
});

describe('In a world of its own, where much was changed', () => {
  const AT = '/worlds/other';
  pagesOf(
    {
      'changed-overview': `${AT}/`,
      'changed-overview-of-default': ['/', /section .*id="worlds"|div class="page-head"/],
      'changed-settings': `${AT}/dashboard/settings?workspace=ws_globex`,
      'changed-settings-of-acme': [`${AT}/dashboard/settings`, /id="(key|member)-list"/],
      'changed-user-open': [`${AT}${DATA}/users?open=user_6607kcg3wxdmrh01&workspace=ws_globex`, CARD('rows')],
      'changed-team-open': [`${AT}${DATA}/teams?open=team_4pddgk9sarqa467v&limit=1`, CARD('rows')],
      'changed-requests': `${AT}/dashboard/requests`,
      'changed-request-closed': [`${AT}/dashboard/requests/req_1`, /div class="page-head"|div class="sides"|ol class="checks"/],
      'changed-request-that-deletes': `${AT}/dashboard/requests/req_2`,
      'changed-request-of-nobody': `${AT}/dashboard/requests/req_3`,
      'changed-request-broken': [`${AT}/dashboard/requests/req_4`, /div class="sides"|div class="notice|ol class="checks"/],
      'changed-request-of-a-webhook': [`${AT}/dashboard/requests/req_5`, /div class="sides"|section class="card/],
      'changed-webhooks': `${AT}/dashboard/webhooks`,
      'changed-deliveries': `${AT}${LOG}`,
      'changed-inbox': `${AT}${INBOX}`,
      'changed-clock': `${AT}/dashboard/clock`,
      'changed-faults': [`${AT}/dashboard/faults`, /div class="page-head"|section .*id="faults"/],
      'changed-choices': `${AT}/dashboard/choices?show=changed`,
    },
    async () => {
      const bench = await dashboardBench(DEMO);
      const { mock } = bench;
      const world = mock.fork({ id: 'other' });
      const at = (method: string, path: string, body?: unknown, headers = {}) => send(bench, method, AT + path, body, headers);
      await at('POST', '/_mock/faults', { match: {}, effect: { abort: true }, times: 1 });
      await at('GET', '/v1/tasks', undefined, admin).catch(() => undefined);
      await at('DELETE', '/v1/projects/proj_app', undefined, admin);
      await at('GET', '/v1/nowhere', undefined, {});
      await at('POST', '/v1/projects', '{"name":', admin);
      const registered = { url: 'http://127.0.0.1:9/quiet', events: ['project.created'] };
      const made = (await (await at('POST', '/v1/webhooks', registered, admin)).json()) as { data: { id: string } };
      await at('POST', '/v1/projects', { name: 'Told' }, admin);
      await world.webhooks.settled();
      await at('DELETE', `/_mock/webhooks/${made.data.id}`);
      await at('POST', '/_mock/webhooks/wh_hooks/simulate', { outcomes: Array.from({ length: 14 }, (_, i) => 500 + i) });
      await at('POST', '/v1/teams', { name: 'Nobody yet', member_ids: [] }, admin);
      await at('PATCH', '/_mock/choices', { 'rate-window': 'rolling', signature: 'standard-webhooks' });
      await at('PATCH', '/_mock/workspaces/ws_globex', { plan: 5 });
      await at('PATCH', '/_mock/release', { release: '1.2', forward_compat: ['fields', 'order'] });
      for (let i = 0; i < 4; i++) await at('GET', '/v1/projects', undefined, { authorization: 'Bearer wm_globex_admin' });
      await at('POST', '/_mock/members/invite', {
        workspace_id: 'ws_globex',
        name: '123 ghost of the attic with a rather long name',
        email: 'ghost@globex.test',
        role: 'poltergeist_in_charge',
      });
      await at('POST', '/_mock/faults', {
        match: { method: 'GET', path: '/teams*', key: 'key_nobody' },
        effect: { status: 418 },
      });
      await at('POST', '/_mock/faults', {
        match: { operation: 'listTeams' },
        effect: { hold: true },
        after: 2,
        probability: 0.125,
      });
      const { id } = (await (
        await at('POST', '/_mock/faults', { match: { path: '/held' }, effect: { hold: true, delay_ms: 5 } })
      ).json()) as { id: string };
      await at('POST', `/_mock/faults/${id}/release`);
      await at('POST', '/_mock/snapshots');
      await at('POST', '/_mock/snapshots');
      await at('POST', '/_mock/inbox/a%20box/respond', { statuses: [503, 200] });
      await at('POST', '/_mock/clock', { mode: 'running', now: '2025-01-21T10:00:00Z' });
      await at('POST', '/_mock/clock', { mode: 'frozen', now: '2025-01-21T10:00:00Z' });
      return bench;
    },
  );
});
