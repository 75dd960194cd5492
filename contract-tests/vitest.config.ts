// The contract run as vitest: the target and its keys come from the environment.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['contract.test.ts'],
    testTimeout: 10_000,
  },
});
