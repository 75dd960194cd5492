// A tiny suite with a race in it that commands/client.test.ts runs in a child, again and again: Node loads the built package itself, which is fast.
import { defineConfig } from 'vitest/config';

const server = { deps: { external: [/\/dist\//] } };
export default defineConfig({ test: { include: ['src/test/suites/client/*.spec.ts'], server, pool: 'threads', isolate: false } });
