// What a test has opened is closed when it has ended.
import { afterEach } from 'vitest';

/** Called where tests are defined. @returns what hands a thing on and closes it after the test that opened it. */
export const closing = () => {
  const open: { close(): unknown }[] = [];
  afterEach(async () => void (await Promise.all(open.splice(0).map((one) => one.close()))));
  return <T extends { close(): unknown }>(one: T): T => {
    open.push(one);
    return one;
  };
};
