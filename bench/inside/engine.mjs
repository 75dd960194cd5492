// The store alone, without HTTP: typical and adversarial queries, first queries, writes, bytes. `node --expose-gc engine.mjs <seed> <ms>`
import { readFileSync } from 'node:fs';
import { loadRooms } from './rooms.mjs';
import { heapBytes, timed } from './timing.mjs';

const [file, ms = '300'] = process.argv.slice(2);
const { toSeed, World, View } = await loadRooms();
const SIX = [[], ['status'], ['project_id'], ['assignee_id'], ['assignee_id', 'status'], ['priority']];

const seed = await toSeed({ seed: readFileSync(file, 'utf8') });
const [{ tasks, projects, users }] = seed.workspaces;
const count = tasks.length;
const bytes = {};
const world = World.plant(seed);
await new Promise((settled) => setTimeout(settled, 50));
const empty = heapBytes();
const clean = World.plant(seed).store.tasks;
bytes.rows = (heapBytes() - empty) / count;

const key = world.store.keys.all()[0].value;
const view = new View(world, { key, user: world.store.users.get(key.user_id).value, workspace: seed.workspaces[0].id });
const shapeOf = (equal, sort) => {
  const descending = sort.startsWith('-');
  return { equal, by: descending ? sort.slice(1) : sort, descending, nulls: 'last' };
};
/** What a page costs the store: the list, the place of the cursor, the rows, the total. */
const ask = ({ shape, values, after }) => {
  const list = view.list('tasks', shape, values);
  return list.total + list.rows(after ? list.before(after) : 0, 20).length;
};

const sorts = ['created_at', '-created_at', 'due_date', 'title', '-updated_at', 'created_at'];
const rows = heapBytes();
for (const [i, equal] of SIX.entries()) {
  const query = { shape: shapeOf(equal, sorts[i]), values: equal.map((field) => tasks[0][field] ?? '') };
  // A shape with filters has its index from the second query on.
  ask(query);
  ask(query);
}
bytes.sixShapes = (heapBytes() - rows) / count;

let state = 7;
const dice = (below) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const any = (among) => among[dice(among.length)];
const all = world.store.tasks.all();
const placeOf = (row, by) => ({ value: row.value[by] ?? null, sequence: row.sequence });

/** Queries of a kind, drawn beforehand. `cursors`: how many of ten go on from somewhere in their own list. */
const draw = (equal, sort, { cursors = 3, many = 500, values } = {}) =>
  Array.from({ length: many }, () => {
    const like = any(all);
    const shape = shapeOf(equal, sort);
    return {
      shape,
      values: values?.() ?? equal.map((field) => like.value[field] ?? ''),
      after: dice(10) < cursors ? placeOf(like, shape.by) : undefined,
    };
  });

const TYPICAL = {
  list: draw([], 'created_at'),
  status: draw(['status'], 'created_at'),
  project: draw(['project_id'], 'created_at'),
  assignee: draw(['assignee_id'], 'created_at'),
  'assignee and status': draw(['assignee_id', 'status'], 'due_date'),
  'project and status': draw(['project_id', 'status'], 'created_at'),
  'newest first': draw([], '-created_at'),
  'by title': draw([], 'title'),
  'by update': draw([], '-updated_at'),
  'status and priority': draw(['priority', 'status'], 'due_date'),
};
const people = users.map(({ id }) => id);
const ADVERSARIAL = {
  'assignee and project, by title: hardly a match': draw(['assignee_id', 'project_id'], 'title', {
    many: 5000,
    values: () => [any(people), any(projects).id],
  }),
  'all four filters, by -due_date': draw(['assignee_id', 'priority', 'project_id', 'status'], '-due_date', { many: 5000 }),
  'deep, by -title': draw([], '-title', { cursors: 10 }),
  'deep among equal values, by -due_date': draw(['status'], '-due_date', { cursors: 10 }),
  'a filter that nothing matches': draw(['assignee_id'], 'title', { values: () => ['user_nobody'] }),
  'thousands of different lists in turn': draw(['assignee_id', 'project_id', 'status'], '-updated_at', { many: 20_000 }),
};

/** A first query without filters makes its index, another one filters and sorts; the naive way filters and sorts everything, each time. */
const firsts = [];
for (const query of [...Object.values(TYPICAL), ...Object.values(ADVERSARIAL)].map(([first]) => first)) {
  const { shape, values } = query;
  const began = performance.now();
  const list = clean.list(shape, seed.workspaces[0].id, values);
  list.rows(0, 20);
  const first = performance.now() - began;
  const again = performance.now();
  const sign = shape.descending ? -1 : 1;
  const found = tasks
    .filter((task) => shape.equal.every((field, i) => task[field] === values[i]))
    .sort((a, b) => (a[shape.by] === b[shape.by] ? 0 : (a[shape.by] ?? '~') < (b[shape.by] ?? '~') ? -sign : sign));
  found.slice(0, 20);
  firsts.push({ first, naive: performance.now() - again });
  if (found.length !== list.total) throw new Error(`${shape.equal} by ${shape.by}: ${list.total} tasks, not ${found.length}`);
}

const write = () => {
  const row = view.find('tasks', any(all).value.id);
  const { status } = row.value;
  view.update('tasks', row, {
    ...row.value,
    status: status === 'done' ? 'todo' : 'done',
    due_date: `20${30 + dice(60)}-01-01T00:00:00.000Z`,
  });
};

for (const queries of Object.values(TYPICAL)) for (const query of queries) ask(query);
const typical = Object.values(TYPICAL).flat();
const mixed = [];
const mix = timed((i) => {
  if (i % 10 === 9) return write();
  const began = performance.now();
  ask(any(typical));
  mixed.push((performance.now() - began) * 1000);
}, Number(ms) * 4);
const sorted = mixed.sort((a, b) => a - b);
const reads = { p50: sorted[sorted.length >> 1], p99: sorted[Math.floor(sorted.length * 0.99)], runs: mix.runs };

const kinds = Object.fromEntries(
  Object.entries(TYPICAL).map(([name, queries]) => [name, timed((i) => ask(queries[i % queries.length]), Number(ms))]),
);
for (const [first, second] of Object.values(ADVERSARIAL)) {
  ask(first);
  ask(second);
}
const adversarial = Object.fromEntries(
  Object.entries(ADVERSARIAL).map(([name, queries]) => [name, timed((i) => ask(queries[i % queries.length]), Number(ms))]),
);
const writes = timed(write, Number(ms));
console.log(JSON.stringify({ count, bytes, firsts, reads, kinds, adversarial, writes }));
