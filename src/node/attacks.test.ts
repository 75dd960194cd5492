// Attacks over a socket, each once found: the mock responds, stays within its bounds, and obeys only its owner.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { senderOver } from '../service/webhooks/sender.ts';
import { keep } from '../test/closing.ts';
import { start } from '../test/command-line.ts';
import { sendBytes } from '../test/send-bytes.ts';
import { makeTestFolder } from '../test/temp-folder.ts';
import { createMock, type Mock, type MockOptions, type Server } from './index.ts';
import { nodeSender } from './server/sender.ts';

const serve = async (options: MockOptions = {}): Promise<Server & { readonly mock: Mock }> => {
  const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml', plan: 'unlimited', ...options }));
  return { ...(await mock.listen()), mock };
};

const MB = 1_000_000;
const JSON_BODY = { 'content-type': 'application/json' };
const asWriter = { ...JSON_BODY, authorization: 'Bearer wm_tiny_admin' };
const post = (url: string, body: unknown, headers: Record<string, string> = JSON_BODY) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
const read = async (url: string) => (await fetch(url)).json();
const memoryOf = async ({ origin }: Server) => (await read(`${origin}/_mock/health`)).memory;
const TASKS = 'projects/proj_one/tasks';

describe('one budget in bytes', () => {
  test('floods of the inbox, cross-site and without a token, stay within it, and the newest are kept', async () => {
    const server = await serve({ memory: 8 });
    const { origin } = server;
    const headers = { 'content-type': 'text/plain', origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    for (let n = 0; n < 24; n++)
      await fetch(`${origin}/_mock/inbox/n${n % 12}`, { method: 'POST', headers, body: 'x'.repeat(800_000) });
    let kept = 0;
    for (let n = 0; n < 12; n++)
      for (const { text } of (await read(`${origin}/_mock/inbox/n${n}/messages`)).items) kept += text.length;
    expect(kept).toBeLessThan(8 * MB);
    expect((await read(`${origin}/_mock/inbox/n11/messages`)).items.at(-1).text).toHaveLength(800_000);
    const { limit, used, by } = await memoryOf(server);
    expect([limit, used <= 8 * MB, by.inbox >= 2 * kept]).toEqual([8 * MB, true, true]);
  });

  test('journals of many worlds share it: the oldest exchange goes first, wherever it is', async () => {
    const server = await serve({ memory: 8 });
    for (let n = 0; n < 10; n++) await post(`${server.origin}/_mock/worlds`, { id: `w${n}` });
    const body = { title: 'a', nothing: 'x'.repeat(30_000) };
    for (let i = 0; i < 20; i++)
      for (let n = 0; n < 10; n++) await post(`${server.origin}/worlds/w${n}/v1/${TASKS}`, body, asWriter);
    expect((await memoryOf(server)).used).toBeLessThan(8 * MB);
    const lengths: number[] = [];
    for (let n = 0; n < 10; n++) lengths.push((await read(`${server.origin}/worlds/w${n}/_mock/requests`)).items.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
    expect(Math.min(...lengths)).toBeGreaterThan(2);
  });

  test('deliveries of long bodies are forgotten, those that are settled before those that wait', async () => {
    const server = await serve({ memory: 8, now: '2025-01-20T09:00:00Z' });
    const hook = async (url: string) => (await (await post(`${server.baseUrl}/webhooks`, { url }, asWriter)).json()).data.id;
    await hook('https://example.com/public');
    const waiting = await hook(`${server.origin}/_mock/inbox/down`);
    await post(`${server.origin}/_mock/webhooks/${waiting}/simulate`, { outcomes: Array.from({ length: 200 }, () => 500) });
    const description = '\u{1f600}'.repeat(10_000);
    for (let i = 0; i < 60; i++) await post(`${server.baseUrl}/${TASKS}`, { title: `t${i}`, description }, asWriter);
    await server.mock.webhooks.settled();
    expect((await memoryOf(server)).used).toBeLessThan(8 * MB + 60 * 100_000);
    const log = (await read(`${server.origin}/_mock/deliveries`)).items as { state: string }[];
    expect(log.length).toBeLessThan(80);
    expect(log.some(({ state }) => state === 'retrying')).toBe(true);
  });

  test('snapshots keep their journals within it, and one that has no room is refused with what to do', async () => {
    const server = await serve({ memory: 8 });
    const ids: string[] = [];
    const task = (description: string) => post(`${server.baseUrl}/${TASKS}`, { title: 'a', description }, asWriter);
    for (let i = 0; i < 20; i++) {
      await task('x'.repeat(1000));
      ids.push((await (await post(`${server.origin}/_mock/snapshots`, {})).json()).id);
    }
    for (let i = 0; i < 450; i++) await task('x'.repeat(10_000));
    const refused = [await post(`${server.origin}/_mock/snapshots`, {}), await post(`${server.origin}/_mock/worlds`, {})];
    expect(refused.map(({ status }) => status)).toEqual([409, 409]);
    expect((await refused[0]!.json()).error.message).toMatch(
      /^There is no room for another snapshot: \d+ MB of 8 MB are used.* Delete worlds or snapshots, .*--memory.*docs\/security\.md/,
    );
    await post(`${server.origin}/_mock/reset`, {});
    expect((await post(`${server.origin}/_mock/snapshots`, {})).status).toBe(201);
    expect((await post(`${server.origin}/_mock/snapshots/${ids[3]}/restore`, {})).status).toBe(200);
    expect(server.mock.world.store.tasks.size).toBe(2 + 4);
  });

  test('an inline seed is counted', async () => {
    const { origin } = await serve({ memory: 8 });
    const users = Array.from({ length: 20_000 }, (_, i) => ({ id: `u${i}`, name: 'x'.repeat(100) }));
    const seed = { workspaces: [{ id: 'ws', users, api_keys: [{ value: 'k_long', scope: 'admin', user_id: 'u1' }] }] };
    expect((await post(`${origin}/_mock/worlds`, { seed })).status).toBe(409);
  });

  test('indexes of lists are counted, and are evicted before what was stored', async () => {
    const api_keys = [{ value: 'wm_tiny_admin', scope: 'admin', user_id: 'u' }];
    const workspace = { id: 'ws', users: [{ id: 'u' }], api_keys, generate: { projects: 10, tasks_per_project: 250 } };
    const server = await serve({ memory: 8, seed: { workspaces: [workspace] } });
    const { worlds: before } = (await memoryOf(server)).by;
    const filters = ['', 'filter[status]=todo', 'filter[priority]=high', 'filter[assignee_id]=u'];
    const pairs = filters.flatMap((one, i) => filters.slice(i + 1).map((other) => `${one}&${other}`));
    for (const sort of 'title -title due_date -due_date created_at -created_at updated_at -updated_at'.split(' '))
      for (const rest of [...pairs, ...pairs.map((pair) => `${pair}&limit=1`)])
        await server.mock.fetch(`/tasks?sort=${sort}&${rest}`, { headers: asWriter });
    const { worlds: held } = (await memoryOf(server)).by;
    for (let n = 0; n < 4; n++) await fetch(`${server.origin}/_mock/inbox/a`, { method: 'POST', body: 'x'.repeat(800_000) });
    expect([held - before > MB, (await memoryOf(server)).by.worlds < held / 2]).toEqual([true, true]);
  });

  test('faults are counted, with what they say, and there is an end to them', async () => {
    const { origin, mock } = await serve({ memory: 8 });
    const order = (effect: object) => post(`${origin}/_mock/faults`, { match: { operation: 'listTeams' }, effect });
    const statuses: number[] = [];
    for (let i = 0; i < 10; i++) statuses.push((await order({ status: 500, raw: 'x'.repeat(900_000) })).status);
    expect(statuses).toEqual([201, 201, 201, 201, 409, 409, 409, 409, 409, 409]);
    await fetch(`${origin}/_mock/faults`, { method: 'DELETE' });
    for (let i = 0; i < 5000; i++) mock.faults.add({ match: { key: 'wm_tiny_admin' }, effect: { status: 500 }, after: 9 });
    const refused = await order({ status: 500 });
    expect([refused.status, (await refused.json()).error.message]).toEqual([
      409,
      expect.stringMatching(/5000 faults already.*Delete/),
    ]);
    expect((await mock.fetch('/users/me', { headers: mock.auth('admin') })).status).toBe(200);
  });

  test('a generated seed is refused before it is made when it cannot fit, and others have their turns while one is made', async () => {
    const { origin } = await serve();
    const make = (tasks_per_project: number) => {
      const workspace = { id: 'ws', users: [{ id: 'u' }], api_keys: [{ scope: 'admin', user_id: 'u' }] };
      const seed = { workspaces: [{ ...workspace, generate: { projects: 10, tasks_per_project } }] };
      return post(`${origin}/_mock/worlds`, { seed });
    };
    const refused = await make(100_000);
    expect([refused.status, (await refused.json()).error.details.fields[0].issue]).toEqual([
      422,
      'impossible, expected at most 512000 generated records in all, got 1000010',
    ]);
    let [turns, done] = [0, false];
    const made = make(10_000).finally(() => {
      done = true;
    });
    // A kept connection may end just when it is used again.
    for (; !done; turns++) await fetch(`${origin}/_mock/health`, { headers: { connection: 'close' } });
    expect([(await made).status, turns > 5]).toEqual([201, true]);
  });

  test('a listener that does not read is dropped, and at most 1,000 may listen', async () => {
    const { port, origin } = await serve();
    const sockets: Socket[] = [];
    const listen = () =>
      new Promise<string>((done) => {
        const socket = connect(port, '127.0.0.1', () => socket.write('GET /_mock/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'));
        sockets.push(socket);
        socket.on('error', () => {});
        socket.once('data', (data) => {
          socket.pause();
          done(String(data).slice(9, 12));
        });
      });
    const statuses: string[] = [];
    while (sockets.length < 1001) statuses.push(...(await Promise.all(Array.from({ length: 91 }, listen))));
    expect([statuses.slice(0, 1000).every((status) => status === '200'), statuses.at(-1)]).toEqual([true, '503']);
    for (const socket of sockets) socket.destroy();
    await expect.poll(async () => (await fetch(`${origin}/_mock/events`, { signal: AbortSignal.timeout(300) })).status).toBe(200);
  });

  test('a client that leaves is not kept waiting by a hold or a delay', async () => {
    const server = await serve();
    const { origin, baseUrl, mock } = server;
    for (const effect of [{ hold: true }, { delay_ms: 3_600_000 }]) {
      const { id } = await (await post(`${origin}/_mock/faults`, { effect })).json();
      const stop = new AbortController();
      const calls = Array.from({ length: 50 }, () => fetch(`${baseUrl}/users/me`, { headers: asWriter, signal: stop.signal }));
      await expect.poll(async () => (await memoryOf(server)).by.held).toBeGreaterThan(50 * 20_000);
      stop.abort();
      await Promise.allSettled(calls);
      await expect.poll(async () => (await memoryOf(server)).by.held).toBe(0);
      expect((await read(`${origin}/_mock/faults/${id}`)).held).toBe(0);
      mock.faults.clear();
    }
  });
});

describe('a webhook', () => {
  test.each([
    ['its address', 'http://127.0.0.1'],
    ['its name', 'http://localhost'],
    ['a number', 'http://2130706433'],
    ['hexadecimal digits', 'http://0x7f.1'],
    ['octal digits', 'http://017700000001'],
    ['few parts', 'http://127.1'],
    ['letters of another width', 'http://１２７.０.０.１'],
  ])('does not drive the control API of this mock, spelled as %s', async (_, host) => {
    const { baseUrl, port, mock } = await serve();
    const { value } = mock.keys.find(({ scope }) => scope === 'write')!;
    for (const path of ['reset', 'snapshots', 'data/keys', 'inbox/mine/respond', '../worlds/default/_mock/reset'])
      await post(`${baseUrl}/webhooks`, { url: `${host}:${port}/_mock/${path}` }, asWriter);
    await post(`${baseUrl}/webhooks`, { url: `${host}:${port}/_mock/inbox/mine` }, asWriter);
    await post(`${baseUrl}/projects`, { name: 'Kept' }, { ...JSON_BODY, authorization: `Bearer ${value}` });
    await mock.webhooks.settled();
    const statuses = mock.deliveries.map(({ attempts }) => attempts[0]?.status ?? attempts[0]?.outcome);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 200]);
    expect([mock.world.store.projects.size, mock.keys.length]).toEqual([2, 3]);
  });

  test('does not drive that of another mock', async () => {
    const [one, other] = [await serve(), await serve()];
    await post(`${other.baseUrl}/projects`, { name: 'Kept' }, asWriter);
    await post(`${one.baseUrl}/webhooks`, { url: `${other.origin}/_mock/reset` }, asWriter);
    await post(`${one.baseUrl}/projects`, { name: 'Told' }, asWriter);
    await one.mock.webhooks.settled();
    expect(one.mock.deliveries[0]!.attempts[0]!.status).toBe(403);
    expect(other.mock.world.store.projects.size).toBe(2);
  });
});

