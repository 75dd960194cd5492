// A siege (--seconds 600): 200 worlds, 60 snapshots, floods of the inbox and four webhooks of 32 kB bodies. The mock answers all along
// and holds at most 300 MB more than with its seed alone. --heap <MB> gives it so small a heap, --plot <file> draws its memory as SVG.
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startMock } from '../.ci/start.mjs';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, heap: { type: 'string' }, plot: { type: 'string' } },
});
const SECONDS = Number(values.seconds);
const WORLDS = 200;
const SNAPSHOTS = 60;
const HOOKS = 4;
const MOST_MORE = 300;
/** 40 kB in UTF-8, which a delivery carries whole. */
const LONG = '\u{1f600}'.repeat(9990);
const FLOOD = 'x'.repeat(800_000);

const receiver = createServer((request, response) => request.resume().on('end', () => response.writeHead(204).end()));
await once(receiver.listen(0, '127.0.0.1'), 'listening');

if (values.heap) process.env.NODE_OPTIONS = `--max-old-space-size=${values.heap}`;
const mock = await startMock('--plan', 'unlimited');
delete process.env.NODE_OPTIONS;
const origin = new URL(mock.baseUrl).origin;
const headers = { authorization: `Bearer ${mock.key('admin')}`, 'content-type': 'application/json' };
const problems = [];
const counts = {};
// A kept connection may end just when it is used again.
const ask = async (what, method, path, body, { expected = [200, 201, 204], type } = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const sent = {
    method,
    headers: { ...(type ? { 'content-type': type } : headers), connection: 'close' },
    ...(body === undefined ? {} : { body: text }),
  };
  try {
    const response = await fetch(origin + path, sent);
    const said = await response.text();
    counts[what] = (counts[what] ?? 0) + 1;
    if (!expected.includes(response.status)) problems.push(`${what}: ${response.status} ${said.slice(0, 200)}`);
    return { status: response.status, body: said.startsWith('{') ? JSON.parse(said) : undefined };
  } catch (error) {
    problems.push(`${what}: ${error.cause ?? error}`);
    return { status: 0 };
  }
};

const resident = () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${mock.pid}/status`, 'utf8'))[1]) / 1024;
await wait(700);
const seed = resident();
const began = performance.now();
const over = () => performance.now() - began > SECONDS * 1000 || problems.length > 0;
const loop = async (act, pause = 0) => {
  for (let turn = 0; !over(); turn++) {
    await act(turn);
    if (pause > 0) await wait(pause);
  }
};

for (let i = 0; i < HOOKS; i++)
  await ask('webhook', 'POST', '/v1/webhooks', {
    url: `http://127.0.0.1:${receiver.address().port}/${i}`,
    events: ['task.updated'],
  });
for (let i = 0; i < WORLDS; i++) await ask('world', 'POST', '/_mock/worlds', { id: `w${i}` });
const task = (await ask('task', 'GET', '/v1/tasks?limit=1')).body.items[0].id;
const patch = (what, base) => (turn) => ask(what, 'PATCH', `${base(turn)}/v1/tasks/${task}`, { description: `${turn} ${LONG}` });
const kept = [];
const snapshot = async () => {
  const { status, body } = await ask('snapshot', 'POST', '/_mock/snapshots', undefined, { expected: [201, 409] });
  if (status === 201) kept.push(body.id);
  while (kept.length >= (status === 409 ? SNAPSHOTS / 2 : SNAPSHOTS + 1))
    await ask('forget', 'DELETE', `/_mock/snapshots/${kept.shift()}`);
};
const samples = [];
const watch = async () => {
  const { body } = await ask('health', 'GET', '/_mock/health');
  samples.push([(performance.now() - began) / 1000, resident(), (body?.memory.used ?? 0) / 1e6]);
};
const flood = (turn) => ask('flood', 'POST', `/_mock/inbox/n${turn % 200}`, FLOOD, { type: 'text/plain' });
const list = (turn) =>
  ask('list', 'GET', ['/v1/tasks?limit=100', '/_mock/deliveries?limit=20', '/_mock/requests?limit=20'][turn % 3]);

const svg = () => {
  const [width, height] = [800, 300];
  const top = Math.max(...samples.map(([, mb]) => mb), seed + MOST_MORE) * 1.1;
  const at = (s, mb) =>
    `${(50 + (s / SECONDS) * (width - 60)).toFixed(1)},${(height - 30 - (mb / top) * (height - 50)).toFixed(1)}`;
  const thin = samples.filter((_, i) => i % Math.ceil(samples.length / 300) === 0);
  const line = (points, colour, dash = '') =>
    `<polyline fill="none" stroke="${colour}" stroke-dasharray="${dash}" points="${points.join(' ')}"/>`;
  const flat = (mb, says) =>
    line([at(0, mb), at(SECONDS, mb)], '#888', '4 4') +
    `<text x="54" y="${Number(at(0, mb).split(',')[1]) - 4}">${says}: ${mb.toFixed(0)} MB</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12"><title>Memory under siege</title><rect width="100%" height="100%" fill="#fff"/>
${line(
  thin.map(([s, mb]) => at(s, mb)),
  '#3a53d0',
)}${line(
  thin.map(([s, , mb]) => at(s, mb)),
  '#b02219',
)}
${flat(seed, 'seed')}${flat(seed + MOST_MORE, 'seed + 300 MB')}
<text x="50" y="${height - 8}">${SECONDS} s: resident memory (blue), the budget in use (red)</text></svg>\n`;
};

try {
  await Promise.all([
    ...[0, 1].map(() => loop(patch('patch', () => ''))),
    ...[0, 1, 2, 3].map((lane) => loop(patch('patch in a world', (turn) => `/worlds/w${(turn * 4 + lane) % WORLDS}`))),
    ...[0, 1].map(() => loop(flood)),
    loop(snapshot, 200),
    loop(list, 20),
    loop(watch, 500),
  ]);
  const most = Math.max(...samples.map(([, mb]) => mb));
  if (!values.heap && most > seed + MOST_MORE)
    problems.push(`memory rose to ${most.toFixed(0)} MB, ${(most - seed).toFixed(0)} above the seed's`);
  const said = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  console.log(
    `siege: ${SECONDS} s${values.heap ? `, heap ${values.heap} MB` : ''}: ${said.join(', ')}; seed ${seed.toFixed(0)} MB, at most ${most.toFixed(0)} MB, ${problems.length} problems`,
  );
  for (const problem of problems.slice(0, 10)) console.log(`  ${problem}`);
  if (values.plot) writeFileSync(values.plot, svg());
} finally {
  await mock.stop();
  receiver.close();
  receiver.closeAllConnections();
}
process.exitCode = problems.length > 0 ? 1 : 0;
