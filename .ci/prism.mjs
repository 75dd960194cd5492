// Prism stands between a scripted session and the mock, and compares every request and answer with the OpenAPI document.
// Sound requests pass a Prism that turns each violation into an error; deliberately bad ones a Prism that only reports, and there
// the answers alone must be without violation.
import { freePort, start, startMock } from './start.mjs';
import { tool } from './tools.mjs';

const startPrism = async (upstream, ...flags) => {
  const port = await freePort();
  const args = ['proxy', 'openapi/openapi.json', upstream, '--port', String(port), ...flags];
  const { stop } = await start(tool('prism'), args, (line) => (line.includes('Prism is listening') ? true : undefined));
  return { url: `http://127.0.0.1:${port}`, stop };
};

const [unlimited, free] = await Promise.all([startMock('--plan', 'unlimited'), startMock('--plan', 'free')]);
const [strict, tolerant] = await Promise.all([startPrism(unlimited.baseUrl, '--errors'), startPrism(free.baseUrl)]);

const problems = [];
let exchanges = 0;
let mistakesSeen = 0;

const send = async (proxy, bad, status, method, path, { key = unlimited.key('admin'), body, raw, headers = {} } = {}) => {
  const hasBody = body !== undefined || raw !== undefined;
  const response = await fetch(proxy.url + path, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(hasBody ? { body: raw ?? JSON.stringify(body) } : {}),
  });
  exchanges++;
  const text = await response.text();
  const reported = JSON.parse(response.headers.get('sl-violations') ?? '[]');
  if (bad && reported.length > 0) mistakesSeen++;
  const violations = reported.filter(({ location: [where] }) => !bad || where === 'response');
  if (violations.length > 0) problems.push(`${method} ${path}: ${JSON.stringify(violations)}`);
  if (response.status !== status) problems.push(`${method} ${path}: expected ${status}, got ${response.status} ${text}`);
  return text === '' || response.status === 413 ? undefined : JSON.parse(text);
};

const sound = (...args) => send(strict, false, ...args);
const bad = (...args) => send(tolerant, true, ...args);

const write = { key: unlimited.key('write') };
const read = { key: unlimited.key('read') };

const session = async () => {
  const { data: me } = await sound(200, 'GET', '/users/me');
  const { items: members } = await sound(200, 'GET', '/workspace/members?limit=50', read);
  const { data: project } = await sound(201, 'POST', '/projects', {
    body: { name: 'Prism', description: null, visibility: 'team' },
    ...write,
  });
  const at = `/projects/${project.id}`;
  await sound(200, 'GET', at, read);
  await sound(200, 'PATCH', at, { body: { visibility: 'public', description: 'Between two ports.' } });
  await sound(200, 'GET', '/projects?filter[visibility]=public&sort=-created_at&limit=2');
  const draft = { title: 'Compare', assignee_id: me.id, due_date: '2025-03-01T12:00:00+01:00', priority: 'high', status: 'todo' };
  const { data: task } = await sound(201, 'POST', `${at}/tasks`, { body: draft });
  for (const title of ['Second', 'Third']) await sound(201, 'POST', `${at}/tasks`, { body: { title } });
  const { meta } = await sound(200, 'GET', `${at}/tasks?limit=2&sort=title`, read);
  await sound(200, 'GET', `${at}/tasks?limit=2&sort=title&cursor=${encodeURIComponent(meta.next_cursor)}`, read);
  await sound(
    200,
    'GET',
    `/tasks?filter[status]=todo&filter[priority]=high&filter[project_id]=${project.id}&filter[assignee_id]=${me.id}`,
  );
  for (const field of ['due_date', 'created_at', 'updated_at', 'title'])
    await sound(200, 'GET', `/tasks?sort=-${field}&limit=100`);
  await sound(200, 'GET', `/tasks/${task.id}`);
  await sound(200, 'PATCH', `/tasks/${task.id}`, { body: { status: 'done', assignee_id: null, due_date: null } });
  await sound(200, 'GET', `/tasks/${task.id}/comments`);
  const { items: tasks } = await sound(200, 'GET', '/tasks?limit=100');
  for (const { id } of tasks.slice(0, 10)) await sound(200, 'GET', `/tasks/${id}/comments?limit=5`, read);
  const { data: team } = await sound(201, 'POST', '/teams', {
    body: { name: 'Prism', member_ids: members.slice(0, 2).map(({ id }) => id) },
  });
  await sound(200, 'GET', '/teams?limit=5&sort=-updated_at', read);
  await sound(200, 'GET', `/teams/${team.id}`, read);
  await sound(201, 'POST', '/webhooks', { body: { url: 'http://127.0.0.1:9/hook', events: ['task.created', 'member.joined'] } });
  await sound(201, 'POST', '/webhooks', { body: { url: 'https://hooks.acme.test/all' } });
  // Requests that fit the document and are refused all the same.
  await sound(409, 'POST', '/teams', { body: { name: 'Prism' } });
  await sound(422, 'POST', '/teams', { body: { name: 'Strangers', member_ids: ['user_nobody'] } });
  await sound(422, 'POST', `${at}/tasks`, { body: { title: 'x', assignee_id: team.id } });
  await sound(403, 'POST', '/projects', { body: { name: 'No' }, ...read });
  await sound(403, 'DELETE', `/tasks/${task.id}`, read);
  await sound(401, 'GET', '/projects', { key: 'wm_nobody' });
  await sound(400, 'GET', '/tasks?cursor=altered');
  for (const path of [
    '/projects/proj_no',
    '/projects/proj_no/tasks',
    '/tasks/task_no',
    '/tasks/task_no/comments',
    '/teams/team_no',
  ]) {
    await sound(404, 'GET', path);
  }
  await sound(204, 'DELETE', `/teams/${team.id}`);
  await sound(204, 'DELETE', `/tasks/${task.id}`, write);
  await sound(404, 'GET', `/tasks/${task.id}`);
  await sound(204, 'DELETE', at);
  await sound(404, 'PATCH', at, { body: { name: 'Gone' } });
  await sound(404, 'DELETE', at);
};

