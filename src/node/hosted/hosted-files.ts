// Files of a hosted mock: the worker and its configuration for Cloudflare and for workerd.
import { readFile } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { PACKAGE_FOLDER } from '../package-folder.ts';

/** Compatibility date that this version was tested with. */
const COMPATIBILITY = '2026-07-01';
/** Fleets were tested with this workerd only. */
export const PINNED_WORKERD = '1.20261117.1';
/** Bindings of the worker, and their classes. */
const DURABLE_OBJECTS = { WORLDS: 'WorldObject', ORIGINS: 'OriginObject', DIRECTORY: 'DirectoryObject' };
const OBJECT_CLASSES = Object.values(DURABLE_OBJECTS);
const WORKER_ENTRY = 'hosted/index.js';
const WORKER_PACKAGE = "'wm-mock/hosted'";

/** Paths below `dist`; the entry first, then its imports. */
export const listWorkerModules = async (
  read = (path: string) => readFile(join(PACKAGE_FOLDER, 'dist', path), 'utf8'),
): Promise<string[]> => {
  const modules = [WORKER_ENTRY];
  for (const path of modules) {
    for (const [, target] of (await read(path)).matchAll(/(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)/g)) {
      const module = posix.join(posix.dirname(path), target!);
      if (!modules.includes(module)) modules.push(module);
    }
  }
  return modules;
};

const indentList = (lines: readonly string[]): string => lines.map((line) => `    ${line},\n`).join('');

export interface Cluster {
  readonly bucket: string;
  readonly key: string;
  readonly address: string;
}

/** @param folder of the configuration and its `state` */
export const workerdConfig = (
  modules: readonly string[],
  folder: string,
  address: string,
  cluster?: Cluster,
): string => `# Written by wm-mock.
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "state", disk = (path = ${JSON.stringify(join(folder, 'state'))}, writable = true)),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
  ],
  sockets = [(name = "http", address = ${JSON.stringify(address)}, http = (), service = "main")],
${cluster ? `  cluster = (${Object.entries(cluster).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)}),\n` : ''});
const worker :Workerd.Worker = (
  compatibilityDate = "${COMPATIBILITY}",
  modules = [
${indentList(modules.map((path) => `(name = "${path}", esModule = embed ${JSON.stringify(relative(folder, join(PACKAGE_FOLDER, 'dist', path)).replaceAll('\\', '/'))})`))}  ],
  bindings = [
${indentList([
  ...Object.entries(DURABLE_OBJECTS).map(([name, className]) => `(name = "${name}", durableObjectNamespace = "${className}")`),
  ...['WM_OWNER_TOKEN', 'WM_OPTIONS', 'WM_START'].map((name) => `(name = "${name}", fromEnvironment = "${name}")`),
])}  ],
  durableObjectNamespaces = [
${indentList(OBJECT_CLASSES.map((name) => `(className = "${name}", uniqueKey = "wm-${name}", enableSql = true)`))}  ],
  durableObjectStorage = (localDisk = "state"),
);
`;

const readTemplate = async (name: string): Promise<string> =>
  (await readFile(join(PACKAGE_FOLDER, 'fixtures/hosted', name), 'utf8')).replaceAll('{workerd}', PINNED_WORKERD);

export const hostedFiles = async (): Promise<Readonly<Record<string, string>>> => ({
  'worker.js': `export * from ${WORKER_PACKAGE};\nexport { default } from ${WORKER_PACKAGE};\n`,
  'wrangler.jsonc': `${JSON.stringify(
    {
      name: 'wm-mock',
      main: 'worker.js',
      compatibility_date: COMPATIBILITY,
      durable_objects: { bindings: Object.entries(DURABLE_OBJECTS).map(([name, class_name]) => ({ name, class_name })) },
      migrations: [{ tag: 'v1', new_sqlite_classes: OBJECT_CLASSES }],
      vars: { WM_OPTIONS: '{"receivers":[],"worldIdleMs":604800000}' },
    },
    null,
    2,
  )}\n`,
  'fleet.sh': await readTemplate('fleet.sh'),
  'README.md': await readTemplate('README.md'),
  '.gitignore': 'state/\nowner-token\ndev.lock\nworkerd.capnp*\n.wrangler/\n',
});
