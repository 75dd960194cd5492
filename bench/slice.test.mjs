// Checks that the load generator counts rightly: `node --test bench/`.
import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { runSlice } from './slice.mjs';

const GET = 'GET / HTTP/1.1\r\nhost: test\r\n\r\n';

async function sliceOf(server, slice) {
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const answer = await runSlice({ port: server.address().port, requests: [GET], ms: 100, ...slice });
  server.close();
  return answer;
}

/** A server that answers every request with these bytes, `piece` at a time. */
function canned(bytes, piece = bytes.length) {
  return createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', async () => {
      for (let at = 0; at < bytes.length; at += piece) {
        socket.write(bytes.slice(at, at + piece));
        await new Promise(setImmediate);
      }
    });
  });
}

test('counts answers with a length, and their bytes', async () => {
  let asked = 0;
  const server = createHttpServer((_, response) => {
    asked++;
    response.setHeader('content-length', 9000).end('x'.repeat(9000));
  });
  const { completed, bytes, failures, perSecond } = await sliceOf(server, { connections: 4 });
  assert.equal(completed, asked);
  assert.equal(bytes, 9000);
  assert.deepEqual(failures, {});
  assert.ok(perSecond > 10);
});

for (const piece of [1, 3, 7, 1000]) {
  test(`reads chunked answers and heads that arrive ${piece} bytes at a time`, async () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n';
    const first = await sliceOf(canned(chunked, piece), { connections: 1, most: 3, ms: 2000 });
    assert.deepEqual([first.completed, first.bytes, first.failures], [3, 15, {}]);
    const plain = 'HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}';
    const second = await sliceOf(canned(plain, piece), { connections: 1, most: 3, ms: 2000, expect: 201 });
    assert.deepEqual([second.completed, second.bytes, second.failures], [3, 2, {}]);
  });
}

test('takes no other status for an answer', async () => {
  const server = canned('HTTP/1.1 429 Too Many Requests\r\nContent-Length: 2\r\n\r\n{}');
  const { completed, failures } = await sliceOf(server, { connections: 1, most: 2 });
  assert.deepEqual([completed, failures], [0, { 'status 429': 2 }]);
});

test('tells of a connection that closes instead of answering', async () => {
  const server = createServer((socket) => socket.on('data', () => socket.end()));
  const { completed, failures } = await sliceOf(server, { connections: 1, most: 1 });
  assert.deepEqual([completed, failures], [0, { 'closed before the answer': 1 }]);
});

test('measures the latency that there is: at least what the server waits, and what throughput and connections say', async () => {
  const server = createHttpServer((_, response) => setTimeout(() => response.end('{}'), 20));
  const { p50, perSecond } = await sliceOf(server, { connections: 2, ms: 300 });
  const mean = (2 * 1000) / perSecond;
  assert.ok(p50 > 18 && p50 < 2 * mean, `${p50} ms, ${mean} ms on average`);
});
