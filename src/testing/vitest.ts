// What the entry points of vitest share: matchers, and a world of its own for each test, which is shown when the test fails.
import { test as base, expect } from 'vitest';
import type { Mock } from '../mock/mock.ts';
import { type MockMatchers, matchers } from './anywhere.ts';
import { reportOf } from './report.ts';
import { openWorld, worldId } from './worlds.ts';

export type { MockMatchers } from './anywhere.ts';
export type { WarningOptions } from './matchers.ts';
export type { DeliveryPattern, RequestPattern } from './pattern.ts';
export type { Witness } from './report.ts';

// The type parameters of vitest's own `Matchers` differ from one major version to the next.
declare global {
  namespace Chai {
    // biome-ignore lint/suspicious/noExplicitAny: nothing for a mock of this process, a promise for one in another
    interface Assertion extends MockMatchers<any> {}
  }
}

expect.extend(matchers);

/** vitest's `test` with a copy of a mock for each test; one mock a file is started. */
export const worldTest = <S extends { readonly mock: Mock }>(start: () => Promise<S>) =>
  base.extend<{ mock: S['mock']; wmMock: S }>({
    wmMock: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern
      async ({}, use) => {
        const started = await start();
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
  });
