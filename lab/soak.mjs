// Mixed load for a while (--seconds 60): flat memory after warm-up, no error, no lost event, a bounded journal and delivery log,
// and an end within 5 s. --heap <MB> gives it a small heap; --max-slope <MB a minute> bounds the growth of the second half.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startMock } from '../.ci/start.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    clients: { type: 'string', default: '6' },
    heap: { type: 'string' },
    'max-slope': { type: 'string', default: 'Infinity' },
  },
});
const SECONDS = Number(values.seconds);
const CLIENTS = Number(values.clients);
/** Tasks that each client keeps alive, so that the data do not grow. */
const ALIVE = 100;
/** What the memory of the second half may exceed that of the second quarter by. */
const MOST_GROWTH = 1.15;
const MAX_SLOPE = Number(values['max-slope']);
const MAX_END_MS = 5000;
const MOST_KEPT = 1000;
const MOST_DELIVERIES = 5000;

/** Takes every event; refuses each twentieth the first time, so that retries are under way all along. */
const heard = new Map();
let refused = 0;
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  const { id } = JSON.parse(body);
  const times = heard.get(id) ?? 0;
  const refuse = times === 0 && (heard.size + 1) % 20 === 0;
  if (refuse) refused += 1;
  heard.set(id, times + 1);
  response.writeHead(refuse ? 500 : 204).end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');

if (values.heap) process.env.NODE_OPTIONS = `--max-old-space-size=${values.heap}`;
const mock = await startMock('--plan', 'unlimited');
delete process.env.NODE_OPTIONS;
const authorization = `Bearer ${mock.key('admin')}`;
const problems = [];
const counts = { requests: 0, changes: 0, forks: 0, faults: 0 };

const ask = async (method, url, body, expected) => {
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  let response;
  let text = '';
  try {
    response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    text = await response.text();
  } catch (error) {
    problems.push(`${method} ${url}: no response: ${error.cause ?? error}`);
    throw error;
  }
  counts.requests += 1;
  if (response.status !== expected) problems.push(`${method} ${url}: ${response.status} for ${expected}: ${text.slice(0, 200)}`);
  return text === '' ? undefined : JSON.parse(text);
};
const v1 = (method, path, body, expected = 200) => ask(method, mock.baseUrl + path, body, expected);
const control = (method, path, body, expected = 200) => ask(method, mock.controlUrl + path, body, expected);

await v1('POST', '/webhooks', { url: `http://127.0.0.1:${receiver.address().port}/` }, 201);
const { items: hooks } = await control('GET', '/data/webhooks');
const { id: webhook } = hooks.find(({ url }) => url.endsWith(`:${receiver.address().port}/`));
const { data: project } = await v1('POST', '/projects', { name: 'Soak' }, 201);
counts.changes += 1;

const until = performance.now() + SECONDS * 1000;
const LISTS = [
  'limit=20',
  'filter[status]=todo',
  'sort=-due_date&limit=50',
  'sort=title',
  'filter[priority]=high&sort=-updated_at',
];

const client = async (name) => {
  const alive = [];
  for (let turn = 0; performance.now() < until && problems.length === 0; turn++) {
    const { data } = await v1('POST', `/projects/${project.id}/tasks`, { title: `${name} ${turn}` }, 201);
    alive.push(data.id);
    await v1('PATCH', `/tasks/${alive[turn % alive.length]}`, { title: `${name} again ${turn}` });
    counts.changes += 2;
    const page = await v1('GET', `/tasks?${LISTS[turn % LISTS.length]}`);
    if (page.meta.next_cursor) await v1('GET', `/tasks?${LISTS[turn % LISTS.length]}&cursor=${page.meta.next_cursor}`);
    if (alive.length > ALIVE) {
      await v1('DELETE', `/tasks/${alive.shift()}`, undefined, 204);
      counts.changes += 1;
    }
    await v1('GET', '/tasks/task_of_nobody', undefined, 404);
  }
};

