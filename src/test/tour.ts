// A tour of the whole service: every operation with success, every way to be refused, for transcripts of the responses.
import type { Script } from './script.ts';

const LONG = { name: 'x'.repeat(151), title: 'x'.repeat(256), team: 'x'.repeat(101) };
/** Texts with spaces between them. */
const words = (text: string): string[] => text.trim().split(/\s+/);

const GONE = { project: '/projects/proj_gone', task: '/tasks/task_gone', team: '/teams/team_gone' };

export const reads = async (script: Script): Promise<void> => {
  script.say('What is there');
  for (const path of ['/projects', '/projects/proj_one', '/projects/proj_one/tasks?limit=2', '/tasks?limit=1', '/tasks/task_5'])
    await script.ask('GET', path);
  for (const path of words(`
    /tasks/task_1/comments /users/me /workspace/members /teams /teams/team_core /teams/team_none`))
    await script.ask('GET', path);
  await script.ask('GET', '/users/me', { key: 'busy_read' });
};

export const projects = async (script: Script): Promise<void> => {
  script.say('Projects');
  const made = await script.ask('POST', '/projects', { body: { name: 'New' } });
  const full = { name: 'Full', description: 'All of it', visibility: 'public' };
  await script.ask('POST', '/projects', { body: full, key: 'busy_write' });
  const path = `/projects/${made.data?.id}`;
  for (const body of [{}, { name: 'New' }, { name: 'Newer', visibility: 'team' }, { description: 'Said' }, { description: null }])
    await script.ask('PATCH', path, { body });
  await script.ask('GET', path);
  await script.ask('DELETE', path);
  await script.ask('GET', path);
  await script.ask('DELETE', '/projects/proj_two');
  await script.ask('GET', '/tasks/task_5');
};

export const tasks = async (script: Script): Promise<void> => {
  script.say('Tasks');
  const made = await script.ask('POST', '/projects/proj_three/tasks', { body: { title: 'New' } });
  const full = {
    title: 'Full',
    description: 'D',
    assignee_id: 'user_bo',
    due_date: '2025-02-01T12:00:00.5+02:00',
    priority: 'low',
    status: 'done',
  };
  await script.ask('POST', '/projects/proj_three/tasks', { body: full });
  const path = `/tasks/${made.data?.id}`;
  for (const body of [
    {},
    { title: 'New' },
    { ...full, title: 'Newer' },
    { assignee_id: null, due_date: null, description: null },
  ])
    await script.ask('PATCH', path, { body });
  await script.ask('PATCH', '/tasks/task_2', { body: { status: 'in_progress', priority: 'urgent' }, key: 'busy_write' });
  await script.ask('GET', path);
  await script.ask('DELETE', path);
  await script.ask('DELETE', '/tasks/task_1');
  await script.ask('GET', '/tasks/task_1/comments');
};

export const teamsAndWebhooks = async (script: Script): Promise<void> => {
  script.say('Teams');
  await script.ask('POST', '/teams', { body: { name: 'Solo' } });
  const made = await script.ask('POST', '/teams', { body: { name: 'Pair', member_ids: ['user_bo', 'user_ada', 'user_bo'] } });
  await script.ask('GET', `/teams/${made.data?.id}`);
  for (const name of ['Core', 'core', 'CORE ']) await script.ask('POST', '/teams', { body: { name } });
  for (const member_ids of [['user_gone'], ['user_ada', 'a', 'b', 'a', 'c', 'd', 'e', 'f'], ['user_cy'], ['user_oz'], []])
    await script.ask('POST', '/teams', { body: { name: `Of ${member_ids.length}`, member_ids } });
  await script.ask('DELETE', `/teams/${made.data?.id}`);
  script.say('Webhooks');
  for (const url of words(`
    https://hooks.example.com/a http://127.0.0.1:9/b http://hooks.example.com/c https://10.0.0.1/d ftp://a.b
    nonsense`))
    await script.ask('POST', '/webhooks', { body: { url } });
  const url = 'https://hooks.example.com/e';
  for (const events of [
    ['task.created'],
    ['task.created', 'task.created'],
    ['project.deleted', 'task.updated'],
    [],
    ['*'],
    ['task.moved'],
    ['*', 'task.created'],
  ])
    await script.ask('POST', '/webhooks', { body: { url, events } });
};

