// Load at a fixed pace, by autocannon: each request has a response, with the status that its row expects. And what the mock holds meanwhile.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import autocannon from 'autocannon';
import { startMock } from '../.ci/start.mjs';
import { call } from './shared.mjs';

/** As long as the mock waits for a request. */
const PATIENCE_S = 60;

/** Sends `rows` over and over, on each connection in turn; the first problem ends it.
 * @param rows each makes a request: method, path, body, the status it expects, and what to do with the JSON of the response */
export const drive = async ({ origin, headers, rows, seconds, perSecond, connections, problems }) => {
  const clients = [];
  let responses = 0;
  const requests = rows.map((row) => ({
    setupRequest: (request, turn) => {
      turn.row = row(turn);
      const { method = 'GET', path, body } = turn.row;
      return { ...request, method, path, body: typeof body === 'object' ? JSON.stringify(body) : (body ?? '') };
    },
    onResponse: (status, text, { row: { method = 'GET', path, expected = 200, use } }) => {
      responses += 1;
      if (![expected].flat().includes(status)) {
        problems.push(`${method} ${path}: ${status} for ${expected}: ${text.slice(0, 200)}`);
        load.stop();
      } else use?.(text.startsWith('{') ? JSON.parse(text) : undefined, status);
    },
  }));
  const setupClient = (client) => clients.push(client);
  const bounds = { connections, overallRate: perSecond, duration: seconds + 2 * PATIENCE_S, timeout: PATIENCE_S };
  const load = autocannon({ url: origin, headers, requests, setupClient, ...bounds });
  load.on('reqError', (error) => problems.push(`no response: ${error}`));
  // Nothing is cut off: a client that has made all its requests waits for its last response.
  const last = setTimeout(() => {
    for (const client of clients) client.responseMax = client.reqsMade;
  }, seconds * 1000);
  await load;
  clearTimeout(last);
  const sent = clients.reduce((sum, { reqsMade }) => sum + reqsMade, 0);
  if (responses !== sent && problems.length === 0) problems.push(`${sent} requests were sent, ${responses} have a response`);
  return responses;
};

/** A mock under load with a receiver of its events. @param heap megabytes of heap, if not as many as Node likes */
export const besiege = async (heap, receive) => {
  const receiver = createServer(receive).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  if (heap) process.env.NODE_OPTIONS = `--max-old-space-size=${heap}`;
  const mock = await startMock('--plan', 'unlimited');
  delete process.env.NODE_OPTIONS;
  const headers = { authorization: `Bearer ${mock.key('admin')}`, 'content-type': 'application/json' };
  const origin = new URL(mock.baseUrl).origin;
  return {
    origin,
    headers,
    receiver: `http://127.0.0.1:${receiver.address().port}`,
    /** Resident megabytes. */
    resident: () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${mock.pid}/status`, 'utf8'))[1]) / 1024,
    ask: (path, body) => call(origin + path, body, headers),
    end: () => mock.stop(),
  };
};

/** The middle one of numbers. */
export const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

/** Prints how a load went, with its memory over the time, and ends the program. */
export const conclude = (says, memory, problems) => {
  const tenth = (_, i) => median(memory.slice((memory.length * i) / 10, (memory.length * (i + 1)) / 10)).toFixed(0);
  console.log(`${says}; ${problems.length} problems`);
  console.log(`memory in each tenth of the time, MB: ${Array.from({ length: 10 }, tenth).join(' ')}`);
  for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
  process.exit(problems.length > 0 ? 1 : 0);
};
