// Open connections: how they are closed, and limits of size and time for responses that clients do not read.
import type { Server as HttpServer, RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Limit for all clients; over it each must read a minimum between two polls. */
const MAX_UNREAD_TOTAL_BYTES = 64_000_000;
const MANY_SOCKETS = 16;
const MIN_TAKEN_BYTES = 4096;
const UNREAD_POLL_MS = 100;
/** Requests handled before the next check. */
const MAX_REQUESTS_PER_TURN = 16;

const isOverUnreadLimit = (sockets: ReadonlySet<Socket>): boolean => {
  let [unread, many] = [0, 0];
  for (const { writableLength } of sockets) {
    unread += writableLength;
    if (writableLength > 0) many += 1;
  }
  return unread > MAX_UNREAD_TOTAL_BYTES && many > MANY_SOCKETS;
};

/** Ends connections of clients that do not read. Over the limit, slow readers end at once and requests wait. */
export const limitUnread = (sockets: ReadonlySet<Socket>, patience: number) => {
  const looked = new WeakMap<Socket, { readonly taken: number; readonly since: number }>();
  const waiting: (() => void)[] = [];
  let turn = 0;
  let much = false;
  const end = () => {
    const now = performance.now();
    for (const socket of sockets) {
      const taken = socket.bytesWritten - socket.writableLength;
      const before = looked.get(socket);
      const little = much && before !== undefined && taken - before.taken < MIN_TAKEN_BYTES;
      const late = before?.taken === taken && now - before.since >= patience;
      if (socket.writableLength === 0 || before?.taken !== taken) looked.set(socket, { taken, since: now });
      if (socket.writableLength > 0 && (little || late)) socket.destroy();
    }
  };
  const take = (respond: () => void) => {
    if (turn++ === 0) setImmediate(next);
    respond();
  };
  const next = () => {
    turn = 0;
    much = sockets.size > MANY_SOCKETS && isOverUnreadLimit(sockets);
    while (!much && turn < MAX_REQUESTS_PER_TURN && waiting.length > 0) take(waiting.shift()!);
  };
  const timer = setInterval(
    () => {
      much = isOverUnreadLimit(sockets);
      end();
      next();
    },
    Math.min(patience, UNREAD_POLL_MS),
  );
  timer.unref();
  const whenRoom =
    (respond: RequestListener): RequestListener =>
    (request, response) => {
      const run = () => respond(request, response);
      if (sockets.size <= MANY_SOCKETS && waiting.length === 0) run();
      else if (!much && turn < MAX_REQUESTS_PER_TURN && waiting.length === 0) take(run);
      else waiting.push(() => response.destroyed || run());
    };
  return { whenRoom, leave: () => clearInterval(timer) };
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
