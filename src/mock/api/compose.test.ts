// Objects put together of parts.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { live, once, overridden } from './compose.ts';

test('later parts stand in place of earlier ones, and what is worked out when it is read stays so', () => {
  let made = 0;
  const whole = overridden({ a: 1, b: 1 }, { b: 2 }, live({ c: () => ++made }));
  expect([made, whole.a, whole.b, whole.c, whole.c, Object.keys(whole)]).toEqual([0, 1, 2, 1, 2, ['a', 'b', 'c']]);
});

test('what is made once is made when it is first asked for', () => {
  let made = 0;
  const get = once(() => [++made]);
  expect(made).toBe(0);
  const first = get();
  expect([get() === first, made]).toEqual([true, 1]);
});

test('a mock has one clock, one list of faults and one of each verb', async () => {
  const mock = await createMock();
  const { clock, faults, create, read, update, remove } = mock;
  expect(mock.clock).toBe(clock);
  expect(mock.faults).toBe(faults);
  for (const [verb, members] of Object.entries({ create, read, update, remove })) expect(mock[verb as 'create']).toBe(members);
  await mock.close();
});
