// Which change announces what, to whom, in which shape, under the open points.
import { describe, expect, test } from 'vitest';
import { handlers } from '../http/handlers/index.ts';
import { type Acting, START, type WorldOptions, webhookWorld } from '../test/webhook-world.ts';
import { BLANKS, type UserRecord } from '../world/records.ts';

const url = 'https://hooks.example.com/x';
const eventsOf = ({ webhooks }: Acting) => webhooks.deliveries.list().map(({ event }) => event);
const namesOf = (acting: Acting) => eventsOf(acting).map(({ event }) => event);
const found = ({ view }: Acting, id = 'proj_one') => view.find('projects', id)!;
const task = ({ view }: Acting, id: string) => view.find('tasks', id)!;
const query = undefined;

const invited: UserRecord = {
  ...BLANKS.users,
  id: 'user_new',
  name: 'New',
  email: 'new@example.test',
  role: 'member',
  created_at: START,
  state: 'invited',
};
const snapshot = (options: WorldOptions, act: (acting: Acting) => void) => {
  const acting = webhookWorld([{ url }], options);
  act(acting);
  return JSON.parse(acting.webhooks.deliveries.list()[0]!.request.body);
};

describe('the eight events', () => {
  test('of tasks', () => {
    const acting = webhookWorld([{ url }]);
    const { id } = acting.createTask();
    handlers.updateTask(acting.view, { found: task(acting, id), query, body: { status: 'done' } });
    handlers.updateTask(acting.view, { found: task(acting, id), query, body: { status: 'done' } });
    handlers.deleteTask(acting.view, { found: task(acting, id), query, body: undefined });
    expect(namesOf(acting)).toEqual(['task.created', 'task.updated', 'task.deleted']);
    const [created, updated, deleted] = eventsOf(acting).map(({ data }) => data.task as { status?: string });
    expect([created!.status, updated!.status, deleted!.status]).toEqual(['backlog', 'done', 'done']);
  });

  test('of projects; deleting one says nothing of its tasks', () => {
    const acting = webhookWorld([{ url, events: ['project.created', 'project.updated', 'project.deleted', 'task.deleted'] }]);
    handlers.createProject(acting.view, { found: undefined, query, body: { name: 'Two' } });
    handlers.updateProject(acting.view, { found: found(acting), query, body: { name: 'Uno' } });
    acting.createTask();
    handlers.deleteProject(acting.view, { found: found(acting), query, body: undefined });
    expect(namesOf(acting)).toEqual(['project.created', 'project.updated', 'project.deleted']);
  });

  test('of tasks that go with their project, when that is the answer to the open point', () => {
    const acting = webhookWorld([{ url }], { choices: { 'project-delete-events': 'each' } });
    acting.createTask();
    acting.createTask();
    handlers.deleteProject(acting.view, { found: found(acting), query, body: undefined });
    expect(namesOf(acting).slice(2)).toEqual(['task.deleted', 'task.deleted', 'project.deleted']);
  });

  test('of members: invited, then joined; other changes of users, keys, teams and registrations announce nothing', () => {
    const acting = webhookWorld([{ url }]);
    const { view } = acting;
    view.insert('users', invited);
    view.update('users', view.find('users', invited.id)!, { ...invited, state: 'joined' });
    view.update('users', view.find('users', invited.id)!, { ...invited, state: 'joined', name: 'Newer' });
    view.remove('users', view.find('users', invited.id)!);
    handlers.createTeam(view, { found: undefined, query, body: { name: 'Team' } });
    handlers.createWebhook(view, { found: undefined, query, body: { url } });
    view.update('keys', view.find('keys', 'key_read')!, { ...view.find('keys', 'key_read')!.value, revoked: true });
    expect(namesOf(acting)).toEqual(['member.invited', 'member.joined']);
  });
});

