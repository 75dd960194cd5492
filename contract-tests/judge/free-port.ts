// A port to listen on that must be known before. Below those that systems give to connections, so that none takes it in between.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export const freePort = (): Promise<number> => {
  const port = randomInt(20_000, 32_000);
  return new Promise((done) => {
    const server = createServer().once('error', () => done(freePort()));
    server.listen(port, '127.0.0.1', () => server.close(() => done(port)));
  });
};
