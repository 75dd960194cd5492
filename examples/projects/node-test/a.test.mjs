import { deepEqual } from 'node:assert/strict';
import test from 'node:test';
import { createMock } from 'wm-mock';
import session from './session.cjs';

test('a project', async () => {
  const mock = await createMock({ now: '2025-01-20T09:00:00Z' });
  const { got, expected } = await session(mock);
  deepEqual(got, expected);
});
