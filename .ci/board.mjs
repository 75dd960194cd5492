// The example board against the package as built: installs, type-checks, builds, and runs its Playwright suite in random order; `--times 20` runs it so often.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { findChromium } from './browser.mjs';
import { freePort } from './start.mjs';
import { ROOT, run } from './tools.mjs';

const BOARD = join(ROOT, 'examples/board');
const { times } = parseArgs({ options: { times: { type: 'string', default: '1' } } }).values;

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const { dependencies } = json(join(ROOT, 'package.json'));
const locked = json(join(BOARD, 'package-lock.json')).packages['node_modules/wm-mock'].dependencies;
// npm would install what the lock file says and leave out what the package has come to need.
if (!isDeepStrictEqual(locked, dependencies)) {
  console.error(
    'examples/board/package-lock.json is older than the dependencies of wm-mock: run `rm -rf node_modules package-lock.json && npm install --ignore-scripts` there and commit it',
  );
  process.exit(1);
}

const env = { CHROMIUM_PATH: findChromium(), BOARD_PORT: String(await freePort()) };
const npm = (...args) => run('npm', args, { cwd: BOARD, env, stdio: 'inherit' });
const started = Date.now();
npm('ci', '--ignore-scripts');
npm('test', '--', '--shuffle', '--repeat-each', times);
console.log(`the board: ${times} × its suite, 4 workers, random order, ${Math.round((Date.now() - started) / 1000)} s`);
