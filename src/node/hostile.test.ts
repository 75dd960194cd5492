// Whatever arrives on the socket gets an answer of the service's shape, or a closed connection, and changes nothing.
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type Mock, type Server } from './index.ts';

let mock: Mock;
let server: Server;
const open = new Set<Socket>();
beforeAll(async () => {
  mock = await createMock({ seed: 'fixtures/tiny.yaml', plan: 'unlimited' });
  server = await mock.listen({ patience: { headers: 300, request: 600 } });
});
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});
afterAll(() => mock.close());

interface Heard {
  readonly text: string;
  readonly status: number;
  readonly code: string | undefined;
}

/** Sends bytes as they are, one piece a turn, and hears until the server closes the connection. */
const send = (...pieces: (string | Uint8Array)[]): Promise<Heard> =>
  new Promise((done) => {
    const socket = connect(server.port, '127.0.0.1');
    open.add(socket);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text.replace('HTTP/1.1 100 Continue\r\n\r\n', ''))?.[1]);
      done({ text, status, code: /"error":\{"code":"(\w+)"/.exec(text)?.[1] });
    });
    const next = () => {
      const piece = pieces.shift();
      if (piece === undefined || socket.destroyed) return;
      if (socket.write(piece)) setImmediate(next);
      else socket.once('drain', next);
    };
    next();
  });

const HOST = 'Host: api.test\r\nAuthorization: Bearer wm_tiny_admin\r\n';
const get = (target: string, extra = '', method = 'GET'): string =>
  `${method} ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n${extra}\r\n`;
const head = (length: string, extra = '', target = '/v1/projects', method = 'POST'): string =>
  `${method} ${target} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${length}Connection: close\r\n${extra}\r\n`;
const post = (body: string, extra = '', target = '/v1/projects', method = 'POST'): string =>
  head(`Content-Length: ${Buffer.byteLength(body)}\r\n`, extra, target, method) + body;

/** Name, bytes, status, code. */
type Case = readonly [string, string, number, string | undefined];

