// Finds a port that nothing listens on.
import { createServer } from 'node:net';

const MAX_PORTS = 20;

const isFree = (port: number, host: string): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, host, () => server.close(() => done(true)));
  });

/** @returns the first free port from one on; that one where none of the next is free */
export const findFreePort = async (first: number, host: string): Promise<number> => {
  for (let port = first; port < first + MAX_PORTS; port += 1) if (await isFree(port, host)) return port;
  return first;
};
