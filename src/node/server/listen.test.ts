// The socket: its addresses, its patience, and what a client hears whose bytes are no request.
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { WriteProblem } from '../../service/http/respond.ts';
import { within } from '../../test/within.ts';
import { respondToBrokenHttp } from './broken-http.ts';
import { hostInUrl, type ListenOptions, listen as listenAt, type ServedApp, serverTimeouts } from './listen.ts';
import { findFreePort } from './ports.ts';

const refuse: WriteProblem = ({ status, message }) => ({
  status,
  headers: { 'x-ratelimit-limit': '300' },
  text: JSON.stringify({ error: { message: `${message} é` } }),
});
const listen = (app: Pick<ServedApp, 'fetch'>, options: ListenOptions) => within(listenAt({ ...app, refuse }, options));

test('an address is written as a URL has it', () => {
  const written = ['127.0.0.1', 'localhost', '0.0.0.0', '::', '::1', 'fe80::1', '10.0.0.7'].map(hostInUrl);
  expect(written).toEqual(['127.0.0.1', 'localhost', '127.0.0.1', '127.0.0.1', '[::1]', '[fe80::1]', '10.0.0.7']);
});

test('the patience is ten seconds for headers and a minute for a request, unless told otherwise', () => {
  expect(serverTimeouts()).toEqual({ headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 2000 });
  expect(serverTimeouts({ headers: 300, request: 600 })).toEqual({
    headersTimeout: 300,
    requestTimeout: 600,
    connectionsCheckingInterval: 300,
  });
});

interface Fake {
  readonly written: string[];
  readonly socket: Socket;
}
const fake = ({ writable = true, bytesWritten = 0 } = {}): Fake => {
  const written: string[] = [];
  const socket = {
    writable,
    bytesWritten,
    end: (text: string) => written.push(text),
    destroy: (error?: Error) => written.push(`destroyed: ${error?.message}`),
  };
  return { written, socket: socket as unknown as Socket };
};
const breakHttp = (code: string | undefined, state = {}): string => {
  const { written, socket } = fake(state);
  respondToBrokenHttp(refuse)(Object.assign(new Error('broken'), code === undefined ? {} : { code }), socket);
  return written.join('\n');
};

test('bytes that are no request get a response in the error shape, and the connection is closed', async () => {
  const codes = [
    undefined,
    'HPE_INVALID_METHOD',
    'HPE_HEADER_OVERFLOW',
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    'ERR_HTTP_REQUEST_TIMEOUT',
  ];
  const responses = codes.map((code) => `# ${code}\n${breakHttp(code).replaceAll('\r', '\\r')}\n`);
  await expect(responses.join('\n')).toMatchFileSnapshot('golden/broken-http.txt');
  for (const code of codes) {
    const [head, body = ''] = breakHttp(code).split('\r\n\r\n');
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
  }
});

test('a connection that is gone, or on which a response has begun, is only closed', () => {
  expect(breakHttp('ECONNRESET')).toBe('destroyed: broken');
  expect(breakHttp(undefined, { writable: false })).toBe('destroyed: broken');
  expect(breakHttp('HPE_HEADER_OVERFLOW', { bytesWritten: 1 })).toBe('destroyed: broken');
});

const until = async (done: () => boolean): Promise<void> => {
  while (!done()) await new Promise((next) => setImmediate(next));
};

test('closing lets a request end that has begun, and waits for no idle connection', async () => {
  let finish = () => {};
  let received = false;
  const waiting = new Promise<void>((done) => (finish = done));
  const app = {
    fetch: async () => {
      received = true;
      await waiting;
      return new Response('whole');
    },
  };
  const server = await listen(app, {});
  const silent = connect(server.port, '127.0.0.1');
  const closed = new Promise((done) => silent.once('close', done));
  silent.on('error', () => {});
  await new Promise((done) => silent.once('connect', done));
  const response = fetch(`${server.origin}/`);
  await until(() => received);
  let ended = false;
  const closing = within(server.close()).then(() => {
    ended = true;
  });
  await within(closed);
  expect(ended).toBe(false);
  finish();
  expect(await (await within(response)).text()).toBe('whole');
  await closing;
  await expect(fetch(server.origin)).rejects.toThrow();
});

test('an application that fails is an internal error of the service, and the server continues', async () => {
  const app = {
    fetch: (request: Request) => {
      if (request.url.endsWith('/later')) return Promise.reject(new Error('later'));
      throw new Error('at once');
    },
  };
  const server = await listen(app, {});
  for (const path of ['/', '/later', '/']) {
    const response = await within(fetch(server.origin + path));
    expect([response.status, response.headers.get('x-ratelimit-limit'), await response.text()]).toEqual([
      500,
      '300',
      '{"error":{"message":"The mock failed to respond. This is a bug: please report it. é"}}',
    ]);
  }
  await within(server.close());
});

test('the next port is found where the first one is taken', async () => {
  const first = await listen({ fetch: () => new Response('x') }, { port: 0 });
  const next = await findFreePort(first.port, '127.0.0.1');
  expect(next).toBeGreaterThan(first.port);
  await within(first.close());
  expect(await findFreePort(first.port, '127.0.0.1')).toBe(first.port);
});

test('a port that is taken is an error of the system, and the server listens no more', async () => {
  const app = { fetch: () => new Response('x') };
  const first = await listen(app, { port: 0 });
  expect(first.baseUrl).toBe(`http://127.0.0.1:${first.port}/v1`);
  const message = `listen: cannot open port ${first.port} on 127.0.0.1: it is busy. Stop what uses it, or give port 0 for any free one.`;
  await expect(listen(app, { port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE', message });
  await within(first.close());
  const again = await listen(app, { port: first.port, host: '127.0.0.1' });
  expect(again.port).toBe(first.port);
  await within(again.close());
});
