// A page of the service beside limit (c), both in process and by CPU time: what the mock itself costs. `node pages.mjs <seed> <tasks> [rounds]`
import { Hono } from 'hono';
import { explore, SCENARIOS } from '../scenarios.mjs';
import { KEY } from '../seeds.mjs';
import { cpuMs, inTurn } from './timing.mjs';

const [seed, tasks, rounds = '7'] = process.argv.slice(2);
const { createMock } = await import(new URL('../../dist/node/index.js', import.meta.url).href);
const mock = await createMock({ seed });
const { port } = await mock.listen({ port: 0 });
const found = await explore(port, Number(tasks));
const headers = { authorization: `Bearer ${KEY}` };
const asked = (app, asks) => ({
  act: (turn) => app.fetch(new Request(`http://127.0.0.1:${port}${asks[turn % asks.length].path}`, { headers })),
});

const list = [{ path: '/v1/tasks' }];
const constant = await (await asked(mock.app, list).act(0)).json();
const limit = new Hono().get('/v1/tasks', (c) => c.json(constant));
const pages = SCENARIOS.filter(({ page }) => page).map(({ name, ask }) => [name, asked(mock.app, ask(found))]);
const variants = { limit: asked(limit, list), ...Object.fromEntries(pages) };
console.log(JSON.stringify(await inTurn(variants, { rounds: Number(rounds), count: 1500, now: cpuMs })));
await mock.close();
process.exit();
