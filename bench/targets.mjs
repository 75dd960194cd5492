// The servers that are put under load: wm-mock at a size, limit (c), and the peers with the same tasks.
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asksOf } from './peers.mjs';
import { freePort, startServer } from './processes.mjs';
import { explore, proveAll, SCENARIOS, STATUSES, send, wire } from './scenarios.mjs';
import { KEY, plainTasks, tasksIn, writeGeneratedSeed } from './seeds.mjs';

const REST_MS = 700;
const PEER_START_MS = 60_000;

export const here = (file) => fileURLToPath(new URL(file, import.meta.url));
export const rest = () => new Promise((rested) => setTimeout(rested, REST_MS));
export const authorized = { path: '/v1/users/me', headers: { authorization: `Bearer ${KEY}` } };
export const mockArgs = (cli, seed) => [cli, 'serve', '--seed', seed, '--port', '0'];

/** One wm-mock with `size` tasks, explored, checked, and ready for load. */
export async function startMock({ cli, folder, size, scenarios, nodeFlags = [] }) {
  const name = `wm-mock ${size}`;
  const args = [...nodeFlags, ...mockArgs(cli, writeGeneratedSeed(folder, size))];
  const server = await startServer({ name, args, probe: authorized });
  await rest();
  const memoryAtRest = server.memory();
  const found = await explore(server.port, tasksIn(size));
  const firstMs = await proveAll(server.port, scenarios, found);
  const requests = Object.fromEntries(scenarios.map((each) => [each.name, each.ask(found).map((one) => wire(server.port, one))]));
  const expect = Object.fromEntries(scenarios.map((each) => [each.name, each.expect ?? 200]));
  const mock = {
    ...server,
    kind: 'mock',
    size,
    found,
    firstMs,
    memoryAtRest,
    requests,
    expect,
    most: tasksIn(size),
    resets: true,
  };
  mock.tidy = () => backToSeed(mock, scenarios);
  await mock.tidy();
  return mock;
}

/** Undoes the creates of a slice, else "1k tasks" would be 20k at the end, and asks each reading shape once again. */
async function backToSeed(mock, scenarios) {
  const { status } = await send(mock.port, { method: 'POST', path: '/_mock/reset', body: '{}' });
  if (status >= 300) mock.resets = false;
  for (const { name, writes } of scenarios) {
    if (!writes)
      await fetch(`http://127.0.0.1:${mock.port}${mock.requests[name][0].split(' ')[1]}`, { headers: authorized.headers });
  }
}

/**
 * Limit (c), serving a page taken from a mock, so that both send the same bytes.
 * `dressed`: with the key, the routes and the headers of the service round that page, for the list alone.
 */
export async function startLimit({ folder, mock, dressed = false }) {
  const file = join(folder, 'page.json');
  const { text } = await send(mock.port, { method: 'GET', path: '/v1/tasks' });
  writeFileSync(file, text);
  const name = dressed ? 'limit (c) with key, routes and headers' : 'limit (c)';
  const args = [here('limit-server.mjs'), file, ...(dressed ? [KEY] : [])];
  const server = await startServer({ name, args, probe: { ...authorized, path: '/v1/tasks' } });
  await rest();
  const page = [wire(server.port, { method: 'GET', path: '/v1/tasks' })];
  const scenarios = dressed ? ['list'] : SCENARIOS.map(({ name }) => name);
  const of = (value) => Object.fromEntries(scenarios.map((name) => [name, value]));
  return { ...server, kind: dressed ? 'dressed' : 'limit', memoryAtRest: server.memory(), requests: of(page), expect: of(200) };
}

/** What the peers serve: the tasks of a size, and an OpenAPI document whose examples are a page and a task of them. */
export async function peerFiles(folder, size) {
  const data = await plainTasks(folder, size);
  const { tasks } = JSON.parse(readFileSync(data, 'utf8'));
  const document = JSON.parse(readFileSync(here('../openapi/openapi.json'), 'utf8'));
  const example = (path, method, status, value) => {
    const answer = document.paths[path][method].responses[status].content['application/json'];
    delete answer.examples;
    answer.example = value;
  };
  const meta = { total: tasks.length, limit: 20, has_more: true, next_cursor: 'next' };
  example('/tasks', 'get', '200', { items: tasks.slice(0, 20), meta });
  example('/tasks/{task_id}', 'get', '200', { data: tasks[0] });
  const documentFile = join(folder, `document-${size}.json`);
  writeFileSync(documentFile, JSON.stringify(document));
  const step = Math.ceil(tasks.length / 64);
  const found = { total: tasks.length, taskIds: tasks.filter((_, i) => i % step === 0).map(({ id }) => id) };
  return { data, document: documentFile, found };
}

/** A peer on a file of its own, for it may write into it. `args` gives what `startServer` needs. */
export async function peerServer({ peer, folder, size, files }) {
  const data = join(folder, `${peer.name.replaceAll(/[^a-z0-9]+/gi, '-')}-${size}.json`);
  copyFileSync(files.data, data);
  const port = await freePort();
  const args = peer.at({ data: peer.prepare ? peer.prepare(data) : data, document: files.document, port });
  const probe = { path: asksOf(peer, 'list', files.found)[0].path, headers: authorized.headers };
  return { name: `${peer.name} ${size}`, args, port, probe, limitMs: PEER_START_MS };
}

/** A peer, ready for load: the scenarios that it can be asked, each answer checked first. */
export async function startPeer({ peer, folder, size, files, scenarios }) {
  const server = await startServer(await peerServer({ peer, folder, size, files }));
  await rest();
  const target = { ...server, kind: 'peer', peer, size, memoryAtRest: server.memory(), requests: {}, expect: {} };
  for (const { name } of scenarios) {
    const asks = asksOf(peer, name, files.found);
    if (!asks) continue;
    const { status, text } = await send(server.port, asks[0]);
    const expected = name === 'create' ? 201 : 200;
    assert.equal(status, expected, `${server.name}, ${name}: ${status} ${text.slice(0, 300)}`);
    provePeer(name, peer, JSON.parse(text), await firstItems(server.port, peer, files.found));
    target.requests[name] = asks.map((one) => wire(server.port, one));
    target.expect[name] = expected;
  }
  return target;
}

const firstItems = async (port, peer, found) => peer.items(JSON.parse((await send(port, asksOf(peer, 'list', found)[0])).text));

/** A fast wrong answer counts for nothing. */
function provePeer(scenario, peer, answer, first) {
  if (!['list', 'filter', 'sort', 'deep'].includes(scenario)) return;
  const items = peer.items(answer);
  assert.equal(items.length, 20, `${peer.name}, ${scenario}: ${items.length} items`);
  if (scenario === 'filter')
    assert.ok(
      items.every(({ status }) => status === STATUSES[0]),
      `${peer.name} does not filter`,
    );
  if (scenario === 'deep')
    assert.ok(
      items.every(({ id }) => first.every((one) => one.id !== id)),
      `${peer.name} does not page`,
    );
  if (scenario === 'sort' && peer.mixesNulls) assert.notDeepEqual(items, first, `${peer.name} does not sort`);
  else if (scenario === 'sort') {
    const dates = items.map((task) => task.due_date).filter(Boolean);
    assert.deepEqual(dates, [...dates].sort(), `${peer.name} does not sort`);
  }
}
