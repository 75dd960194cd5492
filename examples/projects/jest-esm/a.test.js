import { createMock } from 'wm-mock';
import 'wm-mock/jest';
import session from './session.cjs';

test('a project', async () => {
  const mock = await createMock({ now: '2025-01-20T09:00:00Z' });
  const { got, expected } = await session(mock);
  expect(got).toEqual(expected);
  expect(mock).toHaveReceived('createProject', 1);
});
