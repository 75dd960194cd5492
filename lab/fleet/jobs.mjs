// Jobs of a CI, each in a world of its own: fork with keys of its own, ask 200 times, delete; meanwhile machines are restarted.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from '../../.ci/tools.mjs';
import { ask } from './client.mjs';
import { OWNER, tenantAt } from './machines.mjs';

const LANES = 12;
const REQUESTS = 200;
const RETRY_MS = 1000;
/** How often one request is asked at most. */
const TRIES = 40;
const DEMO = readFileSync(join(ROOT, 'fixtures/demo.yaml'), 'utf8').replaceAll(/plan: (business|pro)/g, 'plan: unlimited');

class Failure extends Error {}

/** One job. It checks each answer; what may have happened it looks at, and asks again, as the service says. @throws Failure */
const job = async (origin, token, number, counts) => {
  const once = (...call) => {
    counts.asked += 1;
    return ask(origin, ...call);
  };
  /** @param look says what is there of a request that may have happened; undefined: nothing, ask again */
  const expect = async (status, key, method, path, body, look = () => undefined) => {
    for (let tries = 1; ; tries++) {
      const answer = await once(key, method, path, body);
      if (answer.status === status) return answer.said;
      // Deleted by the try before.
      if (method === 'DELETE' && tries > 1 && answer.status === 404) return undefined;
      if (![0, 503].includes(answer.status) || tries === TRIES)
        throw new Failure(`${method} ${path}: ${answer.status} for ${status} ${JSON.stringify(answer.said ?? '').slice(0, 300)}`);
      counts.again += 1;
      await sleep(RETRY_MS);
      const there = await look();
      if (there) return there;
    }
  };
  const path = `/worlds/jobs/_mock/worlds/jobs~job-${number}`;
  const look = async () => {
    const { status } = await once(token, 'DELETE', path);
    if (status === 0 || status === 503) await look();
  };
  const world = await expect(201, token, 'POST', '/worlds/jobs/_mock/worlds', { id: `job-${number}`, mint_keys: true }, look);
  const key = world.keys.find(({ scope, value }) => scope === 'admin' && value.startsWith(`wm_${world.id}_`)).value;
  let asked = 0;
  // Half the jobs know their world's address, half only their key.
  const root = number % 2 === 0 ? '/v1' : `/worlds/${world.id}/v1`;
  const v1 = (status, method, path, body, seen) => {
    asked += 1;
    return expect(status, key, method, root + path, body, seen);
  };
  /** Creates what has a name of its own, once. */
  const create = async (path, field, name) => {
    const found = async () => {
      const { items } = await expect(200, key, 'GET', `${root}${path}?limit=100&sort=-created_at`);
      const own = items.filter((one) => one[field] === name);
      if (own.length > 1) throw new Failure(`${name} is there ${own.length} times`);
      return own[0] && { data: own[0] };
    };
    return (await v1(201, 'POST', path, { [field]: name }, found)).data;
  };
  const project = await create('/projects', 'name', `Job ${number}`);
  const { meta: before } = await v1(200, 'GET', '/tasks?limit=1');
  let there = 0;
  while (asked < REQUESTS - 1) {
    const title = `Task ${asked}`;
    const task = await create(`/projects/${project.id}/tasks`, 'title', title);
    there += 1;
    const { data: changed } = await v1(200, 'PATCH', `/tasks/${task.id}`, { title: `${title} again` });
    if (changed.title !== `${title} again`) throw new Failure(`${task.id} is called ${changed.title}`);
    const { meta, items } = await v1(200, 'GET', `/projects/${project.id}/tasks?limit=5&sort=-created_at`);
    if (meta.total !== there || !items.some((one) => one.id === task.id)) throw new Failure(`${meta.total} tasks for ${there}`);
    await v1(200, 'GET', `/tasks/${task.id}`);
    if (asked % 3 === 0) {
      await v1(204, 'DELETE', `/tasks/${task.id}`);
      there -= 1;
    }
  }
  const { meta: after } = await v1(200, 'GET', '/tasks?limit=1');
  if (after.total !== before.total + there) throw new Failure(`${after.total} tasks for ${before.total + there}`);
  await expect(204, token, 'DELETE', path);
  await expect(404, key, 'GET', `/worlds/${world.id}/v1/tasks`);
};

const tenant = async (origin) => (await ask(origin, OWNER, 'GET', '/_hosted/tenants')).said.items.find(({ id }) => id === 'jobs');

export const jobs = async (fleet, { jobs: wanted }) => {
  const { origin, bucket } = fleet;
  const { token } = await tenantAt(origin, 'jobs', { seed: DEMO });
  // The directory hears of the first world, and the origin is kept.
  const before = { ...(await tenant(origin)), keys: bucket.keys.length };
  const problems = [];
  let [begun, done] = [0, 0];
  const counts = { asked: 0, again: 0 };
  const restart = async () => {
    for (const [i, machine] of fleet.machines.entries()) {
      while (done < ((i + 1) / (fleet.machines.length + 1)) * Number(wanted)) await sleep(50);
      await machine.renew();
    }
  };
  const restarted = restart();
  const start = performance.now();
  const lane = async () => {
    while (begun < Number(wanted)) {
      begun += 1;
      try {
        await job(origin, token, begun, counts);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        problems.push(error.message);
      }
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const seconds = (performance.now() - start) / 1000;
  await restarted;
  const after = await tenant(origin);
  // What was held for a minute goes with the next round.
  await sleep(1000);
  console.log(
    `${done} jobs in ${seconds.toFixed(0)} s, ${counts.asked} requests, ${counts.again} of them asked again after a 503 or a lost connection, ${problems.length} jobs failed; each machine was restarted once, its disk deleted`,
  );
  console.log(
    `left over: ${after.worlds} world of the tenant (${before.worlds} before), ${after.bytes} bytes (${before.bytes}); in the bucket ${bucket.keys.length} objects (${before.keys})`,
  );
  if (after.worlds !== before.worlds) problems.push(`${after.worlds - before.worlds} worlds are left over`);
  return problems;
};
