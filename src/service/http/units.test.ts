// The small parts of the life of a request, one by one: paths, base URLs, bodies, headers, what is hidden.
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { BUSY } from '../../test/busy.ts';
import { MAX_BODY_BYTES } from '../contract/limits.ts';
import { isJson, readBody } from './body.ts';
import { differencesOf } from './differences.ts';
import { unmountUrl, withUrl } from './in-process.ts';
import { exchangeNumber } from './journal-entries.ts';
import { pathFits, rawPath, toPattern, variableOf, WORLD_PREFIX } from './paths.ts';
import { createRedactor, hideSecrets, isSecretName, redactPath } from './redact.ts';
import { type RequestData, RequestInfo } from './request-info.ts';

describe('a path', () => {
  test('in the table becomes one of the router, and names its variable', () => {
    expect(toPattern('/v1/projects/{project_id}/tasks')).toBe('/v1/projects/:project_id/tasks');
    expect(toPattern('/{a}/{b}')).toBe('/:a/:b');
    const results = [variableOf('/projects/{project_id}/tasks'), variableOf('/{a}/{b}'), variableOf('/tasks')];
    expect(results).toEqual(['project_id', 'a', undefined]);
  });

  test.each([
    ['/tasks', '/tasks', true],
    ['/tasks', '/task', false],
    ['/tasks', '/tasks/', false],
    ['/tasks/{id}', '/tasks/x', true],
    ['/tasks/{id}', '/tasks', false],
    ['/tasks/{id}', '/tasks/x/comments', false],
    ['/tasks/{id}/comments', '/tasks/x/comments', true],
    ['/tasks/{id}/comments', '/projects/x/comments', false],
  ])('%s fits %s: %s', (wanted, path, fits) => expect(pathFits(wanted, path)).toBe(fits));

  test.each([
    ['http://localhost/v1/tasks', '/v1/tasks'],
    ['http://localhost/v1/tasks?a=/b', '/v1/tasks'],
    ['http://localhost/v1/tasks#a?b', '/v1/tasks'],
    ['http://localhost/?a', '/'],
    ['http://localhost:80/a%2Fb', '/a%2Fb'],
    ['https://a.b/', '/'],
  ])('of %s is %s', (url, path) => expect(rawPath(url)).toBe(path));

  test.each([
    ['/worlds/a/v1', '/v1'],
    ['/worlds/a-b.c/v1/tasks', '/v1/tasks'],
    ['/worlds/a', '/worlds/a'],
    ['/worlds//v1', '/worlds//v1'],
    ['/x/worlds/a/v1', '/x/worlds/a/v1'],
  ])('%s is %s without its world', (path, rest) => expect(path.replace(WORLD_PREFIX, '')).toBe(rest));
});

