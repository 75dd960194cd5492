// What the programs of lab share: a cache at home, Pythons with packages in it, lists of words, and calls of JSON.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from '../.ci/tools.mjs';

export const cacheOf = (name) => join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'wm-mock', name);

/** The programs of a Python with packages, in the cache; one that was not completed is made again. */
export const pythonWith = (...packages) => {
  const home = cacheOf(packages[0].replace('==', '-'));
  const complete = join(home, 'complete');
  if (!existsSync(complete)) {
    rmSync(home, { recursive: true, force: true });
    run('python3', ['-m', 'venv', home]);
    run(join(home, 'bin/pip'), ['install', '-q', '--disable-pip-version-check', ...packages]);
    writeFileSync(complete, '');
  }
  return join(home, 'bin');
};

export const words = (text) => text.trim().split(/\s+/);

/** GET, or POST of a body. @throws Error for a response that is no success */
export const call = async (url, body, more = {}) => {
  const headers = { 'content-type': 'application/json', ...more };
  const response = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
};
