// How much a page shows of very much, and how it says that there is more.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DashboardBench, dashboardBench, send } from '../test/dashboard.ts';
import { linesOf, mainOf, partOf, rowsOf } from '../test/reading.ts';

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
const DATA = '/dashboard/data';
const NEWEST = 'The newest; the list keeps itself up to date.';
const headers = { authorization: 'Bearer wm_0_0', 'content-type': 'application/json' };

const BOX = '/dashboard/webhooks/inbox?name=full';
const ROW = (start: string) => new RegExp(`<tr[^>]* data-row="${start}`, 'g');
const CARDS = /<section class="card" id="wh_/g;
const AHEAD = /<span class="chip info">5/g;
const MESSAGES = /<details class="message"/g;
const SELECTS = /<select id="new-/g;

/** The page, what is counted in it, how often it is there, and what the page says of the rest. */
const SHOWN: readonly (readonly [string, RegExp, number, ...says: string[]])[] = [
  ['/dashboard/settings', ROW('key_'), 100, 'And 1 older ones.'],
  ['/', /aria-label="Copy the (admin|read) key/g, 12, 'Workspace 0, Workspace 1, Workspace 2 and 49 more workspaces.'],
  ['/', /<span class="mono">snap_/g, 50],
  ['/dashboard/clock', ROW('ws_'), 50, 'And 2 more workspaces.'],
  ['/dashboard/clock', /<td class="nowrap"><time/g, 50, 'And 51 more after these.'],
  ['/dashboard/faults', ROW('fault_'), 100, 'And 1 more.'],
  ['/dashboard/faults', /<option value="key_/g, 100],
  ['/dashboard/requests', ROW('req_'), 50, `${NEWEST} (/dashboard/requests?before=req_4) Older`],
  ['/dashboard/requests?before=req_51', ROW('req_'), 50, 'Those before req_51. (/dashboard/requests) Newest'],
  ['/dashboard/requests?before=req_3', ROW('req_'), 2, 'Those before req_3. (/dashboard/requests) Newest'],
  [LOG, ROW('dlv_'), 50, `${NEWEST} (${LOG}?before=dlv_`],
  [LOG, /<option value="wh_/g, 100],
  ['/dashboard/webhooks', CARDS, 20, 'And 81 more: GET /_mock/data/webhooks lists them all.'],
  ['/dashboard/webhooks?id=wh_100', CARDS, 1],
  ['/dashboard/webhooks?id=wh_0', AHEAD, 12, 'And 1 more.'],
  ['/dashboard/webhooks/inbox', ROW('box '), 100],
  [BOX, AHEAD, 20],
  [BOX, MESSAGES, 10, '(/dashboard/webhooks/inbox?name=full&from=10) Older'],
  [`${BOX}&from=10`, MESSAGES, 2, '(/dashboard/webhooks/inbox?name=full) Newest'],
  [`${BOX}&from=1.9`, MESSAGES, 10, '?name=full) Newest', '&from=11) Older'],
  [`${BOX}&from=-5`, MESSAGES, 10, '&from=10) Older'],
  [`${BOX}&from=x`, MESSAGES, 10, '&from=10) Older'],
  ['/dashboard/requests/req_1', /<code>unknown-parameter</g, 20, 'And 1 more.'],
  ['/dashboard/requests/req_2', /<a class="link" href="\/dashboard\/webhooks\/deliveries/g, 20, 'And 81 more.'],
  ['/dashboard/requests/req_3', /<div class="change"/g, 10, 'And 3 more records.', 'And 81 more.'],
  [`${DATA}/tasks?new=1`, SELECTS, 2, 'Project project_id= The id of a project.', 'Assignee assignee_id= The id of a member.'],
  ['/dashboard/data/teams?new=1', /<select id="new-\w+_ids?"/g, 0],
  ['/dashboard/data/teams?new=1', /name="member_ids"/g, 0],
  ['/dashboard/data/comments?new=1', SELECTS, 0, '(/dashboard/data/tasks?workspace=ws_0&new=1) Create a task first'],
  ['/dashboard/settings', /placeholder="The id of a member"/g, 1],
  [`${DATA}/projects?limit=100`, ROW('proj_'), 100, `1–100 of 201 (${DATA}/projects?limit=100&cursor=`, '&from=100) Next 100'],
  ['/dashboard/data/teams?open=team_0', /<li>/g, 200, '1–1 of 1'],
  ['/dashboard/data/users?limit=3&cursor=', ROW('user_'), 3, '1–3 of 201', '&from=3) Next 3'],
];

describe('Of very much', () => {
  let bench: DashboardBench;
  const post = (path: string, body: object) => send(bench.mock, path, 'POST', body, headers);
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
  const page = async (path: string) => mainOf((await bench.get(path)).text);
  const count = (html: string, pattern: RegExp) => html.match(pattern)?.length ?? 0;

  const shown = SHOWN.map(([path, pattern, length, ...says]) => ({ path, pattern, length, says }));
  test.each(shown)('$path shows of $pattern $length, and says where the others are', async ({ path, pattern, length, says }) => {
    const html = await page(path);
    const text = linesOf(html).join(' ');
    expect([count(html, pattern), says.filter((words) => !text.includes(words))], text).toEqual([length, []]);
  });

  test('pages of a list lead on and back', async () => {
    const pager = async (path: string) => /<nav class="pager"[\s\S]*?<\/nav>/.exec(await page(path))?.[0] ?? '';
    const hrefs = (text: string) => [...text.matchAll(/href="([^"]*)"/g)].map(([, to]) => to!.replaceAll('&amp;', '&'));
    const [next] = hrefs(await pager('/dashboard/data/projects?limit=100&open=proj_1&new=1'));
    expect(next).toMatch(/^\/dashboard\/data\/projects\?limit=100&cursor=[^&]+&from=100$/);
    const second = await pager(next!);
    expect(second).toContain('101–200 of 201');
    expect(hrefs(second)[0]).toBe('/dashboard/data/projects?limit=100');
    const last = await pager(hrefs(second)[1]!);
    expect(last).toContain('201–201 of 201');
    const back = await pager(hrefs(last)[0]!);
    expect([hrefs(last).length, back.includes('101–200 of 201'), hrefs(back)[0]]).toEqual([1, true, hrefs(second)[0]]);
    expect(await pager('/dashboard/data/projects?limit=100&from=50')).toContain('1–100 of 201');
  });

  test('the log goes back delivery by delivery', async () => {
    const at = async (path: string) => partOf(await page(path), 'log');
    const all = bench.mock.deliveries.map(({ id }) => id).reverse();
    expect(all).toHaveLength(101);
    const pages = await Promise.all([all[49], all[99], 'dlv_nowhere'].map((id) => at(`${LOG}?before=${id}`)));
    expect(pages.map(rowsOf)).toEqual([all.slice(50, 100), [all[100]], all.slice(0, 50)]);
    expect(pages[1]).not.toContain('rel="next"');
    expect(rowsOf(await at(`${LOG}?since=${all[1]}`))).toEqual(all.slice(0, 2));
    for (const words of [`href="${LOG}?before=${all[99]}" rel="next"`, `Those before ${all[49]}.`])
      expect(pages[0]).toContain(words);
  });

  test('a delivery that was replayed over and over shows the last forty attempts', async () => {
    const { id } = bench.mock.deliveries[0]!;
    await post('/_mock/clock/advance', { by: '3h' });
    for (let i = 0; i < 35; i++) {
      await post(`/_mock/deliveries/${id}/replay`, {});
      await bench.mock.webhooks.settled();
    }
    const text = await page(`${LOG}/${id}`);
    expect(count(text, /<span class="check-name"/g)).toBe(41);
    expect(text).toContain('And 1 earlier ones.');
    expect(text).toContain('<span class="check-name">41. replay</span>');
  });
});
