// How the board's tests run: fully parallel, in Chromium, against the built page; each test has a world of its own.
import { defineConfig, devices } from '@playwright/test';
import type { MockFixtures } from 'wm-mock/playwright';

const port = Number(process.env.BOARD_PORT ?? 4780);
const executablePath = process.env.CHROMIUM_PATH;

export default defineConfig<MockFixtures>({
  testDir: 'tests',
  fullyParallel: true,
  workers: 4,
  // Four browsers on a small machine are slow, and slow is not broken.
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: !!process.env.CI,
  reporter: process.env.CI ? 'dot' : 'list',
  use: {
    ...devices['Desktop Chrome'],
    baseURL: `http://127.0.0.1:${port}/`,
    mockOptions: { seed: 'tests/seed.yaml', agree: 'always' },
    launchOptions: { ...(executablePath && { executablePath }), args: ['--disable-background-networking'] },
  },
  webServer: { command: `vite preview --port ${port} --strictPort`, port, reuseExistingServer: false },
});