describe('a receiver', () => {
  const delivered = async ({ baseUrl, mock }: Awaited<ReturnType<typeof serve>>, url: string) => {
    await post(`${baseUrl}/webhooks`, { url }, asWriter);
    await post(`${baseUrl}/projects`, { name: 'Told' }, asWriter);
    await mock.webhooks.settled();
    return mock.deliveries[0]!.attempts[0]!;
  };
  const HERE =
    'localhost app.localhost localhost. a.b.LOCALHOST. 0.0.0.0 0 127.1 2130706433 0x7f000001 0177.0.0.1 [::ffff:127.0.0.1]';
  test.each(HERE.split(' '))('on this machine is really called, spelled %s', async (host) => {
    const server = await serve();
    expect(await delivered(server, `http://${host}:${server.port}/_mock/inbox/a`)).toMatchObject({
      status: 200,
      outcome: 'response',
    });
    expect(server.mock.deliveries[0]!.attempts[0]!.simulated).toBeUndefined();
    server.mock.choose({ 'webhook-url': 'public-https' });
    expect((await post(`${server.baseUrl}/webhooks`, { url: `https://${host}/x` }, asWriter)).status).toBe(422);
  });
  test.each(['10.0.0.5', '169.254.169.254', '[::ffff:10.0.0.5]'])(
    'beyond this machine whose address is not public is not called: %s',
    async (host) => {
      const server = await serve({ deliverPublic: true });
      const { outcome, error } = await delivered(server, `https://${host}:${server.port}/_mock/inbox/a`);
      expect([outcome, error]).toEqual(['error', expect.stringMatching(/not a public address.*--allow-receiver/)]);
    },
  );
  test.each([
    ['a private address', [], ['10.0.0.5'], 'error'],
    ['this machine', [], ['127.0.0.1'], 'error'],
    ['a public address and a private one', [], ['8.8.8.8', '10.0.0.5'], 'error'],
    ['this machine, and is allowed', ['hooks.example.com'], ['127.0.0.1'], 'response'],
  ])('with a name that leads to %s', async (_, allowed, addresses, kind) => {
    const { port, mock } = await serve();
    const found = addresses.map((address) => ({ address, family: 4 }));
    const resolve = (_name: string, _options: object, done: (error: null, all: object[]) => void) => done(null, found);
    const sender = nodeSender(allowed, resolve as never);
    const url = `http://hooks.example.com:${port}/_mock/inbox/a`;
    const outcome = await sender({ url, headers: { host: 'localhost' }, body: '{}' }, new AbortController().signal);
    const isRefused = kind === 'error';
    expect(outcome).toMatchObject(
      isRefused ? { kind, error: expect.stringContaining('--allow-receiver') } : { kind, status: 200 },
    );
    const { items } = await (await mock.app.request('http://127.0.0.1/_mock/inbox/a/messages')).json();
    expect(items).toHaveLength(isRefused ? 0 : 1);
  });
  test.each([
    ['10.255.255.1', 'https://10.255.255.1/', 'https://10.255.255.2/'],
    ['app', 'http://app:8080/', 'http://other:8080/'],
  ])('beyond this machine is called when it is allowed, by address or by name and without TLS: %s', async (host, url, other) => {
    const server = await serve({ allowReceivers: [host], sender: async () => ({ kind: 'response', status: 204, took: 0 }) });
    const { simulated, status } = await delivered(server, url);
    expect([simulated, status]).toEqual([undefined, 204]);
    expect((await delivered(await serve({ allowReceivers: [host] }), other)).simulated).toBe(true);
  });
  test('among a hundred that never respond leaves the clients their connections', async () => {
    const server = await serve();
    const open = new Set<Socket>();
    let most = 0;
    const deaf = Array.from({ length: 100 }, () =>
      createServer((socket) => {
        most = Math.max(most, open.add(socket).size);
        socket.on('error', () => {}).on('close', () => open.delete(socket));
      }).listen(0, '127.0.0.1'),
    );
    try {
      for (const one of deaf) {
        if (!one.listening) await new Promise((done) => one.once('listening', done));
        const { port } = one.address() as AddressInfo;
        expect((await post(`${server.baseUrl}/webhooks`, { url: `http://127.0.0.1:${port}/` }, asWriter)).status).toBe(201);
      }
      for (let i = 0; i < 6; i++) await post(`${server.baseUrl}/projects`, { name: `p${i}` }, asWriter);
      await expect.poll(() => most, { timeout: 9000 }).toBe(512);
      await new Promise((done) => setTimeout(done, 300));
      expect([most, (await fetch(`${server.baseUrl}/users/me`, { headers: asWriter })).status]).toEqual([512, 200]);
    } finally {
      for (const one of deaf) one.close();
      for (const socket of open) socket.destroy();
    }
  });
  test('does not fail for what this machine has run out of', async () => {
    let tries = 0;
    const sender = senderOver(async () => {
      if (++tries < 3) throw Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
      return { status: 200, body: null };
    });
    const outcome = await sender({ url: 'http://127.0.0.1/', headers: {}, body: '' }, new AbortController().signal);
    expect([tries, outcome]).toMatchObject([3, { kind: 'response', status: 200 }]);
  });
});

