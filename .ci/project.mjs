// Projects of a reader: the package as `npm pack` packs it, in folders outside the repository.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './tools.mjs';

/** Calls with a new folder, which is removed afterwards. */
export const inFolder = async (call) => {
  const folder = mkdtempSync(join(tmpdir(), 'wm-mock-package-'));
  try {
    return await call(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
};

/** @returns what npm says of the tarball, and its path */
export const pack = (folder) => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
  return { ...packed, path: join(folder, packed.filename) };
};

/** The tarball that the gate has packed for all its steps, or a new one. */
export const tarballIn = (folder) => process.env.WM_TARBALL || pack(folder).path;

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

/** A package at the version with which this repository is tested, unless a version is named. */
const pinned = (name) => {
  if (name.lastIndexOf('@') > 0) return name;
  const known = packages[`node_modules/${name}`];
  if (!known)
    throw new Error(`${name} is no dependency of this repository: add it to devDependencies, so that its version is pinned`);
  return `${name}@${known.version}`;
};

const MANIFEST = '{"private":true,"type":"module"}';

/** Makes a project with the tarball and packages in a folder. */
export const install = (folder, tarball, names) => {
  writeFileSync(join(folder, 'package.json'), MANIFEST);
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', tarball, ...names.map(pinned)];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
};

/** Leaves of a project only what is installed in it. */
export const empty = (folder) => {
  for (const name of readdirSync(folder))
    if (!['node_modules', '.browsers'].includes(name)) rmSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'package.json'), MANIFEST);
};

const MINUTES = 5;

/** Runs a shell script as a reader would. @returns its exit status, or why it has none, and what it printed */
export const sh = (script, folder, env = {}) => {
  const { status, stdout, stderr, error } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: MINUTES * 60_000,
    env: { ...process.env, CI: '1', FORCE_COLOR: '0', NO_COLOR: '1', ...env },
  });
  return { said: `${stdout ?? ''}${stderr ?? ''}`, status: error ? error.message : status };
};

if (process.argv[1] === import.meta.filename) console.log(pack(process.argv[2]).path);