describe('a mock under the base URL of an app', () => {
  test.each([
    ['https://app.test/v1', 'https://app.test/v1/tasks?a=b', 'https://app.test/v1/tasks?a=b'],
    ['https://app.test/v1/', 'https://app.test/v1', 'https://app.test/v1'],
    ['https://app.test/api/v1', 'https://app.test/api/v1/tasks', 'https://app.test/v1/tasks'],
    ['https://app.test/api/v1', 'https://app.test/api/_mock/state#a', 'https://app.test/_mock/state#a'],
    ['https://app.test/api/v1', 'https://app.test/api/worlds?x', 'https://app.test/worlds?x'],
    ['https://app.test/api/v1', 'https://app.test/worlds/a/v1/tasks', 'https://app.test/worlds/a/v1/tasks'],
    ['https://app.test/api/v1', 'https://app.test/api/openapi.json', 'https://app.test/openapi.json'],
    ['https://app.test/api/v1', 'https://app.test/api/openapi.yaml?a', 'https://app.test/openapi.yaml?a'],
    ['https://app.test/api/v1', 'https://app.test/api/openapi.yml', undefined],
    ['https://app.test/api/v1', 'https://app.test/api/openapi.json/x', undefined],
    ['https://app.test/api/v1', 'https://app.test/api/v1x/tasks', undefined],
    ['https://app.test/api/v1', 'https://app.test/api/v2/tasks', undefined],
    ['https://app.test/api/v1', 'https://app.test/v1/tasks', undefined],
    ['https://app.test/api/v1', 'https://app.test/worlds', undefined],
    ['https://app.test/api/v1', 'https://other.test/api/v1/tasks', undefined],
    ['https://app.test/v1', 'https://app.test.evil/v1/tasks', undefined],
    ['https://app.test/v1', 'https://app.test/x/v1/tasks', undefined],
    ['https://app.test/v1', 'https://app.test/x/openapi.json', undefined],
  ])('%s: %s is known as %s', (base, url, known) => expect(unmountUrl(base)(url)).toBe(known));

  test.each(['https://app.test', 'https://app.test/v1/x', 'https://app.test/v2', 'https://app.test/xv1'])(
    'is refused at %s',
    (base) => {
      expect(() => unmountUrl(base)).toThrow(
        new TypeError(`the base URL ${base} does not end in /v1. Give the one that your app calls, such as https://app.test/v1`),
      );
    },
  );

  test('gets requests as they were, bodies included', async () => {
    const headers = { 'x-a': 'b', 'content-type': 'text/plain' };
    const post = await withUrl(new Request('https://a.test/x', { method: 'POST', headers, body: 'text' }), 'https://b.test/y');
    expect([post.url, post.method, post.headers.get('x-a'), await post.text()]).toEqual(
      'https://b.test/y POST b text'.split(' '),
    );
    const empty = await withUrl(new Request('https://a.test/x', { method: 'DELETE', headers }), 'https://b.test/y');
    expect([empty.body, empty.method]).toEqual([null, 'DELETE']);
    for (const method of ['GET', 'HEAD']) {
      const read = await withUrl(new Request('https://a.test/x', { method }), 'https://b.test/y');
      expect([read.method, read.body]).toEqual([method, null]);
    }
  });
});

