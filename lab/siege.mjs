// A siege (--seconds 600): 200 worlds, 60 snapshots, floods of the inbox and four webhooks of 40 kB bodies. The mock answers all along
// and holds at most 300 MB more than with its seed alone. --heap <MB> gives it so small a heap.
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { besiege, conclude, drive } from './load.mjs';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '600' }, heap: { type: 'string' } } });
const seconds = Number(values.seconds);
const WORLDS = 200;
const SNAPSHOTS = 60;
const HOOKS = 4;
const MAX_MORE_MB = 300;
/** 40 kB in UTF-8, which a delivery carries whole. */
const LONG = '\u{1f600}'.repeat(9990);
const FLOOD = 'x'.repeat(800_000);

const problems = [];
const receive = (request, response) => request.resume().on('end', () => response.writeHead(204).end());
const { origin, headers, receiver, resident, ask, end } = await besiege(values.heap, receive);
await wait(700);
const seed = resident();
for (let i = 0; i < HOOKS; i++) await ask('/v1/webhooks', { url: `${receiver}/${i}`, events: ['task.updated'] });
for (let i = 0; i < WORLDS; i++) await ask('/_mock/worlds', { id: `w${i}` });
const task = (await ask('/v1/tasks?limit=1')).items[0].id;

let turns = 0;
const patch = (base) => () => {
  const turn = turns++;
  const world = base === '' ? '' : `${base}${turn % WORLDS}`;
  return { method: 'PATCH', path: `${world}/v1/tasks/${task}`, body: { description: `${turn} ${LONG}` } };
};
const patches = ['', '/worlds/w', '/worlds/w'].map(patch);
const flood = () => ({ method: 'POST', path: `/_mock/inbox/n${turns++ % 200}`, body: FLOOD, expected: [200, 204] });
const snapshots = [];
let room = SNAPSHOTS;
/** Without room for one more, half of them go. */
const snapshot = () => {
  if (snapshots.length > room) return { method: 'DELETE', path: `/_mock/snapshots/${snapshots.shift()}`, expected: 204 };
  const use = ({ id }, status) => {
    if (status === 201) snapshots.push(id);
    room = status === 201 ? (snapshots.length < SNAPSHOTS / 2 ? SNAPSHOTS : room) : SNAPSHOTS / 2;
  };
  return { method: 'POST', path: '/_mock/snapshots', expected: [201, 409], use };
};
const samples = [];
const health = () => ({ path: '/_mock/health', use: () => samples.push(resident()) });
const lists = ['/v1/tasks?limit=100', '/_mock/deliveries?limit=20', '/_mock/requests?limit=20'].map((path) => () => ({ path }));

const load = { origin, headers, seconds, problems };
const counts = await Promise.all([
  drive({ ...load, rows: patches, connections: 6, perSecond: 120 }),
  drive({ ...load, headers: { 'content-type': 'text/plain' }, rows: [flood], connections: 2, perSecond: 20 }),
  drive({ ...load, rows: [snapshot], connections: 1, perSecond: 5 }),
  drive({ ...load, rows: [...lists, health], connections: 1, perSecond: 20 }),
]);
await end();
const most = Math.max(...samples);
if (!values.heap && most > seed + MAX_MORE_MB)
  problems.push(`memory rose to ${most.toFixed(0)} MB, ${(most - seed).toFixed(0)} above the seed's`);
const said = counts.map((count, i) => `${count} ${['patches', 'floods', 'snapshots', 'lists'][i]}`).join(', ');
const heap = values.heap ? `, heap ${values.heap} MB` : '';
conclude(`siege: ${seconds} s${heap}: ${said}; seed ${seed.toFixed(0)} MB, at most ${most.toFixed(0)} MB`, samples, problems);
