// What an answer to an open point decides of a response, point by point.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { closing } from '../../test/closing.ts';

const keep = closing();

const asked = async (choices: Record<string, string>, method: string, path: string, body: object) => {
  const mock = keep(await createMock({ seed: 'demo', now: '2025-01-20T09:00:00Z', choices }));
  const headers = { ...mock.auth('admin'), 'content-type': 'application/json' };
  const response = await mock.fetch(path, { method, headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
};
const HOOK = { url: 'https://hooks.example.com/x', events: ['task.created'] };

test('where events may not be left out, a registration without them is refused by that field', async () => {
  const { events: _, ...without } = HOOK;
  const point = 'webhook-events-absent';
  const refused = await asked({ [point]: 'refused' }, 'POST', '/webhooks', without);
  expect([refused.status, refused.body.error.details.fields]).toEqual([400, [{ field: 'events', issue: 'is required' }]]);
  expect((await asked({ [point]: 'refused' }, 'POST', '/webhooks', HOOK)).status).toBe(201);
  expect((await asked({}, 'POST', '/webhooks', without)).status).toBe(201);
});

test('a wrong body for a record that is not there is refused by what is looked at first', async () => {
  const statusOf = async (order: string) =>
    (await asked({ 'check-order': order }, 'PATCH', '/tasks/task_nowhere', { title: 5 })).status;
  expect([await statusOf('record'), await statusOf('body')]).toEqual([404, 400]);
});

test('the secret of a registration stands where it is said to', async () => {
  const shown = async (shape: string) => (await asked({ 'webhook-create-shape': shape }, 'POST', '/webhooks', HOOK)).body;
  const [data, bare, minimal] = [await shown('data'), await shown('bare'), await shown('minimal')];
  expect(data.data).toMatchObject({ ...HOOK, secret: expect.any(String) });
  expect(bare).toEqual(data.data);
  expect(minimal).toEqual({ data: { secret: data.data.secret } });
});
