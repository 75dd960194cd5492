// Child processes: each pinned to its core, none outliving the run.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const SERVER_CORE = 0;
const GENERATOR_CORE = 1;
const START_LIMIT_MS = 180_000;

export const pinned = availableParallelism() >= 2 && spawnSync('taskset', ['-c', '0,1', 'true']).status === 0;

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const [signal, status] of Object.entries({ SIGINT: 130, SIGTERM: 143, SIGHUP: 129 })) {
  process.on(signal, () => process.exit(status));
}

function launch(core, args, stdio) {
  const command = pinned ? ['taskset', '-c', String(core), process.execPath, ...args] : [process.execPath, ...args];
  const child = spawn(command[0], command.slice(1), { stdio });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * Starts a Node server, and resolves at its first 200.
 * `args` is what stands after `node`; `probe` is the request that is asked until it is answered so;
 * without `port` the server prints its address.
 */
export async function startServer({ name, args, probe, port: given, limitMs = START_LIMIT_MS }) {
  const started = performance.now();
  const child = launch(SERVER_CORE, args, ['ignore', 'pipe', 'pipe']);
  const exited = new Promise((done) => child.once('exit', done));
  let said = '';
  let trouble;
  let port = given;
  const listen = (chunk) => {
    if (said.length < 20_000) said += chunk;
    port ??= /http:\/\/127\.0\.0\.1:(\d+)/.exec(said)?.[1];
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  child.once('exit', (status) => {
    trouble = `ended with status ${status} before it was ready`;
  });
  while (port === undefined || (await statusOf(port, probe)) !== 200) {
    if (performance.now() - started > limitMs) trouble ??= `never answered ${probe.path} with 200 within ${limitMs / 1000} s`;
    if (trouble) {
      child.kill('SIGKILL');
      throw new Error(`${name} ${trouble}: ${said.trim().slice(-1000)}`);
    }
    await new Promise((next) => setTimeout(next, 2));
  }
  const startMs = performance.now() - started;
  const stop = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  const signal = (name) => child.kill(name);
  return {
    name,
    port,
    startMs,
    stop,
    signal,
    memory: () => residentMegabytes(child.pid),
    cpuMs: () => spentMilliseconds(child.pid),
  };
}

/** A port that was free a moment ago. */
export function freePort() {
  return new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });
}

function statusOf(port, { path, headers = {} }) {
  return new Promise((answered) => {
    const asked = request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      response.resume();
      answered(response.statusCode);
    });
    asked.on('error', () => answered(0));
    asked.end();
  });
}

function residentMegabytes(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1024;
  }
}

/** CPU time that a process has used, with all its threads; undefined where the system does not tell. Its grain is 10 ms. */
function spentMilliseconds(pid) {
  try {
    const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return (user + system) * 10;
  } catch {
    return undefined;
  }
}

/** The load generator: `generator.run(slice)` resolves with the numbers of slice.mjs, and refuses a slice with failures. */
export function startGenerator() {
  const file = fileURLToPath(new URL('generator.mjs', import.meta.url));
  const child = launch(GENERATOR_CORE, [file], ['ignore', 'inherit', 'inherit', 'ipc']);
  const run = (slice) =>
    new Promise((done, failed) => {
      child.once('message', (numbers) => {
        const failures = Object.entries(numbers.failures ?? {}).map(([reason, often]) => `${often} × ${reason}`);
        const trouble = numbers.error ?? failures.join(', ');
        if (trouble) failed(new Error(`${slice.name}: ${trouble}`));
        else if (numbers.completed === 0) failed(new Error(`${slice.name}: no answer within ${slice.ms} ms`));
        else done(numbers);
      });
      child.send(slice);
    });
  return { run, stop: () => child.kill('SIGKILL') };
}
