// What a reader does with `wm-mock/vitest`, on each Node that is promised.
import { expect, extendTest } from 'wm-mock/vitest';

extendTest()('one', async ({ mock }) => {
  // @ts-expect-error there is no such operation
  expect(() => expect(mock).not.toHaveReceived('listNothing')).toThrow('expected one of');
});
