// The timeline as a page: rows with their links, filters, chains, older ones, and the world of then.
import { expect, test } from 'vitest';
import type { Mock } from '../../node/index.ts';
import { type DashboardBench, startAcknowledged as start } from '../../test/dashboard.ts';
import { linesOf, mainOf } from '../../test/reading.ts';

const headers = { authorization: 'Bearer wm_acme_admin', 'content-type': 'application/json' };
const post = (mock: Mock, body: object, path = '/projects') =>
  mock.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });

/** A project made by a request, at no. 1; its event and the attempts of it. */
const draw = async (options?: Parameters<typeof start>[0]) => {
  const bench = await start(options);
  await post(bench.mock, { name: 'A' });
  await bench.mock.webhooks.settled();
  const record = bench.mock.read.projects().at(-1)!.id;
  return { ...bench, record, deliveries: bench.mock.deliveries.map(({ id }) => id) };
};

const main = async ({ get }: Pick<DashboardBench, 'get'>, path = '/dashboard/timeline') => mainOf((await get(path)).text);
/** Rows of the table. */
const rowsOf = (html: string): string[] => linesOf(html.slice(html.indexOf('<tbody'), html.indexOf('</tbody')));

test('the timeline shows entries newest first, each with its kind, times, causes and what followed', async () => {
  const bench = await draw();
  const { record, deliveries } = bench;
  expect(deliveries.length).toBeGreaterThan(0);
  const html = await main(bench);
  const rows = rowsOf(html);
  const [n, a] = [deliveries.length + 2, deliveries.at(-1)!];
  const real = '\\d\\d:\\d\\d:\\d\\d\\.\\d{3}';
  const { url } = bench.mock.deliveries.at(-1)!;
  expect(rows[0]).toMatch(
    new RegExp(
      `^${n} \\| attempt \\(/dashboard/webhooks/deliveries/${a}\\) 1 of project\\.created to ${url} → 204 \\| 09:00:00\\.000 \\| ${real} \\| \\(/dashboard/timeline\\?from=2\\) no\\. 2 \\|$`,
    ),
  );
  const links = deliveries.map((id) => `(/dashboard/webhooks/deliveries/${id}) delivery ${id}`).join(' ');
  for (const part of [
    `2 | [good] event (/dashboard/timeline?from=2) project.created of ${record} (/dashboard/timeline?record=${record}) created ${record} ${links} |`,
    `| (/dashboard/timeline?from=1) no. 1 | (/dashboard/timeline?from=2) ${deliveries.length} from no. 2`,
  ])
    expect(rows.at(-2)).toContain(part);
  expect(rows.at(-1)).toContain(
    `1 | [info] request (/dashboard/requests/req_1) POST /v1/projects → 201 (/dashboard/timeline?record=${record}) created ${record} | 09:00:00.000 `,
  );
  expect(rows.at(-1)).not.toContain('delivery');
  expect(rows).toHaveLength(n);
  expect(html).toContain('title="2025-01-20 09:00:00.000 UTC"');
  expect(html).toContain('<a class="link" href="/dashboard/timeline?from=1" title="POST /v1/projects → 201">no.\u00a01</a>');
});

