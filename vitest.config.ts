// How the tests of this package run: unit tests beside their files, in one process per file.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['src/**/*.test.ts'], testTimeout: 60_000 },
});
