// Every event is sent as the OpenAPI document describes it, under every choice at the open points that shape it.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { START, webhookWorld } from '../../test/webhook-world.ts';
import { handlers } from '../http/handlers/index.ts';
import { openApi } from '../openapi/openapi.ts';
import { formats } from '../validation/formats.ts';
import { BLANKS } from '../world/records.ts';

const ajv = new Ajv2020({ strict: false, formats });
ajv.addSchema(openApi() as object, 'document');
const says = (event: string) =>
  ajv.compile({ $ref: `document#/webhooks/${event}/post/requestBody/content/application~1json/schema` });

test.each([
  {},
  { 'task-snapshot': 'minimal', 'member-snapshot': 'profile', 'project-delete-events': 'each' },
  { 'absent-values': 'left-out', 'datetime-format': 'seconds', 'owner-field': 'owner_id', 'id-style': 'opaque' },
  { 'datetime-format': 'offset', 'task-snapshot': 'minimal', 'absent-values': 'left-out' },
])('%j', (choices) => {
  const { view, webhooks, createTask } = webhookWorld([{ url: 'https://hooks.example.com/x' }], { choices });
  const query = undefined;
  const row = (id: string) => view.find('tasks', id)!;
  const project = () => view.find('projects', 'proj_one')!;
  const { id } = createTask();
  handlers.updateTask(view, { found: row(id), query, body: { due_date: START, assignee_id: 'user_ada' } });
  handlers.deleteTask(view, { found: row(id), query, body: undefined });
  createTask();
  handlers.createProject(view, { found: undefined, query, body: { name: 'Two' } });
  handlers.updateProject(view, { found: project(), query, body: { description: 'Uno' } });
  handlers.deleteProject(view, { found: project(), query, body: undefined });
  const person = { ...BLANKS.users, id: 'user_new', name: 'New', email: 'new@example.test', role: 'member', created_at: START };
  view.insert('users', { ...person, state: 'invited' });
  view.update('users', view.find('users', 'user_new')!, { ...person, state: 'joined' });
  const sent = webhooks.deliveries.list();
  expect(new Set(sent.map(({ event }) => event.event)).size).toBe(8);
  for (const { event, request } of sent) {
    const check = says(event.event);
    expect(check(JSON.parse(request.body)), `${event.event} ${JSON.stringify(check.errors)}`).toBe(true);
  }
});
