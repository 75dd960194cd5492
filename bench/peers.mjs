// The peers: named versions, installed on demand into bench/peers, each serving the same tasks in its natural way.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../.ci/start.mjs';
import { prove } from './scenarios.mjs';
import { plainTasks, STATUSES } from './seeds.mjs';
import { here, startServer } from './servers.mjs';

const FOLDER = here('peers');

/** Lists by page number; `sort` and `status` as the peer spells them. */
const byPage = ({ first, page, status, sort }) => ({
  list: () => [first],
  filter: () => STATUSES.map((one) => `${first}&${status}=${one}`),
  sort: () => [`${first}&${sort}`],
  deep: ({ total }) =>
    [0.65, 0.68, 0.71, 0.74].map((part) => first.replace(`${page}=1`, `${page}=${Math.ceil((part * total) / 20)}`)),
  read: ({ ids }) => ids.map((id) => `/tasks/${id}`),
  create: () => ['/tasks'],
});

/** `mixesNulls`: it sorts, but tasks without a due date break its order. */
const PEERS = [
  {
    name: 'json-server beta',
    package: 'json-server',
    args: (file, port) => ['node_modules/json-server/lib/bin.js', file, '--port', port, '--host', '127.0.0.1'],
    paths: byPage({ first: '/tasks?_page=1&_per_page=20', page: '_page', status: 'status', sort: '_sort=due_date' }),
    itemsOf: (page) => page.data,
  },
  {
    name: 'json-server',
    package: 'json-server-0',
    args: (file, port) => ['node_modules/json-server-0/lib/cli/bin.js', file, '--port', port, '--host', '127.0.0.1', '--quiet'],
    paths: byPage({ first: '/tasks?_page=1&_limit=20', page: '_page', status: 'status', sort: '_sort=due_date&_order=asc' }),
    itemsOf: (page) => page,
  },
  {
    name: 'Mockoon',
    package: '@mockoon/cli',
    args: (file, port) => ['mockoon.mjs', file, port],
    paths: byPage({ first: '/tasks?page=1&limit=20', page: 'page', status: 'status_eq', sort: 'sort=due_date&order=asc' }),
    mixesNulls: true,
    itemsOf: (page) => page,
  },
];

const install = (say) => {
  if (existsSync(join(FOLDER, 'node_modules/.package-lock.json'))) return;
  say('installing the peers');
  const { status, stderr } = spawnSync('npm', ['ci', '--ignore-scripts'], { cwd: FOLDER, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ci failed in bench/peers: ${stderr.trim().slice(-500)}`);
};

const startPeer = async (peer, { folder, size, file, tasks }) => {
  // It may write into its file.
  const own = join(folder, `${peer.package.replaceAll(/\W+/g, '-')}-${size}.json`);
  copyFileSync(file, own);
  const step = Math.ceil(tasks.length / 64);
  const asked = { total: tasks.length, ids: tasks.filter((_, i) => i % step === 0).map(({ id }) => id) };
  const paths = Object.fromEntries(Object.entries(peer.paths).map(([name, of]) => [name, of(asked)]));
  const { version } = JSON.parse(readFileSync(join(FOLDER, 'node_modules', peer.package, 'package.json'), 'utf8'));
  const port = String(await freePort());
  const [script, ...words] = peer.args(own, port);
  const name = `${peer.name} ${version}, ${size}`;
  const server = await startServer({ name, args: [join(FOLDER, script), ...words], port, probe: paths.list[0] });
  const first = await fetch(server.base + paths.list[0], { headers: { authorization: 'Bearer any' } }).then((one) => one.json());
  const found = { firstPage: peer.itemsOf(first).map(({ id }) => id) };
  for (const one of Object.keys(paths))
    if (one !== 'sort' || !peer.mixesNulls) await prove(server.base, one, paths[one], found, peer.itemsOf);
  return { ...server, kind: 'peer', family: peer.name, size, paths };
};

/** Every peer at every size, ready for load; one that does not start, or answers wrongly, is named in `missing`. */
export const startPeers = async ({ folder, sizes, missing, say }) => {
  install(say);
  const started = [];
  for (const size of sizes) {
    const { tasks, file } = await plainTasks(folder, size);
    for (const peer of PEERS) {
      say(`starting ${peer.name} with ${size} tasks`);
      await startPeer(peer, { folder, size, file, tasks }).then(
        (server) => started.push(server),
        (error) => (missing[`${peer.name}, ${size}`] = error.message.slice(0, 300)),
      );
    }
  }
  return started;
};