test('each kind of entry links to its own page and says the day where it is another', async () => {
  const bench = await start();
  const { mock } = bench;
  mock.faults.add({ match: { operation: 'listTasks' }, effect: { status: 503 } });
  mock.choose({ 'patch-status': '202' });
  mock.create.task({ title: 'x' });
  mock.clock.set('2025-02-01T00:00:00Z');
  const rows = rowsOf(await main(bench));
  expect(rows[0]).toMatch(
    /^\d+ \| \[warn\] clock \(\/dashboard\/clock\) 2025-01-20T09:00:00\.000Z → 2025-02-01T00:00:00\.000Z \| 2025-01-20 09:00:00\.000 \| \d\d:/,
  );
  const linesWith = (kind: string) => rows.filter((row) => row.includes(` ${kind} (`));
  expect(linesWith('choice')[0]).toContain('| choice (/dashboard/choices) patch-status = 202 |');
  expect(linesWith('[bad] fault')[0]).toContain('[bad] fault (/dashboard/faults) fault_1: listTasks, status 503, always |');
  expect(linesWith('edit')[0]).toMatch(
    /\| edit \(\/dashboard\/timeline\?from=3\) mock\.create\.task \(\/dashboard\/timeline\?record=task_/,
  );
});

test('a held response has no page yet', async () => {
  const bench = await start();
  const { id } = bench.mock.faults.add({ effect: { hold: true } });
  const waiting = bench.mock.fetch('/tasks', { headers });
  await new Promise((done) => setTimeout(done, 5));
  expect(rowsOf(await main(bench))[0]).toContain('(/dashboard/timeline?from=2) GET /v1/tasks → kept back by fault_1 |');
  bench.mock.faults.release(id);
  await waiting;
});

test('the timeline is narrowed by kind, by record and to what followed from an entry', async () => {
  const bench = await draw();
  const { mock, record, deliveries } = bench;
  await post(mock, { name: 'B' });
  const numbers = async (query: string) =>
    rowsOf(await main(bench, `/dashboard/timeline?${query}`)).map((row) => Number(row.split(' ')[0]));
  const attempts = deliveries.map((_, i) => i + 3).reverse();
  expect(await numbers(`from=1`)).toEqual([...attempts, 2, 1]);
  expect(await numbers('kind=request')).toEqual([deliveries.length + 3, 1]);
  expect(await numbers(`record=${record}&kind=event`)).toEqual([2]);
  expect(await numbers(`record=&kind=&from=`)).toHaveLength(deliveries.length + 4);
  const html = await main(bench, '/dashboard/timeline?from=1&kind=event');
  expect(linesOf(html).join(' ')).toContain('(/dashboard/timeline?kind=event) Show all');
  expect(html).toContain('<input type="hidden" name="from" value="1"/>');
  expect(html).toMatch(/<option value="event" selected="">/);
  expect(linesOf(await main(bench, '/dashboard/timeline?from=99')).join(' ')).toContain('None fits None of the');
});

test('an address with an unknown kind or entry is refused with its findings', async () => {
  const bench = await draw();
  const at = async (query: string) => {
    const { status, text } = await bench.get(`/dashboard/timeline?${query}`);
    const html = mainOf(text);
    const notice = /<div class="notice bad" role="alert">([\s\S]*?)<\/div>/.exec(html)?.[1] ?? '';
    return { status, html, notice: linesOf(notice) };
  };
  const kind = await at('kind=zz');
  expect(kind.status).toBe(200);
  expect(kind.notice).toEqual([
    'The timeline cannot be narrowed so.',
    'kind must be one of request, event, attempt, clock, fault, choice, edit, got "zz"',
  ]);
  expect(kind.html).not.toContain('<table');
  expect(linesOf(kind.html).join(' ')).not.toContain('None fits');
  const from = await at('from=abc&kind=event');
  expect(from.notice).toEqual(['The timeline cannot be narrowed so.', 'from must be the number of an entry, got "abc"']);
  expect(linesOf(from.html)[1]).toContain('What happened in the world default');
  expect(from.html).not.toContain('Show all');
  expect((await at('from=0&kind=zz')).notice).toHaveLength(3);
  expect((await at(`from=${'9'.repeat(400)}`)).html).toContain('…');
  for (const good of ['kind=&from=', 'from=1', 'record=nothing', 'before=t2'])
    expect([good, (await at(good)).notice]).toEqual([good, []]);
});

test('the timeline has pages of fifty, or says that nothing has happened', async () => {
  const bench = await start();
  const none = linesOf(await main(bench)).join(' ');
  expect(none).toContain('Nothing has happened yet Requests, events and their attempts, moves of the clock');
  for (let i = 0; i < 51; i++) await bench.mock.fetch('/tasks', { headers });
  const first = await main(bench);
  expect(rowsOf(first).map((row) => row.split(' ')[0])).toEqual(Array.from({ length: 50 }, (_, i) => String(51 - i)));
  expect(first).toContain('href="/dashboard/timeline?before=t2" rel="next"');
  const second = await main(bench, '/dashboard/timeline?before=t2');
  expect(rowsOf(second).map((row) => row.split(' ')[0])).toEqual(['1']);
  expect(second).not.toContain('rel="next"');
  expect(rowsOf(await main(bench, '/dashboard/timeline?before=t52'))).toEqual([]);
  expect(await main(bench, '/dashboard/timeline?from=1&before=t1')).toContain('href="/dashboard/timeline"');
});

test('an entry shows four links of a kind and counts the others', async () => {
  const bench = await start();
  bench.mock.create.project({ name: 'P', tasks: Array.from({ length: 5 }, (_, i) => ({ title: `${i}` })) } as never);
  const row = rowsOf(await main(bench, '/dashboard/timeline?kind=edit'))[0]!;
  expect(row.match(/created \w+/g)).toHaveLength(4);
  expect(row).toContain('And 2 more records.');
});

test('a recorded entry opens the world as it was before and after it', async () => {
  const bench = await draw({ record: true });
  const { mock, act } = bench;
  mock.create.task({ title: 'later' });
  const entry = mock.timeline.find(({ kind }) => kind === 'request')!;
  const html = await main(bench);
  expect(linesOf(html)[1]).toBe(
    'What happened in the world default, in its order. Each leads to the world before it and after it. Tick two to compare them, or one with now.',
  );
  expect(html).toMatch(/<th scope="col">Then<\/th><\/tr>/);
  const compared = async (query: string) => linesOf(await main(bench, `/dashboard/compare?${query}`)).join(' ');
  const last = mock.timeline.at(-1)!.n;
  expect(await compared(`at=${last}&at=1`)).toContain(`From no. 1 to no. ${last}: 3 created, 0 gone, 1 changed.`);
  expect(await compared('at=1')).toContain('From no. 1 to default:');
  expect(await compared('at=99')).toContain('No recording leads back to no. 99 of the timeline.');
  expect(html).toContain('<input type="checkbox" name="at" value="1" form="moments" aria-label="Compare no. 1"/>');
  for (const side of ['before', 'after']) {
    const form = new RegExp(`<form[^>]*class="inline" aria-label="The world ${side} no\\. 1"[\\s\\S]*?</form>`).exec(html)![0];
    expect(form).toContain(`name="at" value="${entry.step}"`);
    expect(form).toContain(`value="${side}" class="button quiet small" aria-label="The world ${side} no. 1">${side}</button>`);
  }
  const before = await act('/dashboard/timeline', { do: 'before', at: String(entry.step) });
  expect(before.to).toMatch(/^\/worlds\/world_1\/dashboard\/timeline\?note=/);
  expect(before.text).toContain(`This is world_1: default as it was before step ${entry.step} of its recording.`);
  const after = await act('/dashboard/timeline', { do: 'after', at: String(entry.step) });
  expect(after.text).toContain(`This is world_2: default as it was after step ${entry.step} of its recording.`);
  expect(rowsOf(mainOf(after.text)).map((row) => row.split(' ')[0])).toEqual(['2', '1']);
  const lines = linesOf(await main(bench, '/dashboard/compare?from=world_1&to=world_2')).join(' ');
  expect(lines).toContain('From world_1 to world_2:');
  expect(lines).toContain(`created projects (/dashboard/timeline?record=${entry.records[0]!.id})`);
});
