// Where a response that is played differs from the one of then, in words.
import { expect, test } from 'vitest';
import { sha256 } from '../../service/webhooks/sign.ts';
import { differenceOf, unsigned } from './compare.ts';
import type { Expected, Step } from './steps.ts';

const step: Step = { n: 1, at: '2026-04-01T08:00:00.000Z', kind: 'request', method: 'GET', path: '/v1/tasks', headers: {} };
const expected = async (body: string, more: Partial<Expected> = {}): Promise<Expected> => ({
  status: 200,
  headers: { date: 'today' },
  body,
  sha256: await sha256(body),
  ...more,
});

test.each([
  ['another status', '{}', { status: 404 }, ['status', 200, 404]],
  ['another header', '{}', { headers: { date: 'tomorrow' } }, ['header date', 'today', 'tomorrow']],
  ['a header more', '{}', { headers: { date: 'today', 'x-new': '1' } }, ['header x-new', undefined, '1']],
  ['a header less', '{}', { headers: {} }, ['header date', 'today', undefined]],
  ['a value within', '{"a":[{"b/c~":1}]}', { text: '{"a":[{"b/c~":2}]}' }, ['/a/0/b~1c~0', 1, 2]],
  ['a member more', '{"a":1}', { text: '{"a":1,"b":null}' }, ['/b', undefined, null]],
  ['a list in place of an object', '{"a":{}}', { text: '{"a":[]}' }, ['/a', {}, []]],
  ['the order of members', '{"a":1,"b":2}', { text: '{"b":2,"a":1}' }, ['byte 2', '{"a":1,"b":2}', '{"b":2,"a":1}']],
  ['text', 'grün und gut', { text: 'grün und rot' }, ['byte 10', 'grün und gut', 'grün und rot']],
])('%s is told by its place and both sides', async (_, was, is, [where, before, now]) => {
  const got = { status: 200, headers: { date: 'today' }, text: was, ...is };
  expect(await differenceOf(step, await expected(was), got, true)).toEqual({ step, where, expected: before, got: now });
});

test('the same is no difference, and a long body is told by its hash', async () => {
  const got = { status: 200, headers: { date: 'today' }, text: 'long' };
  expect(await differenceOf(step, await expected('long'), got, true)).toBeUndefined();
  const { body: _, ...long } = await expected('longer');
  const difference = await differenceOf(step, long, got, true);
  const results = [difference?.where, difference?.expected, difference?.got];
  expect(results).toEqual(['body', `sha256 ${await sha256('longer')}`, `sha256 ${await sha256('long')}`]);
});

test('a signature counts where it can be the same', async () => {
  const [was, is] = ['aa', 'bb'].map((sign) => `X-Service-Signature: ${sign}\n{"X-Service-Signature":"${sign}","id":1}`) as [
    string,
    string,
  ];
  const masked = await expected(unsigned(was));
  expect(await differenceOf(step, masked, { status: 200, headers: { date: 'today' }, text: is }, false)).toBeUndefined();
  const whole = await differenceOf(step, await expected(was), { status: 200, headers: { date: 'today' }, text: is }, true);
  expect(whole?.where).toBe('byte 21');
});
