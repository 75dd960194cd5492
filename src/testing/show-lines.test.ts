// Requests and deliveries in a line each: what is said of those that did not go as usual.
import { expect, test } from 'vitest';
import { explainRequest, formatDeliveryLine } from './show-lines.ts';

test('a delivery says why it was stopped, and a redirect what was answered', () => {
  const event = { event: 'task.created' };
  const delivery = {
    id: 'dlv_1',
    event,
    url: 'http://a.test',
    state: 'failed',
    next_attempt_at: null,
    stopped: 'it was deleted',
  };
  expect(formatDeliveryLine(delivery as never)).toBe('dlv_1  task.created → http://a.test  failed, it was deleted');
  const told = (status: number) =>
    explainRequest({ why: [], warnings: [], request: { body: null }, response: { body: 'there' }, status } as never);
  expect([200, 299, 300].map((status) => told(status).join())).toEqual(['', '', 'answered  there']);
});
