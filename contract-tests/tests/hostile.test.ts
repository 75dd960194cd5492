// Targets that mean harm, or are broken beyond what anybody thinks of: each is a violation or infrastructure, never the end of the suite.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { textsIn } from '../engine/exchange.ts';
import { HttpReceiver } from '../engine/http-receiver.ts';
import { realTime } from '../engine/time.ts';
import type { ContractOptions } from '../run.ts';
import { resultOf, runOn } from './runs.ts';
import { TestServer } from './test-server.ts';

interface Call {
  readonly method: string;
  /** Below /v1. */
  readonly path: string;
  /** The server's response unless it is told otherwise. */
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A body in place of the served one, or a function that writes the response. Undefined: the served one. */
type Harm = (call: Call, response: ServerResponse) => string | Buffer | true | undefined;

const listening = async (server: TestServer, harm: Harm) => {
  const calls: string[] = [];
  const http = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += String(part);
    const url = new URL(request.url ?? '/', 'http://hostile');
    const headers = new Headers(request.headers as Record<string, string>);
    const { method = 'GET' } = request;
    calls.push(`${method} ${request.url}`);
    const served = server.handle({ method, url: url.href, headers, text });
    const body = served.text ?? '';
    // The server's clock stands apart from ours.
    response.sendDate = false;
    const path = url.pathname.slice('/v1'.length);
    const other = harm({ method, path, status: served.status, headers: served.headers, body }, response);
    if (other !== true) response.writeHead(served.status, served.headers).end(other ?? body);
  });
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return { base: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`, calls };
};

const run = async (harm: Harm, options: Partial<ContractOptions> = {}, server = new TestServer({ limit: 5000 })) => {
  server.commented();
  const { base, calls } = await listening(server, harm);
  const report = await runOn(server, { baseUrl: base, fetch: undefined, timeoutMs: 5000, bail: true, ...options });
  return { report, reason: (id: string) => resultOf(report, id)?.reason ?? '', calls, litter: server.litter() };
};

/** Gives this response to one request: the first one of every run about teams. */
const teams =
  (harm: Harm): Harm =>
  (call, response) =>
    call.method === 'GET' && call.path === '/teams' ? harm(call, response) : undefined;

/** Gives that id to what is made. */
const named =
  (id: string, where = /^\/(projects|teams)$|\/tasks$/): Harm =>
  ({ method, path, status, body }) =>
    method === 'POST' && where.test(path) && status === 201
      ? JSON.stringify({ data: { ...(JSON.parse(body) as { data: object }).data, id } })
      : undefined;

/** Says that of each page. */
const paged =
  (more: () => object, items: (all: object[]) => object[] = (all) => all): Harm =>
  ({ method, status, body }) => {
    const page = method === 'GET' && status === 200 ? (JSON.parse(body) as { items?: object[]; meta: object }) : undefined;
    return page?.items ? JSON.stringify({ items: items(page.items), meta: { ...page.meta, ...more() } }) : undefined;
  };

const refusing =
  (body: string | Buffer): Harm =>
  ({ status }) =>
    status >= 400 ? body : undefined;

const flood =
  (bytes: Buffer, headers: Record<string, string | number> = {}): Harm =>
  (call, response) => {
    response.writeHead(call.status, { ...call.headers, ...headers });
    const more = () => {
      while (!response.destroyed && response.write(bytes));
    };
    response.on('drain', more);
    more();
    return true;
  };

const raw =
  (text: string): Harm =>
  (_, response) => {
    response.socket?.end(text);
    return true;
  };

const trickle =
  (start: string, part: string): Harm =>
  (_, { socket }) => {
    socket?.write(start);
    const timer = setInterval(() => socket?.write(part), 20);
    socket?.on('close', () => clearInterval(timer)).on('error', () => clearInterval(timer));
    return true;
  };

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const SPACES = Buffer.alloc(1_000_000, ' ');
const DEEP = '['.repeat(100_000) + ']'.repeat(100_000);

/** The deed of a target, the requirement that it violates, and how that is told. */
const VIOLATIONS: readonly (readonly [string, string, string, Harm])[] = [
  ['a body without end', 'WM-GEN-001', 'continues after 16 MB', teams(flood(SPACES))],
  ['a body of a gigabyte', 'WM-GEN-001', 'continues after 16 MB', teams(flood(SPACES, { 'content-length': 1e9 }))],
  [
    'a small body that grows when it is unpacked',
    'WM-GEN-001',
    'continues after 16 MB',
    teams(({ headers }, response) => {
      response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(40_000_000, ' ')));
      return true;
    }),
  ],
  ['JSON that nests 100,000 deep', 'WM-GEN-001', 'nests more than 100 levels deep', teams(() => DEEP)],
  ['an error that nests 100,000 deep', 'WM-GEN-001', 'nests more than', refusing(`{"error":{"code":${DEEP},"message":"x"}}`)],
  ['a million empty records', 'WM-GEN-001', 'has more than', teams(() => `{"items":[${'{},'.repeat(1_100_000)}{}]}`)],
  ['a body that is not UTF-8', 'WM-GEN-001', 'is not UTF-8', teams(() => Buffer.from('{"items":[],"x":"\xe9"}', 'latin1'))],
  ['an id that is half of a surrogate pair', 'WM-GEN-009', 'half of a surrogate pair', named('half \ud800')],
  ['an id of bytes that are not UTF-8', 'WM-GEN-009', 'not UTF-8', named('t\ufffd')],
  ['the id ..', 'WM-GEN-009', 'takes it for a step', named('..')],
  ['the id .', 'WM-GEN-009', 'takes it for a step', named('.')],
  ['an id that leads to another path', 'WM-GEN-009', 'takes it for a step', named('../../teams/other')],
  ['an id that leads there once it is decoded', 'WM-GEN-009', 'takes it for a step', named('%2e%2e%2fteams%2fother')],
  ['an id of 100 kB', 'WM-GEN-009', 'has 100000 characters', named('x'.repeat(100_000))],
  ['an id that is null and a zero byte', 'WM-EP-008', '', named('a\0b', /^\/projects$/)],
  ['an id with a slash', 'WM-EP-008', '', named('a/b', /^\/projects$/)],
  ['an empty id', 'WM-PROJ-001', 'id is ""', named('', /^\/projects$/)],
  ['the id __proto__', 'WM-EP-008', '', named('__proto__', /^\/projects$/)],
  ['the id constructor', 'WM-EP-008', '', named('constructor', /^\/projects$/)],
  ['the code constructor', 'WM-ERR-010', 'the code constructor', refusing('{"error":{"code":"constructor","message":"x"}}')],
  ['the code __proto__', 'WM-ERR-010', 'the code __proto__', refusing('{"error":{"code":"__proto__","message":"x"}}')],
  [
    'a code of 8 MB',
    'WM-ERR-010',
    'characters)',
    refusing(`{"error":{"code":"${'c'.repeat(8_000_000)}","message":"${'\\"'.repeat(1_000_000)}"}}`),
  ],
  ['a page that leads to itself', 'WM-LIST-004', '', paged(() => ({ has_more: true, next_cursor: 'same' }))],
  ['pages without end', 'WM-META-014', '', paged(() => ({ has_more: true, next_cursor: `c${Math.random()}` }))],
  ['a cursor that is half of a pair', 'WM-LIST-004', 'half of a', paged(() => ({ has_more: true, next_cursor: 'c\ud800' }))],
  ['a cursor of a megabyte', 'WM-LIST-004', 'leads nowhere', paged(() => ({ has_more: true, next_cursor: 'c'.repeat(1e6) }))],
  ['a total of 1e999', 'WM-META-001', 'meta.total', ({ body }) => body.replace(/"total":\d+/, '"total":1e999')],
  ['a total of -1e300', 'WM-META-014', '-1e+300', ({ body }) => body.replace(/"total":\d+/, '"total":-1e300')],
  [
    'a redirect to itself',
    'WM-EP-015',
    'returns 302',
    teams(({ headers }, response) => {
      response.writeHead(302, { ...headers, location: '/v1/teams' }).end('{}');
      return true;
    }),
  ],
];

test.each(VIOLATIONS)('%s is a violation that says what it is', async (_says, requirement, words, harm) => {
  const { report, reason, litter } = await run(harm, requirement === 'WM-EP-008' ? { bail: false, only: ['tasks/create'] } : {});
  expect(report.error).toBeUndefined();
  expect(report.failures).toContain(requirement);
  expect(reason(requirement)).toContain(words);
  expect(reason(requirement).length).toBeLessThan(3000);
  expect(litter).toEqual([]);
  expect(JSON.stringify(report).length).toBeLessThan(5_000_000);
});

/** Failures on the way, and how each is counted. */
const FAILURES: readonly (readonly [string, string, Harm])[] = [
  ['a body that never continues', 'timeout', teams(trickle(`${HEAD}content-length: 9\r\n\r\n{`, ''))],
  ['a body of a byte now and then', 'timeout', teams(trickle(`${HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'))],
  ['headers without end', 'timeout', teams(trickle('HTTP/1.1 200 OK\r\n', 'x: y\r\n'))],
  ['headers of a megabyte', 'no-answer', teams(raw(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1000)}\r\n`.repeat(1000)}\r\n`))],
  ['a connection that is closed', 'reset', teams(raw(''))],
  ['a body that is cut', 'reset', teams(raw(`${HEAD}content-length: 1000\r\n\r\n{"items":[`))],
  ['a chunk that is cut', 'reset', teams(raw(`${HEAD}transfer-encoding: chunked\r\n\r\nffff\r\n{}`))],
  [
    'a reset in the middle of a body',
    'reset',
    teams((_, { socket }) => {
      socket?.write(`${HEAD}content-length: 1000\r\n\r\n{"items":[`);
      setTimeout(() => socket?.resetAndDestroy(), 5);
      return true;
    }),
  ],
  ['what is no HTTP', 'no-answer', teams(raw('\0\x01garbage\r\n\r\n'))],
  ['a body that cannot be unpacked', 'no-answer', teams(raw(`${HEAD}content-encoding: gzip\r\ncontent-length: 3\r\n\r\n{} `))],
];

test.each(FAILURES)('%s is counted as infrastructure and not blamed', async (_says, kind, harm) => {
  const { report, litter } = await run(harm, { timeoutMs: 300, only: ['deletion/project'] });
  expect(report.error).toBeUndefined();
  expect(report.failures).toEqual([]);
  expect(report.infra.map((event) => event.kind)).toContain(kind);
  expect(litter).toEqual([]);
});

/** Oddities that violate nothing: the verdict is as without them. */
const ODD: readonly (readonly [string, Harm])[] = [
  [
    'members named __proto__ and constructor',
    ({ body }) => body.replaceAll('{"id":', '{"__proto__":{"id":1},"constructor":1,"id":'),
  ],
  ['members that come twice', ({ body }) => body.replaceAll('"id":', '"id":"other","id":')],
  [
    'a response that is followed by responses to nothing',
    teams(({ headers, body }, { socket }) => {
      const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket?.write(`HTTP/1.1 200 OK\r\n${fields.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`.repeat(3));
      return true;
    }),
  ],
];

test.each(ODD)('%s: nothing is violated and nothing breaks', async (_says, harm) => {
  const { report, litter } = await run(harm, { only: ['deletion/', 'reads/'], bail: false });
  expect([report.error, report.failures, litter]).toEqual([undefined, [], []]);
});

test('a Date and a Reset beyond all calendars are judged, and end nothing', async () => {
  const { report } = await run((call, response) => {
    response.setHeader('date', 'Sat, 13 Sep 275760 00:00:00 GMT');
    response.writeHead(call.status, { ...call.headers, 'x-ratelimit-reset': '9'.repeat(400) }).end(call.body);
    return true;
  });
  expect(report.error).toBeUndefined();
  expect(report.failures).toContain('WM-RATE-008');
});

test('a create that returns the id of a record that was there touches no other client, and is removed by its name', async () => {
  const server = new TestServer({ limit: 5000 });
  const make = (name: string) => {
    const headers = new Headers({ authorization: `Bearer ${server.roles().admin}`, 'content-type': 'application/json' });
    const made = server.handle({ method: 'POST', url: 'http://x/v1/projects', headers, text: JSON.stringify({ name }) });
    return (JSON.parse(made.text!) as { data: { id: string } }).data.id;
  };
  const theirs = make('Payroll');
  const { report, calls, litter } = await run(named(theirs, /^\/projects$/), { bail: false, only: ['deletion/'] }, server);
  expect(calls.filter((line) => line.includes(theirs) && !line.startsWith('GET '))).toEqual([]);
  expect(report.failures).toContain('WM-PROJ-027');
  expect(litter).toEqual([]);
});

test('no id leads a request out of its place', async () => {
  for (const id of ['..', '.', '../teams/other', '%2e%2e/teams']) {
    const { calls } = await run(named(id), { bail: false, only: ['deletion/'] });
    expect(calls.filter((line) => !/^[A-Z]+ \/v1\/(projects|tasks|teams|users|workspace|webhooks)([/?]|$)/.test(line))).toEqual(
      [],
    );
    expect(calls.filter((line) => /other|%2e|\.\./i.test(line))).toEqual([]);
  }
});

test('a record that no id can name is under left_behind', async () => {
  const id = 'half \ud800';
  const { report, litter } = await run(
    (call, response) =>
      named(id)(call, response) ??
      paged(
        () => ({}),
        (all) => all.map((item) => ({ ...item, id })),
      )(call, response),
    { only: ['deletion/'] },
  );
  expect(litter.length).toBeGreaterThan(0);
  expect(report.left_behind.map(({ why }) => why)).toContainEqual(expect.stringContaining('no request can name it'));
});

test('a member list that leaves no free id is no hang', async () => {
  const { report } = await run(({ path, body }) =>
    path === '/workspace/members'
      ? JSON.stringify({
          ...(JSON.parse(body) as object),
          items: [...'bcdfghjkmnpqrstvwxyz'].map((end) => ({ id: `user_${end}`, name: 'x', email: 'x@x.example', role: 'x' })),
        })
      : undefined,
  );
  expect(report.error).toBeUndefined();
});

test('a receiver refuses what is no URL and what is too large, and continues', async () => {
  const receiver = new HttpReceiver(realTime());
  const base = await receiver.listen(0);
  const { status } = await fetch(`${base}/a/b`, { method: 'POST', body: SPACES.toString().repeat(2) });
  const odd = await fetch(`${base}//`, { method: 'POST' });
  const good = await fetch(`${base}/${receiver.run}/b`, { method: 'POST', body: '{}' });
  await receiver.close();
  expect([status, odd.status, good.status]).toEqual([413, 400, 200]);
});

test('texts of a body are found in time that grows with its length alone', () => {
  expect(textsIn(`{"a":"${'\\"'.repeat(4_000_000)}"`).at(-1)?.length).toBe(4_000_000);
  expect(textsIn(`{"a":"${'\\"'.repeat(4_000_000)}`)).toEqual(['a']);
});