describe('every path has the same limits', () => {
  test('a body in chunks ends where one with a length does', async () => {
    const { port, origin } = await serve();
    const chunk = `100000\r\n${' '.repeat(0x100000)}\r\n`;
    const head = `POST /_mock/worlds HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n`;
    const chunks = Array.from({ length: 70 }, () => chunk);
    const { text } = await sendBytes(port, `${head}Transfer-Encoding: chunked\r\n\r\n`, ...chunks, '0\r\n\r\n');
    expect(text).toMatch(/^HTTP\/1\.1 400 .*a body has at most 67108864 bytes/s);
    expect((await fetch(`${origin}/_mock/health`)).status).toBe(200);
  });

  test.each([
    ...['127.0.0.256', 'a.1', '%00', '1.2.3.4.5', '[::1', '0x7f.0x100000000'].map((host) => ['', host]),
    ...['127.0.0.256', 'a.1', '%00'].map((host) => [`http://${host}`, '127.0.0.1']),
  ])('a host that is none, in the request target or behind it: %s %s', async (before, host) => {
    const { port } = await serve();
    for (const path of ['/_mock/health', '/', '/openapi.json', '/docs', '/v1/users/me', '/dashboard/nothing']) {
      const bytes = `GET ${before}${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      expect([path, (await sendBytes(port, bytes)).status]).toEqual([path, 400]);
    }
  });

  test('a client that reads no response has one held for its connection, which then ends', async () => {
    const { mock } = await serve();
    const server = await mock.listen({ patience: { headers: 10_000, request: 60_000, write: 200 } });
    const body = JSON.stringify({ title: 'a', description: 'x'.repeat(10_000) });
    for (let i = 0; i < 100; i++) await mock.fetch(`/${TASKS}`, { method: 'POST', headers: asWriter, body });
    const request = 'GET /v1/tasks?limit=100 HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer wm_tiny_admin\r\n\r\n';
    const countLists = () => mock.requests.filter(({ operation }) => operation === 'listTasks').length;
    const socket = connect(server.port, '127.0.0.1', () => socket.write(request.repeat(90)));
    socket.on('error', () => {});
    socket.pause();
    const ended = new Promise((done) => socket.once('close', done));
    await expect.poll(countLists).toBeGreaterThan(0);
    await expect.poll(() => mock.requests.length > 0 && socket.bytesWritten > 0).toBe(true);
    await new Promise((done) => setTimeout(done, 1000));
    expect(countLists()).toBeLessThan(30);
    socket.resume();
    await ended;
  });

  test.each(['[', '{"a":'])('a body of ten thousand levels of %s is refused, kept and shown', async (open) => {
    const { origin } = await serve();
    const deep = open.repeat(10_000) + (open === '[' ? '' : '1') + (open === '[' ? ']' : '}').repeat(10_000);
    for (const [path, body] of [
      [`v1/${TASKS}`, `{"title":"a","x":${deep}}`],
      ['_mock/faults', `{"match":{"body":{"x":${deep}}},"effect":{"status":500}}`],
      ['_mock/choices', `{"owner-field":${deep}}`],
      ['_mock/worlds', `{"seed":${deep}}`],
      ['_mock/worlds', JSON.stringify({ seed: open === '[' ? '- '.repeat(2000) : '{'.repeat(3_000_000) })],
      ['_mock/inbox/deep', deep],
    ] as const) {
      const method = path.endsWith('choices') ? 'PATCH' : 'POST';
      const { status } = await fetch(`${origin}/${path}`, { method, headers: asWriter, body });
      expect([path, status < 500]).toEqual([path, true]);
    }
    for (const path of ['_mock/inbox/deep/messages', '_mock/requests', '_mock/faults', 'dashboard/webhooks/inbox?name=deep'])
      expect([path, (await fetch(`${origin}/${path}`)).status]).toEqual([path, 200]);
  });

  test('a header behind two thousand others is heard', async () => {
    const { port } = await serve();
    const head = `GET /v1/users/me HTTP/1.1\r\nHost: a\r\n${'a:\r\n'.repeat(2100)}`;
    const { status } = await sendBytes(port, `${head}Authorization: Bearer wm_tiny_admin\r\nConnection: close\r\n\r\n`);
    expect(status).toBe(200);
  });

  test('responses that many connections do not read are held within one limit', async () => {
    const { port, mock, origin } = await serve();
    const body = JSON.stringify({ title: 'a', description: '\u{1f600}'.repeat(10_000) });
    for (let i = 0; i < 100; i++) await mock.fetch(`/${TASKS}`, { method: 'POST', headers: asWriter, body });
    const request = (connection: string) =>
      `GET /v1/tasks?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer wm_tiny_admin\r\nConnection: ${connection}\r\n\r\n`;
    const sockets = Array.from({ length: 120 }, () => {
      // Two: the kernel may have room for all of one.
      const socket = connect(port, '127.0.0.1', () => socket.write(request('keep-alive') + request('close')));
      return socket.pause().on('error', () => {});
    });
    await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('connect', done))));
    // A later request gets its response once there is room again.
    expect((await fetch(`${origin}/_mock/health`)).status).toBe(200);
    const whole = sockets.map(
      (socket) =>
        new Promise<boolean>((done) => {
          let bytes = 0;
          socket.on('data', (data) => (bytes += data.length));
          socket.on('close', () => done(bytes > 2 * 3_940_000));
          socket.resume();
        }),
    );
    expect((await Promise.all(whole)).filter((one) => !one).length).toBeGreaterThan(20);
  });

  test('more requests ahead than anybody needs end the connection', async () => {
    const { port } = await serve();
    const request = 'GET /v1/users/me HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
    const { text } = await sendBytes(port, request.repeat(700));
    expect(text.split('HTTP/1.1 401').length - 1).toBeLessThan(300);
  });

  test('without the control API there is neither it nor the dashboard', async () => {
    const { origin, baseUrl } = await serve({ noControl: true });
    for (const path of ['/_mock/health', '/_mock/inbox/a', '/', '/dashboard/settings', '/worlds/a/_mock/reset']) {
      const { status } = await fetch(origin + path, { method: 'POST', headers: asWriter });
      expect([path, status]).toEqual([path, 404]);
    }
    expect((await fetch(`${baseUrl}/users/me`, { headers: asWriter })).status).toBe(200);
  });
});

const CLI = resolve('dist/node/cli.js');

describe('the process', () => {
  test('drops lines that are not read, and says how many', async () => {
    let unread = 0;
    const run = start(['--seed', 'fixtures/tiny.yaml', '--port', '0', '--json'], { unread: () => unread });
    await run.until('\n');
    const { base_url } = JSON.parse(run.out);
    unread = 1_000_001;
    for (let i = 0; i < 3; i++) await fetch(`${base_url}/users/me`);
    expect(run.out.trim().split('\n')).toHaveLength(1);
    unread = 0;
    await fetch(`${base_url}/users/me`);
    const [, ...lines] = run.out.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ event: 'dropped', lines: 3 }, { event: 'request' }]);
    run.stop();
    expect(await run.status).toBe(0);
  });

  test.skipIf(process.platform === 'win32')(
    'ends on a signal while it waits for a seed from a pipe without a writer',
    async () => {
      const folder = makeTestFolder();
      const pipe = join(folder, 'seed');
      execFileSync('mkfifo', [pipe]);
      // Stopped before it has begun to read, while it does, and when it has waited.
      for (const ms of [undefined, 0, 1, 5, 100]) {
        const run = start(['--seed', pipe, '--port', '0']);
        if (ms !== undefined) await new Promise((done) => setTimeout(done, ms));
        run.stop();
        expect(await run.status).toBe(0);
      }
      const watching = start(['--seed', pipe, '--port', '0', '--watch']);
      spawn('sh', ['-c', 'cat "$0" > "$1"', 'fixtures/tiny.yaml', pipe]);
      await watching.until('Ctrl+C');
      // It has changed by having been written, so it is read again.
      await new Promise((done) => setTimeout(done, 500));
      watching.stop();
      expect(await watching.status).toBe(0);
    },
  );

  test('shows what a seed says as text: no control character reaches the terminal, no key leaves its quotes', async () => {
    const users = [{ id: 'u', name: 'Eve\u001b]0;owned\u0007' }];
    const api_keys = [{ value: `k";touch owned;'$(x)`, scope: 'admin', user_id: 'u' }];
    const seed = { workspaces: [{ id: 'ws', name: 'A\u001b[2J\u202eB', users, api_keys }] };
    const folder = makeTestFolder();
    writeFileSync(join(folder, 'a\u001b[31m.json'), JSON.stringify(seed));
    const run = start(['--seed', 'a\u001b[31m.json', '--port', '0'], { cwd: folder });
    await run.until('Ctrl+C');
    run.stop();
    await run.status;
    expect(run.out.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Bidi_Control}/u);
    expect(run.out).toContain(`curl -H 'Authorization: Bearer k";touch owned;'\\''$(x)'`);
    const refused = spawnSync(process.execPath, [CLI, 'check', 'none\u001b[31m.json'], { cwd: folder });
    expect([refused.status, String(refused.stderr)]).toEqual([1, expect.stringContaining('none\\u001b[31m.json')]);
  });
});

