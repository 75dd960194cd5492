// `wm-mock mcp` as a coding agent meets it: the built command, over the official client.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOOLS } from './mcp-tools.ts';

const client = new Client({ name: 'an agent', version: '1.0.0' });
const COMMAND = ['dist/node/cli.js', 'mcp', '--seed', 'fixtures/tiny.yaml', '--plan', 'free'];

beforeAll(() => client.connect(new StdioClientTransport({ command: process.execPath, args: COMMAND, stderr: 'ignore' })));
afterAll(() => client.close());

const call = async (name: string, given: object = {}) => {
  const { content, isError } = await client.callTool({ name, arguments: { ...given } });
  const [{ text }] = content as unknown as [{ text: string }];
  return { refused: isError === true, text, ...(isError ? {} : { says: JSON.parse(text) }) };
};

test('each tool says what it is for, what it takes, and whether it changes anything', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(TOOLS));
  for (const { title, description, inputSchema, annotations } of tools) {
    const results = [title, description, inputSchema.type, typeof annotations?.readOnlyHint];
    expect(results).toEqual([expect.any(String), expect.stringMatching(/\.$/), 'object', 'boolean']);
  }
});

test('an agent builds a failing case, reads why it fails, advances the clock, and finds it mended', async () => {
  const { keys, clock } = (await call('describe_mock')).says;
  expect([keys[0].scope, clock.mode]).toEqual(['admin', 'frozen']);
  const listTasks = () => call('call_api', { path: '/tasks?limit=1' });
  let response = await listTasks();
  for (let n = 0; n < 100 && response.says.status === 200; n++) response = await listTasks();
  expect(response.says).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
  const [{ id }] = (await call('list_requests', { status: '429' })).says;
  const { why } = (await call('explain_request', { id })).says;
  expect(why.at(-1).found).toContain('60');
  expect((await call('advance_clock', { by: '1m' })).refused).toBe(false);
  expect((await listTasks()).says.status).toBe(200);
});

test('records are created, read, changed and removed, faults ordered and cleared', async () => {
  const { id } = (await call('create_record', { kind: 'task', fields: { title: 'By an agent', due_date: '+3d' } })).says;
  await call('update_record', { kind: 'task', id, fields: { status: 'done' } });
  const where = { title: 'By an agent' };
  expect((await call('read_records', { kind: 'task', where })).says).toMatchObject([{ id, status: 'done' }]);
  await call('add_fault', { match: { operation: 'getTask' }, effect: { status: 503 } });
  const read = () => call('call_api', { path: `/tasks/${id}`, as: 'read' });
  expect((await read()).says.status).toBe(503);
  await call('clear_faults');
  expect((await read()).says.status).toBe(200);
  await call('remove_record', { kind: 'task', id });
  expect((await read()).says.status).toBe(404);
  expect((await call('choose', { parts: ['Webhooks'] })).refused).toBe(false);
  expect((await call('list_deliveries')).says).toEqual([]);
  await call('reset');
  expect((await call('list_requests')).says).toEqual([]);
});

test('a refused call says what is wrong, field by field', async () => {
  const wrong = await call('create_record', { kind: 'task', fields: { title: 'x', priority: 'asap' } });
  expect(wrong).toMatchObject({ refused: true, text: expect.stringContaining('priority') });
  expect(await call('advance_clock', { by: 'soon' })).toMatchObject({ refused: true, text: expect.stringContaining('by') });
  const deep = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
  expect((await call('create_record', { kind: 'task', fields: { deep } })).text).toContain('must have at most 100 levels');
});

test('call_api stays below /v1, however a path climbs', async () => {
  const segments = ['..', '%2e%2e', '.%2E', '.', '..\\..', '.\t.', 'tasks/..\\../..'];
  for (const climb of segments)
    for (const end of ['/_mock/state', '?a', '#a', ''])
      expect([climb, end, (await call('call_api', { path: `/${climb}${end}` })).refused]).toEqual([climb, end, true]);
  for (const path of ['/tasks?limit=1&search=/../x', '/tasks/..a', '/tasks/a..', '/tasks/%252e%252e'])
    expect([path, (await call('call_api', { path })).refused]).toEqual([path, false]);
});

test('the pages that an agent should read are resources', async () => {
  const { resources } = await client.listResources();
  for (const { uri } of resources) {
    const [page] = (await client.readResource({ uri })).contents as unknown as [{ text: string }];
    expect(page.text.length).toBeGreaterThan(1000);
  }
});
