// Shared parts of the vitest entries: matchers, and a world for each test, shown when the test fails.
import { test as base, expect, type TestContext } from 'vitest';
import type { Mock } from '../mock/api/mock.ts';
import { type MockMatchers, matchers } from './matchers.ts';
import { describeWorld } from './show-lines.ts';
import { openWorld, type TestEnd, tellOutcome, toWorldId } from './worlds.ts';

export type { WarningOptions } from './judgements.ts';
export type { MockMatchers } from './matchers.ts';
export type { DeliveryPattern, RequestPattern } from './pattern.ts';
export type { Witness } from './show-lines.ts';

// The type parameters of vitest's own `Matchers` differ from one major version to the next.
declare global {
  namespace Chai {
    // biome-ignore lint/suspicious/noExplicitAny: nothing for a mock of this process, a promise for one in another
    interface Assertion extends MockMatchers<any> {}
  }
}

expect.extend(matchers);

const formatTaskTitle = ({ file, name, suite }: TestContext['task']): string => {
  const names = [name];
  for (let above = suite; above; above = above.suite) names.unshift(above.name);
  return [file.name, ...names].join(' > ');
};

type VitestFailure = NonNullable<NonNullable<TestContext['task']['result']>['errors']>[number];

interface TestHooks<M> {
  /** Whether to skip the test of a world. */
  skips?(world: string): boolean;
  failed?(world: M, title: string, failure: VitestFailure | undefined): Promise<void>;
  passed?(world: M, title: string): Promise<void>;
  ended?(end: TestEnd): void;
}

/** Vitest inverts a test that is to fail only later. */
const hasFailed = ({ result, fails }: TestContext['task']): boolean => (result?.state === 'fail') !== (fails === true);

/** vitest's `test` with a copy of a mock for each test; one mock a file is started. */
export const worldTest = <S extends { readonly mock: Mock }>(
  start: () => Promise<S>,
  { skips, failed, passed, ended }: TestHooks<S['mock']> = {},
) =>
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

    mock: async ({ wmMock, task, skip, onTestFailed, onTestFinished }, use) => {
      const id = toWorldId(task.id);
      if (skips?.(id)) skip();
      const world = openWorld(wmMock.mock, { id, title: formatTaskTitle(task).slice(0, 500) });
      onTestFailed(() => console.error(describeWorld(world)));
      onTestFinished(() => {
        ended?.({ world: world.id, test: formatTaskTitle(task), passed: !hasFailed(task) });
      });
      await use(world);
      await tellOutcome(world, !hasFailed(task));
      if (hasFailed(task)) await failed?.(world, formatTaskTitle(task), task.result?.errors?.at(-1));
      else await passed?.(world, formatTaskTitle(task));
      await world.close();
    },
  });