/** Worlds that come and go, each with a fault and changes of its own. */
const forker = async () => {
  while (performance.now() < until && problems.length === 0) {
    const { id } = await control('POST', '/worlds', { from: 'seed' }, 201);
    const world = `${new URL(mock.baseUrl).origin}/worlds/${id}`;
    await ask('POST', `${world}/_mock/faults`, { match: { operation: 'listTasks' }, effect: { status: 500 }, times: 2 }, 201);
    for (const status of [500, 500, 200]) await ask('GET', `${world}/v1/tasks`, undefined, status);
    await ask('POST', `${world}/v1/projects`, { name: 'In a fork' }, 201);
    await ask('POST', `${world}/_mock/clock/advance`, { by: '1h' }, 200);
    await control('DELETE', `/worlds/${id}`, undefined, 204);
    counts.forks += 1;
    counts.faults += 2;
    await wait(20);
  }
};

const resident = () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${mock.pid}/status`, 'utf8'))[1]) / 1024;
const memory = [];
const watcher = async () => {
  for (; performance.now() < until && problems.length === 0; await wait(500)) memory.push(resident());
};
/** Of a line through the samples of the second half, MB a minute. */
const slopeOf = (samples) => {
  const half = samples.slice(samples.length / 2);
  const [middle, mean] = [(half.length - 1) / 2, half.reduce((sum, mb) => sum + mb, 0) / half.length];
  const [up, down] = half.reduce(([a, b], mb, i) => [a + (i - middle) * (mb - mean), b + (i - middle) ** 2], [0, 0]);
  return ((up / down) * half.length * 60) / (SECONDS / 2);
};
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];

try {
  await Promise.all([...Array.from({ length: CLIENTS }, (_, i) => client(`client ${i}`)), forker(), watcher()]).catch((error) =>
    problems.push(String(error)),
  );
  // What was refused is due within the hours ahead.
  await control('POST', '/clock/advance', { by: '4h' });
  const { items: requests } = await control('GET', '/requests');
  const { items: deliveries } = await control('GET', '/deliveries');
  const own = deliveries.filter(({ webhook_id }) => webhook_id === webhook);
  if (heard.size !== counts.changes) problems.push(`${counts.changes} changes were committed, ${heard.size} events were heard`);
  if (deliveries.length > MOST_DELIVERIES) problems.push(`the log holds ${deliveries.length} deliveries`);
  if (requests.length > MOST_KEPT) problems.push(`the journal holds ${requests.length} requests`);
  if (own.some(({ state }) => state !== 'delivered')) problems.push('a delivery did not end as delivered');
  if (own.some(({ event }) => !heard.has(event.id))) problems.push('the log holds a delivery that nobody heard');
  const again = [...heard.values()].filter((times) => times > 1).length;
  if (again !== refused) problems.push(`${refused} events were refused the first time, ${again} of them came again`);
  const tenths = Array.from({ length: 10 }, (_, i) =>
    median(memory.slice((memory.length * i) / 10, (memory.length * (i + 1)) / 10)).toFixed(0),
  );
  const [early, late] = [memory.slice(memory.length / 4, memory.length / 2), memory.slice(memory.length / 2)].map(median);
  const slope = slopeOf(memory);
  if (slope > MAX_SLOPE) problems.push(`memory rises by ${slope.toFixed(2)} MB a minute`);
  if (late > early * MOST_GROWTH) problems.push(`memory went from ${early.toFixed(0)} to ${late.toFixed(0)} MB`);
  const ending = performance.now();
  await mock.stop();
  const endMs = performance.now() - ending;
  if (endMs > MAX_END_MS) problems.push(`SIGTERM ended it after ${endMs.toFixed(0)} ms`);
  console.log(
    `soak: ${SECONDS} s${values.heap ? `, heap ${values.heap} MB` : ''}, slope ${slope.toFixed(2)} MB a minute, ended in ${endMs.toFixed(0)} ms, ` +
      `${counts.requests} requests, ${counts.changes} changes, ${heard.size} events heard, ${refused} of them retried, ` +
      `${counts.forks} worlds made and deleted, ${counts.faults} faults; memory ${early.toFixed(0)} MB in the second quarter, ${late.toFixed(0)} MB in the second half; ` +
      `journal ${requests.length}, delivery log ${deliveries.length}; ${problems.length} problems`,
  );
  console.log(`memory in each tenth of the time, MB: ${tenths.join(' ')}`);
  for (const problem of problems) console.log(`  ${problem}`);
} finally {
  await mock.stop();
  receiver.close();
  receiver.closeAllConnections();
}
process.exitCode = problems.length > 0 ? 1 : 0;
