// A webhook receiver of the suite: keeps what arrives and answers as each path is told.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Time } from './time.ts';

export interface Message {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly json: unknown;
  /** The target's clock on arrival. */
  readonly at: number;
}

/** A status, or one that is held back for some milliseconds. */
export type Answer = number | { readonly status: number; readonly delayMs: number };

const read = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

export class Receiver {
  readonly messages: Message[] = [];
  /** How a message is answered, given those that came before it; undefined: 200. */
  plan: (message: Message, earlier: readonly Message[]) => Answer | undefined = () => undefined;
  readonly #server: Server;
  readonly #time: Time;

  constructor(time: Time) {
    this.#time = time;
    this.#server = createServer(async (request, response) => {
      const body = await read(request).catch(() => '');
      const path = new URL(request.url ?? '/', 'http://receiver').pathname.split('/').pop() ?? '';
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const message = { path, method: request.method ?? '', headers, body, json: parsed(body), at: this.#time.now() };
      const answer = this.plan(message, this.messages) ?? 200;
      this.messages.push(message);
      const { status, delayMs } = typeof answer === 'number' ? { status: answer, delayMs: 0 } : answer;
      const reply = () => {
        const location = status >= 300 && status < 400 ? { location: `${request.url}-followed` } : {};
        response.writeHead(status, { connection: 'close', ...location }).end();
      };
      if (delayMs > 0) this.#time.after(delayMs, reply);
      else reply();
    });
  }

  async listen(port: number): Promise<string> {
    await new Promise<void>((done, fail) => {
      this.#server.once('error', fail);
      this.#server.listen(port, '127.0.0.1', done);
    });
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  on(path: string, event?: string): Message[] {
    return this.messages.filter(
      (m) => m.path === path && (event === undefined || (m.json as { event?: string } | undefined)?.event === event),
    );
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }
}
