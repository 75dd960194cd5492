// Files of a hosted mock: the worker and its configuration for Cloudflare and for workerd.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.ts';

/** Compatibility date that this version was tested with. */
const COMPATIBILITY = '2026-07-01';
/** Fleets were tested with this workerd only. */
export const PINNED_WORKERD = '1.20261117.1';

/** Paths below `dist`; the entry first, then its imports. */
export const listWorkerModules = async (read = (path: string) => readFile(join(PACKAGE_FOLDER, 'dist', path), 'utf8')) => {
  const modules = ['hosted/index.js'];
  for (const path of modules) {
    for (const [, target] of (await read(path)).matchAll(/(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)/g)) {
      const module = posix.join(posix.dirname(path), target!);
      if (!modules.includes(module)) modules.push(module);
    }
  }
  return modules;
};

export interface Cluster {
  readonly bucket: string;
  readonly key: string;
  readonly address: string;
}

/** @param more by their names in the template */
const fillTemplate = (name: string, more: Readonly<Record<string, string>> = {}): string => {
  const values: typeof more = { compatibility: COMPATIBILITY, workerd: PINNED_WORKERD, ...more };
  const template = readFileSync(join(PACKAGE_FOLDER, 'fixtures/hosted', name), 'utf8');
  return template.replace(/\{(\w+)\}/g, (whole, key: string) => values[key] ?? whole);
};

/** @param folder of the configuration and its `state` */
export const workerdConfig = (modules: readonly string[], folder: string, address: string, cluster?: Cluster): string => {
  const pathOf = (path: string) => relative(folder, join(PACKAGE_FOLDER, 'dist', path)).replaceAll('\\', '/');
  const settings = Object.entries(cluster ?? {}).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return fillTemplate('workerd.capnp', {
    state: JSON.stringify(join(folder, 'state')),
    address: JSON.stringify(address),
    cluster: cluster ? `  cluster = (${settings}),\n` : '',
    modules: modules.map((path) => `    (name = "${path}", esModule = embed ${JSON.stringify(pathOf(path))}),\n`).join(''),
  });
};

export const hostedFiles = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(['worker.js', 'wrangler.jsonc', 'fleet.sh', 'README.md'].map((name) => [name, fillTemplate(name)])),
  '.gitignore': 'state/\nowner-token\ndev.lock\nworkerd.capnp*\n.wrangler/\n',
});
