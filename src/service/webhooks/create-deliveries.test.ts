// Which change announces what, to whom, in which shape, under the open points.
import { describe, expect, test } from 'vitest';
import { webhookWorld } from '../../test/webhook-world.ts';

const url = 'https://hooks.example.com/x';
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

test('times are written as in responses; the header is its created_at to the second', () => {
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
