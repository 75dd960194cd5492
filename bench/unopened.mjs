// What the dashboard costs a mock whose dashboard nobody opens: start and memory beside the same build without its pages.
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startServer } from './processes.mjs';
import { writeExplicitSeed } from './seeds.mjs';
import { median, ratios } from './statistics.mjs';
import { authorized, mockArgs, rest } from './targets.mjs';

/** A copy of a build from which the pages are gone. @returns its command line, and what takes it away again */
function copyWithout(cli) {
  const dist = join(dirname(cli), '..');
  const copy = join(dist, '..', 'node_modules', '.wm-mock-without-dashboard');
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy, { recursive: true });
  cpSync(dist, join(copy, 'dist'), { recursive: true });
  const chunks = join(copy, 'dist', 'chunks');
  const pages = readdirSync(chunks).filter((file) => /^dashboard\b.*\.js$/.test(file));
  if (pages.length === 0) throw new Error(`${chunks} has no chunk of the dashboard to take away`);
  for (const file of pages) rmSync(join(chunks, file));
  return { cli: join(copy, 'dist', 'node', 'cli.js'), remove: () => rmSync(copy, { recursive: true, force: true }) };
}

/** With and without in turn; then what opening it costs. CPU milliseconds to the first 200, and megabytes. */
export async function measureUnopened({ cli, folder, rounds, say }) {
  const without = copyWithout(cli);
  const seed = writeExplicitSeed(folder, '1k');
  const builds = { with: cli, without: without.cli };
  const found = { with: { start: [], memory: [] }, without: { start: [], memory: [] } };
  let opened;
  try {
    for (let round = 0; round < rounds; round++) {
      say(`start ${round + 1} of ${rounds}, with the dashboard and without it`);
      for (const name of round % 2 ? ['without', 'with'] : ['with', 'without']) {
        const server = await startServer({
          name: `wm-mock ${name} its dashboard`,
          args: [...mockArgs(builds[name], seed), '--json'],
          probe: authorized,
        });
        // CPU time: other programs on the machine hardly touch it.
        found[name].start.push(server.cpuMs());
        await rest();
        found[name].memory.push(server.memory());
        if (round === rounds - 1 && name === 'with') opened = await open(server);
        await server.stop();
      }
    }
  } finally {
    without.remove();
  }
  return {
    start: ratios(found.with.start, found.without.start),
    memory: ratios(found.with.memory, found.without.memory),
    startMs: median(found.with.start),
    megabytes: median(found.with.memory),
    opened,
  };
}

async function open(server) {
  const before = server.memory();
  const began = performance.now();
  const answer = await fetch(`http://127.0.0.1:${server.port}/`);
  await answer.text();
  const firstMs = performance.now() - began;
  await rest();
  return { firstMs, megabytes: server.memory() - before };
}
