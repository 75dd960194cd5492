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

export default defineConfig({ test: { include, isolate: false, testTimeout: 60_000 } });
