// A fleet on this machine: workerds that serve from a bucket, each with a disk of its own, and a balancer in front of them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../.ci/start.mjs';
import { ROOT } from '../../.ci/tools.mjs';
import { Bucket } from './bucket.mjs';
import { ask } from './client.mjs';

const CLI = join(ROOT, 'dist/node/cli.js');
export const OWNER = 'the-owner-of-all-of-this';
const CLUSTER_KEY = 'what-these-machines-know-each-other-by';
const MAX_START_MS = 60_000;
/** Between two looks of the balancer at a machine. */
const LOOK_MS = 500;

const isOk = async (port, path) => (await fetch(`http://127.0.0.1:${port}${path}`).catch(() => ({}))).ok === true;

/** One machine: `deploy --bucket` in a folder of `init --hosted`, as its README says. */
class Machine {
  up = false;
  /** How often it has ended by itself. */
  falls = 0;
  #wanted = false;
  #child;
  #ended;

  async prepare(folder, bucket, options) {
    Object.assign(this, { folder, bucket, options, port: await freePort(), peer: await freePort() });
    execFileSync(process.execPath, [CLI, 'init', '--hosted', folder], { stdio: 'ignore' });
    return this;
  }

  async start() {
    const env = {
      PATH: process.env.PATH,
      WM_OWNER_TOKEN: OWNER,
      WM_CLUSTER_KEY: CLUSTER_KEY,
      WM_CLUSTER_ADDRESS: `127.0.0.1:${this.peer}`,
      WM_OPTIONS: JSON.stringify({ receivers: ['127.0.0.1'], worldIdleMs: 0, ...this.options }),
      AWS_ENDPOINT_URL: this.bucket.url,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'any',
      AWS_SECRET_ACCESS_KEY: 'any',
    };
    const words = [CLI, 'deploy', '--bucket', 's3://fleet/worlds', '--port', String(this.port), this.folder];
    const log = openSync(join(this.folder, 'log'), 'a');
    // A group of its own: the command, and the process that serves.
    const child = spawn(process.execPath, words, { env, stdio: ['ignore', log, log], detached: true });
    closeSync(log);
    this.#child = child;
    this.#wanted = true;
    this.#ended = once(child, 'exit');
    void this.#ended.then(() => {
      this.up = false;
      if (!this.#wanted) return;
      // What keeps services running would start it again.
      this.falls += 1;
      void this.start().catch((error) => console.error(error.message));
    });
    for (const until = Date.now() + MAX_START_MS; !(await isOk(this.port, '/_hosted/health')); await sleep(50)) {
      if (child.exitCode === null && Date.now() < until) continue;
      this.end();
      throw new Error(`${this.folder} does not serve: see its log`);
    }
    this.up = true;
  }

  /** Asked as balancers do: a machine that stops, or has lost its lease, is given no more requests. */
  async look() {
    const isReady = await isOk(this.peer, '/ready');
    this.up = isReady && (this.#wanted || this.up);
  }

  async crash() {
    this.up = false;
    this.end();
    await this.#ended;
  }

  /** Told to stop, it hands its worlds over first. @returns its exit status */
  async stop() {
    this.#wanted = false;
    this.#child.kill('SIGTERM');
    return (await this.#ended)[0];
  }

  /** Nothing that it had is left to it. */
  async wipe() {
    const disk = join(this.folder, 'state');
    await rm(disk, { recursive: true, force: true });
    await mkdir(disk);
  }

  /** Stopped, and started again with nothing of its own. */
  async renew() {
    const status = await this.stop();
    if (status !== 0) throw new Error(`told to stop, a machine ended with ${status}`);
    await this.wipe();
    await this.start();
  }

  end() {
    this.#wanted = false;
    if (this.#child?.exitCode === null && this.#child.signalCode === null) process.kill(-this.#child.pid, 'SIGKILL');
  }
}

export class Fleet {
  machines = [];
  /** How many requests each machine was given. */
  given = [];
  #next = 0;
  #looking;
  #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  #balancer = createServer((asked, said) => {
    said.on('error', () => {});
    buffer(asked)
      .then((body) => this.#pass(asked, said, body))
      .catch(() => said.destroy());
  });

  /** @param options of the worker */
  static async open(count = 3, options = {}) {
    const fleet = new Fleet();
    fleet.folder = await mkdtemp(join(tmpdir(), 'wm-fleet-'));
    fleet.bucket = await new Bucket().open();
    process.on('exit', () => {
      for (const machine of fleet.machines) machine.end();
    });
    for (let i = 1; i <= count; i++)
      fleet.machines.push(await new Machine().prepare(join(fleet.folder, `machine-${i}`), fleet.bucket, options));
    fleet.given = fleet.machines.map(() => 0);
    fleet.#balancer.keepAliveTimeout = 120_000;
    fleet.#balancer.listen(0, '127.0.0.1');
    await once(fleet.#balancer, 'listening');
    fleet.origin = `http://127.0.0.1:${fleet.#balancer.address().port}`;
    await Promise.all(fleet.machines.map((machine) => machine.start()));
    fleet.#looking = setInterval(() => {
      for (const machine of fleet.machines) void machine.look();
    }, LOOK_MS);
    return fleet;
  }

  async close({ keep = false } = {}) {
    clearInterval(this.#looking);
    this.#balancer.close();
    this.#balancer.closeAllConnections();
    await Promise.all(this.machines.map((machine) => machine.stop()));
    this.bucket.close();
    this.#agent.destroy();
    if (!keep) await rm(this.folder, { recursive: true, force: true });
  }

  /** Each request goes to the next machine; to another one when nobody listens there. What has reached a machine is not sent again. */
  #pass(asked, said, body, tries = this.machines.length) {
    const at = this.#next++ % this.machines.length;
    const { up, port } = this.machines[at];
    const another = () => (tries > 1 ? this.#pass(asked, said, body, tries - 1) : said.destroy());
    if (!up) return another();
    this.given[at] += 1;
    const { method, url: path, headers } = asked;
    const out = request({ host: '127.0.0.1', port, method, path, headers, agent: this.#agent });
    said.once('close', () => out.destroy());
    out.once('response', (answer) => {
      said.sendDate = false;
      said.writeHead(answer.statusCode, answer.statusMessage, answer.rawHeaders);
      // An answer that is cut off is cut off here too.
      pipeline(answer, said, () => {});
    });
    out.once('error', ({ code }) => (code === 'ECONNREFUSED' ? another() : said.destroy()));
    out.end(body);
  }

  /** What is there afterwards comes from the bucket alone. */
  async loseDisks() {
    for (const what of ['crash', 'wipe', 'start']) await Promise.all(this.machines.map((machine) => machine[what]()));
  }

  /** How many objects are with each machine, as the bucket says. */
  get owned() {
    const read = (key) => JSON.parse(this.bucket.read(key) ?? '{}');
    const counts = this.machines.map(() => 0);
    for (const key of this.bucket.keys.filter((one) => one.endsWith('/own.json'))) {
      const { address } = read(`worlds/v1/nodes/${read(key).node}.json`);
      const at = this.machines.findIndex(({ peer }) => address === `127.0.0.1:${peer}`);
      if (at >= 0) counts[at] += 1;
    }
    return counts;
  }

  /** The machine that most objects are with. */
  get owner() {
    return this.machines[this.owned.indexOf(Math.max(...this.owned))];
  }
}

/** A workspace without a quota, with one project. */
export const KEY = 'wm_fleet';
const people = { users: [{ id: 'user_f', role: 'admin' }], api_keys: [{ value: KEY, scope: 'admin', user_id: 'user_f' }] };
const projects = [{ id: 'proj_c', name: 'Crash' }];
export const SEED = { workspaces: [{ id: 'ws_fleet', plan: 'unlimited', ...people, projects }] };

/** A tenant of the fleet, with a seed. */
export const tenantAt = async (origin, id, draft) => {
  const { status, text, said } = await ask(origin, OWNER, 'POST', '/_hosted/tenants', { id, ...draft });
  if (status !== 201) throw new Error(`tenant ${id}: ${status} ${text}`);
  return said;
};
