import { expect, test } from 'bun:test';
import { createMock } from 'wm-mock';
import session from './session.cjs';
import './server.mjs';

test('a project', async () => {
  const mock = await createMock({ now: '2025-01-20T09:00:00Z' });
  const { got, expected } = await session(mock);
  expect(got).toEqual(expected);
});
