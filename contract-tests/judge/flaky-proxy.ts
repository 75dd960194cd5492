// A gateway on a socket that fails now and then as real ones do: resets before and after the server has served, pages of its own, silence.
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Roll } from './dice.ts';

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

export class FlakyProxy {
  readonly #server: Server;
  readonly #origin: URL;
  readonly #share: number;
  readonly #roll: Roll;

  /** @param share of the requests that fail */
  constructor(origin: string, share: number, roll: Roll) {
    this.#origin = new URL(origin);
    this.#share = share;
    this.#roll = roll;
    this.#server = createServer((request, response) => void this.#pass(request, response).catch(() => request.socket.destroy()));
  }

  async #pass(call: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await bodyOf(call);
    const fate = this.#roll() < this.#share ? Math.floor(this.#roll() * 5) : undefined;
    if (fate === 0) return void call.socket.resetAndDestroy();
    if (fate === 1) return this.#page(answer);
    const served = await this.#forward(call, body);
    if (fate === 2) return void call.socket.resetAndDestroy();
    if (fate === 3) return this.#page(answer);
    // Silence: whoever waits gives up.
    if (fate === 4) return;
    answer.writeHead(served.status, served.headers).end(served.body);
  }

  #page(answer: ServerResponse): void {
    answer
      .writeHead(502, { 'content-type': 'text/html', server: 'nginx' })
      .end('<html><center><h1>502 Bad Gateway</h1></center></html>');
  }

  #forward(call: IncomingMessage, body: Buffer): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
    return new Promise((done, fail) => {
      const { hostname, port } = this.#origin;
      const options = { hostname, port, path: call.url, method: call.method, headers: call.headers };
      const inner = request(options, (answer) => {
        bodyOf(answer).then((whole) => done({ status: answer.statusCode ?? 502, headers: answer.headers, body: whole }), fail);
      });
      inner.on('error', fail).end(body);
    });
  }

  /** @returns its origin */
  async listen(): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((done) => this.#server.close(() => done()));
  }
}
