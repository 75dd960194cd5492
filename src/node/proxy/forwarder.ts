// The server of `wm-mock proxy`, for this machine alone: /v1 to the service, deliveries to their receiver, and its page.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createHistogram } from 'node:perf_hooks';
import { isLoopback } from '../../service/validation/receiver-url.ts';
import { closeGently, trackSockets } from '../server/connections.ts';
import { LOOPBACK } from '../server/listen.ts';
import { openPort } from '../server/ports.ts';
import { destinationOf, forwardTo, keepBytes, MAX_HEADER_BYTES } from './forward.ts';

/** Bytes of an exchange, for the thread that judges. */
export interface RawExchange {
  readonly method: string;
  readonly target: string;
  readonly requestHeaders: readonly string[];
  readonly requestBody: Uint8Array;
  readonly response: { readonly status: number; readonly headers: readonly string[]; readonly body: Uint8Array } | undefined;
  readonly sent: number;
  readonly came: number;
  /** Why nothing can be said about it. */
  readonly gap?: string | undefined;
}

export interface ForwarderOptions {
  readonly target: URL;
  readonly receiver: URL | undefined;
  readonly port: number;
  readonly onExchange: (exchange: RawExchange) => void;
  /** Undefined while the judge keeps up. */
  readonly whenRoom: () => Promise<void> | undefined;
  readonly showPage: (part: 'page' | 'live') => Promise<string>;
  readonly onUnreachable: (why: string) => void;
}

type RouteHandler = (request: IncomingMessage, response: ServerResponse, rest: string) => void;

let clockOrigin = performance.timeOrigin;
/** Fractions of a millisecond order requests; the clock of the machine may be set meanwhile. */
const wallNow = (): number => {
  const drift = Date.now() - clockOrigin - performance.now();
  if (Math.abs(drift) > 50) clockOrigin += drift;
  return clockOrigin + performance.now();
};

const sendError = (response: ServerResponse, status: number, code: string, message: string): void => {
  const text = JSON.stringify({ error: { code, message: `wm-mock proxy: ${message}` } });
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
};

const describeGap = (isRequestWhole: boolean, ...bodies: readonly (Uint8Array | undefined)[]): string | undefined => {
  if (!isRequestWhole) return 'the response came before the request was whole';
  return bodies.includes(undefined) ? 'a body has more than 5 MB' : undefined;
};

const forwardExchanges = (
  { target, onExchange, onUnreachable }: ForwarderOptions,
  onAdded: (ms: number) => void,
): RouteHandler => {
  const destination = destinationOf(target);
  return (request, response, rest) => {
    const sent = wallNow();
    const takeRequest = keepBytes(request);
    let isOver = false;
    const end = (received?: IncomingMessage, body?: Uint8Array) => {
      if (isOver) return;
      isOver = true;
      const { method = '', rawHeaders: requestHeaders, complete } = request;
      const requestBody = takeRequest();
      const gap = received && describeGap(complete, requestBody, body);
      const head = { method, target: rest, requestHeaders, requestBody: requestBody ?? new Uint8Array(), gap };
      const { statusCode: status = 0, rawHeaders: headers = [] } = received ?? {};
      onExchange({ ...head, response: received && !gap ? { status, headers, body: body! } : undefined, sent, came: wallNow() });
    };
    response.once('close', () => end());
    forwardTo(destination, target.pathname.replace(/\/$/, '') + rest, {
      request,
      response,
      onAdded,
      onWhole: end,
      onFail: (code) => {
        onUnreachable(code);
        const why = `no response from ${target.origin}: ${code}. Start the service, or correct --target.`;
        sendError(response, 502, 'internal_error', why);
      },
    });
  };
};

const forwardDeliveries = ({ receiver }: ForwarderOptions, onDelivery: () => void): RouteHandler | undefined => {
  if (!receiver) return undefined;
  const destination = destinationOf(receiver);
  return (request, response, rest) => {
    onDelivery();
    const [, path, query] = /^([^?]*)(.*)$/s.exec(rest)!;
    const to = `${receiver.pathname.replace(/\/$/, '')}${path}` || '/';
    const onFail = (code: string) =>
      sendError(response, 502, 'internal_error', `no response from the receiver at ${receiver.origin}: ${code}.`);
    forwardTo(destination, to + (query || receiver.search), { request, response, onFail });
  };
};

const PAGE_HEADERS = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'x-frame-options': 'DENY' };
const PATH = /^(\/v1|\/_proxy\/hooks)(?=[/?]|$)(.*)$/s;

/** @throws Error that says why the port cannot be opened */
export const startForwarder = async (options: ForwarderOptions) => {
  const { port, whenRoom, showPage } = options;
  // Fixed in size, microseconds.
  const added = createHistogram({ lowest: 1, highest: 600_000_000, figures: 3 });
  let deliveries = 0;
  const forward = forwardExchanges(options, (ms) => added.record(Math.max(1, Math.round(ms * 1000))));
  const deliver = forwardDeliveries(options, () => deliveries++);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { url = '', headers } = request;
    const [, path, rest = ''] = PATH.exec(url) ?? [];
    const part = url === '/' ? 'page' : url === '/_proxy/live' ? 'live' : undefined;
    if (path === '/v1') {
      const room = whenRoom();
      if (room) void room.then(() => response.destroyed || forward(request, response, rest));
      else forward(request, response, rest);
    } else if (path && deliver) deliver(request, response, rest);
    // A page of another site may have a name that leads here.
    else if (part && isLoopback((headers.host ?? '').replace(/:\d+$/, '')))
      showPage(part).then(
        (html) => response.writeHead(200, PAGE_HEADERS).end(html),
        () => response.destroy(),
      );
    else sendError(response, 404, 'not_found', 'it forwards /v1 and nothing else; its page is at /.');
  };
  const timeouts = { requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0 };
  const server = createServer({ ...timeouts, maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false });
  const sockets = trackSockets(server);
  server.maxHeadersCount = 0;
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, handle);
  const boundPort = await openPort(server, port, LOOPBACK);
  const ms = (percentile: number) => (added.count === 0 ? 0 : added.percentile(percentile) / 1000);
  return {
    origin: `http://${LOOPBACK}:${boundPort}`,
    facts: () => ({ deliveries, added_ms: { p50: ms(50), p99: ms(99) } }),
    close: () => closeGently(server, sockets),
  };
};
