// Hostile texts in forms and addresses are escaped and change nothing, on every page of traffic and behaviour.
import { expect, test } from 'vitest';
import { startDashboard as open, stirred } from '../../test/dashboard.ts';
import { ATTACK } from '../../test/hostile.ts';

const start = async () => {
  const bench = await open();
  await stirred(bench.mock);
  return bench;
};

const FIELDS = 'match.operation match.method effect.body effect.end times after'.split(' ');
const UNCHOSEN = { do: 'order', ...Object.fromEntries(FIELDS.map((name) => [name, ''])) };

test.each<[string, string, Record<string, string>]>([
  ['a time', '/dashboard/clock', { do: 'set', now: ATTACK, mode: ATTACK }],
  ['a step', '/dashboard/clock', { do: 'advance', by: ATTACK, back: ATTACK }],
  ['the name of a fork', '/dashboard/requests/req_1', { do: 'fork', id: 'default' }],
  ['a receiver', '/dashboard/webhooks', { do: 'register', url: ATTACK, events: ATTACK, workspace: 'ws_acme' }],
  ['outcomes', '/dashboard/webhooks', { do: 'simulate', id: 'wh_hooks', outcomes: ATTACK }],
  ['a registration', '/dashboard/webhooks', { do: 'delete', id: ATTACK }],
  ['statuses', `/dashboard/webhooks/inbox?name=${encodeURIComponent(ATTACK)}`, { do: 'respond', name: ATTACK, statuses: ATTACK }],
  ['a fault', '/dashboard/faults', { ...UNCHOSEN, 'match.path': ATTACK, 'match.key': ATTACK, 'effect.status': ATTACK }],
  ['the id of a fault', '/dashboard/faults', { do: 'release', id: ATTACK }],
  ['a preset', '/dashboard/faults', { do: 'preset', preset: ATTACK }],
  ['a choice', '/dashboard/choices', { do: 'choose', name: 'owner-field', choice: ATTACK }],
  ['the name of an open point', '/dashboard/choices', { do: 'choose', name: ATTACK, choice: ATTACK }],
])('%s', async (_, path, form) => {
  const { post, mock } = await start();
  const stateOf = () => JSON.stringify([mock.clock, mock.faults.list(), mock.choices, mock.deliveries, mock.read.webhooks()]);
  const before = stateOf();
  const { status, text } = await post(path, form);
  expect(Math.floor(status / 100)).toBe(4);
  expect(text).not.toMatch(/<img/i);
  expect(text).toMatch(/role="alert"|<h1>There is nothing here/);
  expect(stateOf()).toBe(before);
});

test.each([
  `/dashboard/requests?method=${ATTACK}&path=${ATTACK}&status=${ATTACK}&operation=${ATTACK}&before=${ATTACK}`,
  `/dashboard/webhooks?id=${ATTACK}`,
  `/dashboard/webhooks/deliveries?webhook_id=${ATTACK}&event=${ATTACK}&state=${ATTACK}&before=${ATTACK}`,
  `/dashboard/webhooks/inbox?name=${ATTACK}&from=${ATTACK}`,
  `/dashboard/faults?operation=${ATTACK}&method=${ATTACK}&path=${ATTACK}&key=${ATTACK}&status=${ATTACK}&times=${ATTACK}`,
  `/dashboard/choices?find=${ATTACK}&show=${ATTACK}`,
])('an address of any words is a page: %s', async (path) => {
  const { get } = await start();
  const { status, text } = await get(encodeURI(path.replaceAll('&amp;', '%26amp;')));
  expect(status).toBe(200);
  expect(text).not.toMatch(/<img/i);
});
