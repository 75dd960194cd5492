// What is asked of a server, and the proof that it answers rightly before it is timed.
import assert from 'node:assert/strict';
import { KEY } from './seeds.mjs';

export const STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];

/**
 * One scenario: its raw requests, made from what `explore` found; `prove` looks at the answer to the first of them.
 * `page` marks those that the bar on pages counts; `writes` those after which the server goes back to its seed.
 */
export const SCENARIOS = [
  {
    name: 'list',
    page: true,
    ask: () => ['/v1/tasks'].map(get),
    prove: ({ items, meta }, { total }) => {
      assert.equal(items.length, 20);
      assert.equal(meta.total, total);
      assert.equal(meta.has_more, true);
    },
  },
  {
    name: 'filter',
    page: true,
    ask: () => STATUSES.map((status) => get(`/v1/tasks?filter%5Bstatus%5D=${status}`)),
    prove: ({ items, meta }, { total }) => {
      assert.equal(items.length, 20);
      assert.ok(items.every((task) => task.status === STATUSES[0]));
      assert.ok(meta.total >= 20 && meta.total < total);
    },
  },
  {
    name: 'sort',
    page: true,
    ask: () => ['/v1/tasks?sort=due_date'].map(get),
    prove: ({ items, meta }, { total }) => {
      const dates = items.map((task) => task.due_date).filter(Boolean);
      assert.deepEqual(dates, [...dates].sort());
      assert.equal(items.length, 20);
      assert.equal(meta.total, total);
    },
  },
  {
    name: 'deep',
    page: true,
    ask: ({ cursors }) => cursors.map((cursor) => get(`/v1/tasks?limit=20&cursor=${encodeURIComponent(cursor)}`)),
    prove: ({ items, meta }, { total, firstPage }) => {
      assert.equal(items.length, 20);
      assert.equal(meta.total, total);
      assert.ok(items.every((task) => !firstPage.includes(task.id)));
    },
  },
  {
    name: 'read',
    ask: ({ taskIds }) => taskIds.map((id) => get(`/v1/tasks/${id}`)),
    prove: ({ data }, { taskIds }) => assert.equal(data.id, taskIds[0]),
  },
  {
    name: 'create',
    writes: true,
    expect: 201,
    ask: ({ projectIds }) => projectIds.map((id) => post(`/v1/projects/${id}/tasks`, draft)),
    prove: ({ data }) => assert.equal(data.title, draft.title),
  },
];

export const draft = {
  title: 'Answer the customer within a day',
  description: 'Look at what the customer wrote, find the cause, write a test that shows it, and tell them what was wrong.',
  due_date: '2030-01-31T12:00:00.000Z',
  priority: 'high',
  status: 'todo',
};

const get = (path) => ({ method: 'GET', path });
const post = (path, body) => ({ method: 'POST', path, body: JSON.stringify(body) });

/** Walks the list until about 75 % of the tasks, with 100 a page: cursors from 65 % on, and ids from everywhere on the way. */
export async function explore(port, total) {
  const ask = async (path) => JSON.parse((await send(port, get(path))).text);
  const found = { total, cursors: [], taskIds: [], projectIds: [], firstPage: [] };
  found.projectIds = (await ask('/v1/projects?limit=100')).items.slice(0, 10).map((project) => project.id);
  const pages = Math.floor((total * 0.75) / 100);
  let cursor = '';
  for (let page = 1; page <= pages; page++) {
    const { items, meta } = await ask(`/v1/tasks?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    assert.equal(meta.total, total, `the server has ${meta.total} tasks, not the ${total} of its seed`);
    cursor = meta.next_cursor;
    if (page === 1) found.firstPage = items.map((task) => task.id);
    if (page / pages >= 0.65 / 0.75) found.cursors.push(cursor);
    found.taskIds.push(items[page % items.length].id);
  }
  found.cursors = thin(found.cursors, 16);
  found.taskIds = thin(found.taskIds, 64);
  return found;
}

const thin = (values, most) => values.filter((_, index) => index % Math.ceil(values.length / most) === 0);

/** Asks each scenario once, checks the answer, and returns how long that first request of its shape took. */
export async function proveAll(port, scenarios, found) {
  const firstMs = {};
  await send(port, get('/v1/users/me'));
  for (const scenario of scenarios) {
    const started = performance.now();
    const { status, text } = await send(port, scenario.ask(found)[0]);
    firstMs[scenario.name] = performance.now() - started;
    assert.equal(status, scenario.expect ?? 200, `${scenario.name}: ${status} ${text}`);
    scenario.prove(JSON.parse(text), found);
  }
  return firstMs;
}

export async function send(port, { method, path, body }) {
  const headers = { authorization: `Bearer ${KEY}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body });
  return { status: response.status, text: await response.text() };
}

/** The request as it goes over the wire. */
export function wire(port, { method, path, body = '' }) {
  const entity = body && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\naccept: application/json\r\nauthorization: Bearer ${KEY}\r\n${entity}\r\n${body}`;
}
