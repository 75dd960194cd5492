// The tests of the suite itself; they need no target but the servers of this folder and, when it is built, the mock.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { root: import.meta.dirname, include: ['tests/**/*.test.ts', 'second-farm/*.test.ts'], testTimeout: 120_000 },
});