const BODIES: readonly Case[] = [
  ['cut off', post('{"name":"a'), 400, 'validation_error'],
  ['with text behind it', post('{"name":"a"} x'), 400, 'validation_error'],
  ['that is no object', post('["name"]'), 400, 'validation_error'],
  ['that is null', post('null'), 400, 'validation_error'],
  ['that is empty', post(''), 400, 'validation_error'],
  ['of half a million brackets', post('['.repeat(500_000)), 400, 'validation_error'],
  ['of a hundred thousand levels', post(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`), 400, 'validation_error'],
  ['with a field of as many', post(`{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`), 400, 'validation_error'],
  ['with a bare NUL', post('{"name":"a\0b"}'), 400, 'validation_error'],
  ['over 1 MiB', post(`{"name":"${'a'.repeat(1_048_576)}"}`), 413, 'payload_too_large'],
  ['with a number for a name', post('{"name":1e999}'), 400, 'validation_error'],
  ['with only __proto__', post('{"__proto__":{"name":"a"}}'), 400, 'validation_error'],
  ['with only constructor', post('{"constructor":{"name":"a"}}'), 400, 'validation_error'],
  ['as a form', post('name=a').replace('application/json', 'application/x-www-form-urlencoded'), 400, 'validation_error'],
  ['in UTF-16', post('{\0"\0n\0a\0m\0e\0"\0:\0"\0a\0"\0}\0'), 400, 'validation_error'],
];

const TARGETS: readonly Case[] = [
  ['of 8,000 characters', get(`/v1/tasks/${'a'.repeat(8000)}`), 404, 'not_found'],
  ['of 20,000 characters', get(`/v1/${'a'.repeat(20_000)}`), 431, 'validation_error'],
  ['with a header of 20,000', get('/v1/tasks', `X-A: ${'a'.repeat(20_000)}\r\n`), 431, 'validation_error'],
  ['with a percent sign astray', get('/v1/tasks/%zz'), 404, 'not_found'],
  ['with bytes that are no UTF-8', get('/v1/tasks/%ff%fe'), 404, 'not_found'],
  ['with %2F in an id', get('/v1/tasks/task_talked%2Fcomments'), 404, 'not_found'],
  ['with %00 in an id', get('/v1/tasks/%00'), 404, 'not_found'],
  ['with __proto__ as id', get('/v1/tasks/__proto__'), 404, 'not_found'],
  ['with constructor as id', get('/v1/projects/constructor/tasks'), 404, 'not_found'],
  ['with toString as world', get('/worlds/toString/v1/tasks'), 404, 'not_found'],
  ['with two slashes', get('//v1/tasks'), 404, 'not_found'],
  ['in capitals', get('/V1/tasks'), 404, 'not_found'],
  ['with a slash at its end', get('/v1/tasks/'), 404, 'not_found'],
  ['that leaves /v1 by dots', get('/v1/tasks/../../etc/passwd'), 404, 'not_found'],
];

const QUERIES: readonly Case[] = [
  ['limit twice', get('/v1/tasks?limit=1&limit=2'), 400, 'validation_error'],
  ['a limit of 23 digits', get('/v1/tasks?limit=99999999999999999999999'), 400, 'validation_error'],
  ['a limit in hexadecimal', get('/v1/tasks?limit=0x10'), 400, 'validation_error'],
  ['a limit with an exponent', get('/v1/tasks?limit=1e1'), 400, 'validation_error'],
  ['a limit that is NaN', get('/v1/tasks?limit=NaN'), 400, 'validation_error'],
  ['a percent sign astray', get('/v1/tasks?limit=%zz'), 400, 'validation_error'],
  ['a filter twice', get('/v1/tasks?filter[status]=todo&filter[status]=done'), 400, 'validation_error'],
  ['a status of NUL', get('/v1/tasks?filter[status]=%00'), 400, 'validation_error'],
  ['a sort by __proto__', get('/v1/tasks?sort=__proto__'), 400, 'validation_error'],
  ['a sort by constructor, downwards', get('/v1/tasks?sort=-constructor'), 400, 'validation_error'],
  ['a cursor of 5,000 characters', get(`/v1/tasks?cursor=${'A'.repeat(5000)}`), 400, 'validation_error'],
  [
    'a cursor made by hand',
    get(`/v1/tasks?cursor=${Buffer.from('{"offset":0}').toString('base64url')}`),
    400,
    'validation_error',
  ],
  ['a filter by __proto__', get('/v1/tasks?filter[__proto__]=x'), 400, 'validation_error'],
  ['a cursor __proto__', get('/v1/tasks?cursor=__proto__'), 400, 'validation_error'],
];

const METHODS: readonly Case[] = [
  ...['OPTIONS', 'TRACE', 'PUT', 'PROPFIND', 'QUERY'].map(
    (method): Case => [method, get('/v1/tasks', '', method), 404, 'not_found'],
  ),
  ['an invented one', get('/v1/tasks', '', 'FOO'), 400, 'validation_error'],
  ['one in small letters', get('/v1/tasks', '', 'get'), 400, 'validation_error'],
  ['HEAD, with no body', get('/v1/tasks', '', 'HEAD'), 200, undefined],
  ['CONNECT', 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test\r\n\r\n', Number.NaN, undefined],
];

const chunked = (rest: string) => head('Transfer-Encoding: chunked\r\n') + rest;
const PROTOCOL: readonly Case[] = [
  [
    'both Content-Length and Transfer-Encoding',
    `${head('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n')}0\r\n\r\nG`,
    400,
    'validation_error',
  ],
  ['two Content-Lengths', `${head('Content-Length: 6\r\nContent-Length: 7\r\n')}{"a":1}`, 400, 'validation_error'],
  ['a Content-Length below zero', head('Content-Length: -1\r\n'), 400, 'validation_error'],
  ['a Content-Length with a plus', `${head('Content-Length: +2\r\n')}{}`, 400, 'validation_error'],
  ['a Transfer-Encoding nobody knows', head('Transfer-Encoding: xchunked\r\n'), 400, 'validation_error'],
  ['chunked not last', head('Transfer-Encoding: chunked, gzip\r\n'), 400, 'validation_error'],
  ['a chunk of no size', chunked('zz\r\n'), 400, 'validation_error'],
  ['a header with a space in its name', get('/v1/tasks', 'X Y: 1\r\n'), 400, 'validation_error'],
  ['a header folded over two lines', get('/v1/tasks', 'X: 1\r\n 2: 3\r\n'), 400, 'validation_error'],
  ['a header with a bare line feed', get('/v1/tasks', 'X: 1\n2: 3\r\n'), 400, 'validation_error'],
  ['a target without a slash', get('tasks'), 400, 'validation_error'],
  ['no version', 'GET /v1/tasks\r\n\r\n', 400, undefined],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'validation_error'],
  ['a TLS greeting', '\x16\x03\x01\0\xfa\x01\0\0\xf6\x03\x03', 400, 'validation_error'],
  ['zeroes', '\0\0\0\0\r\n\r\n', 400, 'validation_error'],
  ['no Host', 'GET /v1/tasks HTTP/1.1\r\nConnection: close\r\n\r\n', 400, undefined],
  ['a Host that is none', 'GET /v1/tasks HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, undefined],
  ['a target that is a star', get('*', '', 'OPTIONS'), 400, undefined],
  ['an expectation nobody meets', post('{"name":"e"}', 'Expect: a miracle\r\n'), 417, undefined],
];

const KEYS: readonly Case[] = [
  ['in Latin-1', get('/v1/tasks').replace('wm_tiny_admin', 'é'.repeat(9)), 401, 'unauthorized'],
  [
    'given twice',
    get('/v1/tasks', 'Authorization: Bearer wm_tiny_admin\r\n').replace('wm_tiny_admin', '__proto__'),
    401,
    'unauthorized',
  ],
  ['that is __proto__', get('/v1/tasks').replace('wm_tiny_admin', '__proto__'), 401, 'unauthorized'],
  ['that is constructor', get('/v1/tasks').replace('wm_tiny_admin', 'constructor'), 401, 'unauthorized'],
  ['with a tab for a space', get('/v1/tasks').replace('Bearer wm', 'Bearer\twm'), 401, 'unauthorized'],
  ['of 15,000 letters', get('/v1/tasks').replace('wm_tiny_admin', 'k'.repeat(15_000)), 401, 'unauthorized'],
];

const state = async (): Promise<string> => (await mock.app.request(`${server.origin}/_mock/state?format=json`)).text();

describe.each([
  ['a body', BODIES],
  ['a target', TARGETS],
  ['a query with', QUERIES],
  ['a method:', METHODS],
  ['a request with', PROTOCOL],
  ['a key', KEYS],
] as const)('%s', (_, cases) => {
  test.each(cases.map((each) => [...each] as const))('%s', async (_name, bytes, status, code) => {
    const before = await state();
    const heard = await send(bytes);
    expect([heard.status, heard.code]).toEqual([status, code]);
    if (code) expect(heard.text.toLowerCase()).toContain('content-type: application/json');
    expect(await state()).toBe(before);
  });
});

describe('what is odd but sound', () => {
  const made = async (bytes: string) => {
    const { status, text } = await send(bytes);
    return [status, JSON.parse(text.slice(text.indexOf('{"'))).data.name];
  };
  test('of a name given twice the last counts, as JSON.parse has it', async () => {
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
  test('a query name with brackets that is no filter is let pass, as any unknown parameter', async () => {
    for (const query of ['limit[]=1', '__proto__[x]=1']) {
      const { status, code } = await send(get(`/v1/tasks?${query}`));
      expect([query, status, code]).toEqual([query, 200, undefined]);
    }
  });
});

describe('a connection', () => {
  test('on which six requests come at once answers six times, in order', async () => {
    const six = ['1', '2', '0', '1', '2'].map((limit) => get(`/v1/tasks?limit=${limit}`).replace('Connection: close\r\n', ''));
    const { text } = await send(six.join('') + get('/v1/tasks?limit=1'));
    expect(text.match(/HTTP\/1\.1 \d+/g)!.map((line) => line.slice(9))).toEqual(['200', '200', '400', '200', '200', '200']);
  });
  test('that sends its headers a letter at a time is closed after the time for headers, with 408', async () => {
    const socket = connect(server.port, '127.0.0.1');
    open.add(socket);
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
  test('that never sends the rest of its body is closed, and nothing is made', async () => {
    const before = await state();
    const { status } = await send(head('Content-Length: 100\r\n'), '{"name":');
    expect(status === 408 || Number.isNaN(status)).toBe(true);
    expect(await state()).toBe(before);
  });
  test('that announces a gigabyte hears 413 before it has sent it', async () => {
    const { status, code } = await send(head('Content-Length: 1000000000\r\n'), 'x'.repeat(1000));
    expect([status, code]).toEqual([413, 'payload_too_large']);
  });
  test('that sends 50 MB hears 413', async () => {
    const megabyte = 'x'.repeat(1_000_000);
    const { status, code } = await send(head('Content-Length: 50000000\r\n'), ...Array.from({ length: 50 }, () => megabyte));
    expect([status, code]).toEqual([413, 'payload_too_large']);
  });
  test('that is dropped in the middle of a request or an answer leaves the server well', async () => {
    for (const bytes of [head('Content-Length: 100\r\n'), get('/v1/tasks'), 'GET /v1', chunked('5\r\nab')]) {
      await new Promise<void>((done) => {
        const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes, () => socket.resetAndDestroy()));
        socket.on('error', () => {});
        socket.on('close', () => done());
      });
    }
    expect((await send(get('/v1/tasks?limit=1'))).status).toBe(200);
  });
  test('whose client closes its half still hears its answer', async () => {
    const text = await new Promise<string>((done) => {
      let heard = '';
      const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('data', (bytes) => {
        heard += bytes;
      });
      socket.on('close', () => done(heard));
      socket.end(get('/v1/tasks?limit=1'));
    });
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
  });
  test('that says nothing, ten thousand times, keeps nobody waiting', async () => {
    const { fork } = await import('node:child_process');
    const child = fork('src/test/silent-clients.mjs', [String(server.port), '10000']);
    const said = await new Promise((done) => child.once('message', done));
    expect(said).toEqual({ connected: 10_000 });
    expect((await send(get('/v1/tasks?limit=1'))).status).toBe(200);
    child.kill();
    await new Promise((done) => child.once('exit', done));
  });
});