describe('who is told', () => {
  test('each subscribed registration once, with the same event; the others are not', () => {
    const acting = webhookWorld([{ url }, { url, events: ['task.deleted'] }, { url, events: ['task.created'] }]);
    acting.createTask();
    const all = acting.webhooks.deliveries.list();
    expect(all.map(({ webhook_id }) => webhook_id)).toEqual(['wh_1', 'wh_3']);
    expect(new Set(all.map(({ request }) => request.body)).size).toBe(1);
    expect(new Set(all.map(({ id }) => id)).size).toBe(2);
  });

  test('a registration of another workspace is not', () => {
    const acting = webhookWorld([{ url }]);
    const stranger = acting.world.store.webhooks.get('wh_1')!;
    acting.world.store.webhooks.put({ value: { ...stranger.value, id: 'wh_other' }, workspace: 'ws_other', sequence: 1000 });
    acting.createTask();
    expect(acting.webhooks.deliveries.list().map(({ webhook_id }) => webhook_id)).toEqual(['wh_1']);
  });
});

describe('the envelope', () => {
  test('holds id, event, created_at and one key named after the resource', () => {
    const body = snapshot({}, ({ createTask }) => createTask('Paint'));
    expect(body).toEqual({
      id: expect.stringMatching(/^evt_\w{16}$/),
      event: 'task.created',
      created_at: START,
      data: {
        task: expect.objectContaining({
          title: 'Paint',
          project_id: 'proj_one',
          status: 'backlog',
          assignee_id: null,
          description: null,
        }),
      },
    });
  });

  test('times are written as in answers; the header is its created_at to the second', () => {
    const { webhooks, createTask } = webhookWorld([{ url }], {
      choices: { 'datetime-format': 'offset' },
      now: '2025-01-20T09:00:00.987Z',
    });
    createTask();
    const { request, event } = webhooks.deliveries.list()[0]!;
    expect(JSON.parse(request.body)).toEqual(event);
    expect(event.created_at).toBe('2025-01-20T09:00:00+00:00');
    expect((event.data.task as { created_at?: string }).created_at).toBe('2025-01-20T09:00:00+00:00');
    expect(request.headers['X-Service-Timestamp']).toBe('1737363600');
  });

  test('absent values are left out when they are in answers, but for the assignee that the spec names', () => {
    const { task } = snapshot({ choices: { 'absent-values': 'left-out' } }, ({ createTask }) => createTask()).data;
    expect('description' in task || 'due_date' in task).toBe(false);
    expect(task.assignee_id).toBeNull();
  });

  test('a task may be cut down to the five fields of the spec', () => {
    const { task } = snapshot({ choices: { 'task-snapshot': 'minimal' } }, ({ createTask }) => createTask()).data;
    expect(Object.keys(task).sort()).toEqual(['assignee_id', 'id', 'project_id', 'status', 'title']);
  });

  test('a member is as in the list, or as in the profile', () => {
    const keys = (choices: WorldOptions['choices'] = {}) =>
      Object.keys(snapshot({ choices }, ({ view }) => void view.insert('users', invited)).data.member).sort();
    expect(keys()).toEqual(['email', 'id', 'name', 'role']);
    expect(keys({ 'member-snapshot': 'profile' })).toEqual(['avatar_url', 'created_at', 'email', 'id', 'name', 'role']);
  });

  test('a project shows its owner only where answers do', () => {
    const owner = (choices: WorldOptions['choices'] = {}) => {
      const update = (acting: Acting) =>
        void handlers.updateProject(acting.view, { found: found(acting), query, body: { name: 'Uno' } });
      return snapshot({ choices }, update).data.project.owner_id;
    };
    expect(owner()).toBeUndefined();
    expect(owner({ 'owner-field': 'owner_id' })).toBe('user_ada');
  });

  test('the event id has no prefix where ids have none', () => {
    expect(snapshot({ choices: { 'id-style': 'opaque' } }, ({ createTask }) => createTask()).id).toMatch(/^\w{16}$/);
  });
});
