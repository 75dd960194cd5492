// Objects put together of parts.
import { expect, test } from 'vitest';
import { createMock } from '../../create-mock.ts';
import { overridden } from '../../testing/worlds.ts';
import { gettersFrom } from './in-process.ts';

test('later parts replace earlier ones, and getters stay getters', () => {
  const addCount = gettersFrom<{ made: number }, { c: number }>({ c: (state) => ++state.made });
  const state = { made: 0 };
  const whole = overridden({ a: 1, b: 1 }, addCount({ b: 2 }, state));
  expect([state.made, whole.a, whole.b, whole.c, whole.c, Object.keys(whole)]).toEqual([0, 1, 2, 1, 2, ['a', 'b', 'c']]);
});

test('all objects share their getters, and each has its own state', () => {
  const addName = gettersFrom<{ name: string }, { n: string }>({ n: ({ name }) => name });
  const [one, other] = ['one', 'other'].map((name) => addName({}, { name }));
  expect([one?.n, other?.n]).toEqual(['one', 'other']);
  const [getter, same] = [one, other].map((each) => Object.getOwnPropertyDescriptor(each, 'n')?.get);
  expect(getter).toBe(same);
});

test('a mock has one clock, one list of faults and one of each verb', async () => {
  const mock = await createMock();
  const { clock, faults, create, read, update, remove } = mock;
  expect(mock.clock).toBe(clock);
  expect(mock.faults).toBe(faults);
  for (const [verb, members] of Object.entries({ create, read, update, remove })) expect(mock[verb as 'create']).toBe(members);
  await mock.close();
});
