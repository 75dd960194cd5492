// `wm-mock dev --hosted`, `init --hosted` and `deploy`: worlds on durable objects, on this machine, at Cloudflare or on a fleet.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import spawn from 'cross-spawn';
import type { CommandLine } from '../command-line/args.ts';
import { type Io, UsageError, waitForAbort } from '../command-line/io.ts';
import { readText } from '../files/files.ts';
import { writeFiles, writeWhole } from '../files/write-file.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';
import { LOOPBACK } from '../server/listen.ts';
import { lockFolder } from './folder-lock.ts';
import { hostedFiles, listWorkerModules, workerdConfig } from './hosted-files.ts';
import { findWorkerd, formatSocketAddress, type RunningWorkerd, requirePinned, startWorkerd } from './workerd.ts';

const LOCAL_TENANT = 'main';
const DEFAULT_HOSTED_PORT = 4700;
const LOCAL_OPTIONS = { receivers: ['localhost'] };
const MIN_OWNER_TOKEN_CHARS = 24;
const MIN_CLUSTER_KEY_CHARS = 32;

/** @throws UsageError when one of the files exists, unless forced */
export const initHosted = async ({ rest: [folder = 'hosted'], flags }: CommandLine, io: Io): Promise<number> => {
  const target = resolve(io.cwd, folder);
  const seed = await readText('fixtures/starter.yaml', 'starter', PACKAGE_FOLDER);
  const files = { ...hostedFiles(), 'seed.yaml': seed };
  const there = Object.keys(files).find((name) => existsSync(join(target, name)));
  if (there && flags.force !== true)
    throw new UsageError(`${join(target, there)} exists already. Name another folder, or pass --force.`, 1);
  await writeFiles(target, files);
  const shown = relative(io.cwd, target) || '.';
  const written = Object.keys(files).map((name) => join(shown, name));
  io.out(`wrote ${written.join(', ')}. Try it here: npx wm-mock dev --hosted ${shown}\n`);
  return 0;
};

/** @throws SeedError */
const readSeedForTenant = async (path: string, io: Io): Promise<string> => {
  const { toSeed } = await import('../../mock/api/create.ts');
  const text = await readText(path, 'seed file', io.cwd);
  const seed = await toSeed({ seed: text, seedName: path });
  if (!/\bgenerate\b/.test(text)) return text;
  const { World } = await import('../../service/world/world.ts');
  const { seedOf } = await import('../../mock/control/snapshot.ts');
  const { seedText } = await import('../../mock/seed/write.ts');
  return seedText(seedOf(World.plant(seed)), 'json');
};

const readOrCreateOwnerToken = async (folder: string, given: string | undefined): Promise<string> => {
  if (given !== undefined) return given;
  const file = join(folder, 'owner-token');
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  if (stored !== undefined) return stored.trim();
  const created = randomBytes(24).toString('hex');
  await writeWhole(file, created);
  return created;
};

const ensureLocalTenant = async ({ origin }: RunningWorkerd, owner: string, begins: { seed: string; now?: unknown }) => {
  const call = async <T>(method: string, path: string, token: string, body?: object): Promise<T & { status: number }> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const read = (await response.json()) as T & { readonly error?: { readonly message: string } };
    if (!response.ok && response.status !== 409) throw new UsageError(`dev --hosted: ${read.error?.message}`, 1);
    return { ...read, status: response.status };
  };
  const { status } = await call('POST', '/_hosted/tenants', owner, { id: LOCAL_TENANT, ...begins });
  const { items } = await call<{ items: { id: string; token: string }[] }>('GET', '/_hosted/tenants', owner);
  const { token } = items.find(({ id }) => id === LOCAL_TENANT)!;
  const path = `/worlds/${LOCAL_TENANT}`;
  type Keys = { readonly items: readonly { readonly scope: string; readonly value: string }[] };
  const { items: keys } = await call<Keys>('GET', `${path}/_mock/data/keys?revoked=false`, token);
  const urls = { base_url: `${origin}${path}/v1`, control_url: `${origin}${path}/_mock` };
  return { ready: { ...urls, control_token: token, owner_token: owner, keys }, isNew: status !== 409 };
};

const formatHostedBanner = (
  { base_url, control_url, control_token, owner_token, keys }: Awaited<ReturnType<typeof ensureLocalTenant>>['ready'],
  folder: string,
): string =>
  [
    '',
    `  API    ${base_url}`,
    `  Dash   ${control_url.replace('_mock', '')}?token=${control_token}`,
    `  Ctrl   ${control_url}   token ${control_token}`,
    `  Owner  ${new URL(base_url).origin}/_hosted/tenants   token ${owner_token}`,
    ...keys.map(({ scope, value }) => `  Key    ${scope.padEnd(6)} ${value}`),
    '',
    `  Ctrl+C stops it; ${folder} keeps all acknowledged changes.`,
    '',
  ].join('\n');

const describeUnreadFlags = (flags: CommandLine['flags'], folder: string): string => {
  const names = ['seed', 'now'].filter((name) => flags[name] !== undefined).map((name) => `--${name}`);
  if (names.length === 0) return '';
  return `dev --hosted: ${names.join(' and ')} had no effect: ${folder} continues with the state that it has. To start afresh, name another folder, or delete ${join(folder, 'state')}. docs/hosted.md says more.\n`;
};

/** @throws UsageError */
const readHostAndPort = ({ port: given, host = LOOPBACK }: CommandLine['flags']) => {
  const port = given === undefined ? DEFAULT_HOSTED_PORT : Number(given);
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return { host: String(host), port };
  throw new UsageError(`--port: expected a number from 0 to 65535, got "${given}".`);
};

