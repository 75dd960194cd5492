// Queries that are meant to hurt, beside the plain list, over HTTP on one connection.
import { send, wire } from './scenarios.mjs';

const PLAIN = 'the plain list';

/** @returns by query, the slices of each round. */
export async function measureAdversarial({ mock, rounds, ms, generator, say }) {
  const { port, found } = mock;
  const items = async (path) => JSON.parse((await send(port, { method: 'GET', path })).text).items;
  const people = (await items('/v1/workspace/members?limit=100')).map(({ id }) => id);
  const projects = (await items('/v1/projects?limit=100')).map(({ id }) => id);
  const statuses = ['backlog', 'todo', 'in_progress', 'in_review', 'done'];
  const cursorOf = async (path) => JSON.parse((await send(port, { method: 'GET', path })).text).meta.next_cursor;
  const pairs = projects.flatMap((project) =>
    people.slice(0, 30).map((person) => `filter[project_id]=${project}&filter[assignee_id]=${person}`),
  );
  const queries = {
    [PLAIN]: ['/v1/tasks'],
    'assignee and project, by title: hardly a match': pairs.map((pair) => `/v1/tasks?${pair}&sort=title`),
    'all four filters, by -due_date': pairs.map(
      (pair, i) => `/v1/tasks?${pair}&filter[status]=${statuses[i % 5]}&filter[priority]=high&sort=-due_date`,
    ),
    'a filter that nothing matches': ['/v1/tasks?filter[assignee_id]=user_nobody&sort=title'],
    'deep, by -title': await deep((cursor) => `/v1/tasks?limit=100&sort=-title${cursor}`, found, cursorOf),
    'thousands of different lists in turn': statuses.flatMap((status) =>
      pairs.map((pair) => `/v1/tasks?${pair}&filter[status]=${status}&sort=-updated_at`),
    ),
  };
  const requests = Object.fromEntries(
    Object.entries(queries).map(([name, paths]) => [
      name,
      paths.map((path) => wire(port, { method: 'GET', path: encodeURI(path) })),
    ]),
  );
  for (const [name, paths] of Object.entries(queries)) {
    const { status, text } = await send(port, { method: 'GET', path: encodeURI(paths[0]) });
    if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
  }
  const series = Object.fromEntries(Object.keys(queries).map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    say(`adversarial queries, round ${round + 1} of ${rounds}`);
    for (const name of Object.keys(queries)) {
      const slice = await generator.run({ name, port, requests: requests[name], connections: 1, ms });
      if (round >= 0) series[name].push(slice);
    }
  }
  return { plain: PLAIN, series };
}

/** Cursors of a hundred pages on, asked for twenty tasks each. */
async function deep(path, { total }, cursorOf) {
  let cursor = '';
  for (let page = 0; page < Math.min(100, total / 200); page++) cursor = `&cursor=${await cursorOf(path(cursor))}`;
  return [path(cursor).replace('limit=100', 'limit=20')];
}
