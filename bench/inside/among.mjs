// A query among writes: what a page of tasks costs the store, by itself, when one call in ten changes a task.
// Usage: node among.mjs <seed> <calls>
import { createMock } from '../../dist/node/index.js';
import { median } from '../statistics.mjs';

const [seed, calls] = process.argv.slice(2);
const mock = await createMock({ seed });
const { tasks } = mock.world.store;
const rows = tasks.all();

let state = 7;
const below = (n) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * n);
};
const any = (list) => list[below(list.length)];

/** The fields held equal, and the sort. */
const KINDS = [
  [[], 'created_at'],
  [['status'], 'created_at'],
  [['project_id'], 'created_at'],
  [['assignee_id'], 'created_at'],
  [['assignee_id', 'status'], 'due_date'],
  [['project_id', 'status'], 'created_at'],
  [[], '-created_at'],
  [[], 'title'],
  [[], '-updated_at'],
  [['priority', 'status'], 'due_date'],
];
/** Three in ten go on from somewhere in their own list. */
const queries = KINDS.flatMap(([equal, sort]) =>
  Array.from({ length: 500 }, () => {
    const { value, sequence, workspace } = any(rows);
    const by = sort.replace('-', '');
    return {
      shape: { equal, by, descending: sort !== by, nulls: 'last' },
      workspace,
      values: equal.map((field) => value[field] ?? ''),
      after: below(10) < 3 ? { value: value[by] ?? null, sequence } : undefined,
    };
  }),
);
const ask = ({ shape, workspace, values, after }) => {
  const list = tasks.list(shape, workspace, values);
  return list.total + list.rows(after ? list.before(after) : 0, 20).length;
};
const write = () =>
  mock.update.task(any(rows).value.id, {
    status: any(['todo', 'in_progress', 'done']),
    due_date: `20${30 + below(60)}-01-01T00:00:00.000Z`,
  });

for (const query of queries) ask(query);
const took = [];
for (let i = 0; i < Number(calls); i++) {
  if (i % 10 === 9) write();
  else {
    const query = any(queries);
    const began = performance.now();
    ask(query);
    took.push((performance.now() - began) * 1000);
  }
}
console.log(JSON.stringify({ micros: median(took) }));
await mock.close();
