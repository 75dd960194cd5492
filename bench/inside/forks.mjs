// What a world costs: forks, their first list and their first write, all alive at once.
// Usage: node --expose-gc forks.mjs <seed> <forks>
import { createMock } from '../../dist/node/index.js';
import { AUTHORIZED } from '../seeds.mjs';
import { median } from '../statistics.mjs';

const [seed, count] = process.argv.slice(2);
const mock = await createMock({ seed });
const headers = { ...AUTHORIZED, 'content-type': 'application/json' };
const [project] = (await (await mock.fetch('/projects?limit=1', { headers })).json()).items;
const list = (world) => world.fetch('/tasks?sort=due_date', { headers }).then((response) => response.text());
const write = (world) => world.fetch(`/projects/${project.id}/tasks`, { method: 'POST', headers, body: '{"title":"First"}' });

const heap = () => {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};

const timed = async (act) => {
  const began = performance.now();
  await act();
  return (performance.now() - began) * 1000;
};

/** Does one thing to every world: median microseconds, and bytes that each world holds more afterwards. */
const each = async (worlds, act) => {
  const before = heap();
  const took = [];
  for (const world of worlds) took.push(await timed(() => act(world)));
  return { micros: median(took), bytes: (heap() - before) / worlds.length };
};

await list(mock);
mock.fork();
const worlds = [];
const fork = await each(Array.from({ length: Number(count) }), () => worlds.push(mock.fork()));
const firstList = await each(worlds, list);
const firstWrite = await each(worlds, write);
const tasks = mock.world.store.tasks.all().map(({ value }) => value);
const cloneMicros = tasks.length > 100_000 ? undefined : await timed(() => structuredClone(tasks));
const reset = await each(Array.from({ length: 50 }), () => mock.reset());
console.log(JSON.stringify({ fork, firstList, firstWrite, cloneMicros, reset }));
await mock.close();