const mistakes = async () => {
  const { items } = await bad(200, 'GET', '/projects?limit=1');
  const at = `/projects/${items[0].id}`;
  await bad(401, 'GET', '/tasks', { key: null });
  await bad(401, 'GET', '/tasks', { key: null, headers: { authorization: 'Basic YTpi' } });
  for (const query of ['limit=0', 'limit=101', 'limit=ten', 'sort=priority', 'filter[status]=doing', 'filter[colour]=red']) {
    await bad(400, 'GET', `/tasks?${query}`);
  }
  await bad(400, 'GET', '/projects?sort=name');
  await bad(400, 'GET', '/workspace/members?sort=created_at');
  for (const raw of ['', '{', '[]', 'null']) await bad(400, 'POST', '/projects', { raw });
  await bad(400, 'POST', '/projects', { raw: '{"name":"x"}', headers: { 'content-type': 'text/plain' } });
  await bad(400, 'POST', '/projects', { body: {} });
  await bad(400, 'PATCH', at, { body: { name: null } });
  await bad(422, 'PATCH', at, { body: { name: 'x'.repeat(151) } });
  await bad(400, 'POST', `${at}/tasks`, { body: { title: 5, priority: 'hot' } });
  await bad(422, 'POST', `${at}/tasks`, { body: { title: '', due_date: 'soon', status: 'doing' } });
  await bad(400, 'POST', '/teams', { body: { name: 'x', member_ids: 'user_ada' } });
  await bad(422, 'POST', '/teams', { body: { name: 'x'.repeat(101) } });
  await bad(422, 'POST', '/webhooks', { body: { url: 'ftp://acme.test', events: ['task.eaten'] } });
  await bad(413, 'POST', '/projects', { body: { name: 'x', description: 'x'.repeat(2 ** 20) } });
  for (let sent = 0; sent < 60; sent++)
    await fetch(`${free.baseUrl}/users/me`, { headers: { authorization: `Bearer ${free.key('admin')}` } });
  await bad(429, 'GET', '/users/me');
};

try {
  await session();
  await mistakes();
} catch (error) {
  problems.push(error.stack);
} finally {
  await Promise.all([strict, tolerant, unlimited, free].map(({ stop }) => stop()));
}

if (mistakesSeen < 10) problems.push(`Prism noticed only ${mistakesSeen} of the deliberate mistakes: it does not look`);
for (const problem of problems) console.error(problem);
console.log(`prism proxy: ${exchanges} exchanges, ${mistakesSeen} deliberate mistakes noticed, ${problems.length} violations`);
process.exitCode = problems.length > 0 ? 1 : 0;
