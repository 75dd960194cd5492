// How the tests of this package run: unit tests beside their files, in one process per file.
// One file more than there are cores: some wait, for a browser or for real seconds.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['src/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: availableParallelism() + 1 },
});
