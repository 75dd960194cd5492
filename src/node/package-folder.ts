// The folder of this package, wherever it is installed, and its version.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Not `new URL('../..', import.meta.url)`: webpack and Turbopack would bundle that. */
export const PACKAGE_FOLDER = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export const ASSETS_FOLDER = join(PACKAGE_FOLDER, 'dist/assets');

export const packageVersion = async (): Promise<string> =>
  (JSON.parse(readFileSync(resolve(PACKAGE_FOLDER, 'package.json'), 'utf8')) as { version: string }).version;
