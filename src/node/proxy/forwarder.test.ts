// The forwarding server between a client and a service: bytes, connections, aborts, and where it leads.
import { Agent, createServer, type IncomingMessage, request as send } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { keep } from '../../test/closing.ts';
import { deadUrl, openReceiver, openServer } from '../../test/receiver.ts';
import { sendBytes } from '../../test/send-bytes.ts';
import { within } from '../../test/within.ts';
import { decodeExchange } from './decode-exchange.ts';
import { type ForwarderOptions, type RawExchange, startForwarder } from './forwarder.ts';

const open = async (target: string, more: Partial<ForwarderOptions> = {}) => {
  const seen: RawExchange[] = [];
  const onExchange = (exchange: RawExchange) => void seen.push(exchange);
  const rest = { receiver: undefined, port: 0, whenRoom: () => undefined, showPage: async () => 'page', onUnreachable() {} };
  return { ...keep(await startForwarder({ target: new URL(target), onExchange, ...rest, ...more })), seen };
};

const bytesOf = async (source: IncomingMessage): Promise<Buffer> => Buffer.concat(await source.toArray());
const HOPS = /^(host|connection|keep-alive)$/i;
const pairs = (raw: readonly string[]) => raw.flatMap((name, i) => (i % 2 || HOPS.test(name) ? [] : [`${name}: ${raw[i + 1]}`]));
const text = (bytes: Buffer) => bytes.toString('base64');
const random = (size: number, n: number) =>
  Buffer.from(Array.from({ length: size }, (_, i) => (i * 7919 + n * 104_729 + (i >> 3)) % 256));

/** Its response depends on the number in the path alone. */
const echo = async () => {
  const seen: unknown[] = [];
  const server = createServer(async (request, response) => {
    const n = Number(/\d+/.exec(request.url!.slice(3)));
    const [body, method] = [await bytesOf(request), request.method];
    seen.push([method, request.url, pairs(request.rawHeaders), text(body), request.rawTrailers]);
    const content = n % 3 === 0 ? gzipSync(random(5000, n)) : random(n % 7 === 0 ? 200_000 : n * 5, n);
    const status = [200, 201, 204, 304, 418, 500][n % 6]!;
    const length =
      n % 2 === 0 ? ['Content-Length', String(content.length)] : ['Transfer-Encoding', 'chunked', 'Trailer', 'X-End'];
    const framing = status === 204 || status === 304 || method === 'HEAD' ? length.slice(0, n % 2 === 0 ? 2 : 0) : length;
    const names = ['X-One', 'a', 'content-TYPE', 'image/png', 'x-one', 'b', 'SET-cookie', '1', 'set-Cookie', '2'];
    response.sendDate = false;
    response.writeHead(status, `Number ${n} \xe9`, [...names, 'X-Long', 'é'.repeat(1).concat('z'.repeat(n * 40)), ...framing]);
    for (let i = 0; i < content.length; i += 50_000) response.write(content.subarray(i, i + 50_000));
    if (n % 2) response.addTrailers([['X-End', `${n}`]]);
    response.end();
  });
  server.on('checkContinue', (request, response) => {
    response.writeContinue();
    server.emit('request', request, response);
  });
  return { ...keep(await openServer(server)), seen };
};

const exchange = (base: string, n: number, agent: Agent) =>
  new Promise<unknown>((done, fail) => {
    const method = ['GET', 'POST', 'PUT', 'HEAD', 'PATCH', 'DELETE'][n % 6]!;
    const body = n % 2 && method !== 'HEAD' ? random(n % 5 === 0 ? 150_000 : n, n) : undefined;
    const expects = n % 10 === 1 ? ['Expect', '100-continue'] : [];
    const framing = !body ? [] : n % 4 === 1 ? ['content-LENGTH', String(body.length)] : ['Transfer-Encoding', 'chunked'];
    const names = ['Host', 'x', 'X-B', '1', 'x-a', '2', 'X-b', '3', 'Authorization', 'Bearer k', 'X-Long', 'y'.repeat(n * 50)];
    const headers = [...names, ...framing, ...expects];
    const request = send(`${base}/v1/n/${n}?q=%C3%A9&q=a+b`, { method, agent, headers: headers as never, maxHeaderSize: 1e6 });
    const onResponse = async (response: IncomingMessage) => {
      const { statusCode, statusMessage, rawHeaders, rawTrailers } = response;
      done([statusCode, statusMessage, pairs(rawHeaders), text(await bytesOf(response)), rawTrailers]);
    };
    request.on('response', onResponse).on('error', fail);
    if (expects.length > 0 && body) request.on('continue', () => request.end(body)).flushHeaders();
    else request.end(body);
  });

