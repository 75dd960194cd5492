// What the specification demands of the server without faults: the answers of one style are collected, and each sentence is a predicate on them.
import type { Service } from './service/service.ts';
import { dig, idOf, itemsOf, type Reply, Session } from './session.ts';
import type { StyleName } from './styles.ts';

/** A sentence of the specification, and whether it holds. */
export type Finding = readonly [sentence: string, holds: boolean];

const REFUSED = [400, 422];
const isTime = (value: unknown): boolean =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)$/.test(value) &&
  !Number.isNaN(Date.parse(value));
const code = (reply: Reply) => dig(reply.json, 'error', 'code');
const data = (reply: Reply, ...path: string[]) => dig(reply.json, 'data', ...path);
const meta = (reply: Reply, name: string) => dig(reply.json, 'meta', name);
const failing = (reply: Reply): unknown[] => {
  const fields = dig(reply.json, 'error', 'details', 'fields');
  return Array.isArray(fields) ? fields.map((each) => dig(each, 'field')) : [];
};

const projectSentences = async (s: Session): Promise<Finding[]> => {
  const made = await s.call('write', 'POST', '/projects', { name: 'p'.repeat(150), description: 'd'.repeat(1000) });
  const path = `/projects/${idOf(made)}`;
  const changed = await s.call('write', 'PATCH', path, { visibility: 'team' });
  const read = await s.call('read', 'GET', path);
  const longName = await s.call('write', 'POST', '/projects', { name: 'p'.repeat(151) });
  const longText = await s.call('write', 'PATCH', path, { description: 'd'.repeat(1001) });
  const task = await s.call('write', 'POST', `${path}/tasks`, { title: 'Inside' });
  const gone = await s.call('write', 'DELETE', path);
  const after = [path, `${path}/tasks`, `/tasks/${idOf(task)}`, `/tasks/${idOf(task)}/comments`];
  const lost = await Promise.all(after.map((each) => s.call('read', 'GET', each)));
  const again = await s.call('write', 'DELETE', path);
  return [
    ['201 for creation', made.status === 201],
    ['visibility: default private', data(made, 'visibility') === 'private'],
    ['omitted fields unchanged', data(changed, 'name') === 'p'.repeat(150) && data(changed, 'description') === 'd'.repeat(1000)],
    [
      'data = updated project',
      data(changed, 'visibility') === 'team' && JSON.stringify(data(read)) === JSON.stringify(data(changed)),
    ],
    ['updated_at changes when the project is updated', data(read, 'updated_at') !== data(made, 'updated_at')],
    ['created_at is a datetime', isTime(data(made, 'created_at')) && data(read, 'created_at') === data(made, 'created_at')],
    ['name at most 150', longName.status === 422 && failing(longName).includes('name')],
    ['description at most 1000', longText.status === 422 && code(longText) === 'validation_error'],
    ['204, empty body', gone.status === 204 && gone.text === ''],
    ['tasks and comments go with their project', lost.every(({ status }) => status === 404)],
    ['404 for what is deleted', again.status === 404],
  ];
};