describe('a body', () => {
  const post = (body: BodyInit, headers: Record<string, string> = {}) =>
    new Request('http://a.test', { method: 'POST', body, headers, duplex: 'half' } as RequestInit);
  const streamed = (...sizes: number[]) =>
    new ReadableStream({
      start(controller) {
        for (const size of sizes) controller.enqueue(new Uint8Array(size).fill(97));
        controller.close();
      },
    });
  const lengthOf = async (request: Request) => {
    const body = await readBody(request);
    return 'text' in body ? body.text.length : body.fault;
  };

  test('is read up to one MiB, told of or not', async () => {
    expect(MAX_BODY_BYTES).toBe(1_048_576);
    expect(await lengthOf(post(streamed(MAX_BODY_BYTES)))).toBe(MAX_BODY_BYTES);
    expect(await lengthOf(post(streamed(MAX_BODY_BYTES, 1)))).toBe('too large');
    expect(await lengthOf(post(streamed(MAX_BODY_BYTES - 3, 1, 2)))).toBe(MAX_BODY_BYTES);
    expect(await lengthOf(post(streamed(5, 0, 6)))).toBe(11);
    expect(await lengthOf(post('x'.repeat(MAX_BODY_BYTES), { 'content-length': `${MAX_BODY_BYTES}` }))).toBe(MAX_BODY_BYTES);
    expect(await lengthOf(post('x'.repeat(MAX_BODY_BYTES + 1), { 'content-length': `${MAX_BODY_BYTES + 1}` }))).toBe('too large');
    expect(await lengthOf(new Request('http://a.test', { method: 'POST' }))).toBe(0);
  });

  test('with a length of more than 64 MiB is not read at all, and one without is given up there', async () => {
    let pulled = 0;
    let cancelled = false;
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          pulled += 1;
          controller.enqueue(new Uint8Array(MAX_BODY_BYTES));
        },
        cancel() {
          cancelled = true;
        },
      });
    expect(await readBody(post(endless(), { 'content-length': `${64 * MAX_BODY_BYTES + 1}` }))).toEqual({ fault: 'too large' });
    expect(pulled).toBeLessThan(3);
    pulled = 0;
    expect(await readBody(post(endless()))).toEqual({ fault: 'too large' });
    expect(cancelled).toBe(true);
    expect(pulled).toBeGreaterThanOrEqual(65);
    expect(pulled).toBeLessThan(70);
    const whole = Array<number>(64).fill(MAX_BODY_BYTES);
    expect(await readBody(post(streamed(...whole), { 'content-length': `${64 * MAX_BODY_BYTES}` }))).toEqual({
      fault: 'too large',
    });
  });

  test('incomplete after the time limit is given up with 408; hosts and strangers share the room of the process', async () => {
    const cancelled: string[] = [];
    const hanging = (headers = {}) => {
      const cancel = () => void cancelled.push('cancelled');
      return post(new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(5)), cancel }), headers);
    };
    const host = { bytes: 0, patience: 20 };
    const declared = { 'content-length': `${MAX_BODY_BYTES}` };
    const read = (body: BodyInit, how: Parameters<typeof readBody>[1]) => readBody(post(body), how);
    const late = Array.from({ length: 128 }, (_, i) => readBody(hanging(i % 2 ? declared : {}), { host }));
    expect(await read('x', { host })).toEqual({ fault: 'too many' });
    // A host leaves as much to the others as it takes; a stranger takes nothing from those with a key.
    expect(await read('x', { host: { bytes: 0 } })).toEqual({ text: 'x' });
    const strangers = Array.from({ length: 300 }, () =>
      readBody(hanging(), { host: { bytes: 0, patience: 20 }, isStranger: true }),
    );
    expect(await read('x', { isStranger: true })).toEqual({ fault: 'too many' });
    expect(await read('x', {})).toEqual({ text: 'x' });
    const ended = await Promise.allSettled([...late, ...strangers]);
    const refused = { status: 'rejected', reason: { status: 408, code: 'validation_error' } };
    for (const one of ended.slice(0, 384)) expect(one).toMatchObject(refused);
    expect(ended.slice(384)).toEqual(Array(44).fill({ status: 'fulfilled', value: { fault: 'too many' } }));
    expect([host.bytes, cancelled.length]).toEqual([0, 320]);
    expect(await read('x', { host })).toEqual({ text: 'x' });
    expect(await read('x'.repeat(65_537), { isStranger: true })).toEqual({ fault: 'too large' });
    expect(await read(new Uint8Array(5), { max: 4 })).toEqual({ fault: 'too large' });
  });

  test('in invalid UTF-8 is refused, whatever the engine throws', async () => {
    const errors = [
      new TypeError('invalid'),
      new DOMException('bad', 'EncodingError'),
      runInNewContext('new TypeError()'),
      'bad',
    ];
    for (const error of errors) {
      const decode = vi.spyOn(TextDecoder.prototype, 'decode').mockImplementationOnce(() => {
        throw error;
      });
      expect(await readBody(post(Uint8Array.of(0x7b, 0xff, 0x7d)))).toEqual({ fault: 'not UTF-8' });
      decode.mockRestore();
    }
    const odd = [
      [0xff],
      [0xe9],
      [0x1f, 0x8b, 8],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82],
      [0xfe, 0xff],
    ];
    for (const bytes of odd) expect(await readBody(post(Uint8Array.from(bytes)))).toEqual({ fault: 'not UTF-8' });
  });

  test('is refused with 400 when it breaks off, with the words of the engine', async () => {
    const refused = { status: 400, message: 'The body broke off: lost. Send all of it.' };
    for (const headers of [{}, { 'content-length': '9' }]) {
      const body = new ReadableStream({ pull: (controller) => controller.error(new Error('lost')) });
      const request = new Request('http://mock/v1', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
      await expect(readBody(request)).rejects.toMatchObject(refused);
    }
  });

  test('keeps its pieces in order', async () => {
    const pieces = new ReadableStream({
      start(controller) {
        for (const piece of [[0xc3], [0xa9, 0x62], [], [0x63]]) controller.enqueue(Uint8Array.from(piece));
        controller.close();
      },
    });
    expect(await readBody(post(pieces))).toEqual({ text: 'ébc' });
    expect(await readBody(post('\ufeffx'))).toEqual({ text: 'x' });
  });

  test('is JSON by its type, in letters of any size and with parameters', () => {
    const types = 'application/json;APPLICATION/JSON;application/json ;application/jsonp;application/json-patch+json;text/json';
    expect(types.split(';').map(isJson)).toEqual([true, true, true, false, false, false]);
    const odd = [
      'application/json; charset=utf-8',
      'application/json ;a=b',
      'application/json;',
      'application/json x',
      ' application/json',
      '',
    ];
    expect(odd.map(isJson)).toEqual([true, true, true, false, false, false]);
  });
});

