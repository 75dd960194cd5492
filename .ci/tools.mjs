// The tools of others: installed on demand into a folder that git ignores, at the versions of .ci/tools/package.json; what they need
// is of the day in .ci/tools/.npmrc, and vitest, which Stryker runs, of this repository.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
const TOOLS = join(import.meta.dirname, 'tools');

const WANTED = ['package.json', '.npmrc'].map((name) => readFileSync(join(TOOLS, name), 'utf8')).join('');
const MARK = join(TOOLS, 'node_modules/.installed');

const install = () => {
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === WANTED) return;
  const { status } = spawnSync('npm', ['install', '--loglevel=error'], { cwd: TOOLS, stdio: 'inherit' });
  if (status !== 0) throw new Error(`npm install in ${TOOLS} failed`);
  writeFileSync(MARK, WANTED);
};

/** The path of a tool's program, which is installed first where it is missing or of other versions. */
export const tool = (name) => {
  install();
  return join(TOOLS, 'node_modules/.bin', name);
};

/** Runs a program to its end and hands back what it printed. @throws when it fails and `failing` is not set. */
export const run = (program, args, { failing = false, env = {}, ...options } = {}) => {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
    env: { ...process.env, ...env },
    ...options,
  });
  if (error) throw error;
  if (status !== 0 && !failing)
    throw new Error(`${program} ${args.join(' ')} exited with ${status}\n${stdout ?? ''}${stderr ?? ''}`);
  return { status, stdout, stderr };
};

if (process.argv[1] === import.meta.filename) install();
