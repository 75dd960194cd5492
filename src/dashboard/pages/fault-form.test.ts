// The form of a fault: its draft, and the release of one held response.
import { expect, test } from 'vitest';
import { startDashboard as start } from '../../test/dashboard.ts';
import { parseFaultDraft } from './fault-form.tsx';

const draftOf = (fields: Readonly<Record<string, string>>) => parseFaultDraft(new URLSearchParams(fields));
const PAGE = '/dashboard/faults';

test('each field of the form is a member of the order', () => {
  const draft = draftOf({
    'match.query': 'filter[status]=todo&cursor=*',
    'match.body': '{"status":"done"}',
    'match.header': 'User-Agent: *Firefox*\nX-A: b:c',
    'effect.status': '502',
    'effect.raw': '<h1>502</h1>',
    'effect.content_type': 'text/html',
    'effect.headers': 'Server: nginx',
    'effect.retry_after': '3',
    'effect.latency': '200, 3000',
    'effect.error.code': 'down',
    'effect.error.details': '{"a":1}',
  });
  expect(draft).toEqual({
    match: {
      query: { 'filter[status]': 'todo', cursor: '*' },
      body: { status: 'done' },
      header: { 'User-Agent': '*Firefox*', 'X-A': 'b:c' },
    },
    effect: {
      status: 502,
      raw: '<h1>502</h1>',
      content_type: 'text/html',
      headers: { Server: 'nginx' },
      retry_after: 3,
      latency: { p50_ms: 200, p99_ms: 3000 },
      error: { code: 'down', details: { a: 1 } },
    },
  });
  const event = draftOf({ 'match.event': 'task.created', 'effect.event': 'reorder' });
  expect(event).toEqual({ match: { event: 'task.created' }, effect: { reorder: true } });
  expect(draftOf({ 'match.body': '{no', 'effect.latency': 'x' })).toEqual({ match: { body: '{no' }, effect: { latency: 'x' } });
  for (const latency of ['2,30', '2 / 30', '2   30', '2 ,30'])
    expect(draftOf({ 'effect.latency': latency }).effect).toEqual({ latency: { p50_ms: 2, p99_ms: 30 } });
  for (const latency of ['2x30', 'a2,30', '2,30b']) expect(draftOf({ 'effect.latency': latency }).effect).toEqual({ latency });
  const unknown = { 'effect.end': 'else', 'effect.event': '', 'effect.__proto__.a': '1', more: '1', xtimes: '1', times2: '1' };
  expect(draftOf({ ...unknown, 'effect.raw': ' x ' })).toEqual({ match: {}, effect: { raw: ' x ' } });
});

test.each(['abort', 'hold', 'duplicate', 'reorder', 'bad_signature'])('%s is switched on by its choice', (name) => {
  const field = name === 'abort' || name === 'hold' ? 'effect.end' : 'effect.event';
  expect(draftOf({ [field]: name })).toEqual({ match: {}, effect: { [name]: true } });
});

test('the form shows four fields, and the others where one of them is filled', async () => {
  const { get } = await start();
  const fold = /<form[^>]*"A fault of your own"[\s\S]*?<details class="fold"( open="")?>/;
  const foldAt = async (query: string) => fold.exec((await get(PAGE + query)).text)!;
  const [form, open] = await foldAt('?status=503&times=1');
  expect([form!.match(/<label/g)!.length, open, (await foldAt('?key=x'))[1]]).toEqual([4, undefined, ' open=""']);
});

test('the button of a held request releases it alone', async () => {
  const bench = await start();
  const { mock } = bench;
  const { id } = mock.faults.add({ effect: { hold: true } });
  const responses = ['/tasks', '/users/me'].map((path) => mock.fetch(path, { headers: mock.auth('read') }));
  while (mock.faults.list()[0]!.held < 2) await new Promise((done) => setTimeout(done, 1));
  expect((await bench.get(PAGE)).text).toContain(`Release request 2 of ${id}`);
  const posted = await bench.post(PAGE, { do: 'releaseOne', id, request: '2' });
  expect(posted.status).toBe(303);
  expect((await responses[1]!).status).toBe(200);
  expect(mock.faults.list()[0]).toMatchObject({ held: 1, released: false, holding: [{ request: 1, path: '/v1/tasks' }] });
  const twice = await bench.post(PAGE, { do: 'releaseOne', id, request: '2' });
  expect([twice.status, twice.text.includes('it holds 1, got 2')]).toEqual([422, true]);
  await mock.close();
  await responses[0];
});