export const strangers = async (script: Script): Promise<void> => {
  script.say('Keys');
  await script.ask('GET', '/users/me', { key: null });
  const headers = [
    '',
    'wm_busy_read',
    'Bearer',
    'Bearer ',
    'Basic d206',
    'Bearer wm_busy_read x',
    'Bearer wm_nobody',
    'Bearer wm_busy_old',
  ];
  for (const authorization of [
    ...headers,
    'bearer wm_busy_read',
    'BEARER   wm_busy_read  ',
    'Bearer wm_büsy',
    'xBearer wm_busy_read',
  ])
    await script.ask('GET', '/users/me', { key: null, headers: { authorization } });
  await script.ask('GET', '/nowhere', { key: null });
  script.say('Scopes');
  for (const [method, path, body] of [
    ['POST', '/projects', { name: 'A' }],
    ['PATCH', '/projects/proj_gone', { name: 1 }],
    ['DELETE', '/projects/proj_one', undefined],
    ['POST', '/projects/proj_one/tasks', { title: 'A' }],
    ['PATCH', '/tasks/task_2', { title: 'A' }],
    ['DELETE', '/tasks/task_2', undefined],
    ['POST', '/teams', { name: 'A' }],
    ['DELETE', '/teams/team_none', undefined],
    ['POST', '/webhooks', { url: 'https://a.example.com' }],
  ] as const) {
    await script.ask(method, path, { key: 'busy_read', body });
    if (/^\/(teams|webhooks)/.test(path)) await script.ask(method, path, { key: 'busy_write', body });
  }
  script.say('Another workspace');
  for (const path of ['/projects/proj_far', '/tasks/task_far', '/projects/proj_far/tasks']) await script.ask('GET', path);
  for (const path of ['/projects/proj_one', '/tasks', '/teams', '/users/me'])
    await script.ask('GET', path, { key: 'other_admin' });
  await script.ask('PATCH', '/tasks/task_far', { body: { title: 'Mine' } });
  await script.ask('PATCH', '/tasks/task_2', { body: { assignee_id: 'user_oz' } });
};

export const nowhere = async (script: Script): Promise<void> => {
  script.say('What is not there');
  for (const path of [GONE.project, GONE.task, GONE.team, `${GONE.project}/tasks`, `${GONE.task}/comments`])
    await script.ask('GET', path);
  for (const path of [GONE.project, GONE.task, GONE.team]) await script.ask('DELETE', path);
  for (const path of [GONE.project, GONE.task]) await script.ask('PATCH', path, { body: { name: 1, title: 1 } });
  await script.ask('POST', `${GONE.project}/tasks`, { body: { title: 'A' } });
  await script.ask('GET', `${GONE.project}/tasks?limit=0`);
  script.say('What is no operation');
  for (const row of words(`
    GET:/nowhere PUT:/projects/proj_one PUT:/projects DELETE:/tasks GET:/webhooks DELETE:/users/me
    POST:/tasks/task_1/comments PATCH:/teams/team_core GET:/tasks/ GET:/ GET:/labels GET:/workspace/activity?x=1
    POST:/labels GET:/projects/proj_one%2Ftasks`))
    await script.ask(...(row.split(':') as [string, string]));
};

