// A function that responds to requests, as a server on a free port of this machine.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fetch } from '../engine/terms.ts';

export const serveFetch = async (fetch: Fetch): Promise<{ readonly baseUrl: string; close(): Promise<void> }> => {
  const server = createServer(async (incoming, outgoing) => {
    let text = '';
    for await (const part of incoming) text += String(part);
    const { method = 'GET', headers } = incoming;
    const init = { method, headers: headers as Record<string, string>, ...(text === '' ? {} : { body: text }) };
    const response = await fetch(`http://127.0.0.1${incoming.url}`, init);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.closeAllConnections();
    return new Promise<void>((done) => void server.close(() => done()));
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, close };
};
