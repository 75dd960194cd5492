// The package as its users have it: packed into a tarball and installed into a folder of its own.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pack } from '../.ci/packed.mjs';
import { CACHE, npm } from './peers.mjs';

/** @returns the installed command's file. @throws Error when npm cannot pack or install. */
export function installCli(say) {
  say('packing and installing wm-mock');
  mkdirSync(CACHE, { recursive: true });
  const tarball = pack(CACHE).path;
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
