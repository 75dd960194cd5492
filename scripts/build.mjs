// Builds dist: `npm run build`. Nothing is built while all that it is made of stays as it was; npm, npx and the tests call it first.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { generate } from '../documents/generate.mjs';

const SOURCES = ['src', 'contract-tests', 'scripts', 'documents', 'package.json', 'package-lock.json', 'tsconfig.json'];
const OUTPUT = /^(node_modules|(contract|wm-client)-report)$|\.test\.\w+$/;
/** It stands in dist, so what removes or interrupts a build removes it. */
const STAMP = 'dist/.source';

const filesBelow = (path) => {
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => !OUTPUT.test(name))
    .flatMap((name) => filesBelow(join(path, name)));
};

const hashOfSource = () => {
  const hash = createHash('sha256').update(process.version);
  for (const file of SOURCES.flatMap(filesBelow).sort()) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
};

const tsc = async (...words) => {
  const run = promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', ...words]);
  await run.catch(({ stdout, stderr }) => {
    throw new Error(`tsc ${words.join(' ')}\n${stdout}${stderr}`);
  });
};

/** A clone finds its own command as an installed package does: npx looks here when its own copy was interrupted. */
const linkCommand = () => {
  const link = 'node_modules/.bin/wm-mock';
  if (process.platform === 'win32' || existsSync(link)) return;
  mkdirSync('node_modules/.bin', { recursive: true });
  rmSync(link, { force: true });
  symlinkSync('../../dist/node/cli.js', link);
};

const build = async () => {
  await generate();
  const source = hashOfSource();
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === source) return;
  rmSync('dist', { recursive: true, force: true });
  await Promise.all([
    import('./bundle.mjs'),
    tsc('-p', 'tsconfig.json', '--emitDeclarationOnly'),
    tsc('-p', 'contract-tests/tsconfig.json'),
  ]);
  await import('./declarations.mjs');
  await import('./assets.mjs');
  writeFileSync(STAMP, source);
};

try {
  await build();
  linkCommand();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
