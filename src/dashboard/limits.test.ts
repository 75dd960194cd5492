// How much a page shows of very much, and how it says that there is more.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DashboardBench, dashboardBench } from '../test/dashboard.ts';
import { golden } from '../test/golden.ts';
import { mainOf, outline, partsOf } from '../test/outline.ts';

const many = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));
const SEED = {
  workspaces: [
    {
      id: 'ws_0',
      name: 'Workspace 0',
      plan: 'unlimited',
      users: many(201, (i) => ({ id: `user_${i}`, name: `User ${i}`, role: 'admin' })),
      api_keys: many(101, (i) => ({ id: `key_${i}`, value: `wm_0_${i}`, name: `Key ${i}`, scope: 'admin', user_id: 'user_0' })),
      projects: many(202, (i) => ({
        id: `proj_${i}`,
        owner_id: 'user_0',
        tasks:
          i === 0
            ? many(12, (n) => ({
                id: `task_${n}`,
                title: `Task ${n}`,
                ...(n === 0 ? { comments: many(7, (c) => ({ author_id: 'user_0', body: `Comment ${c}` })) } : {}),
              }))
            : [],
      })),
      teams: [{ id: 'team_0', name: 'All', member_ids: many(201, (i) => `user_${i}`) }],
      webhooks: many(101, (i) => ({ id: `wh_${i}`, url: `http://127.0.0.1:9/${i}`, events: ['task.updated'] })),
    },
    ...many(51, (i) => ({
      id: `ws_${i + 1}`,
      name: `Workspace ${i + 1}`,
      users: [{ id: `user_of_${i + 1}`, name: 'Ann' }],
      api_keys: [{ value: `wm_${i + 1}`, scope: 'read', user_id: `user_of_${i + 1}` }],
    })),
  ],
};
const LOG = '/dashboard/webhooks/deliveries';
const AT = 'http://127.0.0.1:4700';
const headers = { authorization: 'Bearer wm_0_0', 'content-type': 'application/json' };