const [escaped, percent] = ['\\u00', '%'].map((before) =>
  [...'wm_tiny_admin'].map((one) => before + one.charCodeAt(0).toString(16)).join(''),
) as [string, string];

test('a secret in a delivery, a message or a path is hidden wherever it is shown, and signed and sent as it is', async () => {
  const { origin, baseUrl, mock } = await serve();
  await post(`${baseUrl}/webhooks`, { url: `${origin}/_mock/inbox/wm_tiny_admin` }, asWriter);
  await post(`${baseUrl}/projects`, { name: 'Named wm_tiny_admin' }, asWriter);
  await mock.webhooks.settled();
  await fetch(`${origin}/_mock/inbox/a`, { method: 'POST', body: `{"a":"${escaped}"}` });
  await fetch(`${origin}/_mock/inbox/a?x=%zz${percent}`, { method: 'POST', body: `broken ${escaped}` });
  await post(`${baseUrl}/tasks/${percent}?x=%zz${percent}`, {}, asWriter);
  await fetch(`${baseUrl}/projects`, { method: 'POST', headers: asWriter, body: `{"name": "${escaped}` });
  expect(mock.deliveries[0]!.attempts[0]!.status).toBe(200);
  const { id } = mock.deliveries[0]!;
  const lists = ['deliveries', `deliveries/${id}`, 'inbox/a/messages', 'inbox/wm_tiny_admin/messages', 'requests'];
  const pages = [`webhooks/deliveries/${id}`, 'webhooks/inbox?name=a', 'requests'];
  for (const path of [...lists.map((list) => `_mock/${list}`), ...pages.map((page) => `dashboard/${page}`)]) {
    const response = await fetch(`${origin}/${path}`);
    const text = (await response.text()).replaceAll('/_mock/inbox/wm_tiny_admin', '');
    expect([path, response.status]).toEqual([path, 200]);
    for (const form of ['wm_tiny_admin', escaped, percent])
      expect([path, form, text.includes(form)]).toEqual([path, form, false]);
  }
});

test('a secret in other letters, names and places is shown nowhere', async () => {
  const { origin, baseUrl } = await serve({ controlToken: 'open-sesame-1' });
  await fetch(`${baseUrl}/projects?jwt=hidden-1&auth[token]=hidden-2&session_id=hidden-3`, {
    method: 'POST',
    headers: asWriter,
    body: `{"name":"${escaped}","${escaped}":1}`,
  });
  await fetch(`${origin}/_mock/inbox/a?token=open-sesame-1&x=1`, {
    method: 'POST',
    headers: { 'x-api-key': 'hidden-4', cookie: 'wm_mock_token_1=open-sesame-1', 'x-wm-control-token': 'open-sesame-1' },
  });
  const headers = { authorization: 'Bearer open-sesame-1' };
  for (const path of ['requests', 'inbox/a/messages']) {
    const text = await (await fetch(`${origin}/_mock/${path}`, { headers })).text();
    expect(text).not.toMatch(/wm_tiny_admin|open-sesame-1|hidden-\d/);
  }
  expect((await (await fetch(`${origin}/_mock/inbox/a/messages`, { headers })).json()).items[0].query).toBe(
    '?token=[hidden]&x=1',
  );
});
