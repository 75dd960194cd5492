// The tools of `wm-mock mcp` by themselves, over a mock of this process.
import { afterAll, expect, test } from 'vitest';
import { connect } from '../../connect/connect.ts';
import { UsageError } from '../command-line/io.ts';
import { createMock } from '../index.ts';
import { reportMissingSdk } from './mcp.ts';
import { TOOLS } from './mcp-tools.ts';

const mock = await createMock({ seed: 'demo', now: '2025-01-20T09:00:00Z' });
const remote = await connect((await mock.listen({ port: 0 })).origin);
afterAll(() => mock.close());

const use = (name: string, given: object = {}): Promise<unknown> => TOOLS[name]!.run(remote, given as never);

test('open points are shown by their parts, and chosen', async () => {
  const all = (await use('choose')) as { part: string; name: string }[];
  const [{ part, name }] = all as [{ part: string; name: string }];
  const some = (await use('choose', { parts: [part] })) as typeof all;
  expect(some).toEqual(all.filter((point) => point.part === part));
  expect(some.length).toBeLessThan(all.length);
  expect(some[0]!.name).toBe(name);
});

test('records are found by fields that hold nothing', async () => {
  const none = (await use('read_records', { kind: 'task', where: { due_date: null } })) as { due_date: null }[];
  expect([none.length > 0, none.every((task) => task.due_date === null)]).toEqual([true, true]);
});

test('a list of requests has at most a hundred, the newest', async () => {
  await use('call_api', { path: '/tasks?limit=1' });
  await use('call_api', { path: '/users/me' });
  expect(await use('list_requests', { limit: 1 })).toMatchObject([{ request: 'GET /v1/users/me', status: 200 }]);
  expect(TOOLS.list_requests!.input).toMatchObject({ properties: { limit: { minimum: 1, maximum: 100 } } });
});

test('every tool and everything that it takes is said in a sentence, for a model reads nothing else', () => {
  for (const [name, { title, description, input }] of Object.entries(TOOLS)) {
    expect([name, title, description]).toEqual([name, expect.stringMatching(/^[A-Z]\w/), expect.stringMatching(/^[A-Z].*\.$/)]);
    for (const [property, schema] of Object.entries((input as { properties: object }).properties))
      if (!description.includes(`\`${property}\``))
        expect(`${name} ${property}: ${JSON.stringify(schema)}`).toMatch(/"description":"[^"]+\.|"enum":|"x-says":/);
  }
  expect(TOOLS.call_api!.input).toMatchObject({ properties: { as: { enum: ['admin', 'write', 'read', 'none'] } } });
  expect(TOOLS.list_timeline!.input).toMatchObject({
    properties: { from: { pattern: expect.any(String) }, kind: { enum: expect.arrayContaining(['attempt']) } },
  });
});

test('the timeline says what followed from what, the newest last', async () => {
  await use('call_api', { path: '/teams' });
  await use('call_api', { path: '/projects', method: 'POST', body: { name: 'Site' } });
  await mock.webhooks.settled();
  const { id } = mock.read.projects().find(({ name }) => name === 'Site')!;
  const all = (await use('list_timeline')) as { n: number; kind: string; title: string }[];
  const last = all.findLast(({ kind }) => kind === 'request')!;
  expect([all.length, last.title]).toEqual([Math.min(20, mock.timeline.length), 'POST /v1/projects → 201']);
  expect(await use('list_timeline', { from: last.n, kind: 'request' })).toMatchObject([{ n: last.n }]);
  expect(await use('list_timeline', { record: id, kind: 'request' })).toMatchObject([
    { n: last.n, records: [{ id, kind: 'created' }] },
  ]);
  expect(await use('list_timeline', { limit: 1 })).toMatchObject([{ n: all.at(-1)!.n }]);
  expect(TOOLS.list_timeline!.readOnly).toBe(true);
});

test('a long response is cut, and says how to ask for less', async () => {
  const { body } = (await use('call_api', { path: '/tasks?limit=100' })) as { body: string };
  expect(body).toMatch(/characters; ask for less/);
});

test('a held response is released alone', async () => {
  const { id } = await remote.faults.add({ match: { operation: 'listTeams' }, effect: { hold: true } });
  const [first, second] = [use('call_api', { path: '/teams' }), use('call_api', { path: '/teams?limit=1' })];
  const holding = async () => (await remote.control('GET /faults/{id}', id)).holding ?? [];
  await expect.poll(async () => (await holding()).length).toBe(2);
  await remote.faults.release(id, (await holding())[0]!.request);
  await expect.poll(async () => (await holding()).length).toBe(1);
  await use('clear_faults');
  expect(await Promise.all([first, second])).toMatchObject([{ status: 200 }, { status: 200 }]);
});

test('without its SDK the command says what to install; another failure stays what it is', () => {
  const report = () => reportMissingSdk(Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' }));
  const words =
    'mcp: the package @modelcontextprotocol/server is missing. Install it beside wm-mock: npm install --save-dev @modelcontextprotocol/server. See AGENTS.md.';
  expect(report).toThrow(new UsageError(words, 1));
  expect(() => reportMissingSdk(new Error('broken'))).toThrow(new Error('broken'));
});
