// A request sent once more from its page, exported, and told as a bug.
import { describe, expect, test } from 'vitest';
import { LATEST, RELEASES } from '../../service/contract/releases.ts';
import { type DashboardBench, send, startDashboard as start, stirred } from '../../test/dashboard.ts';
import { entityOf, linesOf, mainOf, partOf } from '../../test/reading.ts';

const LIST = '/dashboard/requests';
const again = (text: string) => linesOf(partOf(mainOf(text), 'again')).join(' ');
const keyOf = ({ mock }: Pick<DashboardBench, 'mock'>, name: string) =>
  mock.world.store.keys.all().find(({ value }) => value.value === name)!.value.id;

describe('A request sent again', () => {
  test('is offered with no key where it had none', async () => {
    const { get, mock } = await start();
    await stirred(mock);
    expect((await get(`${LIST}/req_10`)).text).toContain('<option value="" selected="">none</option>');
  });

  test('goes through the whole service, with the key, the body and the type that are chosen', async () => {
    const { post, act, get, mock } = await start();
    await mock.fetch('/tasks/task_launch_name', { headers: mock.auth('read') });
    const path = '/v1/tasks/task_launch_name';
    const key = keyOf({ mock }, 'wm_acme_write');
    const form = { do: 'resend', method: 'PATCH', path, key, body: '{"title":"Again"}', type: 'application/json' };
    const { to, text } = await act(`${LIST}/req_1`, form);
    expect(to).toBe(`${LIST}/req_2?note=1`);
    expect(text).toMatch(/The response is 200\. (1 delivery|\d deliveries)\./);
    expect(mock.world.store.tasks.get('task_launch_name')!.value.title).toBe('Again');
    for (const [status, change] of [
      [401, { key: '' }],
      [400, { type: 'text/plain' }],
      [404, { method: 'DELETE', path: '/v1?x', body: '' }],
      [200, { method: 'GET', body: '' }],
    ] as const)
      expect((await act(`${LIST}/req_1`, { ...form, ...change })).text).toContain(`The response is ${status}.</p>`);
    expect(mock.requests.at(-1)!.request.headers).toEqual({ authorization: expect.stringMatching(/^Bearer /) });
    expect((await get(LIST)).text).toContain('tr data-row="req_6"');
    for (const wrong of ['', '/', '/v2/tasks', '/v1x', 'http://evil.test/v1/tasks']) {
      const refused = await post(`${LIST}/req_1`, { ...form, path: wrong });
      expect([refused.status, again(refused.text)]).toEqual([422, expect.stringContaining('Path must begin with /v1.')]);
    }
    const impossible = await post(`${LIST}/req_1`, { ...form, method: 'GET' });
    expect(impossible.status).toBe(422);
    expect(impossible.text).toContain('No request can be made of this:');
    expect(mock.requests).toHaveLength(6);
  });

  test('goes to its own world', async () => {
    const { act, mock } = await start();
    mock.fork({ id: 'other' });
    const there = '/worlds/other';
    await send(mock, `${there}/v1/teams`, 'GET', undefined, { authorization: 'Bearer wm_acme_read' });
    const form = { do: 'resend', method: 'GET', path: '/v1/teams', key: '', body: '', type: '' };
    const { to } = await act(`${there}${LIST}/req_1`, form);
    expect(to).toBe(`${there}${LIST}/req_2?note=1`);
    expect(mock.requests).toHaveLength(0);
  });

  test('is closed or held by a fault', async () => {
    const { act, mock } = await start();
    await mock.fetch('/teams', { headers: mock.auth('read') });
    const form = { do: 'resend', method: 'GET', path: '/v1/teams', key: '', body: '', type: '' };
    const { id } = mock.faults.add({ effect: { abort: true } });
    expect((await act(`${LIST}/req_1`, form)).text).toContain('The connection was closed.');
    mock.faults.remove(id);
    mock.faults.add({ effect: { hold: true } });
    const { to, text } = await act(`${LIST}/req_1`, form);
    expect([to, text.includes('It is sent. Its response comes late, or is held.')]).toEqual([`${LIST}?note=2`, true]);
  });

  test('is offered without a body that is too long', async () => {
    const { get, mock } = await start();
    const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
    for (const length of [19_987, 19_988])
      await mock.fetch('/projects', { method: 'POST', headers, body: JSON.stringify({ n: 'x'.repeat(length) }) });
    const [fits, not] = [(await get(`${LIST}/req_1`)).text, (await get(`${LIST}/req_2`)).text];
    expect([fits, not].map((text) => text.includes('What was sent is too long to be offered again.'))).toEqual([false, true]);
    expect([fits, not].map((text) => /<textarea[^>]*>([^<]*)</.exec(text)![1] === '')).toEqual([false, true]);
  });
});

