// A tiny suite that playwright.test.ts runs in a child: every test in parallel, in the Chromium of the tests.
import { defineConfig } from '@playwright/test';
// @ts-expect-error a script of the build, without types
import { chromiumOptions } from '../../../../.ci/browser.mjs';

export default defineConfig({
  testDir: '.',
  fullyParallel: true,
  workers: 2,
  outputDir: process.env.WM_SUITE_OUTPUT ?? 'test-results',
  reporter: [['json']],
  use: { launchOptions: chromiumOptions() },
});
