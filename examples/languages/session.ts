// A whole session through the typescript-fetch client of openapi-generator.
import assert from 'node:assert/strict';
import {
  Configuration,
  type ErrorInfo,
  ErrorResponseFromJSON,
  EventName,
  ListProjectTasksSortEnum,
  ProjectsApi,
  ResponseError,
  type Task,
  TaskPriority,
  TaskStatus,
  TasksApi,
  UsersApi,
  WebhooksApi,
} from './client/index';

const env = process.env as Record<string, string>;
const configuration = new Configuration({ basePath: env.WM_BASE_URL!, accessToken: env.WM_API_KEY_WRITE! });
const [projects, tasks, users, webhooks] = [ProjectsApi, TasksApi, UsersApi, WebhooksApi].map(
  (Api) => new Api(configuration),
) as [ProjectsApi, TasksApi, UsersApi, WebhooksApi];

const refused = async (call: Promise<unknown>, ...statuses: number[]): Promise<ErrorInfo & { headers: Headers }> => {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(failure instanceof ResponseError, `not answered ${statuses}`);
  assert.ok(statuses.includes(failure.response.status));
  return { ...ErrorResponseFromJSON(await failure.response.json()).error, headers: failure.response.headers };
};

if (env.WM_LIMITED) {
  const limited = await refused(users.getMe(), 429);
  assert.deepEqual([limited.code, limited.headers.get('retry-after')], ['rate_limit_exceeded', '1']);
}
const { data: me } = await users.getMe();

const made = await webhooks.createWebhook({
  webhookDraft: { url: `${env.WM_CONTROL_URL}/inbox/session`, events: [EventName.TaskCreated] },
});
assert.ok(made.data.secret);

const { id: projectId } = (await projects.createProject({ projectDraft: { name: 'Session' } })).data;
for (let i = 0; i < 5; i++) {
  const priority = i % 2 ? TaskPriority.High : TaskPriority.Low;
  const { data } = await tasks.createTask({ projectId, taskDraft: { title: `Task ${i}`, assigneeId: me.id, priority } });
  assert.equal(data.status, 'backlog');
}

const seen: Task[] = [];
for (let cursor: string | undefined, more = true; more; ) {
  const query = { limit: 2, sort: ListProjectTasksSortEnum.Title2, ...(cursor ? { cursor } : {}) };
  const { items, meta } = await tasks.listProjectTasks({ projectId, ...query });
  seen.push(...items);
  [cursor, more] = [meta.nextCursor ?? undefined, meta.hasMore];
}
assert.deepEqual(
  seen.map(({ title }) => title),
  ['Task 4', 'Task 3', 'Task 2', 'Task 1', 'Task 0'],
);
const high = await tasks.listTasks({ filterProjectId: projectId, filterPriority: TaskPriority.High });
assert.deepEqual([high.meta.total, high.items[0]?.priority], [2, 'high']);

const taskId = seen[0]!.id;
const { data: done } = await tasks.updateTask({ taskId, taskPatch: { status: TaskStatus.Done, dueDate: null } });
assert.equal(done.status, 'done');
const wrong = await refused(tasks.updateTask({ taskId, taskPatch: { assigneeId: 'user_nobody' } }), 400, 422);
assert.equal(wrong.details?.fields?.[0]?.field, 'assignee_id');
await tasks.deleteTask({ taskId });
assert.ok((await refused(tasks.getTask({ taskId }), 404)).code);
