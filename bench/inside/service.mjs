// The service in process: pages beside limit (c), queries that are meant to hurt, and calls beside a loopback socket.
// Usage: node service.mjs <seed> <tasks> <rounds> <ms>
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { createMock } from '../../dist/node/index.js';
import { adversarial, explore, requestOf, SCENARIOS } from '../scenarios.mjs';
import { cpuMs, inRounds, inTurn } from './rounds.mjs';

const [seed, tasks, rounds, ms] = process.argv.slice(2);
const mock = await createMock({ seed });
const { baseUrl } = await mock.listen({ port: 0 });
const found = await explore(baseUrl, Number(tasks));
const options = { rounds: Number(rounds), ms: Number(ms) };
const names = Object.keys(SCENARIOS);

/** More URLs than a mock knows pages of: each page is read anew. */
const anew = (paths) =>
  Array.from({ length: Math.max(400, paths.length) }, (_, i) => {
    const path = paths[i % paths.length];
    return `${path}${path.includes('?') ? '&' : '?'}turn=${i}`;
  });

/** Asks an application in process; the response is not read, for it is a text already. */
const asks = (app, paths) =>
  inTurn(
    paths.map((path) => baseUrl + path),
    (url) => app.fetch(new Request(url, requestOf({}))),
  );
// As on a socket: pages of both sides are responses of node-server's class, which it puts in place of the platform's.
getRequestListener(() => new Response());
const page = await (await asks(mock.app, ['/tasks'])()).json();
const limit = new Hono().get('/v1/tasks', (c) => c.json(page));
const pages = await inRounds(
  {
    limit: asks(limit, ['/tasks']),
    ...Object.fromEntries(
      names.filter((name) => SCENARIOS[name].page).map((name) => [name, asks(mock.app, anew(SCENARIOS[name].paths(found)))]),
    ),
  },
  // Half a minute: longer than another program on the machine mostly takes.
  { ...options, rounds: options.rounds * 10, now: cpuMs },
);

const hard = Object.entries(adversarial(found)).map(([name, paths]) => [name, asks(mock.app, anew(paths))]);
const hurting = await inRounds(
  { 'the plain list': asks(mock.app, anew(['/tasks'])), ...Object.fromEntries(hard) },
  { ...options, now: cpuMs },
);
// A mock of its own: creates and resets leave a world that is a fork, whose pages cost more.
const other = await createMock({ seed });
const { baseUrl: base } = await other.listen({ port: 0 });
const calls = {};
for (const name of ['list', 'read', 'create']) {
  const [path] = SCENARIOS[name].paths(found);
  const request = requestOf(SCENARIOS[name]);
  const loopback = async () => (await fetch(base + path, request)).json();
  const inProcess = async () => (await other.fetch(path, request)).json();
  calls[name] = await inRounds({ loopback, inProcess }, options);
  other.reset();
}
console.log(JSON.stringify({ pages, hurting, calls }));
process.exit();
