// The least that can answer: Node's own HTTP server, the floor of every start time.
import { createServer } from 'node:http';

const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end('{"hello":"world"}'));
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
