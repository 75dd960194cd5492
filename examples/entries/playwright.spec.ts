// What a reader does with `wm-mock/playwright`, on each Node that is promised.
import { expect, test } from 'wm-mock/playwright';

test('one', async ({ mock }) => {
  // @ts-expect-error there is no such event
  const misspelt = async () => await expect(mock).not.toHaveDelivered('task.lost');
  await expect(misspelt()).rejects.toThrow('expected one of');
});
