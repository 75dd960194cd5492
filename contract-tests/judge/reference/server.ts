// The reference server: an independent, conforming server of the specification, in memory, in process or on a socket.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fetch } from '../../engine/terms.ts';
import { type Clock, realClock, VirtualClock } from './clock.ts';
import type { Call, Post, Send } from './model.ts';
import { Service } from './service/service.ts';
import { STYLES, type Style, type StyleName } from './styles.ts';
import { idMaker, KEYS, populate } from './world.ts';

export interface ServerOptions {
  readonly style?: StyleName;
  /** Absent: a virtual clock that starts now. */
  readonly clock?: Clock | 'real';
  /** Where an https URL of a webhook really leads to, as a name server or a tunnel would say. */
  readonly resolve?: (url: string) => string;
  /** Replaces the sending of deliveries. */
  readonly send?: Send;
  /** Changes steps of the service: a fault. */
  readonly alter?: ((service: Service) => void) | undefined;
  /** Settles some open points otherwise than the style. */
  readonly settled?: Partial<Style>;
}

/** Sends over HTTP, with no redirect followed and no connection kept. */
export const sendOverHttp = ({ url, method, headers, body }: Post, signal?: AbortSignal): Promise<number> =>
  new Promise((done, failed) => {
    const own = { ...headers, 'Content-Length': Buffer.byteLength(body) };
    const sending = request(url, { method, headers: own, agent: false, ...(signal ? { signal } : {}) });
    sending.on('response', (response) => {
      response.resume();
      done(response.statusCode ?? 0);
    });
    sending.on('error', failed);
    sending.on('close', () => failed(new Error('closed without a response')));
    sending.end(body);
  });

const EMPTY = new Set([204, 205, 304]);

export interface Request {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

export interface Served {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string | undefined;
}

const serveOne = (service: Service, request: Request): Served => {
  service.clock.tick();
  const { pathname, search, searchParams } = new URL(request.url);
  const call: Call = {
    method: request.method.toUpperCase(),
    path: pathname.startsWith('/v1/') ? pathname.slice('/v1'.length) : `/..${pathname}`,
    query: searchParams,
    search,
    headers: request.headers,
    text: request.text,
    ...{ operation: undefined, ids: {}, key: undefined, workspace: undefined },
  };
  const response = service.respond(call);
  const { text, type } = service.write(response, call);
  const headers = { ...(text === undefined ? {} : { 'Content-Type': type }), ...response.headers };
  return { status: response.status, headers, text: EMPTY.has(response.status) ? undefined : (text ?? '') };
};

/** Failures of real gateways: resets before and behind the server, pages of their own, silence. */
const FATES = ['reset', 'page', 'served and reset', 'served and page', 'silence'] as const;
export type Fate = (typeof FATES)[number] | undefined;
/** Fails so often, in one of the ways of gateways. */
export const fails = (share: number, roll: () => number) => (): Fate =>
  roll() < share ? FATES[Math.floor(roll() * FATES.length)] : undefined;

/** Serves on a free port of the loopback interface, behind a gateway that may fail. */
export const serveFetch = async (fetch: Fetch, fateOf: () => Fate = () => undefined) => {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', headers, url = '/' } = incoming;
    const init = { method, headers: headers as Record<string, string>, ...(chunks[0] ? { body: Buffer.concat(chunks) } : {}) };
    const fate = fateOf();
    const response = fate === 'reset' || fate === 'page' ? undefined : await fetch(`http://127.0.0.1${url}`, init);
    if (fate?.endsWith('reset')) incoming.socket.resetAndDestroy();
    else if (fate?.endsWith('page'))
      outgoing
        .writeHead(502, { 'content-type': 'text/html', server: 'nginx' })
        .end('<html><center><h1>502 Bad Gateway</h1></center></html>');
    else if (fate === undefined && response)
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((done) => void server.close(() => done()));
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close };
};

/** Makes a server with its own records; with `alter` it has a fault. */
export const createReferenceServer = ({ style: name = 'a', clock, resolve, send, alter, settled }: ServerOptions = {}) => {
  const style = { ...STYLES[name], ...settled };
  const time = clock === 'real' ? realClock() : (clock ?? new VirtualClock());
  const newId = idMaker(name);
  let count = 0;
  const nextNth = () => {
    count += 1;
    return count;
  };
  const { store: db, ...records } = populate(style, time.now(), newId, nextNth);
  const sender: Send = send ?? ((post) => sendOverHttp({ ...post, url: resolve?.(post.url) ?? post.url }));
  const service = new Service({ db, style, clock: time, newId, nextNth, send: sender });
  alter?.(service);
  const fetch: Fetch = async (input, init = {}) => {
    const request = new globalThis.Request(input, init);
    const { method, url, headers } = request;
    const response = serveOne(service, { method, url, headers, text: await request.text() });
    return new Response(response.text ?? null, { status: response.status, headers: response.headers });
  };
  return {
    ...{ baseUrl: 'http://reference.test/v1', keys: KEYS, clock: time, service, ...records, fetch },
    /** Serves a request at once. */
    handle: (request: Request): Served => serveOne(service, request),
    listen: (fateOf?: () => Fate) => serveFetch(fetch, fateOf),
  };
};
export type ReferenceServer = ReturnType<typeof createReferenceServer>;