describe('a request', () => {
  const requestOf = (data: Partial<RequestData>) =>
    new RequestInfo({ method: 'GET', url: 'http://a.test/v1/tasks', headers: [], ...data } as RequestData);

  test.each([
    ['http://a.test/worlds/w/v1/tasks?a=b#c', '/worlds/w/v1/tasks', '/v1/tasks', '/tasks', '/v1/tasks?a=b'],
    ['http://a.test/v1/tasks/%2F?a=/v1', '/v1/tasks/%2F', '/v1/tasks/%2F', '/tasks/%2F', '/v1/tasks/%2F?a=/v1'],
    ['http://a.test/tasks', '/tasks', '/tasks', '/tasks', '/tasks'],
  ])('to %s has its paths', (url, rawPath, path, pathInService, target) =>
    expect(requestOf({ url })).toMatchObject({ rawPath, path, pathInService, target }),
  );

  test.each<[RequestData['body'], string, unknown, object]>([
    [undefined, '', undefined, {}],
    [{ fault: 'too large' }, '', undefined, {}],
    [{ text: 'a' }, 'a', undefined, {}],
    [{ text: 'null' }, 'null', null, {}],
    [{ text: '[1]' }, '[1]', [1], {}],
    [{ text: '{"a":1}' }, '{"a":1}', { a: 1 }, { a: 1 }],
  ])('with the body %j has text, value and fields', (body, text, json, fields) =>
    expect(requestOf({ body })).toMatchObject({ text, json, fields }),
  );

  test('parses a part once, and again once the journal has it', () => {
    const request = requestOf({ url: 'http://a.test/v1/tasks?a=b', body: { text: '{}' } });
    const { json, parameters } = request;
    expect(request.json).toBe(json);
    expect(request.parameters).toBe(parameters);
    expect(request.shrink()).toBe(request);
    expect([request.json, request.parameters]).toEqual([json, parameters]);
    expect(request.json).not.toBe(json);
  });

  test('reads raw headers and those of a page alike', () => {
    const map = new Headers({ 'x-a': '1, 2' });
    expect([...requestOf({ headers: ['X-A', '1', 'x-a', '2'] }).headerMap]).toEqual([...map]);
    expect(requestOf({ headers: map }).headerMap).toBe(map);
  });

  test('with a body of more than 32,768 characters is cut for the journal', () => {
    const cut = (body: RequestData['body']) => requestOf({ body }).shrink().body;
    expect(cut({ text: 'x'.repeat(32_768) })).toEqual({ text: 'x'.repeat(32_768) });
    expect(cut({ text: 'y'.repeat(32_769) })).toEqual({ text: `${'y'.repeat(32_768)} … cut: 32769 characters in all` });
    expect([cut({ fault: 'too large' }), cut(undefined)]).toEqual([{ fault: 'too large' }, undefined]);
  });
});

test.each([
  ['api_key api-key apiKey API_KEY key x-key a.key access_token accesstoken token Authorization auth secret', true],
  ['password x.signature myApiKeyIs set-cookie cookies', true],
  ['monkey keys key_ tokens author secretary my-passwords', false],
])('of %s each is the name of a secret: %s', (names, secret) => {
  for (const name of names.split(' ')) expect(isSecretName(name), name).toBe(secret);
});

test.each(['my password', ''])('%j is no name of a secret', (name) => expect(isSecretName(name)).toBe(false));

