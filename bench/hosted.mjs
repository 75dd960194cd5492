// Figures of hosted worlds on one workerd, beside a bare object in the same process and beside Node: node bench/hosted.mjs [--rounds 7] [part…]
// Parts: load, cold, forks, many, written. Prints a table; exit status 1 when a bar is missed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort, start } from '../.ci/start.mjs';
import { ROOT } from '../.ci/tools.mjs';
import { ask as asked } from '../lab/fleet/client.mjs';
import { OWNER, tenantAt } from '../lab/fleet/machines.mjs';
import { measureLoad } from './load.mjs';
import { ask, SCENARIOS } from './scenarios.mjs';
import { generatedSeed, KEY, SIZES } from './seeds.mjs';
import { cpuMs, pinned, startMock } from './servers.mjs';
import { median, ratio } from './statistics.mjs';

const CLI = join(ROOT, 'dist/node/cli.js');
const BINARY = createRequire(join(ROOT, 'package.json'))('workerd').default;
const MAIN = '/worlds/main';
const FORKS = 20;
const WARM = 5000;
/** By then the journal is kept too. */
const SOON_MS = 600;

const { values, positionals } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string', default: '7' } } });
const folder = mkdtempSync(join(tmpdir(), 'wm-figures-'));
const rows = [];
/** @param held whether a bar is met; absent: nothing is asked of it */
const row = (what, value, bar = '', held = undefined) => {
  rows.push([what, value, bar, held === undefined ? '' : held ? 'held' : 'MISSED']);
  if (held === false) process.exitCode = 1;
  console.error(`${what}: ${value}`);
};

/** A workerd with our worker, and on another port a bare object; what they keep outlives its processes. */
class Engine {
  origin = '';
  bare = '';
  #child;

