// The tests that can notice a mutant: in memory, without browsers, processes, waiting, and the built package.
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const BLIND =
  /spawn|execFile|\bfork\(process|(?<!ajv\/)dist\/|test\/(pages|browser)\b|vi\.useFakeTimers|import\.meta\.glob|git |readdirSync\('src/;
const SLOW = /(\.(browser|slow)|\/(naive|worlds|fuzz))\.test\.ts$/;
const tests = ['client', 'connect', 'dashboard', 'mock', 'service', 'testing'].flatMap((room) =>
  (readdirSync(`src/${room}`, { recursive: true }) as string[]).map((name) => `src/${room}/${name}`),
);
const include = tests.filter((name) => /\.test\.ts$/.test(name) && !SLOW.test(name) && !BLIND.test(readFileSync(name, 'utf8')));
/** They hold the documents that people review to the tables, and each field to its rules. */
const JUDGES = ['documents/documents.test.ts', 'documents/released.test.ts', 'src/fields.test.ts'];

/** The first test that opened a page would count as the only one that reads the table of pages. */
const setupFiles = ['src/dashboard/pages.ts'];

export default defineConfig({ test: { include: [...include, ...JUDGES], setupFiles, isolate: false, testTimeout: 60_000 } });
