// A tiny suite that vitest.test.ts runs in a child.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['src/test/suites/vitest/*.spec.ts'], retry: 0 } });
