// The entry point of vitest in Node: each test has a world of its own, with an address for code that needs one.
import { worldTest } from '../testing/vitest.ts';
import { isLeftOut, noteOutcome } from './client/trial-notes.ts';
import { type NodeMock, type NodeMockOptions, TRIAL_VARIABLE } from './create-mock.ts';
import { removeFailureFiles, reportFailure, startShared } from './test-runners/test-worlds.ts';

export { expect } from 'vitest';
export type { DeliveryPattern, MockMatchers, RequestPattern, WarningOptions, Witness } from '../testing/vitest.ts';

export interface VitestFixtures {
  /** This test's own world, called without a socket. */
  mock: NodeMock;
  /** Base URL of that world on a socket, for code that needs an address; nothing listens until a test uses it. */
  baseUrl: string;
  /** One base URL for all tests of a file, where a key of `mock.keys` leads to this test's world; for code in which only the key can be changed. */
  sharedUrl: string;
}

/**
 * vitest's `test` with a world of its own for each test: a copy of one mock per file, recorded unless `record` is false.
 * @throws SeedError when the seed breaks a rule
 */
export const extendTest = (options: NodeMockOptions = {}) =>
  worldTest(() => startShared({ record: true, ...options }), {
    skips: (world) => isLeftOut(process.env[TRIAL_VARIABLE], world),
    failed: (world, title, failure) => reportFailure(world, title, { tried: process.env[TRIAL_VARIABLE], failure }),
    passed: removeFailureFiles,
    ended: (end) => noteOutcome(process.env[TRIAL_VARIABLE], () => end),
  }).extend<Omit<VitestFixtures, 'mock'>>({
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
