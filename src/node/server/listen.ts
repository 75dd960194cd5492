// A socket in front of an application.
import { readFileSync } from 'node:fs';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { LISTEN, Options } from '../../mock/api/options.ts';
import type { WriteProblem } from '../../service/http/respond.ts';
import { hasValidHost, refuseWith, respondToBrokenHttp, respondToBrokenRequest } from './broken-http.ts';
import { limitUnread } from './unread-responses.ts';

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

const BIND_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is busy. Stop what uses it, or give port 0 for any free one',
  EADDRNOTAVAIL: 'this machine has no such address. Give the host 127.0.0.1, or 0.0.0.0 for all that it has',
  ENOTFOUND: 'no machine has this name. Give the host 127.0.0.1',
  EACCES: 'ports below 1024 may need more rights. Give port 0 for any free one',
};

export const describeBindError = (error: NodeJS.ErrnoException, port: number, host: string): Error => {
  const message = `listen: cannot open port ${port} on ${host}: ${BIND_ERRORS[error.code ?? ''] ?? error.message}.`;
  return Object.assign(new Error(message, { cause: error }), { code: error.code, port, address: host });
};

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

/** The open sockets of a server. */
export const trackSockets = (server: HttpServer, sockets = new Set<Socket>()): ReadonlySet<Socket> => {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
};

/** Finishes the requests that have begun, in 3 s at most. */
export const closeGently = (server: HttpServer, sockets: ReadonlySet<Socket>): Promise<void> =>
  new Promise((done) => {
    // A stream that ends now leaves its connection idle later.
    const tidy = setInterval(() => server.closeIdleConnections(), 10);
    const late = setTimeout(() => server.closeAllConnections(), 3000).unref();
    server.close(() => {
      clearInterval(tidy);
      clearTimeout(late);
      done();
    });
    server.closeIdleConnections();
    // Clients open spare connections without a request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  });

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
  await new Promise<void>((done, fail) => {
    const refused = (error: Error) => fail(describeBindError(error, port, host));
    server.once('error', refused);
    server.listen(port, host, () => {
      server.off('error', refused);
      done();
    });
  });
  server.maxConnections = limitConnections();
  const { port: bound } = server.address() as AddressInfo;
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