const taskSentences = async (s: Session): Promise<Finding[]> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Tasks' }));
  const all = `/projects/${project}/tasks`;
  const member = dig((await s.call('read', 'GET', '/workspace/members')).json, 'items', 0, 'id');
  const team = idOf(await s.call('admin', 'POST', '/teams', { name: 'Conforming' }));
  const made = await s.call('write', 'POST', all, { title: 't'.repeat(255) });
  const sent = {
    title: 'Ünï 🚀 <b>',
    due_date: '2030-05-06T09:08:07+02:00',
    priority: 'urgent',
    status: 'in_review',
    assignee_id: member,
  };
  const full = await s.call('write', 'POST', all, sent);
  const path = `/tasks/${idOf(full)}`;
  const changed = await s.call('write', 'PATCH', path, { status: 'done' });
  const toTeam = await s.call('write', 'PATCH', path, { assignee_id: team });
  const missing = await s.call('write', 'POST', all, { description: 7 });
  const wrong = await s.call('write', 'POST', all, { title: 't', priority: 'top' });
  const long = await s.call('write', 'POST', all, { title: 't'.repeat(256) });
  const broken = await s.call('write', 'POST', all, '{');
  const old = itemsOf(await s.call('read', 'GET', '/tasks?limit=100'));
  const none = await s.call('read', 'GET', `/tasks/${idOf(made)}/comments`);
  const comments = await s.call('read', 'GET', `/tasks/${s.server.taskWithComments}/comments`);
  return [
    ['defaults: medium, backlog', data(made, 'priority') === 'medium' && data(made, 'status') === 'backlog'],
    ['omitted due_date means none', (data(made, 'due_date') ?? null) === null],
    ['project_id from path', data(made, 'project_id') === project],
    ['text is stored as sent', data(full, 'title') === sent.title],
    [
      'due_date in UTC',
      Date.parse(String(data(full, 'due_date'))) === Date.parse(sent.due_date) && isTime(data(full, 'due_date')),
    ],
    ['the status can be set by PATCH', data(changed, 'status') === 'done' && data(changed, 'priority') === 'urgent'],
    ['assignee_id must be a user, not a team', REFUSED.includes(toTeam.status) && failing(toTeam).includes('assignee_id')],
    [
      'missing field and wrong type: 400, all listed',
      missing.status === 400 && failing(missing).sort().join() === 'description,title',
    ],
    ['unknown priority refused', REFUSED.includes(wrong.status) && failing(wrong).includes('priority')],
    ['title at most 255', long.status === 422],
    ['malformed request: 400', broken.status === 400],
    [
      'old tasks read as medium',
      old.every((task) => ['low', 'medium', 'high', 'urgent'].includes(String(dig(task, 'priority')))),
    ],
    ['no comments: an empty list', none.status === 200 && itemsOf(none).length === 0 && meta(none, 'total') === 0],
    [
      'comments have their fields',
      itemsOf(comments).every((each) => isTime(dig(each, 'created_at')) && typeof dig(each, 'author_id') === 'string'),
    ],
  ];
};

const listSentences = async (s: Session): Promise<Finding[]> => {
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Lists' }));
  const path = `/projects/${project}/tasks`;
  for (let index = 0; index < 23; index += 1) {
    const due = index % 4 === 0 ? {} : { due_date: `2031-0${1 + (index % 7)}-1${index % 10}T00:00:00Z` };
    await s.call('write', 'POST', path, {
      title: `Row ${index % 5}`,
      status: index % 2 ? 'todo' : 'done',
      priority: index % 3 ? 'low' : 'high',
      ...due,
    });
  }
  const first = await s.call('read', 'GET', path);
  const ids = async (query: string) => (await s.walk('read', `${path}${query}`)).map((each) => String(dig(each, 'id')));
  const walks = await Promise.all(['?limit=4', '?limit=5&sort=due_date', '?limit=3&sort=-title', '?limit=23'].map(ids));
  const both = await s.walk('read', `${path}?limit=2&filter[status]=todo&filter[priority]=low`);
  const page = await s.call('read', 'GET', `${path}?limit=2&filter[status]=todo`);
  const kept = await s.call('read', 'GET', `${path}?limit=2&cursor=${encodeURIComponent(String(meta(page, 'next_cursor')))}`);
  const titles = (await s.walk('read', `${path}?limit=6&sort=-title`)).map((each) => String(dig(each, 'title')));
  const last = await s.call('read', 'GET', `${path}?limit=100`);
  const sort = await s.call('read', 'GET', `${path}?sort=banana`);
  const text = await s.call('read', 'GET', `${path}?limit=abc`);
  return [
    ['default limit 20', itemsOf(first).length === 20 && meta(first, 'limit') === 20 && meta(first, 'has_more') === true],
    ['total over all pages', meta(first, 'total') === 23 && meta(page, 'total') === 11],
    ['following the cursor gives each record once', walks.every((walk) => walk.length === 23 && new Set(walk).size === 23)],
    [
      'several filters combine with AND',
      both.length === 7 && both.every((each) => dig(each, 'status') === 'todo' && dig(each, 'priority') === 'low'),
    ],
    [
      'the cursor keeps the active filters',
      itemsOf(kept).length === 2 && itemsOf(kept).every((each) => dig(each, 'status') === 'todo'),
    ],
    ['a leading - sorts descending', titles.join() === [...titles].sort().reverse().join()],
    ['next_cursor null when has_more is false', meta(last, 'has_more') === false && meta(last, 'next_cursor') === null],
    ['an unsupported sort field returns 400', sort.status === 400],
    ['wrongly typed parameter: 400', text.status === 400],
  ];
};

