const { createMock } = require('wm-mock');
require('wm-mock/jest');
const session = require('./session.cjs');

test('a project', async () => {
  const mock = await createMock({ now: '2025-01-20T09:00:00Z' });
  const { got, expected } = await session(mock);
  expect(got).toEqual(expected);
  expect(mock).toHaveReceived('createProject', 1);
});