export const wrongBodies = async (script: Script): Promise<void> => {
  script.say('Bodies that are none');
  for (const body of ['', '  ', '{', '[]', 'null', '"A"', '5', '{"name":"A",}']) await script.ask('POST', '/projects', { body });
  for (const type of [
    'text/plain',
    'application/jsonx',
    'application/json-patch+json',
    'xapplication/json',
    'application/json;charset=utf-8',
    'Application/JSON ; a=b',
  ])
    await script.ask('POST', '/projects', { body: { name: 'A' }, headers: { 'content-type': type } });
  script.say('Fields of projects');
  for (const body of [
    {},
    { name: null },
    { name: 5 },
    { name: '' },
    { name: LONG.name },
    { name: LONG.name.slice(1) },
    { name: '😀'.repeat(150) },
  ])
    await script.ask('POST', '/projects', { body });
  for (const more of [
    { description: 'x'.repeat(1000) },
    { description: 'x'.repeat(1001) },
    { description: 5 },
    { visibility: 'open' },
    { visibility: null },
    { visibility: 5 },
  ])
    await script.ask('POST', '/projects', { body: { name: 'A', ...more } });
  for (const body of [
    { name: '' },
    { name: null },
    { description: null, visibility: 'open' },
    { id: 'x', colour: 1, owner_id: 'user_bo' },
  ])
    await script.ask('PATCH', '/projects/proj_one', { body });
  script.say('Fields of tasks');
  const wrong = { title: '', description: 5, assignee_id: 'team_core', due_date: 'tomorrow', priority: 'asap', status: null };
  for (const body of [{}, wrong, { title: LONG.title }, { ...wrong, title: 5 }, { title: 'A', assignee_id: 5, status: 'later' }])
    await script.ask('POST', '/projects/proj_one/tasks', { body });
  for (const due_date of [
    '2025-02-01',
    '2025-02-30',
    '2025-02-01T12:00:00',
    '2025-02-30T12:00:00Z',
    '',
    null,
    5,
    '2024-02-29T23:59:59.123456Z',
    '0000-01-01T00:00:00+01:00',
  ])
    await script.ask('PATCH', '/tasks/task_2', { body: { due_date } });
  for (const assignee_id of ['user_gone', 'user_cy', '', null])
    await script.ask('PATCH', '/tasks/task_2', { body: { assignee_id } });
  for (const body of [
    wrong,
    { priority: 'critical' },
    { status: 'blocked' },
    { title: 'A', status: 'blocked', priority: 'asap' },
    { description: 'x'.repeat(10001) },
  ])
    await script.ask('PATCH', '/tasks/task_2', { body });
  await script.ask('PATCH', '/tasks/task_2?x=1', { body: { title: 'Q' } });
  script.say('Fields of teams and webhooks');
  for (const body of [
    {},
    { name: LONG.team },
    { name: '', member_ids: 5 },
    { name: 'A', member_ids: [5, ''] },
    { name: 'Core', member_ids: ['x'] },
  ])
    await script.ask('POST', '/teams', { body });
  for (const body of [
    {},
    { url: 5 },
    { url: '' },
    { url: 'https://a.example.com', events: 'task.created' },
    { url: 'https://a.example.com', events: [5] },
    { url: 'http://b', events: ['x'] },
  ])
    await script.ask('POST', '/webhooks', { body });
  script.say('Fields that no operation accepts');
  const body = { name: 'A', id: 'proj_mine', created_at: '2001-01-01T00:00:00Z', ['__proto__']: 1, constructor: 1, revision: 1 };
  await script.ask('POST', '/projects', { body });
};

export const EVERYTHING = { reads, projects, tasks, teamsAndWebhooks, strangers, nowhere, wrongBodies } as const;

export const lists = async (script: Script): Promise<void> => {
  script.say('Lists');
  for (const query of words(`
    limit=0 limit=101 sort=x sort=-title&limit=1 filter[status]=x filter[x]=1 x=1 page=1 cursor=x
    filter[status]=blocked`))
    await script.ask('GET', `/tasks?${query}`);
};

/** All of it, one part after the other. */
export const tour = async (script: Script): Promise<void> => {
  for (const part of Object.values(EVERYTHING)) await part(script);
  await lists(script);
};
