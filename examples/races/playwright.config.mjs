// How the app's tests run: one after the other, in Chromium; each test has a world of its own.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';

const executablePath = process.env.CHROMIUM_PATH;
// A folder for each run: several go on at once, and each empties it. The workers of a run find it in their environment.
process.env.RACES_OUTPUT ??= mkdtempSync(join(tmpdir(), 'races-'));

export default defineConfig({
  outputDir: process.env.RACES_OUTPUT,
  // What is slow is not broken: a wrong page fails at once.
  timeout: 30_000,
  expect: { timeout: 10_000 },
  workers: 1,
  reporter: 'line',
  use: {
    // The app's address is routed, the mock is on this machine: Chromium asks whether a page may go from there to here.
    permissions: ['local-network-access'],
    mockOptions: { seed: 'seed.yaml' },
    launchOptions: { ...(executablePath && { executablePath }), args: ['--disable-background-networking'] },
  },
});
