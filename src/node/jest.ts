// The entry point of Jest: importing it registers the matchers and their types.
import { expect } from '@jest/globals';
import { type MatcherResult, type MockMatchers, matchers } from '../testing/matchers.ts';

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends MockMatchers<MatcherResult<T, R>> {}
}

expect.extend(matchers);

export * from '../testing/index.ts';
