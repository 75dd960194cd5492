// The measurements: interleaved rounds of load, and interleaved starts.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startServer } from './processes.mjs';
import { explore, proveAll, SCENARIOS, send, wire } from './scenarios.mjs';
import { KEY, tasksIn, writeExplicitSeed, writeGeneratedSeed } from './seeds.mjs';

const REST_MS = 1000;
const FORKS = 1000;

const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const rest = () => new Promise((rested) => setTimeout(rested, REST_MS));
const authorized = { path: '/v1/users/me', headers: { authorization: `Bearer ${KEY}` } };
const mockArgs = (cli, seed) => [cli, 'serve', '--seed', seed, '--port', '0'];

/** One wm-mock with `size` tasks, explored, checked, and ready for load. */
export async function startMock({ cli, folder, size, scenarios, nodeFlags = [] }) {
  const name = `wm-mock ${size}`;
  const args = [...nodeFlags, ...mockArgs(cli, writeGeneratedSeed(folder, size))];
  const server = await startServer({ name, args, probe: authorized });
  await rest();
  const memoryAtRest = server.memory();
  const found = await explore(server.port, tasksIn(size));
  const firstMs = await proveAll(server.port, scenarios, found);
  const requests = Object.fromEntries(scenarios.map((each) => [each.name, each.ask(found).map((one) => wire(server.port, one))]));
  const mock = { ...server, size, firstMs, memoryAtRest, requests, resets: true };
  await backToSeed(mock, scenarios);
  return mock;
}

/** Undoes the creates of a slice, else "1k tasks" would be 20k at the end, and asks each reading shape once again. */
async function backToSeed(mock, scenarios) {
  const { status } = await send(mock.port, { method: 'POST', path: '/_mock/reset', body: '{}' });
  if (status >= 300) mock.resets = false;
  for (const { name, writes } of scenarios) {
    if (!writes)
      await fetch(`http://127.0.0.1:${mock.port}${mock.requests[name][0].split(' ')[1]}`, { headers: authorized.headers });
  }
}

/** Limit (c), serving a page taken from a mock, so that both send the same bytes. */
async function startLimit(folder, mock) {
  const file = join(folder, 'page.json');
  const { text } = await send(mock.port, { method: 'GET', path: '/v1/tasks' });
  writeFileSync(file, text);
  const server = await startServer({ name: 'limit (c)', args: [here('limit-server.mjs'), file], probe: { path: '/v1/tasks' } });
  const page = [wire(server.port, { method: 'GET', path: '/v1/tasks' })];
  return { ...server, size: 'limit', requests: Object.fromEntries(SCENARIOS.map(({ name }) => [name, page])) };
}

/**
 * Every scenario at every size beside limit (c). Within a round all targets of one scenario follow each other directly,
 * and the first of them changes from round to round: the machine's speed drifts, a ratio of neighbours does not.
 */
export async function measureLoad({ cli, folder, sizes, only, rounds, ms, generator, say }) {
  const scenarios = SCENARIOS.filter(({ name }) => only.includes(name));
  const mocks = [];
  for (const size of sizes) {
    say(`starting wm-mock with ${size} tasks`);
    mocks.push(await startMock({ cli, folder, size, scenarios }));
  }
  const targets = [await startLimit(folder, mocks[0]), ...mocks];

  const run = async (scenario, target, connections, sliceMs) => {
    const before = target.cpuMs();
    const numbers = await generator.run({
      name: `${scenario.name} on ${target.name}`,
      port: target.port,
      requests: target.requests[scenario.name],
      expect: target.size === 'limit' ? 200 : (scenario.expect ?? 200),
      connections,
      ms: sliceMs,
      ...(scenario.writes && target.size !== 'limit' && { most: tasksIn(target.size) }),
    });
    return { ...numbers, cpuMicros: (1000 * (target.cpuMs() - before)) / numbers.completed };
  };
  const tidy = async (scenario, target) => {
    if (scenario.writes && target.size !== 'limit') await backToSeed(target, scenarios);
  };

  say('warming up');
  for (const scenario of scenarios) {
    for (const target of targets) {
      await run(scenario, target, 10, ms.warm);
      await tidy(scenario, target);
    }
  }

  const series = {};
  for (let round = 0; round < rounds; round++) {
    for (const scenario of scenarios) {
      say(`round ${round + 1} of ${rounds}: ${scenario.name}`);
      const turn = targets.map((_, place) => targets[(place + round) % targets.length]);
      for (const [kind, connections, sliceMs] of [
        ['busy', 10, ms.busy],
        ['alone', 1, ms.alone],
      ]) {
        for (const target of turn) {
          const numbers = await run(scenario, target, connections, sliceMs);
          await tidy(scenario, target);
          series[scenario.name] ??= {};
          series[scenario.name][target.size] ??= { busy: [], alone: [] };
          series[scenario.name][target.size][kind].push(numbers);
        }
      }
    }
  }

  const about = mocks.map((mock) => ({
    size: mock.size,
    startMs: mock.startMs,
    firstMs: mock.firstMs,
    memoryAtRest: mock.memoryAtRest,
    memoryAfterLoad: mock.memory(),
    resets: mock.resets,
  }));
  for (const target of targets) await target.stop();
  return { series, about };
}

/** Spawn to first 200, and memory at rest, of wm-mock and of a Hono hello-world, in turn. */
export async function measureStarts({ cli, folder, rounds, say }) {
  const contestants = [
    { name: 'hello', args: [here('hello.mjs')], probe: { path: '/' } },
    { name: 'explicit', args: mockArgs(cli, writeExplicitSeed(folder, '1k')), probe: authorized },
    { name: 'generated', args: mockArgs(cli, writeGeneratedSeed(folder, '1k')), probe: authorized },
  ];
  const starts = Object.fromEntries(contestants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    say(`start ${round + 1} of ${rounds}`);
    for (const contestant of contestants) {
      const server = await startServer(contestant);
      starts[contestant.name].push(server.startMs);
      await server.stop();
    }
  }
  const hello = await startServer(contestants[0]);
  await rest();
  const helloMemory = hello.memory();
  await hello.stop();
  return { starts, helloMemory };
}

/** A thousand worlds alive at once in one process, for each size: what forks, lists, writes and resets cost. */
export async function measureForks({ folder, sizes, say }) {
  const found = {};
  for (const size of sizes) {
    say(`forking a world of ${size} tasks`);
    const args = ['--expose-gc', here('forks.mjs'), writeGeneratedSeed(folder, size), String(FORKS)];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    found[size] = JSON.parse(stdout);
  }
  return found;
}
