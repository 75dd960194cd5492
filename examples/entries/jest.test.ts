// What a reader does with `wm-mock/jest`, on each Node that is promised.
import { expect, test } from '@jest/globals';
import { createMock } from 'wm-mock';
import 'wm-mock/jest';

test('one', async () => {
  const mock = await createMock({ seed: 'node_modules/wm-mock/fixtures/tiny.yaml' });
  await mock.fetch('/tasks', { headers: mock.auth('read') });
  expect(mock).toHaveReceived('listTasks', 1);
  // @ts-expect-error there is no such operation
  expect(() => expect(mock).not.toHaveReceived('listNothing')).toThrow('expected one of');
  await mock.close();
});
