// Mixed load at a pace (--seconds 60, --rate 150 requests a second) that leaves a core free: flat memory after warm-up, no error, no lost
// event, bounded logs, an end within 5 s. --heap <MB> gives it a small heap; --max-slope <MB a minute> bounds the growth of the second half.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { besiege, conclude, drive, median } from './load.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '150' },
    heap: { type: 'string' },
    'max-slope': { type: 'string', default: 'Infinity' },
  },
});
const seconds = Number(values.seconds);
/** Tasks that are kept alive, so that the data do not grow. */
const ALIVE = 600;
/** The ratio of the memory of the second half to that of the second quarter. */
const MAX_GROWTH = 1.15;
const MAX_SLOPE = Number(values['max-slope']);
const MAX_END_MS = 5000;
const MAX_KEPT = 1000;
const MAX_DELIVERIES = 5000;
/** Beyond this the receiver was too late, and the mock is right to send an event again. */
const MAX_RECEIVER_DELAY_MS = 5000;

const problems = [];
const counts = { changes: 0, forks: 0 };

/** Takes every event; refuses each twentieth the first time, so that retries are under way all along. */
const heard = new Map();
const refused = new Set();
const loopDelay = monitorEventLoopDelay();
loopDelay.enable();
const { origin, headers, receiver, resident, ask, end } = await besiege(values.heap, async (request, response) => {
  const { id } = await json(request);
  const times = heard.get(id) ?? 0;
  heard.set(id, times + 1);
  const refuse = times === 0 && heard.size % 20 === 0;
  if (refuse) refused.add(id);
  response.writeHead(refuse ? 500 : 204).end();
  if (times <= (refused.has(id) ? 1 : 0) || loopDelay.max / 1e6 > MAX_RECEIVER_DELAY_MS) return;
  const log = await ask(`/_mock/deliveries?webhook_id=${hook.id}&state=retrying`).catch(() => ({ items: [] }));
  problems.push(`an event came again: ${JSON.stringify(log.items.find(({ event }) => event.id === id)?.attempts)}`);
});

const { data: hook } = await ask('/v1/webhooks', { url: `${receiver}/` });
const { data: project } = await ask('/v1/projects', { name: 'Soak' });
counts.changes += 1;

const LISTS = 'limit=20 filter[status]=todo sort=-due_date&limit=50 sort=title filter[priority]=high&sort=-updated_at'.split(' ');
const TASKS = `/v1/projects/${project.id}/tasks`;
const alive = [];
let turns = 0;
const POST = { method: 'POST', expected: 201 };
const changed = () => (counts.changes += 1);
const made = ({ data }) => alive.push(data.id) && changed();
const client = [
  () => ({ ...POST, path: TASKS, body: { title: `Task ${turns++}` }, use: made }),
  () => ({ method: 'PATCH', path: `/v1/tasks/${alive.at(-1)}`, body: { title: `Again ${turns++}` }, use: changed }),
  (turn) => {
    turn.list = `/v1/tasks?${LISTS[Math.floor(Math.random() * LISTS.length)]}`;
    return { path: turn.list, use: ({ meta }) => Object.assign(turn, meta) };
  },
  ({ list, next_cursor }) => ({ path: next_cursor ? `${list}&cursor=${next_cursor}` : list }),
  () =>
    alive.length > ALIVE
      ? { method: 'DELETE', path: `/v1/tasks/${alive.shift()}`, expected: 204, use: changed }
      : { path: '/v1/users/me' },
  () => ({ path: '/v1/tasks/task_of_nobody', expected: 404 }),
];
const FAULT = { match: { operation: 'listTasks' }, effect: { status: 500 }, times: 2 };
/** Worlds that come and go, each with a fault and changes of its own. */
const forker = [
  (turn) => ({ ...POST, path: '/_mock/worlds', body: { from: 'seed' }, use: ({ id }) => (turn.world = id) }),
  ({ world }) => ({ ...POST, path: `/worlds/${world}/_mock/faults`, body: FAULT }),
  ...[500, 500, 200].map((expected) => ({ world }) => ({ path: `/worlds/${world}/v1/tasks`, expected })),
  ({ world }) => ({ ...POST, path: `/worlds/${world}/v1/projects`, body: { name: 'In a fork' } }),
  ({ world }) => ({ method: 'POST', path: `/worlds/${world}/_mock/clock/advance`, body: { by: '1h' } }),
  ({ world }) => ({ method: 'DELETE', path: `/_mock/worlds/${world}`, expected: 204, use: () => (counts.forks += 1) }),
];

/** The slope of a line through the samples, MB a minute. */
const slopeOf = (samples, minutes) => {
  const [middle, mean] = [(samples.length - 1) / 2, samples.reduce((sum, mb) => sum + mb, 0) / samples.length];
  const [up, down] = samples.reduce(([a, b], mb, i) => [a + (i - middle) * (mb - mean), b + (i - middle) ** 2], [0, 0]);
  return ((up / down) * samples.length) / minutes;
};

const memory = [];
const sampler = setInterval(() => memory.push(resident()), 500);
const load = { origin, headers, seconds, problems };
const requests = await Promise.all([
  drive({ ...load, rows: client, connections: 6, perSecond: Number(values.rate) }),
  drive({ ...load, rows: forker, connections: 1, perSecond: 16 }),
]);
clearInterval(sampler);
// Refused events are due within the hours ahead.
await ask('/_mock/clock/advance', { by: '4h' });
const { items: journal } = await ask('/_mock/requests');
const { items: deliveries } = await ask('/_mock/deliveries');
const own = deliveries.filter(({ webhook_id }) => webhook_id === hook.id);
const again = [...refused].filter((id) => heard.get(id) > 1).length;
const [early, late] = [memory.slice(memory.length / 4, memory.length / 2), memory.slice(memory.length / 2)].map(median);
const slope = slopeOf(memory.slice(memory.length / 2), seconds / 120);
const ending = performance.now();
await end();
const endMs = performance.now() - ending;
for (const [wrong, says] of [
  [heard.size !== counts.changes, `${counts.changes} changes were committed, ${heard.size} events were heard`],
  [deliveries.length > MAX_DELIVERIES, `the log holds ${deliveries.length} deliveries`],
  [journal.length > MAX_KEPT, `the journal holds ${journal.length} requests`],
  [own.length === 0 || own.some(({ state }) => state !== 'delivered'), 'a delivery did not end as delivered'],
  [own.some(({ event }) => !heard.has(event.id)), 'the log holds a delivery that nobody heard'],
  [again !== refused.size, `${refused.size} events were refused the first time, ${again} of them came again`],
  [slope > MAX_SLOPE, `memory rises by ${slope.toFixed(2)} MB a minute`],
  [late > early * MAX_GROWTH, `memory went from ${early.toFixed(0)} to ${late.toFixed(0)} MB`],
  [endMs > MAX_END_MS, `SIGTERM ended it after ${endMs.toFixed(0)} ms`],
])
  if (wrong) problems.push(says);
const heap = values.heap ? `, heap ${values.heap} MB` : '';
conclude(
  `soak: ${seconds} s${heap}, slope ${slope.toFixed(2)} MB a minute, ended in ${endMs.toFixed(0)} ms, ` +
    `${requests[0] + requests[1]} requests, ${counts.changes} changes, ${heard.size} events heard, ${refused.size} of them retried, ` +
    `${counts.forks} worlds made and deleted; memory ${early.toFixed(0)} MB in the second quarter, ${late.toFixed(0)} MB in the second half; ` +
    `journal ${journal.length}, delivery log ${deliveries.length}`,
  memory,
  problems,
);
