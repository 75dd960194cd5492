// Receivers of events on real sockets, that respond as a test wants.
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Real milliseconds since 1970. */
  readonly at: number;
}

type Behaviour = number | ((...exchange: Parameters<RequestListener>) => void);

/** Listens on a free port until it is closed, with all connections. */
export const openServer = async (server: Server) => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

const listener =
  (behaviour: Behaviour, received: Received[]): RequestListener =>
  async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body, at: Date.now() });
    if (typeof behaviour === 'number') response.writeHead(behaviour).end();
    else behaviour(request, response);
  };

/** Responds with a status, or by a function. @param identity makes it one behind TLS */
export const openReceiver = async (behaviour: Behaviour, identity?: { key: string; cert: string }) => {
  const received: Received[] = [];
  const listen = listener(behaviour, received);
  const server = identity ? (createSecureServer(identity, listen) as unknown as Server) : createServer(listen);
  const { host, close } = await openServer(server);
  return { url: `http${identity ? 's' : ''}://${host}/hook`, received, close };
};

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** An address on this machine without a listener. */
export const deadUrl = async (): Promise<string> => {
  const receiver = await openReceiver(200);
  await receiver.close();
  return receiver.url;
};