describe('The journal as an HTTP Archive', () => {
  test('holds every exchange with its query, its body and no key', async () => {
    const { mock, get } = await start();
    expect((await get(LIST)).text).not.toContain('/_mock/har');
    const headers = { ...mock.auth('write'), 'content-type': 'application/json' };
    await mock.fetch('/tasks?limit=1&sort=title', { headers: mock.auth('read') });
    await mock.fetch('/projects', { method: 'POST', headers, body: '{"name":"Har"}' });
    await mock.fetch('/projects', { method: 'POST', headers, body: 'no json' });
    const archive = (await (await send(mock, '/_mock/har')).json()) as { log: { entries: object[] } };
    expect(JSON.stringify(archive)).not.toContain('wm_acme');
    const queryString = Object.entries({ limit: '1', sort: 'title' }).map(([name, value]) => ({ name, value }));
    expect(archive.log.entries).toMatchObject([
      { request: { url: 'http://127.0.0.1:4700/v1/tasks?limit=1&sort=title', queryString } },
      { request: { postData: { mimeType: 'application/json', text: '{"name":"Har"}' } } },
      { request: { postData: { text: 'no json' } }, response: { status: 400 } },
    ]);
  });

  test('holds one exchange, another world, a closed connection', async () => {
    const { mock } = await start();
    mock.fork({ id: 'other' });
    for (const name of ['teams', 'users']) await send(mock, `/worlds/other/v1/${name}`);
    const one = await (await send(mock, '/worlds/other/_mock/har?id=req_2')).json();
    expect(one.log.entries).toHaveLength(1);
    expect(one.log.entries[0].request.url).toBe('http://127.0.0.1:4700/worlds/other/v1/users');
    const none = await send(mock, '/_mock/har?id=req_9');
    expect(none.status).toBe(404);
    expect((await none.json()).error.message).toContain('No exchange has the id "req_9"');
    mock.faults.add({ effect: { abort: true } });
    await mock.fetch('/teams').catch(() => {});
    const closed = (await (await send(mock, '/_mock/har')).json()).log.entries[0].response;
    expect([closed.status, closed.content]).toEqual([0, { size: 0, mimeType: '', text: '' }]);
  });
});

describe('A bug report', () => {
  const reportIn = (text: string) => /<code id="bug-report">([\s\S]*?)<\/code>/.exec(text)![1]!.replace(/&\w+;|&#39;/g, entityOf);

  test('has request, response, checks and state of the world, and no key', async () => {
    const { get, mock } = await start();
    await stirred(mock);
    const { text } = await get(`${LIST}/req_8`);
    const report = reportIn(text);
    const service = `service v${RELEASES[LATEST].version}`;
    const head = `## 422 POST /v1/projects/proj_launch/tasks\n- ${service}\n- world default\n- 2025-01-20T12:03:30.000Z\n- clock frozen now\n`;
    expect(report.slice(0, head.length)).toBe(head);
    expect(report).toContain('\n- fault_2 now: GET /teams*: late by 200–900 ms\n### Why\n- key: ');
    expect(report).toMatch(
      /\n- body: .* \(Resources and their fields\)\n- against the contract: unknown-field, .*\n### Request\n```\ncurl -X POST 'http/,
    );
    expect(report).toContain(
      "/v1/projects/proj_launch/tasks' \\\n  -H 'authorization: Bearer <key>' \\\n  -H 'content-type: application/json' \\\n  -d '",
    );
    expect(report).toMatch(/\n```\nauthorization: Bearer \[hidden\]\ncontent-type: application\/json\n[^\n]*\n\n\{\n/);
    expect(report).toMatch(/\n### Response\n```\n[\s\S]*x-ratelimit-limit: [\s\S]*"code": "validation_error"[\s\S]*\n```$/);
    expect(report).not.toContain('fault_1');
    expect(report).not.toContain('open points');
    expect(report).not.toContain('wm_acme');
    expect(text).toContain('data-copy="" data-from="bug-report">Copy as bug report</button>');
  });

  test('has changes, changed open points and a closed connection', async () => {
    const { get, mock } = await start();
    await stirred(mock);
    expect(reportIn((await get(`${LIST}/req_2`)).text)).toMatch(/\n```\n### Changed\n- created tasks task_\w+$/);
    await send(mock, '/_mock/choices', 'PATCH', { 'owner-field': 'owner_id', 'patch-status': '202' });
    mock.faults.add({ effect: { abort: true }, times: 1 });
    await mock.fetch('/users').catch(() => {});
    const report = reportIn((await get(`${LIST}/req_16`)).text);
    expect(report).toMatch(/^## closed GET \/v1\/users\n/);
    expect(report).toContain('- open points now: owner-field=owner_id, patch-status=202\n');
    expect(report).toContain("```\ncurl -X GET 'http://127.0.0.1:4700/v1/users'\n```\n```\n\n```\n### Response\n```\n\n```");
  });
});
