// Attempts of webhooks that fall due while the machine that has them is dead: another one sends each, once, in the order of time.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../.ci/tools.mjs';
import { SEED, tenantAt } from './machines.mjs';

const WORLDS = 8;
const EVENTS = 4;
/** A first retry comes so long after its attempt. */
const RETRY_MS = 30_000;
/** The lease of the dead one, the round in which others take alarms over, and room for a slow machine. */
const LONGEST_MS = 20_000 + 5000 + 5000;

export const hook = async (fleet) => {
  const { connect } = await import(join(ROOT, 'dist/connect/index.js'));
  const heard = [];
  let status = 500;
  const receiver = createServer(async (request, response) => {
    const at = Date.now();
    const { id: event, data } = await json(request);
    // Worlds that began alike name what happens alike.
    const id = `${request.url} ${event}`;
    heard.push({ at, world: request.url, id, name: JSON.stringify(data).match(/Event \d+/)?.[0], status });
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { control_url, token } = await tenantAt(fleet.origin, 'hook', { seed: SEED });
  const main = await connect(control_url, { token });
  const [dead, ...others] = fleet.machines;
  const before = fleet.owned[0];
  const worlds = [];
  for (let i = 0; i < WORLDS; i++) {
    const { id } = await main.control('POST /worlds', { id: `w${i}` });
    // Who is asked for a world first has it.
    const mock = await connect(`http://127.0.0.1:${dead.port}/worlds/${id}/_mock`, { token });
    await mock.create.webhook({ url: `http://127.0.0.1:${receiver.address().port}/${id}`, events: ['project.created'] });
    worlds.push({ id, mock });
  }
  const problems = [];
  const owned = fleet.owned[0] - before;
  if (owned < WORLDS) problems.push(`the machine that is to die has ${owned} more objects for ${WORLDS} worlds`);
  for (let event = 1; event <= EVENTS; event++) {
    await Promise.all(worlds.map(({ mock }) => mock.create.project({ name: `Event ${event}` })));
    await sleep(700);
  }
  const firsts = new Map(heard.map((one) => [one.id, one]));
  if ([firsts.size, heard.length].some((count) => count !== WORLDS * EVENTS))
    problems.push(`${heard.length} first attempts for ${WORLDS * EVENTS} events`);
  await Promise.all(worlds.map(({ mock }) => mock.clock.advance('24s')));
  const due = ({ id }) => firsts.get(id).at + RETRY_MS - 24_000;
  status = 204;
  await dead.crash();
  const killed = Date.now();
  const retries = () => heard.filter((one) => one.status === 204);
  const until = killed + LONGEST_MS + RETRY_MS;
  while (retries().length < firsts.size && Date.now() < until) await sleep(100);
  // Nothing comes again, also not when the dead one is back.
  await sleep(10_000);
  await dead.start();
  await sleep(10_000);
  const late = retries().map((one) => one.at - due(one));
  if (retries().length !== firsts.size) problems.push(`${retries().length} retries for ${firsts.size} events`);
  if (new Set(retries().map(({ id }) => id)).size !== retries().length) problems.push('a retry was sent twice');
  if (Math.min(...late) < -100) problems.push(`a retry came ${-Math.min(...late)} ms before it was due`);
  if (Math.max(...late) > LONGEST_MS) problems.push(`a retry came ${Math.max(...late)} ms after it was due`);
  for (const { id } of worlds) {
    const names = retries().flatMap(({ world, name }) => (world === `/${id}` ? [name] : []));
    if (names.join() !== [...names].sort().join()) problems.push(`${id}: retries in the order ${names.join(', ')}`);
    const there = await connect(`http://127.0.0.1:${others[0].port}/worlds/${id}/_mock`, { token });
    const deliveries = (await there.deliveries).filter(({ url }) => url.includes(`/${id}`));
    const wrong = deliveries.filter(({ state, attempts }) => state !== 'delivered' || attempts.length !== 2);
    if (deliveries.length !== EVENTS || wrong.length > 0)
      problems.push(`${id}: ${deliveries.length} deliveries, ${wrong.length} of them not delivered in two attempts`);
  }
  receiver.close();
  const span = (numbers) => `${(Math.min(...numbers) / 1000).toFixed(1)} to ${(Math.max(...numbers) / 1000).toFixed(1)} s`;
  console.log(
    `${WORLDS} worlds were with a machine that was killed before ${firsts.size} retries fell due: ${retries().length} came, ${span(late)} after they were due, ${span(retries().map(({ at }) => at - killed))} after the kill`,
  );
  return problems;
};
