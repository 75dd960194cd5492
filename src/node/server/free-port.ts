// Finds a port that nothing listens on.
import { createServer } from 'node:net';

const MAX_PORTS = 20;

/** @returns the port that could be had; for 0 any. Rejects with the error of the system. */
export const tryPort = (port: number, host: string): Promise<number> =>
  new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(port, host, () => {
      const { port: bound } = server.address() as { port: number };
      server.close(() => done(bound));
    });
  });

/** @returns the first free port from one on; that one where none of the next is free */
export const findFreePort = async (first: number, host: string): Promise<number> => {
  for (let port = first; port < first + MAX_PORTS; port += 1) {
    const free = await tryPort(port, host).catch(() => undefined);
    if (free !== undefined) return port;
  }
  return first;
};
