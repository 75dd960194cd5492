// A socket in front of an application.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { LISTEN, Options } from '../../mock/api/options.ts';
import type { WriteProblem } from '../../service/http/respond.ts';
import { hasValidHost, refuseWith, respondToBrokenHttp, respondToBrokenRequest } from './broken-http.ts';
import { closeGently, limitUnread, trackSockets } from './connections.ts';
import { openPort } from './ports.ts';

export type ListenOptions = Options<typeof LISTEN>;

export interface Server {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly origin: string;
  readonly port: number;
  /** Finishes the requests that have begun, then closes. */
  close(): Promise<void>;
}

export const LOOPBACK = '127.0.0.1';

const DEFAULT_TIMEOUTS_MS = { headers: 10_000, request: 60_000, write: 60_000 };

const MAX_PIPELINED = 100;

export const serverTimeouts = ({ headers, request }: NonNullable<ListenOptions['patience']> = DEFAULT_TIMEOUTS_MS) => ({
  headersTimeout: headers,
  requestTimeout: request,
  connectionsCheckingInterval: Math.min(headers, 2000),
});

export const hostInUrl = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};

/** A connection holds at most one unread response: pipelined requests wait. */
const limitPipelining = (respond: RequestListener): RequestListener => {
  const ahead = new WeakMap<Socket, number>();
  return (request, response) => {
    if (response.socket) return respond(request, response);
    const { socket } = request;
    const waiting = (ahead.get(socket) ?? 0) + 1;
    ahead.set(socket, waiting);
    if (waiting > MAX_PIPELINED) return void socket.destroy();
    response.once('socket', () => {
      ahead.set(socket, ahead.get(socket)! - 1);
      respond(request, response);
    });
  };
};

/** Reserve file descriptors for deliveries and late imports, which Node never retries. */
const limitConnections = (): number => {
  let files = Number.NaN;
  try {
    files = Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]);
  } catch {
    // Only Linux tells.
  }
  return Math.max(files / 2, files - 600) || Number.POSITIVE_INFINITY;
};

export interface ServedApp {
  fetch(request: Request, env?: unknown): Response | Promise<Response>;
  readonly refuse: WriteProblem;
}

/** node-server exposes its light Response only as a global. */
const readLightResponse = (): typeof Response => {
  const own = (['Request', 'Response'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)!] as const,
  );
  getRequestListener(() => new Response());
  const light = globalThis.Response;
  for (const [name, descriptor] of own) Object.defineProperty(globalThis, name, descriptor);
  return light;
};

/** @throws Error with a system code, such as EADDRINUSE */
export const listen = async ({ fetch, refuse }: ServedApp, { port = 0, host = LOOPBACK, patience }: ListenOptions) => {
  // An HTTP/1.0 request may name no host.
  const Light = readLightResponse();
  const respond = getRequestListener((request, env) => fetch(request, { ...env, Response: Light }), {
    hostname: hostInUrl(host),
    errorHandler: respondToBrokenRequest(refuse),
    overrideGlobalObjects: false,
  });
  const noHost = refuseWith(refuse, 400);
  const sockets = new Set<Socket>();
  const { whenRoom, leave } = limitUnread(sockets, patience?.write ?? DEFAULT_TIMEOUTS_MS.write);
  // Node's own response to a missing host has no body; clients reuse connections just as it closes them after 5 s.
  const server = createServer(
    { ...serverTimeouts(patience), keepAliveTimeout: 30_000, requireHostHeader: false },
    limitPipelining(whenRoom((request, response) => (hasValidHost(request) ? respond : noHost)(request, response))),
  );
  // Their size is limited; dropped headers would cause misleading errors.
  server.maxHeadersCount = 0;
  server.on('clientError', respondToBrokenHttp(refuse));
  server.on('checkExpectation', refuseWith(refuse, 417));
  trackSockets(server, sockets);
  const bound = await openPort(server, port, host);
  server.maxConnections = limitConnections();
  const origin = `http://${hostInUrl(host)}:${bound}`;
  return {
    baseUrl: `${origin}/v1`,
    origin,
    port: bound,
    close: () => {
      leave();
      return closeGently(server, sockets);
    },
  };
};
