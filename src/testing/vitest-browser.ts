// The entry point of vitest in a page (Browser Mode): each test has a world of its own, and no socket.
import { createMock } from '../mock/create.ts';
import type { MockOptions } from '../mock/options.ts';
import { worldTest } from './vitest.ts';

export { expect } from 'vitest';

const noSocket = (name: string) => () => {
  throw new Error(
    `${name}: a page has no socket to listen on. Ask \`mock.fetch\`, or route the app to the mock by wm-mock/msw. See docs/vitest.md.`,
  );
};

export const extendTest = (options: MockOptions = {}) =>
  worldTest(async () => ({ mock: await createMock({ worldIdleMs: 0, ...options }) })).extend({
    baseUrl: noSocket('baseUrl'),
    sharedUrl: noSocket('sharedUrl'),
  });

export const test = extendTest();
