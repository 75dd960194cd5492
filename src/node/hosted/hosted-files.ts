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

const HOSTED_README = `# A hosted mock

Persistent worlds of the Work-Management API behind one address, with no server to maintain. docs/hosted.md of wm-mock says what is promised.

- \`worker.js\`: the worker. Its code is in wm-mock: to upgrade, run \`npm update wm-mock\` and deploy.
- \`wrangler.jsonc\`: its configuration for Cloudflare. \`WM_OPTIONS\` says which receivers webhooks are really sent to, and after how many idle milliseconds a world is deleted.
- \`seed.yaml\`: the initial data of your tenants.

## On this machine
npm install -D workerd
npx wm-mock dev --hosted .

## On a fleet of your own (preview)
You need machines in a private network, a shared bucket (S3 or Google Cloud Storage) and a load balancer. On each machine, with this folder and the variables that \`fleet.sh\` asks for:
npm install wm-mock && npm install -E workerd@${PINNED_WORKERD}
sh fleet.sh

## On Cloudflare
npm install -D wrangler
npx wrangler login
export WM_OWNER_TOKEN=$(openssl rand -hex 24)   # keep it: it creates tenants, and all other tokens derive from it
npx wm-mock deploy .

Then create a tenant; the response has the address and the token of its first world.
curl https://<address>/_hosted/tenants -H "Authorization: Bearer $WM_OWNER_TOKEN" -H 'Content-Type: application/json' \\
  -d "$(jq -n --rawfile seed seed.yaml '{ id: "main", worlds: 1000, seed: $seed }')"
`;

const FLEET_SCRIPT = `#!/bin/sh
# One machine of a fleet. Owner's token, key and bucket are the same on all of them.
: "\${WM_OWNER_TOKEN:?creates tenants: openssl rand -hex 24}"
: "\${WM_CLUSTER_KEY:?opens this machine to the others: openssl rand -hex 32}"
: "\${WM_CLUSTER_ADDRESS:?where the others reach this machine, such as 10.0.0.1:4701; traffic there is not encrypted}"
: "\${WM_BUCKET:?s3://bucket/prefix; AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY lead to it}"
cd "$(dirname "$0")" && exec npx wm-mock deploy --bucket "$WM_BUCKET" --host 0.0.0.0 .
`;

export const hostedFiles = (): Readonly<Record<string, string>> => ({
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
  'fleet.sh': FLEET_SCRIPT,
  'README.md': HOSTED_README,
  '.gitignore': 'state/\nowner-token\ndev.lock\nworkerd.capnp*\n.wrangler/\n',
});
