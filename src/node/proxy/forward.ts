// Forwards one request, bytes unaltered in both directions: only the host and the headers of the connection change.
import { Agent, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest, Agent as SecureAgent } from 'node:https';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'];
const FRAMING = /^(content-length|transfer-encoding)$/i;
/** Methods whose requests get no framing from Node. */
const UNFRAMED_METHODS = /^(GET|HEAD|DELETE|OPTIONS|TRACE)$/;
export const MAX_HEADER_BYTES = 1_048_576;

/** Bytes of a body that is judged. */
const MAX_JUDGED_BYTES = 5_000_000;

type HeaderPair = readonly [name: string, value: string];

export const rawHeaderPairs = (raw: readonly string[]): HeaderPair[] =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1]!] as const] : []));

/** Headers but those of the connection. */
const endToEnd = (raw: readonly string[], dropped: readonly string[] = []): HeaderPair[] => {
  const pairs = rawHeaderPairs(raw);
  const named = pairs.flatMap(([name, value]) => (/^connection$/i.test(name) ? value.toLowerCase().split(/[\s,]+/) : []));
  const removed = new Set([...HOP_BY_HOP, ...named.filter((name) => !FRAMING.test(name)), ...dropped]);
  return pairs.filter(([name]) => !removed.has(name.toLowerCase()));
};

export const keepBytes = (source: Readable): (() => Uint8Array | undefined) => {
  let [size, parts]: [number, Buffer[]] = [0, []];
  source.on('data', (part: Buffer) => {
    size += part.length;
    if (size > MAX_JUDGED_BYTES) parts = [];
    else parts.push(part);
  });
  // A copy of its own: a pooled buffer would take its whole pool to the other thread.
  return () => (size > MAX_JUDGED_BYTES ? undefined : new Uint8Array(Buffer.concat(parts)));
};

/** Each connection of a client has one of its own, so that both end and break as they would without a proxy. */
export const destinationOf = (url: URL) => {
  const isSecure = url.protocol === 'https:';
  const agents = new WeakMap<Socket, Agent>();
  return {
    url,
    send: isSecure ? httpsRequest : httpRequest,
    agentFor: (socket: Socket): Agent => {
      const agent = agents.get(socket) ?? new (isSecure ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 });
      if (!agents.has(socket)) socket.once('close', () => agent.destroy());
      agents.set(socket, agent);
      return agent;
    },
  };
};
type Destination = ReturnType<typeof destinationOf>;

const openUpstream = ({ url, send, agentFor }: Destination, path: string, request: IncomingMessage) => {
  const { method = 'GET', socket, rawHeaders } = request;
  const kept = endToEnd(rawHeaders).map(([name, value]) => [name, /^host$/i.test(name) ? url.host : value] as const);
  const headers = kept.some(([name]) => /^host$/i.test(name)) ? kept : [['Host', url.host] as const, ...kept];
  const address = { hostname: url.hostname.replace(/^\[|\]$/g, ''), port: url.port };
  const how = { ...address, method, path, agent: agentFor(socket), setHost: false, maxHeaderSize: MAX_HEADER_BYTES };
  // Node would frame a request without a body as one of no chunks.
  const isFramed = UNFRAMED_METHODS.test(method) || headers.some(([name]) => FRAMING.test(name));
  return send({ ...how, headers: [...headers, ...(isFramed ? [] : [['Content-Length', '0']])].flat() });
};

export interface Passage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Once a response is whole; a body that is too large to be judged is undefined. */
  readonly onWhole?: (received: IncomingMessage, body: Uint8Array | undefined) => void;
  /** The service could not be reached. */
  readonly onFail: (code: string) => void;
  /** Time that the proxy took. */
  readonly onAdded?: (ms: number) => void;
}

export const forwardTo = (destination: Destination, path: string, passage: Passage): void => {
  const { request, response, onWhole, onFail, onAdded } = passage;
  const begun = performance.now();
  const upstream = openUpstream(destination, path, request);
  const called = performance.now();
  let ended = called;
  const fail = (error: NodeJS.ErrnoException) => {
    const code = error.code ?? error.message;
    // A connection that worked and broke: the client loses its own.
    if (response.headersSent || /^(ECONNRESET|EPIPE)$/.test(code)) response.destroy();
    else if (!response.destroyed) onFail(code);
    request.resume();
  };
  upstream.on('continue', () => response.writeContinue());
  upstream.on('error', fail);
  upstream.on('response', (received) => {
    const takeBody = keepBytes(received);
    const isChunked = request.httpVersion !== '1.0' && received.headers['transfer-encoding'] !== undefined;
    const dropped = isChunked ? [] : ['transfer-encoding', 'trailer'];
    response.sendDate = false;
    try {
      response.writeHead(received.statusCode!, received.statusMessage, endToEnd(received.rawHeaders, dropped).flat());
    } catch (error) {
      received.resume();
      return fail(error as Error);
    }
    received.once('end', () => {
      ended = performance.now();
      if (received.rawTrailers.length > 0) response.addTrailers(rawHeaderPairs(received.rawTrailers) as [string, string][]);
      onWhole?.(received, takeBody());
    });
    received.once('error', fail);
    received.pipe(response);
  });
  response.once('finish', () => ended > called && onAdded?.(performance.now() - begun - (ended - called)));
  request.once('end', () => {
    if (request.rawTrailers.length > 0) upstream.addTrailers(rawHeaderPairs(request.rawTrailers) as [string, string][]);
  });
  request.pipe(upstream);
  if (request.headers.expect !== undefined) upstream.flushHeaders();
};
