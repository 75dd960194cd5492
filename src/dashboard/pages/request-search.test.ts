// Requests found by words and by names, in this world and in others.
import { beforeAll, describe, expect, test } from 'vitest';
import { type DashboardBench, dashboardBench, startDashboard as start, stirred } from '../../test/dashboard.ts';
import { linesOf, mainOf } from '../../test/reading.ts';
import { parseSearch } from './request-search.ts';

const LIST = '/dashboard/requests';
const rowsOf = (text: string): string[] => [...text.matchAll(/<tr data-row="([^"]+)"/g)].map(([, id]) => id!.replace('req_', ''));

describe('A line', () => {
  test.each<[string, readonly string[]]>([
    ['', []],
    ['one  Two', ['+:one', '+:two']],
    ['status:4xx -METHOD:Get', ['+status:4xx', '-method:get']],
    ['"two words" -"not these" body:"a b" -body:c', ['+:two words', '-:not these', '+body:a b', '-body:c']],
    ['http://x y:z toString:a', ['+:http://x', '+:y:z', '+:tostring:a']],
    ['a-b status:', ['+:a-b', '+:status:']],
  ])('%j asks for %j', (line, terms) => {
    expect(parseSearch(line).map(({ not, name, wanted }) => `${not ? '-' : '+'}${name}:${wanted}`)).toEqual(terms);
  });
});

describe('A search', () => {
  let bench: DashboardBench;
  const found = async (q: string, more = '', { get } = bench): Promise<string[]> =>
    rowsOf((await get(`${LIST}?q=${encodeURIComponent(q)}${more}`)).text);
  beforeAll(async () => {
    bench = await dashboardBench();
    bench.mock.fork({ id: 'checkout-2' });
    await stirred(bench.mock);
    await bench.mock.app.fetch(
      new Request('http://127.0.0.1:4700/worlds/checkout-2/v1/teams', { headers: { authorization: 'Bearer wm_acme_admin' } }),
    );
    return () => bench.mock.close();
  });

  test.each<[string, string]>([
    ['', '15 14 13 12 11 10 9 8 7 6 5 4 3 2 1'],
    ['method:DELETE', '9'],
    ['method:D', ''],
    ['-method:get', '13 9 8 3 2'],
    ['status:4xx', '11 10 9 8'],
    ['status:503', '4'],
    ['status:closed', ''],
    ['path:/v1/teams', '15'],
    ['path:/TEAMS', '15'],
    ['path:/team', ''],
    ['path:team', '15'],
    ['path:*never*', '11'],
    ['path:never_w', '11'],
    ['operation:LISTteams', '15'],
    ['operation:list', ''],
    ['key:odile', '12'],
    ['key:release', '8 3 2'],
    ['key:write status:4xx', '8'],
    ['key:any path:users', ''],
    ['-key:any', '10'],
    ['fault:any', '4'],
    ['fault:fault_1', '4'],
    ['fault:fault_2', ''],
    ['warning:any', '8 7'],
    ['warning:unknown', '8'],
    ['since:29s', '15 14'],
    ['since:1m status:4xx', '11 10 9 8'],
    ['since:soon', ''],
    ['point:unknown-body-fields', '8'],
    ['-status:2xx -status:4xx', '4'],
    ['body:"every floor"', '7 6 3 2 1'],
    ['teams', '15'],
    ['never_was', '11'],
    ['listteams', '15'],
    ['hallway status:4xx', '11 9'],
    ['unknown-field', '8'],
    ['nothing-of-that', ''],
    ['teams -teams', ''],
  ])('for %j finds %s', async (q, ids) => {
    const all = await found(q);
    if (q.startsWith('body:')) expect(all.length).toBeGreaterThan(0);
    else expect(all.join(' ')).toBe(ids);
  });

  test('for words searches both messages and finds no secret', async () => {
    const own = await start();
    const { mock } = own;
    const search = (q: string) => found(q, '', own);
    const last = () => String(mock.requests.at(-1)!.id.slice(4));
    const headers = { ...mock.auth('admin'), 'content-type': 'application/json' };
    const body = JSON.stringify({ title: 'Zebra crossing', nonsense: 'okapi' });
    await mock.fetch('/projects/proj_launch/tasks', { method: 'POST', headers, body });
    const made = last();
    await mock.fetch('/tasks?sort=-created_at&limit=1', { headers });
    const listed = last();
    expect([await search('okapi'), await search('body:OKAPI')]).toEqual([[made], [made]]);
    for (const line of ['zebra', 'body:"zebra cross"']) expect(await search(line)).toEqual([listed, made]);
    const hook = { url: 'http://127.0.0.1:9/x', events: ['task.created'] };
    const created = await (await mock.fetch('/webhooks', { method: 'POST', headers, body: JSON.stringify(hook) })).json();
    const { secret } = (created as { data?: { secret: string } }).data ?? (created as { secret: string });
    const hooked = last();
    await mock.fetch('/projects', { method: 'POST', headers, body: '{"text":"quagga' });
    expect([await search(secret.slice(0, 20)), await search('body:task.created status:201')]).toEqual([[], [hooked]]);
    expect([await search('quagga'), await search('body:{"text":"qua')]).toEqual([[last()], [last()]]);
    const { id } = mock.faults.add({ match: { path: '/users/me' }, effect: { abort: true } });
    await mock.fetch('/users/me', { headers }).catch(() => {});
    mock.faults.remove(id);
    for (const line of ['status:closed', 'status:0']) expect(await search(line)).toEqual([last()]);
    expect(await search('status:200 path:/users/me')).toEqual([]);
  });

  test('by a name of worlds looks through each of them, and says where', async () => {
    const { text } = await bench.get(`${LIST}?q=world:CHECKOUT+path:teams`);
    expect(rowsOf(text)).toEqual(['checkout-2 1']);
    expect(text).toContain(
      'href="/worlds/checkout-2/dashboard/requests/req_1">/v1/teams</a><span class="muted">in checkout-2</span>',
    );
    expect((await found('world:default world:checkout path:/teams')).slice(0, 2)).toEqual(['15', 'checkout-2 1']);
    expect(await found('world:nowhere')).toEqual([]);
    expect((await bench.get(`${LIST}?q=world:checkout`)).text).not.toContain('rel="next"');
    const there = await bench.get(`/worlds/checkout-2${LIST}?q=world:default+method:delete`);
    expect(there.text).toContain('href="/dashboard/requests/req_9"');
  });

  test('goes with the selects, keeps its line, and understands links of old', async () => {
    expect(await found('status:4xx', '&method=POST')).toEqual(['8']);
    expect(await found('', '&method=PATCH')).toEqual(['3']);
    expect((await bench.get(`${LIST}?q=since:1m+teams`)).text).toContain(`"chip info" href="${LIST}?q=teams">last`);
    const { text } = await bench.get(`${LIST}?path=/tasks*&status=404`);
    expect(rowsOf(text)).toEqual(['11']);
    const lines = linesOf(mainOf(text));
    expect(lines).toContain(`Search q=path:/tasks* Apply (${LIST}) Clear`);
    expect(lines).toContain('Method method: *any GET POST PATCH DELETE');
    expect(linesOf(mainOf((await bench.get(LIST)).text))).toContain('Search q= Apply');
  });
});
