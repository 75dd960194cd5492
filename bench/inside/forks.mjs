// What a world costs: forks, their first list and their first write, all alive at once. `node --expose-gc forks.mjs <seed file> <forks>`
import { pathToFileURL } from 'node:url';
import { KEY } from '../seeds.mjs';

const [seed, count = '1000', entry = new URL('../../dist/node/index.js', import.meta.url).href] = process.argv.slice(2);
const { createMock } = await import(entry.startsWith('file:') ? entry : pathToFileURL(entry).href);
const mock = await createMock({ seed });
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
const project = (await (await mock.fetch('/projects?limit=1', { headers })).json()).items[0].id;
const list = (world) => world.fetch('/tasks?sort=due_date', { headers }).then((answer) => answer.text());
const write = (world) => world.fetch(`/projects/${project}/tasks`, { method: 'POST', headers, body: '{"title":"First"}' });

const heap = () => {
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
};
const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** Does one thing to every world: median microseconds, and bytes that each world holds more afterwards. */
const each = async (worlds, act) => {
  const before = heap();
  const took = [];
  for (const world of worlds) {
    const began = performance.now();
    await act(world);
    took.push((performance.now() - began) * 1000);
  }
  return { micros: median(took), bytes: (heap() - before) / worlds.length };
};

await list(mock);
mock.fork();
const worlds = [];
const slots = Array.from({ length: Number(count) });
const fork = await each(slots, () => worlds.push(mock.fork()));
const firstList = await each(worlds, list);
const firstWrite = await each(worlds, write);
const secondWrite = await each(worlds, write);
const tenWrites = await each(worlds.slice(0, 200), async (world) => {
  for (let i = 0; i < 8; i++) await write(world);
});
const tasks = mock.world.store.tasks.all().map(({ value }) => value);
let cloneMicros;
if (tasks.length <= 100_000) {
  const began = performance.now();
  structuredClone(tasks);
  cloneMicros = (performance.now() - began) * 1000;
}
const resets = Array.from({ length: 50 });
const reset = await each(resets, () => mock.reset());
const afterTen = { bytes: fork.bytes + firstList.bytes + firstWrite.bytes + secondWrite.bytes + tenWrites.bytes };
console.log(JSON.stringify({ worlds: worlds.length, fork, firstList, firstWrite, secondWrite, afterTen, cloneMicros, reset }));
await mock.close();
