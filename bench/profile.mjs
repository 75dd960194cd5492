// Where the time of a request goes: `node bench/profile.mjs [scenario] [size] [cli.js]`, by default the list of 100k tasks.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startGenerator } from './processes.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { startMock } from './targets.mjs';

const LOAD_MS = 4000;
const WARM_MS = 1500;
const pause = () => new Promise((over) => setTimeout(over, 500));

/** Profiles one scenario under load. @returns CPU microseconds of a request, and shares of them by place and by function. */
export async function measureProfile({ cli, folder, scenario, size, generator, say }) {
  say(`profiling ${scenario} with ${size} tasks`);
  process.env.WM_BENCH_PROFILE = join(folder, 'profile.json');
  const preload = ['--import', new URL('profiled.mjs', import.meta.url).href];
  const mock = await startMock({ cli, folder, size, scenarios: SCENARIOS, nodeFlags: preload });
  const load = (ms) =>
    generator.run({
      name: scenario,
      port: mock.port,
      requests: mock.requests[scenario],
      expect: mock.expect[scenario],
      connections: 10,
      ms,
    });
  await load(WARM_MS);
  mock.signal('SIGUSR2');
  await pause();
  const before = mock.cpuMs();
  const { perSecond, completed } = await load(LOAD_MS);
  const micros = mock.cpuMs() ? (1000 * (mock.cpuMs() - before)) / completed : 1e6 / perSecond;
  mock.signal('SIGUSR2');
  await pause();
  await mock.stop();
  return {
    scenario,
    size,
    micros,
    ...summarizeProfile(JSON.parse(readFileSync(process.env.WM_BENCH_PROFILE, 'utf8')), sourceOf),
  };
}

/**
 * Shares of the busy time: by place (a part of the mock, a package, Node), by function alone, and by function with all that it calls.
 * @param source tells the source file of a place in a bundled file.
 */
export function summarizeProfile({ nodes, samples, timeDeltas }, source) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id])));
  const found = { places: new Map(), own: new Map(), whole: new Map() };
  let busy = 0;
  samples.forEach((id, index) => {
    const stack = [];
    for (let at = id; at !== undefined; at = parents.get(at)) stack.push(byId.get(at).callFrame);
    if (stack.some(({ url }) => url.endsWith('/profiled.mjs')) || stack[0].functionName === '(idle)') return;
    const spent = timeDeltas[index];
    busy += spent;
    add(found.places, placeOf(stack[0], source), spent);
    add(found.own, labelOf(stack[0], source), spent);
    for (const each of new Set(stack.map((frame) => labelOf(frame, source)))) add(found.whole, each, spent);
  });
  const shares = (map, most) =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, most)
      .map(([name, spent]) => ({ name, share: spent / busy }));
  const ours = new Map([...found.whole].filter(([name]) => name.includes(' src/')));
  return { places: shares(found.places, 20), own: shares(found.own, 30), whole: shares(ours, 30) };
}

function add(map, key, value) {
  map.set(key, (map.get(key) ?? 0) + value);
}

const regions = new Map();

/** The source file of a line: bundles say above each part where it comes from, and a file of a package is its own source. */
export function sourceOf(url, line) {
  if (!regions.has(url)) {
    let region;
    const lines = readFileSync(fileURLToPath(url), 'utf8').split('\n');
    regions.set(
      url,
      lines.map((text) => {
        region = /^\/\/ (?:#region )?((?:src|node_modules)\/\S+)$/.exec(text)?.[1] ?? region;
        return region;
      }),
    );
  }
  return regions.get(url)[line] ?? `node_modules/${url.split('/node_modules/').at(-1)}`;
}

const fileOf = ({ url, lineNumber }, source) => source(url, lineNumber).replace(/^.*node_modules\//, '');

function labelOf(frame, source) {
  const { functionName, url } = frame;
  const name = functionName || '(anonymous)';
  if (url === '') return name;
  return `${name} ${url.startsWith('node:') ? url : fileOf(frame, source)}`;
}

function placeOf(frame, source) {
  const { functionName, url } = frame;
  if (url === '') return functionName === '(garbage collector)' ? 'garbage collection' : 'native code: sockets, parsing, text';
  if (url.startsWith('node:')) return 'Node itself';
  const file = fileOf(frame, source);
  const [, room] = /^src\/(?:([^/]+)\/)?/.exec(file) ?? [];
  if (file.startsWith('src/')) return `wm-mock ${room ?? 'mock.ts'}`;
  return /^(?:@[^/]+\/)?[^/]+/.exec(file)[0];
}

async function main([scenario = 'list', size = '100k', cli = fileURLToPath(new URL('../dist/node/cli.js', import.meta.url))]) {
  const folder = mkdtempSync(join(tmpdir(), 'wm-mock-profile-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const generator = startGenerator();
  const { micros, places, own, whole } = await measureProfile({ cli, folder, scenario, size, generator, say: () => {} });
  const print = (title, rows) => {
    console.log(`\n${title}`);
    for (const { name, share } of rows) {
      console.log(`  ${(100 * share).toFixed(1).padStart(5)} %  ${(share * micros).toFixed(1).padStart(6)} µs  ${name}`);
    }
  };
  console.log(`${scenario}, ${size} tasks: ${micros.toFixed(0)} µs of CPU a request under the profiler; shares of it`);
  print('By place', places);
  print('Own time of functions', own);
  print('Our functions with all that they call', whole);
  process.exit();
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main(process.argv.slice(2));