const WORKERD = { find: findWorkerd, start: startWorkerd };
export type Engine = typeof WORKERD;

/** @throws UsageError, also when workerd ends by itself; SeedError */
export const dev = async ({ flags, rest: [given = '.wm-mock-hosted'] }: CommandLine, io: Io, engine = WORKERD) => {
  if (!flags.hosted)
    throw new UsageError('dev: expected --hosted. wm-mock serve starts a mock in one process. See wm-mock dev --help.');
  const folder = resolve(io.cwd, given);
  const own = join(folder, 'seed.yaml');
  const path = (flags.seed as string | undefined) ?? (existsSync(own) ? own : undefined);
  const seed = path === undefined || path === 'demo' ? 'demo' : await readSeedForTenant(path, io);
  const { default: binary } = engine.find(io.cwd);
  const place = readHostAndPort(flags);
  await mkdir(folder, { recursive: true });
  const lock = await lockFolder(folder, io.err);
  try {
    const owner = await readOrCreateOwnerToken(folder, io.env.WM_OWNER_TOKEN);
    const env = { WM_OWNER_TOKEN: owner, WM_OPTIONS: io.env.WM_OPTIONS || JSON.stringify(LOCAL_OPTIONS) };
    const serving = await engine.start(binary, folder, { ...place, env, begun: lock.names });
    try {
      const { ready, isNew } = await ensureLocalTenant(serving, owner, { seed, now: flags.now });
      if (!isNew) io.err(describeUnreadFlags(flags, folder));
      const banner = () => formatHostedBanner(ready, relative(io.cwd, folder) || '.');
      io.raw(flags.json ? `${JSON.stringify({ event: 'ready', ...ready })}\n` : banner());
      if (await Promise.race([waitForAbort(io.stop).then(() => true), serving.ended.then(() => false)])) return 0;
      throw new UsageError('dev --hosted: workerd has exited. Start it again: acknowledged changes are kept.', 1);
    } finally {
      serving.child.kill('SIGTERM');
      await serving.ended;
    }
  } finally {
    lock.release();
  }
};

export type RunProgram = (
  command: string,
  words: readonly string[],
  options: { readonly cwd: string; readonly input?: string; readonly stop?: AbortSignal },
) => Promise<number>;

const runProgram: RunProgram = (command, words, { cwd, input, stop }) =>
  new Promise((done) => {
    const child = spawn(command, words, { cwd, stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'] });
    stop?.addEventListener('abort', () => child.kill('SIGTERM'));
    child.stdin?.end(input);
    child.once('error', () => done(127));
    child.once('exit', (status) => done(status ?? 1));
  });

const FLEET_PROGRAMS = { find: findWorkerd, modules: listWorkerModules as () => Promise<readonly string[]> };

/** @returns the exit status of workerd @throws UsageError */
const serveFleet = async (
  folder: string,
  { bucket, ...flags }: CommandLine['flags'],
  io: Io,
  start: RunProgram,
  { find, modules }: typeof FLEET_PROGRAMS,
) => {
  const binary = requirePinned(find(io.cwd));
  const { WM_CLUSTER_KEY: key = '', WM_CLUSTER_ADDRESS: address = '' } = io.env;
  if (key.length < MIN_CLUSTER_KEY_CHARS || address === '') {
    const says = `deploy: with --bucket, WM_CLUSTER_KEY must have at least ${MIN_CLUSTER_KEY_CHARS} characters and WM_CLUSTER_ADDRESS must say where the other machines reach this one. Set both as fleet.sh says. docs/hosted.md says more.`;
    throw new UsageError(says, 1);
  }
  const { host, port } = readHostAndPort(flags);
  const config = join(folder, 'workerd.capnp');
  await mkdir(join(folder, 'state'), { recursive: true });
  const cluster = { bucket: String(bucket), key, address };
  await writeWhole(config, workerdConfig(await modules(), folder, formatSocketAddress(host, port), cluster));
  return start(binary, ['serve', '--experimental', config], { cwd: folder, stop: io.stop });
};

/** @returns the exit status @throws UsageError, SeedError */
export const deploy = async (
  { rest: [given = 'hosted'], flags }: CommandLine,
  io: Io,
  start: RunProgram = runProgram,
  parts = FLEET_PROGRAMS,
): Promise<number> => {
  const folder = resolve(io.cwd, given);
  const empty = `deploy: ${folder} holds no wrangler.jsonc. Write it: wm-mock init --hosted ${given}. docs/hosted.md says more.`;
  if (!existsSync(join(folder, 'wrangler.jsonc'))) throw new UsageError(empty, 1);
  const { WM_OWNER_TOKEN: token = '' } = io.env;
  if (!new RegExp(`^[\\x21-\\x7e]{${MIN_OWNER_TOKEN_CHARS},}$`).test(token)) {
    const says = `deploy: WM_OWNER_TOKEN must have at least ${MIN_OWNER_TOKEN_CHARS} characters and no blank: it creates tenants, and every other token derives from it. Set it: export WM_OWNER_TOKEN=$(openssl rand -hex 24). docs/hosted.md says more.`;
    throw new UsageError(says, 1);
  }
  const seed = join(folder, 'seed.yaml');
  if (existsSync(seed)) await readSeedForTenant(seed, io);
  if (flags.bucket !== undefined) return serveFleet(folder, flags, io, start, parts);
  const deployed = await start('npx', ['wrangler', 'deploy'], { cwd: folder });
  if (deployed !== 0) return deployed;
  return start('npx', ['wrangler', 'secret', 'put', 'WM_OWNER_TOKEN'], { cwd: folder, input: token });
};