test('keys, signing secrets and what looks like one are hidden wherever they stand', async () => {
  const mock = await createMock({ seed: BUSY });
  const hide = createRedactor(mock.world, ['extra.one', 'abc', 'with "quotes"']);
  expect(hide('wm_busy_admin, wm_busy_write; wm_busy_admin_more')).toBe('[hidden], [hidden]; [hidden]_more');
  expect(hide('extra.one extra-one abc undefined')).toBe('[hidden] extra-one abc undefined');
  expect(hide(`${encodeURIComponent('with "quotes"')} ${JSON.stringify('with "quotes"')}`)).toBe('[hidden] "[hidden]"');
  expect(hide(`whsec_ab+/=-c wm_${'a1'.repeat(16)} wm_${'a1'.repeat(15)} wm_Acme9_${'z0'.repeat(12)}`)).toBe(
    `[hidden] [hidden] wm_${'a1'.repeat(15)} [hidden]`,
  );
  const hideMore = createRedactor(mock.world, ['wm_busy', 'four', 'wm_busy_admin_2']);
  expect(hideMore('wm_busy_admin wm_busy wm_busy_admin_2 four')).toBe('[hidden] [hidden] [hidden] [hidden]');
  await mock.close();
});

test('properties named secret are hidden at any depth, texts alone', () => {
  expect(hideSecrets({ secret: 'a', b: [{ secret: 'c', d: null }], secret2: 'e', f: { secret: 5 } })).toEqual({
    secret: '[hidden]',
    b: [{ secret: '[hidden]', d: null }],
    secret2: 'e',
    f: { secret: 5 },
  });
  expect([hideSecrets('secret'), hideSecrets(null), hideSecrets(5)]).toEqual(['secret', null, 5]);
});

test.each([
  ['/a', '/a'],
  ['/a/pw', '/a/[hidden]'],
  ['/a?', '/a?'],
  ['?token=1', '?token=[hidden]'],
  ['/a?token=1&b=2', '/a?token=[hidden]&b=2'],
  ['/a?b=2?c=3', '/a?b=2?c=3'],
  ['/a?token', '/a?token'],
  ['/a?token=', '/a?token=[hidden]'],
  ['/a?token=b=c', '/a?token=[hidden]'],
  ['/a?b=xpwx', '/a?b=[hidden]'],
  ['/a?pw=1', '/a?[hidden]=[hidden]'],
  ['/a?b=%70w', '/a?b=[hidden]'],
  ['/a?%74oken=1', '/a?%74oken=[hidden]'],
  ['/a?to+ken=1&b=%zz', '/a?to+ken=1&b=%zz'],
  ['/a?my+key=pw', '/a?my+key=[hidden]'],
  ['/pw?pw', '/[hidden]?pw'],
])('%s is shown as %s', (url, shown) => expect(redactPath(url, (text) => text.replaceAll('pw', '[hidden]'))).toBe(shown));

test('the number of an exchange is that of its id, and 0 of any other text', () => {
  const ids = ['req_1', 'req_10', 'req_123456789012345', ...'req_0 req_01 req_ xreq_1 req_1x req_1234567890123456'.split(' ')];
  expect(ids.map(exchangeNumber)).toEqual([1, 10, 123_456_789_012_345, 0, 0, 0, 0, 0, 0]);
});

test('a change is told field by field, with no key and no secret', () => {
  const change = (name: string, before: object | undefined, after: object | undefined) =>
    differencesOf({ name, before, after } as never);
  expect(change('tasks', { id: 'a', title: 'A', gone: 1, list: [1] }, { id: 'a', title: 'B', list: [1], come: 2 })).toEqual([
    { field: 'title', before: 'A', after: 'B' },
    { field: 'gone', before: 1, after: undefined },
    { field: 'come', before: undefined, after: 2 },
  ]);
  expect(change('webhooks', undefined, { secret: 's', url: 'u', value: 'v' })).toEqual([
    { field: 'secret', before: undefined, after: '[hidden]' },
    { field: 'url', before: undefined, after: 'u' },
    { field: 'value', before: undefined, after: 'v' },
  ]);
  expect(change('keys', { value: 'v', secret: 's' }, undefined)).toEqual([
    { field: 'value', before: '[hidden]', after: undefined },
    { field: 'secret', before: 's', after: undefined },
  ]);
});
