// Receivers of events on real sockets, that answer as a test wants.
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

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  close(): Promise<void>;
}

type Behaviour = number | ((...exchange: Parameters<RequestListener>) => void);

const open = async (server: Server, scheme: string, received: Received[]): Promise<Receiver> => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
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

/** Listens on any free port; answers a status, or as told. */
export const openReceiver = (behaviour: Behaviour): Promise<Receiver> => {
  const received: Received[] = [];
  return open(createServer(listener(behaviour, received)), 'http', received);
};

/** The same behind TLS. */
export const openSecureReceiver = (behaviour: Behaviour, identity: { key: string; cert: string }): Promise<Receiver> => {
  const received: Received[] = [];
  return open(createSecureServer(identity, listener(behaviour, received)) as unknown as Server, 'https', received);
};

/** An address on this machine where nobody listens. */
export const deadUrl = async (): Promise<string> => {
  const receiver = await openReceiver(200);
  await receiver.close();
  return receiver.url;
};
