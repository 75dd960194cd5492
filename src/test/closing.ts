// Closes everything that a test has opened when it has ended.
import { onTestFinished } from 'vitest';

/** Hands a thing on and closes it after the test: call it in one, or in `beforeEach`. */
export const keep = <T extends { close(): unknown }>(one: T): T => {
  onTestFinished(async () => void (await one.close()));
  return one;
};