const accessSentences = async (s: Session): Promise<Finding[]> => {
  const without = await s.call(null, 'GET', '/users/me');
  const revoked = await s.call('revoked', 'GET', '/users/me');
  const forbidden = await s.call('read', 'POST', '/projects', { name: 'No' });
  const foreign = await s.call('admin', 'GET', `/projects/${s.server.foreign.project}`);
  const profile = await s.call('read', 'GET', '/users/me');
  const team = await s.call('admin', 'POST', '/teams', { name: 'One of a kind', member_ids: [data(profile, 'id')] });
  const taken = await s.call('admin', 'POST', '/teams', { name: 'One of a kind' });
  const whole = await s.call('read', 'GET', `/teams/${idOf(team)}`);
  const before = (await s.call('read', 'GET', '/workspace/members')).text;
  await s.call('admin', 'DELETE', `/teams/${idOf(team)}`);
  const members = data(whole, 'members');
  return [
    ['401 unauthorized', [without, revoked].every((reply) => reply.status === 401 && code(reply) === 'unauthorized')],
    ['403 forbidden', forbidden.status === 403 && code(forbidden) === 'forbidden'],
    ['404 for another workspace', foreign.status === 404],
    ['profile of the key', typeof data(profile, 'avatar_url') === 'string' && isTime(data(profile, 'created_at'))],
    ['member_count', data(team, 'member_count') === (Array.isArray(members) ? members.length : -1)],
    ['members for member_count', Array.isArray(members) && data(whole, 'member_count') === undefined],
    ['409 for a taken name', taken.status === 409],
    ['members stay in the workspace', (await s.call('read', 'GET', '/workspace/members')).text === before],
  ];
};

const deliverySentences = async (s: Session): Promise<Finding[]> => {
  const register = (path: string, ...statuses: number[]) =>
    s.call('admin', 'POST', '/webhooks', { url: s.receiver(path, ...statuses), events: ['task.created'] });
  const made = await register('fine', 204);
  await register('down', 500);
  const http = await s.call('admin', 'POST', '/webhooks', { url: 'http://hooks.example.test/x', events: ['task.created'] });
  const project = idOf(await s.call('write', 'POST', '/projects', { name: 'Deliveries' }));
  const task = idOf(await s.call('write', 'POST', `/projects/${project}/tasks`, { title: 'Sent' }));
  await s.clock.sleep(12 * 3_600_000);
  const [fine, down] = ['fine', 'down'].map((path) => s.posts.filter(({ url }) => url.endsWith(path)));
  const body = JSON.parse(fine?.[0]?.body ?? '{}');
  const gaps = (down ?? []).slice(1).map(({ at }, index) => (at - (down?.[index]?.at ?? 0)) / 1000);
  const secret = data(made, 'secret') ?? dig(made.json, 'secret');
  return [
    ['body includes secret', typeof secret === 'string' && secret !== ''],
    ['HTTPS URL', REFUSED.includes(http.status)],
    ['any 2xx ends in delivered', fine?.length === 1],
    ['retries after 30 s, 2 min, 10 min, 30 min, 2 h', gaps.join() === '30,120,600,1800,7200'],
    ['retries keep the id', new Set(down?.map(({ body: each }) => JSON.parse(each).id)).size === 1],
    [
      'envelope',
      body.event === 'task.created' && isTime(body.created_at) && body.data.task.id === task && 'assignee_id' in body.data.task,
    ],
    [
      'timestamp in seconds',
      fine?.[0]?.headers['X-Service-Timestamp'] === String(Math.floor(Date.parse(body.created_at) / 1000)),
    ],
    ['signature', Boolean(fine?.[0]?.headers['X-Service-Signature'])],
  ];
};

/** What holds of every answer. */
const laws = ({ replies }: Session): Finding[] => [
  [
    'every body is JSON, except that of 204',
    replies.every(({ status, text, json }) => (status === 204 ? text === '' : json !== undefined)),
  ],
  ['no unexpected server error', replies.every(({ status }) => status < 500)],
  [
    'rate limit headers on every response',
    replies.every(({ headers }) =>
      ['limit', 'remaining', 'reset'].every((name) => /^\d+$/.test(headers.get(`x-ratelimit-${name}`) ?? '')),
    ),
  ],
  [
    'errors have code and message',
    replies.every(
      (reply) =>
        reply.status < 400 || (typeof code(reply) === 'string' && typeof dig(reply.json, 'error', 'message') === 'string'),
    ),
  ],
];

/** All sentences about one style. */
export const findings = async (style: StyleName, alter?: (service: Service) => void): Promise<readonly Finding[]> => {
  const all: Finding[] = [];
  for (const part of [projectSentences, taskSentences, listSentences, accessSentences, deliverySentences]) {
    const session = new Session(style, alter);
    all.push(...(await part(session)), ...laws(session));
  }
  return all;
};
