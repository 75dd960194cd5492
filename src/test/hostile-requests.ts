// Hostile requests, byte by byte, for fixtures/tiny.yaml, and the response to each.

const HOST = 'Host: api.test\r\nAuthorization: Bearer wm_tiny_admin\r\n';
export const get = (target: string, extra = '', method = 'GET'): string =>
  `${method} ${target} HTTP/1.1\r\n${HOST}Connection: close\r\n${extra}\r\n`;
export const head = (length: string, extra = '', target = '/v1/projects', method = 'POST'): string =>
  `${method} ${target} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${length}Connection: close\r\n${extra}\r\n`;
export const post = (body: string, extra = '', target = '/v1/projects', method = 'POST'): string =>
  head(`Content-Length: ${Buffer.byteLength(body)}\r\n`, extra, target, method) + body;

/** Name, bytes, status, code; no status: the connection is closed without a response. */
export type Case = readonly [string, string, number, string | undefined];

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

export const chunked = (rest: string) => head('Transfer-Encoding: chunked\r\n') + rest;
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
  ['an unknown Transfer-Encoding', head('Transfer-Encoding: xchunked\r\n'), 400, 'validation_error'],
  ['chunked not last', head('Transfer-Encoding: chunked, gzip\r\n'), 400, 'validation_error'],
  ['a chunk of no size', chunked('zz\r\n'), 400, 'validation_error'],
  ['a header with a space in its name', get('/v1/tasks', 'X Y: 1\r\n'), 400, 'validation_error'],
  ['a header folded over two lines', get('/v1/tasks', 'X: 1\r\n 2: 3\r\n'), 400, 'validation_error'],
  ['a header with a bare line feed', get('/v1/tasks', 'X: 1\n2: 3\r\n'), 400, 'validation_error'],
  ['a target without a slash', get('tasks'), 400, 'validation_error'],
  ['no version', 'GET /v1/tasks\r\n\r\n', 400, 'validation_error'],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'validation_error'],
  ['a TLS greeting', '\x16\x03\x01\0\xfa\x01\0\0\xf6\x03\x03', 400, 'validation_error'],
  ['zeroes', '\0\0\0\0\r\n\r\n', 400, 'validation_error'],
  ['no Host', 'GET /v1/tasks HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'validation_error'],
  ['no Host, and a body', post('{"name":"a"}').replace('Host: api.test\r\n', ''), 400, 'validation_error'],
  ['a Host that is none', 'GET /v1/tasks HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, 'validation_error'],
  ['a port that is none', get('/v1/tasks').replace('api.test', '[::1]:99999'), 400, 'validation_error'],
  ['a URL that is none', get('http://api.test:99999/v1/tasks'), 400, 'validation_error'],
  ['a target that is a star', get('*', '', 'OPTIONS'), 400, 'validation_error'],
  ['an unknown expectation', post('{"name":"e"}', 'Expect: a miracle\r\n'), 417, 'validation_error'],
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

/** By what is hostile in them. */
export const HOSTILE: readonly (readonly [string, readonly Case[]])[] = [
  ['a body', BODIES],
  ['a target', TARGETS],
  ['a query with', QUERIES],
  ['a method:', METHODS],
  ['a request with', PROTOCOL],
  ['a key', KEYS],
];
