// The package as its users have it: packed into a tarball and installed into a folder of its own.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CACHE, npm } from './peers.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @returns the installed command's file. @throws Error when npm cannot pack or install. */
export function installCli(say) {
  say('packing and installing wm-mock');
  mkdirSync(CACHE, { recursive: true });
  const [{ filename }] = JSON.parse(npm(ROOT, 'pack', '--json', '--pack-destination', CACHE));
  const tarball = join(CACHE, filename);
  const hash = createHash('sha256').update(readFileSync(tarball)).digest('hex').slice(0, 12);
  const folder = join(CACHE, `installed-${hash}`);
  const cli = join(folder, 'node_modules/wm-mock/dist/node/cli.js');
  if (!existsSync(cli)) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true }\n');
    npm(folder, 'install', tarball);
  }
  rmSync(tarball);
  return cli;
}
