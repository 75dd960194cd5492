// The door of vitest: a world of its own for each test, matchers, and what happened in it shown when a test fails.
import { test as base, expect } from 'vitest';
import { type MockMatchers, matchers, type Waiting } from '../testing/anywhere.ts';
import { reportOf } from '../testing/report.ts';
import type { Mock, MockOptions } from './index.ts';
import { openWorld, Started, worldId } from './test-worlds.ts';

export type { MockMatchers } from '../testing/anywhere.ts';
export type { WarningOptions } from '../testing/matchers.ts';
export type { DeliveryPattern, RequestPattern } from '../testing/pattern.ts';
export type { Witness } from '../testing/report.ts';

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that is merged with says so
  interface Matchers<T = any> extends MockMatchers<Waiting<T>> {}
}

expect.extend(matchers);

export interface VitestFixtures {
  /** This test's own world, asked without a socket. */
  mock: Mock;
  /** Base URL of that world on a socket, for code that is given an address; it listens once a test asks for this. */
  baseUrl: string;
  /** Base URL, the same for all tests of a file, at which a key of `mock.keys` leads to this test's world, for code that is given a key alone. */
  sharedUrl: string;
}

/** vitest's `test` with a world of its own for each test: a copy of one mock a file. @throws SeedError when the seed breaks a rule */
export const extendTest = (options: MockOptions = {}) =>
  base.extend<VitestFixtures & { wmMock: Started }>({
    wmMock: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern
      async ({}, use) => {
        const started = await Started.with(options);
        await use(started);
        await started.mock.close();
      },
      { scope: 'file' },
    ],

    mock: async ({ wmMock, task, onTestFailed }, use) => {
      const world = openWorld(wmMock.mock, { id: worldId(task.id) });
      onTestFailed(() => console.error(reportOf(world)));
      await use(world);
      await world.close();
    },

    baseUrl: async ({ wmMock, mock }, use) => {
      const { origin } = await wmMock.server;
      await use(`${origin}${new URL(mock.baseUrl).pathname}`);
    },

    sharedUrl: async ({ wmMock, mock: _ }, use) => {
      await use((await wmMock.server).baseUrl);
    },
  });

/** vitest's `test` on an empty workspace with a key of each scope. */
export const test = extendTest();
export { expect } from 'vitest';
