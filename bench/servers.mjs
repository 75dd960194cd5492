// The servers that are measured, as child processes: each on its core where there is `taskset`, none outliving the run.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ask, explore, prove, SCENARIOS } from './scenarios.mjs';
import { AUTHORIZED, generatedSeed, tasksIn } from './seeds.mjs';
import { least, ofNeighbours } from './statistics.mjs';

const SERVER_CORE = '0';
const LOAD_CORE = '1';
const REST_MS = 700;
const START_LIMIT_MS = 180_000;

export const here = (file) => fileURLToPath(new URL(file, import.meta.url));
export const mockArgs = (cli, seed) => [cli, 'serve', '--seed', seed, '--port', '0'];
export const pinned = availableParallelism() >= 2 && spawnSync('taskset', ['-cp', LOAD_CORE, String(process.pid)]).status === 0;

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

/** Memory that a process holds, megabytes. */
const megabytes = (pid) => Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1024;

/** CPU time that a process has used, with all its threads, milliseconds; its grain is 10 ms. NaN where the system does not tell. */
export const cpuMs = (pid) => {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return Number.NaN;
  }
};

const isUp = async (base, path) => {
  try {
    const response = await fetch(base + path, { headers: AUTHORIZED });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
};

/**
 * Starts a Node server, and resolves at its first 200.
 * @param args what stands after `node`
 * @param probe the path that is asked until it is answered with 200
 * @param port where it listens; absent: it prints its address
 */
export const startServer = async ({ name, args, probe, port: given, prefix = '' }) => {
  const started = performance.now();
  const [command, ...words] = [...(pinned ? ['taskset', '-c', SERVER_CORE] : []), process.execPath, ...args];
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const exited = new Promise((done) => child.once('exit', done)).then(() => running.delete(child));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said = (said + chunk).slice(-20_000)));
  const base = () => {
    const port = given ?? /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
    return port && `http://127.0.0.1:${port}${prefix}`;
  };
  while (!base() || !(await isUp(base(), probe))) {
    if (child.exitCode !== null || performance.now() - started > START_LIMIT_MS) {
      child.kill('SIGKILL');
      throw new Error(`${name} never answered ${probe} with 200: ${said.trim().slice(-1000)}`);
    }
    await new Promise((next) => setTimeout(next, 2));
  }
  return {
    name,
    base: base(),
    startMs: performance.now() - started,
    /** CPU time until the first 200, milliseconds. */
    startCpuMs: cpuMs(child.pid),
    cpuMs: () => cpuMs(child.pid),
    /** What it holds when nothing has been asked for a while, megabytes. */
    atRest: () => new Promise((rested) => setTimeout(rested, REST_MS)).then(() => megabytes(child.pid)),
    stop: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** One wm-mock with so many tasks, rested, explored, proven, and ready for load. */
export const startMock = async ({ cli, folder, size, flags = [] }) => {
  const args = [...mockArgs(cli, generatedSeed(folder, size)), ...flags];
  const name = ['wm-mock', size, ...flags].join(' ');
  const server = await startServer({ name, args, prefix: '/v1', probe: '/users/me' });
  const restMegabytes = await server.atRest();
  const found = await explore(server.base, tasksIn(size));
  const paths = Object.fromEntries(Object.entries(SCENARIOS).map(([name, scenario]) => [name, scenario.paths(found)]));
  for (const name of Object.keys(SCENARIOS)) await prove(server.base, name, paths[name], found);
  /** Back to its seed, else a thousand tasks would soon be fifty thousand; each shape is asked once again. */
  const tidy = async () => {
    await fetch(new URL('/_mock/reset', server.base), { method: 'POST' });
    for (const [name, scenario] of Object.entries(SCENARIOS)) if (scenario.page) await ask(server.base, paths[name][0]);
  };
  await tidy();
  return { ...server, kind: 'mock', family: flags.join(' '), size, restMegabytes, paths, tidy };
};

/** Limit (c), serving a page taken from a mock, so that both send the same bytes. */
export const startLimit = async (mock, file) => {
  writeFileSync(file, JSON.stringify(await ask(mock.base, mock.paths.list[0])));
  const server = await startServer({ name: 'limit (c)', args: [here('limit-server.mjs'), file], prefix: '/v1', probe: '/tasks' });
  const pages = Object.keys(SCENARIOS).filter((name) => SCENARIOS[name].page);
  return { ...server, kind: 'limit', paths: Object.fromEntries(pages.map((name) => [name, mock.paths.list])) };
};

/** From spawn to the first 200, and memory at rest: wm-mock with its tasks written out beside a Hono hello-world, in turn. */
export const measureStarts = async ({ cli, seed, rounds }) => {
  const contestants = {
    hello: { name: 'hello', args: [here('limit-server.mjs')], probe: '/' },
    mock: { name: 'wm-mock', args: mockArgs(cli, seed), prefix: '/v1', probe: '/users/me' },
  };
  const found = { hello: { ms: [], cost: [] }, mock: { ms: [], cost: [] } };
  for (let round = 0; round < rounds; round++) {
    for (const [name, contestant] of Object.entries(contestants)) {
      const server = await startServer(contestant);
      found[name].ms.push(server.startMs);
      found[name].cost.push(Number.isNaN(server.startCpuMs) ? server.startMs : server.startCpuMs);
      if (round === 0) found[name].memory = await server.atRest();
      await server.stop();
    }
  }
  const { hello, mock } = found;
  return {
    mockMs: least(mock.ms),
    helloMs: least(hello.ms),
    /** By time or by CPU time, whichever is less: other programs slow down the one, and a second core hides the other. */
    ofHello: Math.min(ofNeighbours(mock.ms, hello.ms), ofNeighbours(mock.cost, hello.cost)),
    megabytes: mock.memory,
    memoryOfHello: mock.memory / hello.memory,
  };
};