  /** @param page what the bare object answers to a list, and `task` to a create */
  async prepare(page, task) {
    const words = [CLI, 'dev', '--hosted', folder, '--seed', generatedSeed(folder, '1k'), '--port', '0', '--json'];
    const ready = (line) => (line.startsWith('{') ? JSON.parse(line) : undefined);
    const { value, stop } = await start(process.execPath, words, ready, { env: { WM_OWNER_TOKEN: OWNER } });
    await stop();
    this.token = value.control_token;
    process.on('exit', () => this.#child?.kill('SIGKILL'));
    const [port, bare] = [await freePort(), await freePort()];
    this.origin = `http://127.0.0.1:${port}`;
    this.bare = `http://127.0.0.1:${bare}`;
    for (const [name, text] of Object.entries({ page, task })) writeFileSync(join(folder, name), JSON.stringify(text));
    for (const name of ['bare', 'metered']) copyFileSync(join(ROOT, 'bench', `${name}-worker.js`), join(folder, `${name}.js`));
    const config = readFileSync(join(folder, 'workerd.capnp'), 'utf8')
      .replace(/address = "[^"]*"/, `address = "127.0.0.1:${port}"`)
      .replace('services = [', 'services = [\n    (name = "bare", worker = .bare),')
      .replace('sockets = [', `sockets = [(name = "bare", address = "127.0.0.1:${bare}", http = (), service = "bare"), `)
      .concat(`const bare :Workerd.Worker = (
  compatibilityDate = "2026-07-01",
  modules = [(name = "bare.js", esModule = embed "bare.js")],
  bindings = [
    (name = "BARE", durableObjectNamespace = "Bare"), (name = "PAGE", text = embed "page"), (name = "TASK", text = embed "task"),
  ],
  durableObjectNamespaces = [(className = "Bare", uniqueKey = "bare", enableSql = true)],
  durableObjectStorage = (localDisk = "state"),
);\n`);
    writeFileSync(join(folder, 'plain.capnp'), config);
    const first = 'modules = [\n    (name = "metered.js", esModule = embed "metered.js"),';
    writeFileSync(join(folder, 'metered.capnp'), config.replace('modules = [', first));
    return this;
  }

  async start(config = 'plain') {
    const words = ['serve', '--experimental', join(folder, `${config}.capnp`)];
    const env = { ...process.env, WM_OWNER_TOKEN: OWNER, WM_OPTIONS: '{"worldIdleMs":0}' };
    const [command, ...given] = pinned ? ['taskset', '-c', '0', BINARY, ...words] : [BINARY, ...words];
    this.#child = spawn(command, given, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    while (!(await fetch(`${this.origin}/_hosted/health`).catch(() => undefined))?.ok) await sleep(10);
  }

  async stop(signal = 'SIGTERM') {
    const ended = once(this.#child, 'exit');
    this.#child.kill(signal);
    await ended;
  }

  cpuMs = () => cpuMs(this.#child.pid);

  /** A line of what the system says of the process. */
  of(file, name) {
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${this.#child.pid}/${file}`, 'utf8'))[1]);
  }

  /** Asks once. @returns milliseconds and what was said @throws Error unless it was done */
  async ask(method, path, { key = KEY, body } = {}, origin = this.origin) {
    const begun = performance.now();
    const { status, said } = await asked(origin, key, method, path, body);
    if (status < 200 || status > 204) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(said)}`);
    return { ms: performance.now() - begun, said };
  }
}

/** What all objects keep, once their process has ended in order. */
const keptBytes = () =>
  readdirSync(join(folder, 'state'), { recursive: true })
    .map((name) => statSync(join(folder, 'state', name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);

const times = async (count, act) => {
  const found = [];
  for (let i = 0; i < count; i++) found.push((await act(i)).ms);
  return median(found);
};
/** Does something so many times, ten at a time. */
const together = async (count, act) => {
  let next = 0;
  const lane = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: 10 }, lane));
};
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const ms = (value) => `${value.toFixed(1)} ms`;

const load = async (engine, node) => {
  await engine.start();
  const base = `${engine.origin}${MAIN}/v1`;
  /** Back to its seed, as Node's is, all of it kept. */
  const tidy = async () => {
    await engine.ask('POST', `${MAIN}/_mock/reset`, { key: engine.token });
    await ask(base, '/tasks');
    await sleep(SOON_MS);
  };
  /** What it has kept would slow it down, slice by slice. */
  const tidyBare = () => engine.ask('DELETE', '/v1/tasks', {}, engine.bare);
  const { paths } = node;
  const servers = [
    { name: 'bare', base: `${engine.bare}/v1`, paths, cpuMs: engine.cpuMs, tidy: tidyBare },
    { name: 'hosted', base, paths, cpuMs: engine.cpuMs, tidy },
    { ...node, name: 'Node' },
  ];
  // Until the engine has compiled what is asked for most.
  for (const at of [`${engine.bare}/v1`, base]) {
    const { origin, pathname } = new URL(at);
    await together(WARM, () => engine.ask('GET', `${pathname}/tasks`, {}, origin));
    await together(WARM, () => engine.ask('POST', pathname + paths.create[0], { body: SCENARIOS.create.body }, origin));
  }
  await tidy();
  const say = (text) => console.error(text);
  const found = await measureLoad({ servers, scenarios: ['list', 'create'], rounds: Number(values.rounds), ms: 1500, say });
  for (const scenario of ['list', 'create']) {
    const of = (name, what) =>
      found.find((one) => one.name === scenario && one.server.name === name).slices.map((slice) => slice[what]);
    for (const name of ['hosted', 'bare', 'Node'])
      row(
        `${scenario}, 10 connections: ${name}`,
        `${median(of(name, 'perSecond')).toFixed(0)}/s, ${median(of(name, 'micros')).toFixed(0)} µs`,
      );
    const took = (name) => of(name, 'perSecond').map((perSecond) => 1 / perSecond);
    const rate = ratio(took('bare'), took('hosted'));
    const cpu = ratio(of('bare', 'micros'), of('hosted', 'micros'));
    row(`${scenario}, beside the bare object`, `${rate.toFixed(2)} (by CPU time ${cpu.toFixed(2)})`, '>= 0.6', rate >= 0.6);
  }
  const p50 = {};
  for (const { name, base: at } of servers) {
    const { origin, pathname } = new URL(`${at}/tasks`);
    p50[name] = await times(500, () => engine.ask('GET', pathname, {}, origin));
  }
  row(
    'p50 of a list, one connection',
    `${ms(p50.hosted)} (bare ${ms(p50.bare)}, Node ${ms(p50.Node)})`,
    '<= 2 ms',
    p50.hosted <= 2,
  );
  await engine.stop();
};

/** The text of a seed with so many tasks. */
const seedOf = async (projects, tasks_per_project) => {
  const { createMock } = await import(join(ROOT, 'dist/node/index.js'));
  const seed = JSON.parse(readFileSync(generatedSeed(folder, '1k'), 'utf8'));
  Object.assign(seed.workspaces[0].generate, { projects, tasks_per_project });
  const mock = await createMock({ seed });
  const text = await (await mock.app.fetch(new Request('http://127.0.0.1/_mock/state?format=json'))).text();
  await mock.close();
  return text;
};

const cold = async (engine) => {
  await engine.start();
  await tenantAt(engine.origin, 'cold', { seed: await seedOf(...SIZES['10k']) });
  const { said } = await engine.ask('GET', '/worlds/cold/v1/projects');
  for (let i = 0; i < 200; i++)
    await engine.ask('POST', `/worlds/cold/v1/projects/${said.items[0].id}/tasks`, { body: SCENARIOS.create.body });
  const first = await times(5, async () => {
    await engine.stop('SIGKILL');
    await engine.start();
    return engine.ask('GET', '/worlds/cold/v1/tasks');
  });
  row('10,000 tasks and 200 changes, cold after kill -9: first list', ms(first), '<= 500 ms', first <= 500);
  await engine.stop();
};

const forks = async (engine) => {
  for (const [tasks, size] of Object.entries({ 100: [10, 10], 10000: SIZES['10k'], 100000: SIZES['100k'] })) {
    await engine.start();
    const { token } = await tenantAt(engine.origin, `of-${tasks}`, { seed: await seedOf(...size) });
    await engine.stop();
    const before = keptBytes();
    await engine.start();
    await engine.ask('GET', `/worlds/of-${tasks}/v1/users/me`);
    const fork = () => engine.ask('POST', `/worlds/of-${tasks}/_mock/worlds`, { key: token, body: {} });
    const opened = [];
    const took = await times(FORKS, async () => {
      const { ms: one, said } = await fork();
      opened.push(said.id);
      return { ms: one };
    });
    const first = await times(FORKS, (i) => engine.ask('GET', `/worlds/${opened[i]}/v1/users/me`));
    await engine.stop();
    const bytes = (keptBytes() - before) / FORKS;
    row(`fork of ${tasks} tasks`, `${ms(took)}, its first request ${ms(first)}`, '<= 10 ms', took <= 10);
    row(`fork of ${tasks} tasks, asked once: kept`, kB(bytes), '<= 16 kB', bytes <= 16_000);
  }
};

const many = async (engine) => {
  await engine.start();
  await together(1000, (i) => engine.ask('POST', `${MAIN}/_mock/worlds`, { key: engine.token, body: { id: `m${i}` } }));
  // Twice: the second time all of them are there at once.
  for (const _ of [1, 2]) await together(1000, (i) => engine.ask('GET', `/worlds/main~m${i}/v1/tasks`));
  const [now, peak] = ['VmRSS', 'VmHWM'].map((name) => engine.of('status', name) / 1000);
  row(
    '1,000 worlds, each asked: memory of workerd',
    `${now.toFixed(0)} MB (peak ${peak.toFixed(0)} MB)`,
    '<= 1 GB',
    peak <= 1000,
  );
  await engine.stop();
};

const written = async (engine, { paths }) => {
  await engine.start('metered');
  const path = `${MAIN}/v1${paths.create[0]}`;
  const create = () => engine.ask('POST', path, { body: SCENARIOS.create.body });
  // The journal is full, as it soon is.
  await times(1100, create);
  const meter = async () => {
    await sleep(SOON_MS);
    return { ...(await engine.ask('GET', '/written')).said, disk: engine.of('io', 'write_bytes') };
  };
  const before = await meter();
  await times(500, create);
  const after = await meter();
  const [rowsEach, bytes, disk] = ['rows', 'bytes', 'disk'].map((what) => (after[what] - before[what]) / 500);
  row('written per create: keys and values of its rows', `${kB(bytes)} in ${rowsEach.toFixed(1)} rows`, '<= 5 kB', bytes <= 5000);
  row("the same, in pages of SQLite's log and file", kB(disk));
  await engine.stop();
};

const PARTS = { load, cold, forks, many, written };
const node = await startMock({ cli: CLI, folder, size: '1k' });
const engine = await new Engine().prepare(
  await ask(node.base, '/tasks'),
  await ask(node.base, node.paths.create[0], SCENARIOS.create),
);
for (const part of positionals.length > 0 ? positionals : Object.keys(PARTS)) await PARTS[part](engine, node);
await node.stop();
console.log(['| figure | measured | bar | |', '|---|---|---|---|', ...rows.map((one) => `| ${one.join(' | ')} |`)].join('\n'));
rmSync(folder, { recursive: true, force: true });
process.exit();
