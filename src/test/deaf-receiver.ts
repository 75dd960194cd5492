// A receiver that takes connections and never reads from them, until it is told to look who is still there.
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** How long a connection may take to be closed, milliseconds. */
const GRACE_MS = 10_000;

export const openDeafReceiver = async () => {
  const sockets = new Set<Socket>();
  let [accepted, asked, looking] = [0, 0, false];
  const read = (socket: Socket) => socket.once('data', () => asked++).resume();
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    if (looking) read(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    /** How many connections it was offered so far. After giving up, fetch opens one that asks nothing and is idle for some 5 s. */
    get accepted() {
      return accepted;
    },
    /** Reads at last. @returns how many connections have asked something, and how many their sender still holds open */
    look: async () => {
      looking = true;
      for (const socket of sockets) read(socket);
      for (let waited = 0; sockets.size > 0 && waited < GRACE_MS; waited += 10) await new Promise((done) => setTimeout(done, 10));
      return { asked, open: sockets.size };
    },
    close: () =>
      new Promise<void>((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
};

export type DeafReceiver = Awaited<ReturnType<typeof openDeafReceiver>>;
