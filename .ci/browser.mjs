// Makes sure that the tests find a Chromium: one that is there, else Playwright's, else Debian's; fails loudly when none can be had.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { run } from './tools.mjs';

/** The shell first: without the windows of a browser, the same tests take a third less of the processor. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of a Chromium that is installed, if there is one. */
export const findChromium = () =>
  [process.env.CHROMIUM_PATH, ...PLACES, chromium.executablePath()].find((path) => path && existsSync(path));

/** How that Chromium is launched where there is neither a sandbox nor anything to talk to. */
export const chromiumOptions = () => ({
  executablePath: findChromium(),
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});

/** Asks Playwright where it looks for its headless Chromium: it says so when there is none. */
const LOOKED_FOR = `
  const { createRequire } = require('node:module');
  const { chromium } = createRequire(process.cwd() + '/')('playwright-core');
  chromium.launch().then((browser) => browser.close(), ({ message }) => console.log(/exist at (.*)/.exec(message)[1].trim()));`;

/** The environment in which a project's Playwright finds that Chromium with no download and no setting of its own. */
export const browsersFor = (folder) => {
  const env = { PLAYWRIGHT_BROWSERS_PATH: join(folder, '.browsers'), PLAYWRIGHT_SKIP_VALIDATE_HOST_REQUIREMENTS: '1' };
  const options = { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } };
  const path = execFileSync(process.execPath, ['-e', LOOKED_FOR], options).trim();
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\nexec "${findChromium()}" "$@"\n`, { mode: 0o755 });
  return env;
};

const COMMANDS = [
  'npx playwright-core install chromium',
  'apt-get update',
  ...['chromium-headless-shell', 'chromium'].map((name) => `apt-get install -y --no-install-recommends ${name}`),
];

const install = () => {
  const failures = [];
  for (const command of COMMANDS) {
    const { stderr } = run('sh', ['-c', command], { failing: true });
    if (findChromium()) return;
    failures.push(`  ${command}: ${stderr.trim().split('\n').pop()}`);
  }
  console.error(`The tests need a Chromium and none could be installed:\n${failures.join('\n')}`);
  console.error('Install Chromium or Chrome, or name one: CHROMIUM_PATH=/path/to/chrome npm test');
  process.exit(1);
};

if (!findChromium()) install();
