// The package as it would be published, in a folder outside the repository.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
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

const npmPack = (from, to) => {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to];
  const [packed] = JSON.parse(execFileSync('npm', args, { cwd: from, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
  return { ...packed, path: join(to, packed.filename) };
};

/** What only a clone of the repository needs: a reader of the package would be asked to approve `prepare`. */
const FOR_CLONES = ['scripts', 'devDependencies'];

/** Blanks that a reader of a diff needs, and a tool does not; what the pages tell CI. */
const SHORTER = [
  ['openapi', '.json', (text) => JSON.stringify(JSON.parse(text))],
  ['docs', '.md', (text) => text.replaceAll(/^<!-- example .*-->\n\n/gm, '')],
];

/** Packs what was built, as it is to be published. @returns what npm says of it, and the path of the tarball */
export const pack = (folder) => {
  const staging = mkdtempSync(join(folder, 'staging-'));
  const { path } = npmPack(ROOT, staging);
  execFileSync('tar', ['-xzf', path, '-C', staging]);
  const manifest = join(staging, 'package/package.json');
  const kept = Object.entries(JSON.parse(readFileSync(manifest, 'utf8'))).filter(([name]) => !FOR_CLONES.includes(name));
  writeFileSync(manifest, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
  for (const [folder, kind, shorter] of SHORTER) {
    const at = join(staging, 'package', folder);
    for (const name of readdirSync(at, { recursive: true }).filter((file) => file.endsWith(kind)))
      writeFileSync(join(at, name), shorter(readFileSync(join(at, name), 'utf8')));
  }
  const packed = npmPack(join(staging, 'package'), folder);
  rmSync(staging, { recursive: true });
  return packed;
};

const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));

/** A package at the version with which this repository is tested, unless a version is named. */
export const pinned = (name) => {
  if (name.lastIndexOf('@') > 0) return name;
  const known = packages[`node_modules/${name}`];
  if (!known)
    throw new Error(`${name} is no dependency of this repository: add it to devDependencies, so that its version is pinned`);
  return `${name}@${known.version}`;
};

/** Makes a project with the tarball and packages in a folder. */
export const install = (folder, tarball, names) => {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', tarball, ...names.map(pinned)];
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
};

const MINUTES = 5;

/** Runs a shell script as a reader would. @returns its exit status, or why it has none, and what it printed */
export const sh = (script, folder, env) => {
  const { status, stdout, stderr, error } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: MINUTES * 60_000,
    env: { ...process.env, CI: '1', FORCE_COLOR: '0', NO_COLOR: '1', ...env },
  });
  return { said: `${stdout ?? ''}${stderr ?? ''}`, status: error ? error.message : status };
};

// Of a clone that a link leads to, the name on the command line is the link's.
if (realpathSync(process.argv[1]) === import.meta.filename) console.log(pack(process.argv[2] ?? ROOT).path);
