// A tiny suite with a race in it that race.test.ts runs in a child, again and again.
import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { include: ['src/test/suites/races/*.spec.ts'] } });
