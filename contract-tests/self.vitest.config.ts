// The tests of the suite itself; they need no target but the servers of this folder and, when it is built, the mock.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Files share a process: each would read the register and compile the document anew, which takes longer than some of their runs.
  test: {
    root: import.meta.dirname,
    include: ['tests/**/*.test.ts', 'second-farm/*.test.ts'],
    testTimeout: 120_000,
    isolate: false,
    // Most of their time they wait: for a socket, a shell, or letters that are held back.
    maxWorkers: 2 * availableParallelism(),
  },
});
