// A call in process beside the same call over a loopback socket, in one process as tests make them. `node calls.mjs <seed>`
import { KEY } from '../seeds.mjs';
import { inTurn } from './timing.mjs';

const [seed, rounds = '7'] = process.argv.slice(2);
const { createMock } = await import(new URL('../../dist/node/index.js', import.meta.url).href);
const mock = await createMock({ seed });
const { baseUrl } = await mock.listen({ port: 0 });
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
const ask = async (path) => (await mock.fetch(path, { headers })).json();
const [project] = (await ask('/projects?limit=1')).items;
const [task] = (await ask('/tasks?limit=1')).items;

const CALLS = {
  list: { path: '/tasks', method: 'GET' },
  read: { path: `/tasks/${task.id}`, method: 'GET' },
  create: { path: `/projects/${project.id}/tasks`, method: 'POST', body: '{"title":"Called"}' },
};
const found = {};
for (const [name, { path, ...init }] of Object.entries(CALLS)) {
  const read = async (answer) => JSON.parse(await (await answer).text());
  found[name] = await inTurn(
    {
      loopback: { act: () => read(fetch(baseUrl + path, { ...init, headers })) },
      inProcess: { act: () => read(mock.fetch(path, { ...init, headers })) },
    },
    { rounds: Number(rounds), count: 150 },
  );
  mock.reset();
}
console.log(JSON.stringify(found));
await mock.close();
process.exit();
