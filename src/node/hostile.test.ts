// Any bytes on the socket get a response of the service's shape, or a closed connection, and change nothing.
import { connect } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { chunked, get, HOSTILE, head, post } from '../test/hostile-requests.ts';
import { sendBytes } from '../test/send-bytes.ts';
import { createMock } from './index.ts';

const mock = await createMock({ seed: 'fixtures/tiny.yaml', plan: 'unlimited' });
const server = await mock.listen();
/** A listener with short time limits, for tests of those limits alone: other clients may be slow by themselves. */
const hasty = await mock.listen({ patience: { headers: 300, request: 600 } });
afterAll(() => mock.close());

const send = (...pieces: (string | Uint8Array)[]) => sendBytes(server.port, ...pieces);

const state = async (): Promise<string> => (await mock.app.request(`${server.origin}/_mock/state?format=json`)).text();

describe.each(HOSTILE)('%s', (_, cases) => {
  test.each(cases.map((each) => [...each] as const))('%s', async (_name, bytes, status, code) => {
    const before = await state();
    const response = await send(bytes);
    expect([response.status, response.code]).toEqual([status, code]);
    if (code) {
      expect(response.text.toLowerCase()).toContain('content-type: application/json');
      expect(response.text.toLowerCase()).toMatch(
        /x-ratelimit-limit: \d+\r\nx-ratelimit-remaining: \d+\r\nx-ratelimit-reset: \d+\r\n/,
      );
    }
    expect(await state()).toBe(before);
  });
});

describe('an odd but sound request', () => {
  const made = async (bytes: string) => {
    const { status, text } = await send(bytes);
    return [status, JSON.parse(text.slice(text.indexOf('{"'))).data.name];
  };
  test('with a name given twice has the last value, as in JSON.parse', async () => {
    expect(await made(post('{"name":"a","name":"b"}'))).toEqual([201, 'b']);
  });
  test('__proto__ and constructor are unknown fields like others, and no object inherits from them', async () => {
    expect(await made(post('{"name":"a","__proto__":{"hacked":1},"constructor":{"prototype":{"hacked":1}}}'))).toEqual([
      201,
      'a',
    ]);
    expect(({} as { hacked?: number }).hacked).toBeUndefined();
  });
  test('a lone surrogate and an escaped NUL come back as they were sent', async () => {
    expect(await made(post('{"name":"\\ud800"}'))).toEqual([201, '\ud800']);
    expect(await made(post('{"name":"a\\u0000b"}'))).toEqual([201, 'a\0b']);
  });
  test('a body in chunks of one byte is one body', async () => {
    const body = [...'{"name":"slowly"}'].map((letter) => `1\r\n${letter}\r\n`).join('');
    expect(await made(chunked(`${body}0\r\n\r\n`))).toEqual([201, 'slowly']);
  });
  test('a request of HTTP/1.0 names no host', async () => {
    const { status, text } = await send('GET /v1/users/me HTTP/1.0\r\nAuthorization: Bearer wm_tiny_admin\r\n\r\n');
    expect([status, text.includes('{"data":{"id":"user_')]).toEqual([200, true]);
  });
  test('a query name with brackets that is no filter is let pass, as any unknown parameter', async () => {
    for (const query of ['limit[]=1', '__proto__[x]=1']) {
      const { status, code } = await send(get(`/v1/tasks?${query}`));
      expect([query, status, code]).toEqual([query, 200, undefined]);
    }
  });
});

describe('a connection', () => {
  test('with six requests at once gets six responses, in order', async () => {
    const six = ['1', '2', '0', '1', '2'].map((limit) => get(`/v1/tasks?limit=${limit}`).replace('Connection: close\r\n', ''));
    const { text } = await send(six.join('') + get('/v1/tasks?limit=1'));
    expect(text.match(/HTTP\/1\.1 \d+/g)!.map((line) => line.slice(9))).toEqual(['200', '200', '400', '200', '200', '200']);
  });
  test('with headers sent a letter at a time is closed after the time for headers, with 408', async () => {
    const socket = connect(hasty.port, '127.0.0.1');
    let text = '';
    const letters = [...get(`/v1/tasks?x=${'y'.repeat(4000)}`)];
    const drip = setInterval(() => socket.write(letters.shift() ?? ''), 5);
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.on('error', () => {});
    await new Promise((done) => socket.once('close', done));
    clearInterval(drip);
    expect(text).toMatch(/^HTTP\/1\.1 408 .*"code":"validation_error"/s);
  });
  test('without the rest of its body is closed, and nothing is created', async () => {
    const before = await state();
    const { status } = await sendBytes(hasty.port, head('Content-Length: 100\r\n'), '{"name":');
    expect(status === 408 || Number.isNaN(status)).toBe(true);
    expect(await state()).toBe(before);
  });
  test.each([
    [1e9, ['x'.repeat(1000)]],
    [5e7, Array<string>(50).fill('x'.repeat(1e6))],
  ])('with %i bytes announced gets 413', async (length, sent) => {
    const { status, code } = await send(head(`Content-Length: ${length}\r\n`), ...sent);
    expect([status, code]).toEqual([413, 'payload_too_large']);
  });
  test('dropped in the middle of a request or a response leaves the server well', async () => {
    for (const bytes of [head('Content-Length: 100\r\n'), get('/v1/tasks'), 'GET /v1', chunked('5\r\nab')]) {
      await new Promise<void>((done) => {
        const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes, () => socket.resetAndDestroy()));
        socket.on('error', () => {});
        socket.on('close', () => done());
      });
    }
    expect((await send(get('/v1/tasks?limit=1'))).status).toBe(200);
  });
  test('still gets its response when the client closes its half', async () => {
    const text = await new Promise<string>((done) => {
      let received = '';
      const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('data', (bytes) => {
        received += bytes;
      });
      socket.on('close', () => done(received));
      socket.end(get('/v1/tasks?limit=1'));
    });
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
  test('without bytes, ten thousand times, delays no other client', async () => {
    const { fork } = await import('node:child_process');
    const child = fork('src/test/silent-clients.mjs', [String(server.port), '10000']);
    const message = await new Promise((done) => child.once('message', done));
    expect(message).toEqual({ connected: 10_000 });
    expect((await send(get('/v1/tasks?limit=1'))).status).toBe(200);
    child.kill();
    await new Promise((done) => child.once('exit', done));
  });
});
