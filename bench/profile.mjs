// Where the time of a request goes: `node bench/profile.mjs [scenario] [size] [cli.js]`, by default the list of 10k tasks.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMock } from './measure.mjs';
import { startGenerator } from './processes.mjs';
import { SCENARIOS } from './scenarios.mjs';

const [name = 'list', size = '10k', cli = fileURLToPath(new URL('../dist/node/cli.js', import.meta.url))] = process.argv.slice(2);
const LOAD_MS = 4000;
const pause = () => new Promise((over) => setTimeout(over, 500));

const folder = mkdtempSync(join(tmpdir(), 'wm-mock-profile-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
process.env.WM_BENCH_PROFILE = join(folder, 'profile.json');

const preload = ['--import', new URL('profiled.mjs', import.meta.url).href];
const mock = await startMock({ cli, folder, size, scenarios: SCENARIOS, nodeFlags: preload });
const generator = startGenerator();
const { expect } = SCENARIOS.find((scenario) => scenario.name === name);
const load = (ms) => generator.run({ name, port: mock.port, requests: mock.requests[name], expect, connections: 10, ms });

await load(2000);
mock.signal('SIGUSR2');
await pause();
const before = mock.cpuMs();
const { perSecond, completed } = await load(LOAD_MS);
const micros = mock.cpuMs() ? (1000 * (mock.cpuMs() - before)) / completed : 1e6 / perSecond;
mock.signal('SIGUSR2');
await pause();
await mock.stop();
generator.stop();

const profile = JSON.parse(readFileSync(process.env.WM_BENCH_PROFILE, 'utf8'));
print(profile);
process.exit();

function print({ nodes, samples, timeDeltas }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const self = new Map();
  const total = new Map();
  const rooms = new Map();
  let busy = 0;
  samples.forEach((id, index) => {
    const stack = [];
    for (let at = id; at !== undefined; at = parents.get(at)) stack.push(byId.get(at));
    const ofProfiler = stack.some(({ callFrame }) => callFrame.url.endsWith('/profiled.mjs'));
    if (ofProfiler || stack[0].callFrame.functionName === '(idle)') return;
    const spent = timeDeltas[index];
    busy += spent;
    add(self, label(stack[0]), spent);
    add(rooms, room(stack[0]), spent);
    for (const each of new Set(stack.map(label))) add(total, each, spent);
  });
  const share = (spent) =>
    `${((100 * spent) / busy).toFixed(1).padStart(5)} %  ${((spent / busy) * micros).toFixed(1).padStart(6)} µs`;
  const top = (title, map, most) => {
    console.log(`\n${title}`);
    for (const [key, spent] of [...map].sort((a, b) => b[1] - a[1]).slice(0, most)) console.log(`  ${share(spent)}  ${key}`);
  };
  console.log(`${name}, ${size} tasks: ${micros.toFixed(0)} µs of CPU a request under the profiler; shares of it`);
  top('By place', rooms, 20);
  top('Own time of functions', self, 30);
  top('Functions with all that they call', new Map([...total].filter(([key]) => !key.includes('node:'))), 40);
}

function add(map, key, value) {
  map.set(key, (map.get(key) ?? 0) + value);
}

function label({ callFrame: { functionName, url, lineNumber } }) {
  const file = url.replace(/^.*\/(?:node_modules\/|(?=dist\/))/, '');
  return `${functionName || '(anonymous)'}${file && ` ${file}:${lineNumber + 1}`}`;
}

function room({ callFrame: { functionName, url } }) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native code';
  if (url.startsWith('node:')) return 'node itself';
  const [, dependency] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  if (dependency) return dependency;
  const [, place] = /\/dist\/([^/]+)/.exec(url) ?? [];
  return place ? `wm-mock ${place}` : url;
}
