// Opens many connections and says nothing on any: node silent-clients.mjs <port> <how many>.
import { connect } from 'node:net';

const [port, count] = process.argv.slice(2).map(Number);
const sockets = [];
let connected = 0;
const another = () => {
  if (connected + 1 > count) return;
  const socket = connect(port, '127.0.0.1', () => {
    connected += 1;
    if (connected === count) process.send({ connected });
    else another();
  });
  socket.on('error', () => {});
  sockets.push(socket);
};
another();
