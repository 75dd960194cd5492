// The peers: named versions in a folder of their own outside the repository, each serving the tasks in its natural way.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { draft, STATUSES } from './scenarios.mjs';

const here = (file) => fileURLToPath(new URL(`peers/${file}`, import.meta.url));
const FILES = ['package.json', 'package-lock.json', 'emulate.mjs', 'scalar.mjs'];
const INSTALL_LIMIT_MS = 300_000;

/** Where downloads and installed packages of the benchmark live. */
export const CACHE = process.env.WM_BENCH_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'wm-mock-bench');

/** Runs npm in a folder. @throws Error with the end of what it said. */
export function npm(folder, ...args) {
  const done = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
  });
  if (done.status !== 0)
    throw new Error(`npm ${args[0]} failed in ${folder}: ${(done.stderr ?? `${done.error}`).trim().slice(-800)}`);
  return done.stdout;
}

/** Installs the locked versions unless they are there. @returns the folder. */
export function installPeers(say) {
  const lock = createHash('sha256')
    .update(readFileSync(here('package-lock.json')))
    .digest('hex')
    .slice(0, 12);
  const folder = join(CACHE, `peers-${lock}`);
  if (!existsSync(folder)) {
    say(`installing the peers in ${folder}`);
    const making = `${folder}.${process.pid}`;
    rmSync(making, { recursive: true, force: true });
    mkdirSync(making, { recursive: true });
    for (const file of FILES) copyFileSync(here(file), join(making, file));
    npm(making, 'ci');
    renameSync(making, folder);
  }
  for (const file of FILES) copyFileSync(here(file), join(folder, file));
  return folder;
}

const packageOf = (folder, name) => JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));

/** The file that a package runs as a command. */
function commandOf(folder, name) {
  const { bin } = packageOf(folder, name);
  return join(folder, 'node_modules', name, typeof bin === 'string' ? bin : Object.values(bin)[0]);
}

const byPage = ({ first, page, status, sort }) => ({
  list: () => [first],
  filter: () => STATUSES.map((one) => `${first}&${status}=${one}`),
  sort: () => [`${first}&${sort}`],
  deep: ({ total }) =>
    [0.65, 0.67, 0.69, 0.71, 0.73, 0.75].map((part) => first.replace(`${page}=1`, `${page}=${Math.ceil((part * total) / 20)}`)),
  read: ({ taskIds }) => taskIds.map((id) => `/tasks/${id}`),
  create: () => ['/tasks'],
});

/** Paths of the document itself: the examples that it answers are the same whatever is asked. */
const fixed = {
  list: () => ['/tasks'],
  read: ({ taskIds }) => [`/tasks/${taskIds[0]}`],
  create: () => ['/projects/proj_any/tasks'],
};

/**
 * One peer: how it is started, which paths ask it for the scenarios, where its pages hold their items.
 * `mixesNulls`: it sorts, but tasks without a due date break its order.
 * `data` serves the tasks themselves; `document` answers the examples of an OpenAPI document, whatever is asked, and has no size.
 */
const PEERS = [
  {
    name: 'json-server beta',
    package: 'json-server',
    data: true,
    args: ({ command, data, port }) => [command, data, '--port', port, '--host', '127.0.0.1'],
    paths: byPage({ first: '/tasks?_page=1&_per_page=20', page: '_page', status: 'status', sort: '_sort=due_date' }),
    items: (answer) => answer.data,
  },
  {
    name: 'json-server',
    package: 'json-server-0',
    data: true,
    args: ({ command, data, port }) => [command, data, '--port', port, '--host', '127.0.0.1', '--quiet'],
    paths: byPage({ first: '/tasks?_page=1&_limit=20', page: '_page', status: 'status', sort: '_sort=due_date&_order=asc' }),
    items: (answer) => answer,
  },
  {
    name: 'Mockoon',
    package: '@mockoon/cli',
    data: true,
    prepare: mockoonFile,
    args: ({ command, data, port }) => [
      command,
      'start',
      '--data',
      data,
      '--port',
      port,
      '--disable-log-to-file',
      '--disable-admin-api',
    ],
    paths: byPage({ first: '/tasks?page=1&limit=20', page: 'page', status: 'status_eq', sort: 'sort=due_date&order=asc' }),
    mixesNulls: true,
    items: (answer) => answer,
  },
  {
    name: 'emulate (custom)',
    package: 'emulate',
    data: true,
    args: ({ folder, data, port }) => [join(folder, 'emulate.mjs'), data, port],
    paths: byPage({ first: '/tasks?page=1&limit=20', page: 'page', status: 'status', sort: 'sort=due_date' }),
    items: (answer) => answer.items,
  },
  {
    name: 'Prism',
    package: '@stoplight/prism-cli',
    args: ({ command, document, port }) => [command, 'mock', document, '--port', port, '--verboseLevel', 'error'],
    paths: fixed,
    items: (answer) => answer.items,
  },
  {
    name: 'Scalar',
    package: '@scalar/mock-server',
    args: ({ folder, document, port }) => [join(folder, 'scalar.mjs'), document, port],
    paths: fixed,
    items: (answer) => answer.items,
  },
];

/** A Mockoon environment with one data bucket behind CRUD routes. */
function mockoonFile(data) {
  const file = data.replace('.json', '.mockoon.json');
  const response = {
    uuid: 'response',
    rules: [],
    rulesOperator: 'OR',
    statusCode: 200,
    label: '',
    headers: [],
    body: '{}',
    latency: 0,
    bodyType: 'DATABUCKET',
    filePath: '',
    databucketID: 'task',
    sendFileAsBody: false,
    disableTemplating: true,
    fallbackTo404: false,
    default: true,
    crudKey: 'id',
    callbacks: [],
  };
  const route = {
    uuid: 'tasks',
    type: 'crud',
    documentation: '',
    method: '',
    endpoint: 'tasks',
    responses: [response],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  };
  const environment = {
    uuid: 'bench',
    lastMigration: 33,
    name: 'Bench',
    port: 3000,
    hostname: '127.0.0.1',
    endpointPrefix: '',
    latency: 0,
    folders: [],
    routes: [route],
    rootChildren: [{ type: 'route', uuid: 'tasks' }],
    proxyMode: false,
    proxyRemovePrefix: false,
    proxyHost: '',
    proxyReqHeaders: [],
    proxyResHeaders: [],
    tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
    cors: true,
    headers: [],
    data: [
      {
        uuid: 'bucket',
        id: 'task',
        name: 'Tasks',
        documentation: '',
        value: JSON.stringify(JSON.parse(readFileSync(data, 'utf8')).tasks),
      },
    ],
    callbacks: [],
  };
  writeFileSync(file, JSON.stringify(environment));
  return file;
}

/** The peers with their versions, ready to be started; each `at` gives what stands after `node`. */
export function readyPeers(folder) {
  return PEERS.map((peer) => {
    const { version } = packageOf(folder, peer.package);
    const command = peer.args.toString().includes('command') ? commandOf(folder, peer.package) : undefined;
    return {
      ...peer,
      version,
      at: ({ data, document, port }) => peer.args({ folder, command, port: String(port), document, data }),
    };
  });
}

/** The requests of a scenario as a peer understands them; undefined when it cannot be asked so. */
export function asksOf(peer, scenario, found) {
  const paths = peer.paths[scenario]?.(found);
  if (scenario === 'create') return paths.map((path) => ({ method: 'POST', path, body: JSON.stringify(draft) }));
  return paths?.map((path) => ({ method: 'GET', path }));
}
