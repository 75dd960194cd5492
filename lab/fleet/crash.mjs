// Load on many worlds while machines die: a history of every request is written down, and read beside what the service shows then.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { words } from '../shared.mjs';
import { ask, LONGEST_MS } from './client.mjs';
import { isAcknowledged, isChange, judge } from './history.mjs';
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
    if (status === 200) {
      items.push(...said.items.map(({ id, title }) => ({ id, title })));
      if (!said.meta.has_more) return { items, total: said.meta.total };
      cursor = `&cursor=${said.meta.next_cursor}`;
    } else if (performance.now() > until) return undefined;
    else await sleep(300);
  }
};

/** What a client does in ten turns, with tasks of its own. */
const TURNS = words('create create create update delete create create create update read');
const METHODS = { create: 'POST', update: 'PATCH', read: 'GET', delete: 'DELETE' };

/** One client: creates, changes, deletes and reads tasks of its own, one after the other, and writes down what it was told. */
const client = async (origin, world, name, note, goesOn) => {
  const own = [];
  for (let turn = 0; goesOn(); turn++) {
    const at = (turn * 7) % Math.max(own.length, 1);
    const id = own[at];
    const op = own.length === 0 ? 'create' : TURNS[turn % TURNS.length];
    const title = op === 'create' || op === 'update' ? `${name} ${turn}` : undefined;
    const path = `/worlds/${world}/v1/${op === 'create' ? 'projects/proj_c/tasks' : `tasks/${id}`}`;
    const begin = performance.now();
    const { status, said } = await ask(origin, KEY, METHODS[op], path, title && { title });
    const event = { world, op, id, title, begin, end: performance.now(), status, ...(status >= 400 && { said }) };
    if (op === 'create') event.id = said?.data?.id;
    if (op === 'create' && status === 201) own.push(event.id);
    if (op === 'read' && status === 200) event.items = [{ id, title: said.data.title }];
    if (op === 'read' && status === 404) event.items = [];
    if (op === 'delete') own.splice(at, 1);
    note(event);
    if (status === 0 || status >= 500) await sleep(100 + Math.random() * 200);
  }
};

const walker = async (origin, world, note, goesOn) => {
  while (goesOn()) {
    const begin = performance.now();
    const walked = await walk(origin, world, begin + 2 * LONGEST_MS);
    if (walked) note({ world, op: 'walk', begin, end: performance.now(), items: walked.items, status: 200 });
    await sleep(3000);
  }
};

const kill = async (fleet, reached, says, meanwhile) => {
  for (let i = 1; i <= TIMES; i++) {
    await reached(i / (TIMES + 1));
    const { owner } = fleet;
    await owner.crash();
    await meanwhile?.(owner);
    await owner.start();
  }
  return `${TIMES} times the machine with most worlds was killed, ${says}`;
};

/** What goes wrong meanwhile. Each waits until so many more changes were acknowledged. */
const HARM = {
  kill: (fleet, reached) => kill(fleet, reached, 'and started again on its disk'),
  // Longer than its lease: others take its worlds over.
  disk: (fleet, reached) =>
    kill(fleet, reached, 'its disk deleted, and started again 25 s later', (machine) => machine.wipe().then(() => sleep(25_000))),
  roll: async (fleet, _, goesOn) => {
    let times = 0;
    for (; goesOn(); times += 1) {
      await fleet.machines[times % fleet.machines.length].renew();
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
  const history = [];
  let acked = 0;
  const note = (event) => {
    history.push(event);
    if (isChange(event) && isAcknowledged(event)) acked += 1;
  };
  const begun = performance.now();
  const isShort = () => acked < wanted;
  let over = false;
  const goesOn = () => !over || isShort();
  const reached = async (share) => {
    while (acked < share * wanted) await sleep(50);
  };
  const harm = HARM[how](fleet, reached, isShort).finally(() => (over = true));
  const load = worlds.flatMap((world, w) => [
    ...Array.from({ length: CLIENTS }, (_, c) => client(origin, world, `${w}.${c}`, note, goesOn)),
    walker(origin, world, note, goesOn),
  ]);
  const done = await harm;
  await Promise.all(load);
  const took = ((performance.now() - begun) / 1000).toFixed(0);
  writeFileSync(join(fleet.folder, 'history.jsonl'), history.map((event) => `${JSON.stringify(event)}\n`).join(''));
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
  const { counts, problems: found } = judge(history, ends);
  const { requests, acknowledged, unanswered, walks, lost, twice, open, longest } = counts;
  const falls = fleet.machines.reduce((sum, machine) => sum + machine.falls, 0);
  console.log(
    `${done}; ${falls} machines ended by themselves. In ${took} s ${requests} requests, ${acknowledged} changes acknowledged, ${unanswered} not answered (${open} of their creates had happened), ${walks} walks; ${lost} lost, ${twice} seen twice; longest time without a change in a world ${(longest / 1000).toFixed(1)} s`,
  );
  return [...problems, ...found, ...(acknowledged < wanted ? [`only ${acknowledged} of ${wanted} changes`] : [])];
};
