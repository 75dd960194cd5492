// Load on many worlds while machines die: a history of every request is written down, and read beside what the service shows then.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask, LONGEST_MS } from './client.mjs';
import { History, judge, readHistory } from './history.mjs';
import { KEY, SEED, tenantAt } from './machines.mjs';

const WORLDS = 12;
/** Of each world; each has tasks of its own. */
const CLIENTS = 3;
const TIMES = 5;
/** All pages of the tasks of a world. A page that fails is asked for again. @returns undefined when it goes on failing */
const walk = async (origin, world, until) => {
  const items = [];
  for (let cursor = ''; ; ) {
    const { status, said } = await ask(origin, KEY, 'GET', `/worlds/${world}/v1/tasks?sort=created_at&limit=100${cursor}`);
    if (status !== 200) {
      if (performance.now() > until) return undefined;
      await sleep(300);
      continue;
    }
    items.push(...said.items.map(({ id, title }) => ({ id, title })));
    if (!said.meta.has_more) return { items, total: said.meta.total };
    cursor = `&cursor=${said.meta.next_cursor}`;
  }
};

/** One client: creates, changes, deletes and reads tasks of its own, one after the other, and writes down what it was told. */
const client = async (origin, world, name, history, goesOn) => {
  const own = [];
  for (let turn = 0; goesOn(); turn++) {
    const title = `${name} ${turn}`;
    const at = own.length === 0 ? -1 : (turn * 7) % own.length;
    const what = at < 0 || turn % 5 < 3 ? 'create' : turn % 5 === 3 ? 'update' : turn % 10 === 4 ? 'delete' : 'read';
    const path = `/worlds/${world}/v1/tasks/${own[at]}`;
    const call = {
      create: ['POST', `/worlds/${world}/v1/projects/proj_c/tasks`, { title }],
      update: ['PATCH', path, { title }],
      read: ['GET', path],
      delete: ['DELETE', path],
    }[what];
    const event = { world, op: what, title, begin: performance.now() };
    const answer = await ask(origin, KEY, ...call);
    event.id = what === 'create' ? answer.said?.data?.id : own[at];
    if (what === 'create' && answer.status === 201) own.push(event.id);
    if (what === 'read') event.title = answer.said?.data?.title;
    if (what === 'delete') own.splice(at, 1);
    history.add({ ...event, end: performance.now(), status: answer.status, ...(answer.status >= 400 && { said: answer.said }) });
    if (answer.status === 0 || answer.status >= 500) await sleep(100 + Math.random() * 200);
  }
};

const walker = async (origin, world, history, goesOn) => {
  while (goesOn()) {
    const begin = performance.now();
    const walked = await walk(origin, world, begin + 2 * LONGEST_MS);
    if (walked)
      history.add({ world, op: 'walk', begin, end: performance.now(), ids: walked.items.map(({ id }) => id), status: 200 });
    await sleep(3000);
  }
};

const kills =
  (says, meanwhile = () => {}) =>
  async (fleet, reached) => {
    for (let i = 1; i <= TIMES; i++) {
      await reached(i / (TIMES + 1));
      const { owner } = fleet;
      await owner.crash();
      await meanwhile(owner);
      await owner.start();
    }
    return `${TIMES} times the machine with most worlds was killed, ${says}`;
  };

/** What goes wrong meanwhile. Each waits until so many more changes were acknowledged. */
const HARM = {
  kill: kills('and started again on its disk'),
  // Longer than its lease: others take its worlds over.
  disk: kills('its disk deleted, and started again 25 s later', async (machine) => {
    await machine.wipe();
    await sleep(25_000);
  }),
  roll: async (fleet, _, goesOn) => {
    let times = 0;
    while (goesOn()) {
      const machine = fleet.machines[times % fleet.machines.length];
      await machine.renew();
      times += 1;
      await sleep(1000);
    }
    return `${times} times a machine was told to stop, its disk deleted, and started again`;
  },
  bucket: async (fleet, _, goesOn) => {
    const { bucket } = fleet;
    bucket.errors = 0.05;
    const begun = performance.now();
    // One answer of twenty comes two seconds late; of each minute, for fifteen seconds, all do.
    bucket.delay = () => ((performance.now() - begun) % 60_000 > 45_000 || Math.random() < 0.05 ? 2000 : 5);
    while (goesOn()) await sleep(200);
    bucket.errors = 0;
    bucket.delay = () => 0;
    return `the bucket failed ${bucket.failed} requests of ${Object.values(bucket.counts).reduce((a, b) => a + b)}, and was 2 s late`;
  },
};

export const crash = async (fleet, { how, changes }) => {
  const { origin } = fleet;
  const wanted = Number(changes);
  const { token } = await tenantAt(origin, 'crash', { seed: SEED });
  const worlds = [];
  for (let i = 0; i < WORLDS; i++) {
    const { status, text } = await ask(origin, token, 'POST', '/worlds/crash/_mock/worlds', { id: `w${i}` });
    if (status !== 201) throw new Error(`world ${i}: ${status} ${text}`);
    worlds.push(`crash~w${i}`);
  }
  const history = new History(join(fleet.folder, `history-${how}.jsonl`));
  const begun = performance.now();
  const isShort = () => history.acknowledged < wanted;
  let over = false;
  const goesOn = () => !over || isShort();
  const reached = async (share) => {
    while (history.acknowledged < share * wanted) await sleep(50);
  };
  const harm = HARM[how](fleet, reached, isShort).finally(() => {
    over = true;
  });
  const load = worlds.flatMap((world, w) => [
    ...Array.from({ length: CLIENTS }, (_, c) => client(origin, world, `${w}.${c}`, history, goesOn)),
    walker(origin, world, history, goesOn),
  ]);
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(0);
  const report = () => console.log(`  ${seconds()} s: ${history.acknowledged} acknowledged, ${history.failed} not`);
  const progress = setInterval(report, 20_000);
  const done = await harm;
  await Promise.all(load);
  clearInterval(progress);
  const took = seconds();
  await history.close();
  // What is read at the end comes from the bucket alone.
  await fleet.loseDisks();
  const ends = {};
  const problems = [];
  for (const world of worlds) {
    const walked = await walk(origin, world, performance.now() + LONGEST_MS);
    ends[world] = walked?.items ?? [];
    if (walked?.total !== ends[world].length)
      problems.push(`${world}: ${ends[world].length} tasks on its pages, ${walked?.total} said`);
  }
  const { counts, problems: found } = judge(readHistory(history.file), ends);
  const { requests, acknowledged, unanswered, walks, lost, twice, open, longest } = counts;
  const falls = fleet.machines.reduce((sum, machine) => sum + machine.falls, 0);
  console.log(
    `${done}; ${falls} machines ended by themselves. In ${took} s ${requests} requests, ${acknowledged} changes acknowledged, ${unanswered} not answered (${open} of their creates had happened), ${walks} walks; ${lost} lost, ${twice} seen twice; longest time without a change in a world ${(longest / 1000).toFixed(1)} s`,
  );
  return [...problems, ...found, ...(acknowledged < wanted ? [`only ${acknowledged} of ${wanted} changes`] : [])];
};