test('300 mixed exchanges have the same bytes on both sides as without a proxy, over one connection', async () => {
  const service = await echo();
  const { origin, seen, facts } = await open(`http://${service.host}/v1`);
  const agents = [0, 1].map(() => new Agent({ keepAlive: true, maxSockets: 1 })) as [Agent, Agent];
  let connections = 0;
  agents[1].on('free', () => (connections = Math.max(connections, Object.values(agents[1].freeSockets).flat().length)));
  for (let n = 1; n <= 300; n++) {
    const direct = await exchange(`http://${service.host}`, n, agents[0]);
    expect([n, await exchange(origin, n, agents[1])]).toEqual([n, direct]);
    const [sentDirect, sentByProxy] = service.seen.slice(-2);
    expect(sentByProxy).toEqual(sentDirect);
  }
  const { traffic } = decodeExchange(seen[0]!);
  expect([seen.length, traffic.target, traffic.response!.status, connections]).toEqual([300, '/n/1?q=%C3%A9&q=a+b', 201, 1]);
  expect(facts().added_ms.p50).toBeGreaterThan(0);
  for (const agent of agents) agent.destroy();
});

test('a client that leaves ends its request at the service, whose response is then unknown', async () => {
  let left: () => void;
  const disconnected = new Promise<void>((done) => (left = done));
  const service = keep(await openReceiver((_request, response) => response.on('close', left).writeHead(200).write('[')));
  const { origin, seen } = await open(service.url.replace('/hook', '/v1'));
  const control = new AbortController();
  const response = await fetch(`${origin}/v1/tasks`, { signal: control.signal });
  control.abort();
  await within(disconnected);
  await expect.poll(() => seen[0]).toMatchObject({ target: '/tasks', response: undefined });
  expect(response.status).toBe(200);
});

test('a service that cannot be reached is a 502 of the proxy, in the shape of the specification', async () => {
  const reasons: string[] = [];
  const { origin, seen } = await open((await deadUrl()).replace('/hook', '/v1'), { onUnreachable: (why) => reasons.push(why) });
  const response = await fetch(`${origin}/v1/tasks`, { method: 'POST', body: '{}' });
  expect([response.status, reasons, seen[0]!.response]).toEqual([502, ['ECONNREFUSED'], undefined]);
  expect((await response.json()).error).toMatchObject({
    code: 'internal_error',
    message: expect.stringContaining('wm-mock proxy'),
  });
});

test('only /v1, the page and, where there is a receiver, deliveries are forwarded', async () => {
  const receiver = keep(await openReceiver(202));
  const { origin, facts } = await open(receiver.url.replace('/hook', '/v1'), { receiver: new URL(`${receiver.url}?t=1`) });
  const status = async (path: string) => (await fetch(origin + path, { method: 'POST', body: 'raw' })).status;
  const paths = ['/v1', '/v1x', '/x', '/', '/_proxy/hooks', '/_proxy/hooks/a?b', '/_proxy/live'];
  expect(await Promise.all(paths.map(status))).toEqual([202, 404, 404, 200, 202, 202, 200]);
  expect(receiver.received.map(({ path }) => path).sort()).toEqual(['/hook/a?b', '/hook?t=1', '/v1']);
  const port = Number(new URL(origin).port);
  expect((await sendBytes(port, 'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')).status).toBe(404);
  expect(facts().deliveries).toBe(2);
});

test('a body that is too large, too early or in an unknown coding leaves its exchange open', async () => {
  const service = keep(await openReceiver((_request, response) => response.writeHead(200).end(Buffer.alloc(5_000_001))));
  const { origin, seen } = await open(service.url.replace('/hook', '/v1'));
  expect((await (await fetch(`${origin}/v1/tasks`)).arrayBuffer()).byteLength).toBe(5_000_001);
  expect(seen[0]).toMatchObject({ gap: 'a body has more than 5 MB', response: undefined });
  const coded = { status: 200, headers: ['content-encoding', 'zstd'], body: Buffer.from('x') };
  expect(decodeExchange({ ...seen[0]!, gap: undefined, response: coded }).gap).toBe('its body cannot be decoded');
  const zipped = { status: 200, headers: ['Content-Encoding', 'gzip'], body: gzipSync('{"a":"é"}') };
  expect(decodeExchange({ ...seen[0]!, gap: undefined, response: zipped }).traffic.response!.body).toBe('{"a":"é"}');
});
