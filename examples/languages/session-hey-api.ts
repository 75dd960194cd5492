// A whole session through the client of hey-api.
import assert from 'node:assert/strict';
import {
  createProject,
  createTask,
  createWebhook,
  deleteTask,
  getMe,
  getTask,
  listProjectTasks,
  listTasks,
  type Task,
  updateTask,
} from './client';
import { client } from './client/client.gen';

const env = process.env as Record<string, string>;
client.setConfig({ baseUrl: env.WM_BASE_URL!, auth: env.WM_API_KEY_WRITE! });

type Ended<Data, Failure> = { data: Data; error: Failure; response?: Response };

/** The decoded body of a success, or of a refusal with one of these statuses. */
const got = <Data, Failure>({ data, error, response }: Ended<Data, Failure>, ...statuses: number[]) => {
  assert.ok(response && (statuses.length === 0 ? response.ok : statuses.includes(response.status)), String(response?.status));
  return { data: data as NonNullable<Data>, error: error as NonNullable<Failure>, response };
};

if (env.WM_LIMITED) {
  const limited = got(await getMe(), 429);
  assert.deepEqual([limited.error.error.code, limited.response.headers.get('retry-after')], ['rate_limit_exceeded', '1']);
}
const { id: assignee_id } = got(await getMe()).data.data;

const url = `${env.WM_CONTROL_URL}/inbox/session`;
assert.ok(got(await createWebhook({ body: { url, events: ['task.created'] } })).data.data.secret);

const { id: project_id } = got(await createProject({ body: { name: 'Session' } })).data.data;
for (let i = 0; i < 5; i++) {
  const body = { title: `Task ${i}`, assignee_id, priority: i % 2 ? ('high' as const) : ('low' as const) };
  assert.equal(got(await createTask({ path: { project_id }, body })).data.data.status, 'backlog');
}

const seen: Task[] = [];
for (let cursor: string | undefined, more = true; more; ) {
  const query = { limit: 2, sort: '-title' as const, ...(cursor && { cursor }) };
  const { items, meta } = got(await listProjectTasks({ path: { project_id }, query })).data;
  seen.push(...items);
  [cursor, more] = [meta.next_cursor ?? undefined, meta.has_more];
}
assert.deepEqual(
  seen.map(({ title }) => title),
  ['Task 4', 'Task 3', 'Task 2', 'Task 1', 'Task 0'],
);
const query = { 'filter[project_id]': project_id, 'filter[priority]': 'high' as const };
const high = got(await listTasks({ query })).data;
assert.deepEqual([high.meta.total, high.items[0]?.priority], [2, 'high']);

const path = { task_id: seen[0]!.id };
assert.equal(got(await updateTask({ path, body: { status: 'done', due_date: null } })).data.data.status, 'done');
const wrong = got(await updateTask({ path, body: { assignee_id: 'user_nobody' } }), 400, 422);
assert.equal(wrong.error.error.details?.fields?.[0]?.field, 'assignee_id');
got(await deleteTask({ path }));
assert.ok(got(await getTask({ path }), 404).error.error.code);
