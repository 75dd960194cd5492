// Opens ports, finds free ones, and says why one cannot be opened.
import { createServer, type Server } from 'node:net';

const MAX_PORTS = 20;

const BIND_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is busy. Stop what uses it, or give port 0 for any free one',
  EADDRNOTAVAIL: 'this machine has no such address. Give the host 127.0.0.1, or 0.0.0.0 for all that it has',
  ENOTFOUND: 'no machine has this name. Give the host 127.0.0.1',
  EACCES: 'ports below 1024 may need more rights. Give port 0 for any free one',
};

/** @param port 0 for any free one @returns the one that is open @throws Error with a system code, such as EADDRINUSE */
export const openPort = (server: Server, port: number, host: string): Promise<number> =>
  new Promise((done, fail) => {
    const refused = (error: NodeJS.ErrnoException) => {
      const message = `listen: cannot open port ${port} on ${host}: ${BIND_ERRORS[error.code ?? ''] ?? error.message}.`;
      fail(Object.assign(new Error(message, { cause: error }), { code: error.code, port, address: host }));
    };
    server.once('error', refused);
    server.listen(port, host, () => {
      server.off('error', refused);
      done((server.address() as { port: number }).port);
    });
  });

/** @returns the port that could be had; for 0 any */
export const tryPort = async (port: number, host: string): Promise<number> => {
  const server = createServer();
  const open = await openPort(server, port, host);
  await new Promise((done) => server.close(done));
  return open;
};

/** @returns the first free port from one on; that one where none of the next is free */
export const findFreePort = async (first: number, host: string): Promise<number> => {
  for (let port = first; port < first + MAX_PORTS; port += 1) {
    const free = await tryPort(port, host).catch(() => undefined);
    if (free !== undefined) return port;
  }
  return first;
};