/** What is shown: a name, the page, the lines that are counted. */
const SHOWN: readonly (readonly [string, string, RegExp, number])[] = [
  ['settings-keys', '/dashboard/settings', /tr .*data-row="key_/, 100],
  ['settings-members', '/dashboard/settings', /tr data-row="user_/, 50],
  ['overview-keys', '/', /button aria-label="Copy the (admin|read) key/, 12],
  ['overview-worlds', '/', /li data-row="world-/, 50],
  ['overview-snapshots', '/', /span class="mono" "snap_/, 50],
  ['clock-workspaces', '/dashboard/clock', /tr data-row="ws_/, 50],
  ['clock-due', '/dashboard/clock', /td class="nowrap" "2025/, 50],
  ['faults', '/dashboard/faults', /tr data-row="fault_/, 100],
  ['fault-keys', '/dashboard/faults', /option value="key_/, 100],
  ['requests', '/dashboard/requests', /tr data-row="req_/, 50],
  ['requests-before', '/dashboard/requests?before=req_51', /tr data-row="req_/, 50],
  ['requests-first', '/dashboard/requests?before=req_3', /tr data-row="req_/, 2],
  ['deliveries', LOG, /tr data-row="dlv_/, 50],
  ['deliveries-registrations', LOG, /option value="wh_/, 100],
  ['webhooks', '/dashboard/webhooks', /section class="card" id="wh_/, 20],
  ['webhook-last', '/dashboard/webhooks?id=wh_100', /section class="card" id="wh_/, 1],
  ['webhook-ahead', '/dashboard/webhooks?id=wh_0', /span class="chip info" "5/, 12],
  ['inbox', '/dashboard/webhooks/inbox', /tr data-row="box /, 100],
  ['inbox-ahead', '/dashboard/webhooks/inbox?name=full', /span class="chip info" "5/, 20],
  ['inbox-messages', '/dashboard/webhooks/inbox?name=full', /details class="message"/, 10],
  ['inbox-older', '/dashboard/webhooks/inbox?name=full&from=10', /details class="message"/, 2],
  ['inbox-middle', '/dashboard/webhooks/inbox?name=full&from=1.9', /details class="message"/, 10],
  ['inbox-nowhere', '/dashboard/webhooks/inbox?name=full&from=-5', /details class="message"/, 10],
  ['inbox-nan', '/dashboard/webhooks/inbox?name=full&from=x', /details class="message"/, 10],
  ['request-warnings', '/dashboard/requests/req_1', /code "unknown-parameter"/, 20],
  ['request-told', '/dashboard/requests/req_2', /a class="link" href="\/dashboard\/webhooks\/deliveries/, 20],
  ['request-changes', '/dashboard/requests/req_3', /div class="change"/, 10],
  ['data-tasks', '/dashboard/data/tasks?new=1', /select id="new-/, 2],
  ['data-projects', '/dashboard/data/projects?limit=100', /tr data-row="proj_/, 100],
  ['data-team', '/dashboard/data/teams?open=team_0', /^ *li$/, 200],
  ['data-comments', '/dashboard/data/comments?new=1', /select id="new-/, 0],
  ['data-users', '/dashboard/data/users?limit=3&cursor=', /tr data-row="user_/, 3],
];

describe('Of very much', () => {
  let bench: DashboardBench;
  const post = (path: string, body: object) =>
    bench.mock.app.fetch(new Request(AT + path, { method: 'POST', headers, body: JSON.stringify(body) }));
  beforeAll(async () => {
    bench = await dashboardBench({
      seed: SEED,
      now: '2025-01-20T09:00:00Z',
      sender: async () => ({ kind: 'response', status: 500, excerpt: 'no', took: 0 }),
    });
    const { mock } = bench;
    const query = many(21, (i) => `colour${i}=red`).join('&');
    await mock.fetch(`/tasks?${query}`, { headers });
    await mock.fetch('/tasks/task_1', { method: 'PATCH', headers, body: '{"title":"Told"}' });
    await mock.webhooks.settled();
    mock.choose({ 'project-delete-events': 'each' });
    await mock.fetch('/projects/proj_0', { method: 'DELETE', headers });
    for (let i = 0; i < 50; i++) await mock.fetch('/teams?limit=1', { headers });
    for (let i = 0; i < 51; i++) {
      await post('/_mock/snapshots', {});
      mock.fork({ id: `world-${i}` });
    }
    for (let i = 0; i < 101; i++) {
      mock.faults.add({ match: { path: `/${i}` }, effect: { status: 503 } });
      await post(`/_mock/inbox/box-${i}`, {});
    }
    for (let i = 0; i < 12; i++) await post('/_mock/inbox/full', { i });
    await post('/_mock/inbox/full/respond', { statuses: many(21, (i) => 500 + i) });
    await post('/_mock/webhooks/wh_0/simulate', { outcomes: many(13, (i) => 500 + i) });
  });
  afterAll(() => bench.mock.close());
  const page = async (path: string) => outline(mainOf((await bench.get(path)).text));
  const count = (text: string, pattern: RegExp) => text.split('\n').filter((line) => pattern.test(line)).length;
  const more = (text: string) =>
    text
      .split('\n')
      .filter((line) => /\b[Aa]nd [\d,]+ more|"The newest|earlier attempts|"\d+ of \d/.test(line))
      .map((line) => line.trim());

  test.each(SHOWN)('there are so many: %s', async (_, path, pattern, length) => {
    expect(count(await page(path), pattern)).toBe(length);
  });

  test('each page says how many more there are, and where', async () => {
    const says: string[] = [];
    for (const path of new Set(SHOWN.map(([, path]) => path))) {
      const text = await page(path);
      says.push(`GET ${path}`, ...more(text), ...partsOf(text, /nav .*class="(pager|row)"/), '');
    }
    golden('dashboard/limits', says.join('\n'));
  });

  test('where there are too many to choose from, an id is typed', async () => {
    const fields = async (path: string) => partsOf(await page(path), /div class="field/).join('\n');
    golden(
      'dashboard/limits-fields',
      [
        await fields('/dashboard/data/tasks?new=1&limit=1'),
        await fields('/dashboard/data/teams?new=1'),
        await fields('/dashboard/data/comments?new=1'),
        partsOf(await page('/dashboard/settings'), /div class="field"/)[1],
      ].join('\n\n'),
    );
  });

  test('pages of a list lead on and back', async () => {
    const pager = async (path: string) => partsOf(await page(path), /nav .*class="pager"/)[0] ?? '';
    const hrefs = (text: string) => [...text.matchAll(/href="([^"]*)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&'));
    const [next] = hrefs(await pager('/dashboard/data/projects?limit=100&open=proj_1&new=1'));
    expect(next).toMatch(/^\/dashboard\/data\/projects\?limit=100&cursor=[^&]+&from=100$/);
    const second = await pager(next!);
    expect(second).toContain('"101–200 of 201"');
    expect(hrefs(second)[0]).toBe('/dashboard/data/projects?limit=100');
    const last = await pager(hrefs(second)[1]!);
    expect(last).toContain('"201–201 of 201"');
    expect(hrefs(last)).toEqual(['/dashboard/data/projects?limit=100']);
    expect(await pager('/dashboard/data/projects?limit=100&from=50')).toContain('"1–100 of 201"');
  });

  test('the log goes back delivery by delivery', async () => {
    const at = async (path: string) => partsOf(await page(path), /section .*id="deliveries"/).join();
    const rows = (text: string) => [...text.matchAll(/tr data-row="(dlv_\w+)"/g)].map(([, id]) => id);
    const all = bench.mock.deliveries.map(({ id }) => id).reverse();
    expect(all).toHaveLength(101);
    const second = await at(`${LOG}?before=${all[49]}`);
    expect(rows(second)).toEqual(all.slice(50, 100));
    expect(rows(await at(`${LOG}?before=${all[99]}`))).toEqual([all[100]]);
    expect(rows(await at(`${LOG}?before=dlv_nowhere`))).toEqual(all.slice(0, 50));
    expect(await at(`${LOG}?before=${all[99]}`)).not.toContain('rel="next"');
    expect(second).toContain(`href="${LOG}?before=${all[99]}" rel="next"`);
    expect(second).toContain('"Earlier deliveries."');
  });

  test('a delivery that was replayed over and over shows the last forty attempts', async () => {
    const { id } = bench.mock.deliveries[0]!;
    await post('/_mock/clock/advance', { by: '3h' });
    for (let i = 0; i < 35; i++) {
      await post(`/_mock/deliveries/${id}/replay`, {});
      await bench.mock.webhooks.settled();
    }
    const text = await page(`${LOG}/${id}`);
    expect([count(text, /span class="check-name"/), more(text)]).toEqual([
      41,
      ['p class="muted" "1 earlier attempts are left out here."'],
    ]);
    expect(text).toContain('span class="check-name" "41. replay"');
  });
});
