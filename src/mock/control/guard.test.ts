// Strangers are refused: other origins, foreign hosts, other content types, no token; over a raw socket.
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createMock, type Mock, type MockOptions, type Server } from '../../node/index.ts';
import { keep } from '../../test/closing.ts';

const start = async (options: MockOptions = {}, host = '127.0.0.1'): Promise<{ mock: Mock; server: Server }> => {
  const mock = keep(await createMock({ seed: 'fixtures/tiny.yaml', ...options }));
  return { mock, server: await mock.listen({ port: 0, host }) };
};

/** Sends a request as written, which no fetch would. @returns the whole response. */
const raw = (port: number, line: string, headers: Readonly<Record<string, string>>, body = ''): Promise<string> =>
  new Promise((done, fail) => {
    const socket = connect(port, '127.0.0.1');
    let response = '';
    socket.on('data', (bytes) => {
      response += bytes;
    });
    socket.on('end', () => done(response));
    socket.on('error', fail);
    const all = { connection: 'close', ...(body === '' ? {} : { 'content-length': String(body.length) }), ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`${line} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  });
const statusOf = (response: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]);

const PATHS = ['/_mock/health', '/_mock/data/keys', '/_mock/events', '/_mock/openapi.json', '/_mock/unknown', '/_mock', '/'];

describe('a foreign host (DNS rebinding)', () => {
  test.each(['evil.test', 'evil.test:4700', 'localhost.evil.test', '127.0.0.1.evil.test'])('%s is refused', async (host) => {
    const { server } = await start();
    for (const path of PATHS) {
      const response = await raw(server.port, `GET ${path}`, { host });
      expect(statusOf(response), path).toBe(403);
      expect(response).toContain('"code":"forbidden"');
    }
  });

  test('is refused at the inbox and in every world too', async () => {
    const { mock, server } = await start();
    mock.fork({ id: 'one' });
    for (const path of ['/_mock/inbox/x', '/worlds/one/_mock/data/keys', '/worlds/one/_mock/inbox/x'])
      expect(statusOf(await raw(server.port, `POST ${path}`, { host: 'evil.test' })), path).toBe(403);
  });

  test('the service itself is open to any name and any origin', async () => {
    const { server } = await start();
    const headers = { host: 'evil.test', origin: 'http://evil.test', authorization: 'Bearer wm_tiny_read' };
    const response = await raw(server.port, 'GET /v1/tasks', headers);
    expect([statusOf(response), /access-control-allow-origin: \*/i.test(response)]).toEqual([200, true]);
  });
});

describe('a page of another origin', () => {
  test.each([
    { origin: 'http://evil.test' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { origin: 'http://localhost:3000' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('%j is refused, and told nothing by CORS', async (headers) => {
    const { mock, server } = await start();
    for (const line of ['GET /_mock/data/keys', 'POST /_mock/reset', 'OPTIONS /_mock/reset', 'GET /_mock/events', 'GET /']) {
      const response = await raw(server.port, line, { host: `127.0.0.1:${server.port}`, ...(headers as Record<string, string>) });
      expect(statusOf(response), line).toBe(403);
      expect(response).not.toMatch(/access-control-/i);
    }
    expect(mock.requests).toEqual([]);
  });

  test('gets a response when it is of our own origin', async () => {
    const { server } = await start();
    const host = `127.0.0.1:${server.port}`;
    const own = { host, origin: `http://${host}`, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' };
    expect(statusOf(await raw(server.port, 'POST /_mock/clock', own, '{"mode":"frozen"}'))).toBe(200);
    expect(statusOf(await raw(server.port, 'GET /_mock/data/keys', { host, 'sec-fetch-site': 'none' }))).toBe(200);
  });
});

test('a page of an allowed origin may read responses and ask for its headers; no other page may', async () => {
  const { server } = await start({ allowOrigins: ['http://localhost:5173'] });
  const own = { host: `127.0.0.1:${server.port}`, origin: 'http://localhost:5173' };
  expect(await raw(server.port, 'GET /_mock/data/keys', own)).toMatch(
    /^access-control-allow-origin: http:\/\/localhost:5173\r$/im,
  );
  const allowed = await raw(server.port, 'OPTIONS /_mock/data/keys', {
    ...own,
    'access-control-request-headers': 'authorization',
  });
  expect([statusOf(allowed), /^access-control-allow-headers: authorization\r$/im.test(allowed)]).toEqual([204, true]);
  const other = await raw(server.port, 'GET /_mock/data/keys', { ...own, origin: 'http://localhost:5174' });
  expect([statusOf(other), /access-control-/i.test(other)]).toEqual([403, false]);
});

describe('a form without a preflight', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/plain; a=application/json',
    '',
  ])('%j is refused, and nothing happens', async (type) => {
    const { mock, server } = await start();
    const headers = { host: `127.0.0.1:${server.port}`, ...(type === '' ? {} : { 'content-type': type }) };
    for (const [path, body] of [
      ['/_mock/faults', '{"effect":{"status":500}}'],
      ['/_mock/data/keys', '{"workspace_id":"ws_tiny","name":"x","scope":"admin","user_id":"user_ada"}'],
      ['/_mock/reset', '{}'],
    ] as const) {
      expect(statusOf(await raw(server.port, `POST ${path}`, headers, body)), path).toBe(415);
    }
    expect([mock.faults.list(), mock.keys.length]).toEqual([[], 3]);
  });
});

describe('the token', () => {
  const TOKEN = 'correct-horse-battery';

  test('is asked for on every call and every world, however it is sent', async () => {
    const { mock, server } = await start({ controlToken: TOKEN });
    mock.fork({ id: 'one' });
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(server.origin + path, { headers }).then(({ status }) => status);
    for (const path of ['/_mock/worlds', '/_mock/data/keys', '/_mock/events', '/worlds/one/_mock/data/keys', '/']) {
      expect(await ask(path), path).toBe(401);
      for (const wrong of ['x', `${TOKEN}x`, TOKEN.slice(1), ''])
        expect(await ask(path, { authorization: `Bearer ${wrong}` }), wrong).toBe(401);
    }
    expect(await ask('/_mock/data/keys', { authorization: `Bearer ${TOKEN}` })).toBe(200);
    expect(await ask('/_mock/data/keys', { 'x-wm-control-token': TOKEN })).toBe(200);
    expect(await ask(`/_mock/data/keys?token=${TOKEN}`)).toBe(200);
    expect(await ask('/_mock/inbox/x')).toBe(200);
    expect(await ask('/_mock/health')).toBe(200);
    expect(await ask('/v1/tasks', mock.auth('read'))).toBe(200);
  });

  test('is made when the mock is bound beyond loopback; then addresses are hosts and names are not', async () => {
    const { mock, server } = await start({}, '0.0.0.0');
    const { token } = mock.guard;
    expect(token).toMatch(/^[\w-]{20,}$/);
    const ask = async (host: string, headers: Record<string, string> = {}) =>
      statusOf(await raw(server.port, 'GET /_mock/data/keys', { host, ...headers }));
    const given = { authorization: `Bearer ${token}` };
    expect(await ask('127.0.0.1')).toBe(401);
    expect(await ask('192.168.1.7:4700')).toBe(401);
    expect(await ask('192.168.1.7:4700', given)).toBe(200);
    expect(await ask('evil.test', given)).toBe(403);
  });
});
