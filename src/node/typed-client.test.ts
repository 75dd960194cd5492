// A client typed by openapi-typescript and run by openapi-fetch does a whole session: the document says what the mock does.
import createClient from 'openapi-fetch';
import { expect, test } from 'vitest';
import type { components, paths } from '../../openapi/openapi.js';
import { createMock } from './index.ts';

type Task = components['schemas']['Task'];

test.each(['in memory', 'over a socket'])(
  'a typed client creates, pages through, filters, updates and deletes, %s',
  async (transport) => {
    const mock = await createMock({ seed: 'fixtures/tiny.yaml' });
    const socket = transport === 'over a socket';
    const client = createClient<paths>({
      baseUrl: socket ? (await mock.listen({ port: 0 })).baseUrl : mock.baseUrl,
      headers: mock.auth('write'),
      ...(socket ? {} : { fetch: (request: Request) => mock.fetch(request) }),
    });

    const project = await client.POST('/projects', { body: { name: 'Typed', visibility: 'team' } });
    expect(project.response.status).toBe(201);
    const project_id = project.data!.data.id;

    for (let i = 0; i < 7; i++) {
      const made = await client.POST('/projects/{project_id}/tasks', {
        params: { path: { project_id } },
        body: { title: `Task ${i}`, priority: i % 2 ? 'high' : 'low', assignee_id: 'user_ada' },
      });
      expect(made.data?.data.status).toBe('backlog');
    }

    const tasks: Task[] = [];
    let cursor: string | undefined;
    do {
      const { data, error } = await client.GET('/tasks', {
        params: {
          query: {
            limit: 2,
            sort: '-title',
            'filter[project_id]': project_id,
            'filter[priority]': 'low',
            ...(cursor ? { cursor } : {}),
          },
        },
      });
      expect(error).toBeUndefined();
      tasks.push(...data!.items);
      cursor = data!.meta.next_cursor ?? undefined;
    } while (cursor);
    expect(tasks.map(({ title }) => title)).toEqual(['Task 6', 'Task 4', 'Task 2', 'Task 0']);

    const path = { task_id: tasks[0]!.id };
    const updated = await client.PATCH('/tasks/{task_id}', { params: { path }, body: { status: 'done', due_date: null } });
    expect([updated.data?.data.status, updated.data?.data.title]).toEqual(['done', 'Task 6']);

    const refused = await client.PATCH('/tasks/{task_id}', { params: { path }, body: { title: '' } });
    expect(refused.error?.error.details?.fields?.map(({ field }) => field)).toEqual(['title']);

    expect((await client.DELETE('/tasks/{task_id}', { params: { path } })).response.status).toBe(204);
    expect((await client.GET('/tasks/{task_id}', { params: { path } })).error?.error.code).toBe('not_found');
    await client.DELETE('/projects/{project_id}', { params: { path: { project_id } } });
    await mock.close();
  },
);
