// What is asked of a server, and the proof that it answers rightly before it is timed.
import assert from 'node:assert/strict';
import { AUTHORIZED, STATUSES } from './seeds.mjs';

const DRAFT = {
  title: 'Answer the customer within a day',
  description: 'Look at what the customer wrote, find the cause, write a test that shows it, and tell them what was wrong.',
  due_date: '2030-01-31T12:00:00.000Z',
  priority: 'high',
  status: 'todo',
};

/**
 * `paths`: asked in turn, made from what `explore` found. `prove`: looks at the response to the first of them; lists hand in their items.
 * `page`: a list of twenty.
 */
export const SCENARIOS = {
  list: { page: true, paths: () => ['/tasks'] },
  filter: {
    page: true,
    paths: () => STATUSES.map((status) => `/tasks?filter%5Bstatus%5D=${status}`),
    prove: (items) => assert.ok(items.every(({ status }) => status === STATUSES[0])),
  },
  sort: {
    page: true,
    paths: () => ['/tasks?sort=due_date'],
    prove: (items) => {
      const dates = items.map((task) => task.due_date).filter(Boolean);
      assert.deepEqual(dates, [...dates].sort());
    },
  },
  deep: {
    page: true,
    paths: ({ cursors }) => cursors.map((cursor) => `/tasks?limit=20&cursor=${encodeURIComponent(cursor)}`),
    prove: (items, { firstPage }) => assert.ok(items.every(({ id }) => !firstPage.includes(id))),
  },
  read: { paths: ({ taskIds }) => taskIds.map((id) => `/tasks/${id}`) },
  create: { body: DRAFT, paths: ({ projectIds }) => projectIds.map((id) => `/projects/${id}/tasks`) },
};

/** A request of a scenario, for fetch. */
export const requestOf = ({ body }) =>
  body === undefined
    ? { method: 'GET', headers: AUTHORIZED }
    : { method: 'POST', headers: { ...AUTHORIZED, 'content-type': 'application/json' }, body: JSON.stringify(body) };

/** Asks one path and reads the JSON. @throws AssertionError unless it is answered with 200, or 201 to a body. */
export const ask = async (base, path, scenario = {}) => {
  const response = await fetch(base + path, requestOf(scenario));
  const text = await response.text();
  assert.equal(response.status, scenario.body ? 201 : 200, `${base}${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
};

/** Asks a scenario once and checks what comes. @param itemsOf where a list holds its items */
export const prove = async (base, name, paths, found, itemsOf = (page) => page.items) => {
  const scenario = SCENARIOS[name];
  const body = await ask(base, paths[0], scenario);
  if (scenario.page) assert.equal(itemsOf(body).length, 20, `${base}${paths[0]} holds ${itemsOf(body).length} items`);
  scenario.prove?.(scenario.page ? itemsOf(body) : body, found);
};

const thin = (values, most) => values.filter((_, index) => index % Math.ceil(values.length / most) === 0);

/** Walks the list until about 75 % of the tasks: cursors from 65 % on, and ids from everywhere on the way. */
export const explore = async (base, total) => {
  const projects = (await ask(base, '/projects?limit=100')).items.map(({ id }) => id);
  const people = (await ask(base, '/workspace/members?limit=100')).items.map(({ id }) => id);
  const found = { projects, people, projectIds: projects.slice(0, 10), cursors: [], taskIds: [], firstPage: [] };
  const pages = Math.floor((total * 0.75) / 100);
  let cursor = '';
  for (let page = 1; page <= pages; page++) {
    const { items, meta } = await ask(base, `/tasks?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    assert.equal(meta.total, total, `the server has ${meta.total} tasks, not the ${total} of its seed`);
    cursor = meta.next_cursor;
    if (page === 1) found.firstPage = items.map(({ id }) => id);
    if (page / pages >= 0.65 / 0.75) found.cursors.push(cursor);
    found.taskIds.push(items[page % items.length].id);
  }
  return { ...found, cursors: thin(found.cursors, 16), taskIds: thin(found.taskIds, 64) };
};

/** Queries that are meant to hurt, by name. */
export const adversarial = ({ projects, people }) => {
  const pairs = projects.flatMap((project) =>
    people.slice(0, 30).map((person) => `filter[project_id]=${project}&filter[assignee_id]=${person}`),
  );
  const queries = {
    'assignee and project, by title: hardly a match': pairs.map((pair) => `${pair}&sort=title`),
    'all four filters, by -due_date': pairs.map(
      (pair, i) => `${pair}&filter[status]=${STATUSES[i % 5]}&filter[priority]=high&sort=-due_date`,
    ),
    'a filter that nothing matches': ['filter[assignee_id]=user_nobody&sort=title'],
    'thousands of different lists in turn': STATUSES.flatMap((status) =>
      pairs.map((pair) => `${pair}&filter[status]=${status}&sort=-updated_at`),
    ),
  };
  return Object.fromEntries(Object.entries(queries).map(([name, all]) => [name, all.map((one) => encodeURI(`/tasks?${one}`))]));
};
