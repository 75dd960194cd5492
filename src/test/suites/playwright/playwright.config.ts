// A tiny suite that playwright.test.ts runs in a child: every test in parallel, in the Chromium of the tests.
import { defineConfig } from '@playwright/test';
import type { MockFixtures } from 'wm-mock/playwright';
// @ts-expect-error a script of the build, without types
import { chromiumOptions } from '../../../../.ci/browser.mjs';

export default defineConfig<MockFixtures>({
  testDir: '.',
  fullyParallel: true,
  workers: 2,
  outputDir: process.env.WM_SUITE_OUTPUT ?? 'test-results',
  reporter: [['json']],
  use: { launchOptions: chromiumOptions(), mockOptions: { seed: 'fixtures/tiny.yaml', apiUrl: 'https://api.example.test/v1' } },
});
