// A webhook receiver on a socket of this machine.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Receiver } from './receiver.ts';
import type { Time } from './time.ts';

/** A snapshot of the longest task has a tenth of it. */
const MAX_BYTES = 1_000_000;

/** A body to its end; undefined when it is too large. */
const read = async (request: IncomingMessage): Promise<string | undefined> => {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length;
    if (bytes > MAX_BYTES) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString('utf8');
};

export class HttpReceiver extends Receiver {
  readonly #server: Server;

  constructor(time: Time) {
    super();
    this.#server = createServer(async (request, response): Promise<unknown> => {
      const body = await read(request).catch(() => '');
      const refuse = (status: number) => response.writeHead(status, { connection: 'close' }).end();
      if (body === undefined) return refuse(413);
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const { url = '/', method = '' } = request;
      if (!URL.canParse(url, 'http://receiver')) return refuse(400);
      const { status, delayMs } = this.take(url, { method, headers, body, at: time.now() });
      const respond = () => {
        const location = status >= 300 && status < 400 ? { location: `${url}-followed` } : {};
        response.writeHead(status, { connection: 'close', ...location }).end();
      };
      if (delayMs > 0) time.after(delayMs, respond);
      else respond();
      return undefined;
    });
  }

  async listen(port: number): Promise<string> {
    await new Promise<void>((done, fail) => {
      this.#server.once('error', fail);
      this.#server.listen(port, '127.0.0.1', done);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }
}
