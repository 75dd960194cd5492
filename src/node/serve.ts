// `wm-mock serve`: from flags to a mock on a socket, until told to stop.
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { RequestSummary } from '../http/show-exchange.ts';
import { startOf, toSeed } from '../mock/create.ts';
import type { MockOptions } from '../mock/options.ts';
import { SeedError } from '../seed/read.ts';
import { type Args, optionsOf } from './args.ts';
import { banner } from './banner.ts';
import { readChoices } from './choices.ts';
import { packageVersion, readText } from './files.ts';
import { createMock, type Mock } from './index.ts';
import { type Io, UsageError } from './io.ts';
import { type ListenOptions, LOOPBACK, type Server } from './listen.ts';
import { look, onChange } from './on-change.ts';

const DEFAULT_PORT = 4700;

const seedFile = ({ flags: { seed } }: Args): string | undefined => (seed === 'demo' ? undefined : (seed as string | undefined));

/** What flags ask of a mock. @throws UsageError */
export const settings = async ({ flags }: Args, io: Io): Promise<Omit<MockOptions, 'seed'>> => {
  const { seed: _, port, host, choice, strictWebhooks, watch, open, json, worldIdleMs, ...given } = optionsOf(flags);
  if (given.now !== undefined) asFlag(() => startOf(given.now as string));
  const strict = strictWebhooks ? { 'webhook-url': 'public-https' } : {};
  return {
    ...(given as MockOptions),
    ...(worldIdleMs === undefined ? {} : { worldIdleMs: Number(worldIdleMs) * MINUTE_MS }),
    choices: { ...(await readChoices(flags, io)), ...strict },
  };
};

const MINUTE_MS = 60_000;

const asFlag = (check: () => unknown): void => {
  try {
    check();
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}.`);
  }
};

const UNBOUND: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'this machine has no such address. Pass --host 127.0.0.1, or 0.0.0.0 for all that it has',
  ENOTFOUND: 'no machine has this name. Pass --host 127.0.0.1',
  EACCES: 'ports below 1024 may need more rights. Pass --port 0 for any free one',
};

const bind = async (mock: Awaited<ReturnType<typeof createMock>>, port: number, host: string): Promise<Server> => {
  try {
    return await mock.listen({ port, host });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new UsageError(`port ${port} on ${host} is busy. Stop what uses it, or pass --port 0 for any free one.`, 1);
    }
    throw new UsageError(`cannot listen on ${host}:${port}: ${UNBOUND[code ?? ''] ?? message}.`, 1);
  }
};

/** How much more than what was left of it a heap may hold before garbage is looked for, per cent. */
const GROWING_PERCENT = 20;

/** A mock that listens, as flags ask for it. @throws UsageError, SeedError */
export const startMock = async (args: Args, io: Io, defaultPort: number) => {
  const { flags } = args;
  const path = seedFile(args);
  const seedName = path ?? 'the built-in demo';
  const { host = LOOPBACK, port = defaultPort } = optionsOf(flags) as ListenOptions;
  const options = { ...(await settings(args, io)), seedName };
  const read = async () =>
    toSeed({ ...options, seed: path === undefined ? 'demo' : await readText(path, 'seed file', io.cwd, io.stop) });
  const mock = await createMock({ ...options, seed: await read() });
  const server = await bind(mock, port, host);
  // Left to itself a heap grows to several times what is in it.
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  return { mock, server, seedName, read };
};

/** Where other machines reach a server that is bound to every address. */
const addressesOf = (host: unknown): readonly string[] =>
  host === '0.0.0.0' || host === '::'
    ? Object.values(networkInterfaces()).flatMap((all = []) =>
        all.flatMap(({ address, family, internal }) => (internal || family !== 'IPv4' ? [] : [address])),
      )
    : [];

/** Runs until the stop signal. @throws UsageError, SeedError */
export const serve = async (args: Args, io: Io): Promise<number> => {
  const { flags } = args;
  const path = seedFile(args);
  if (flags.watch && path === undefined) throw new UsageError('--watch: expected a seed file to watch. Pass --seed <file>.');
  const watched = flags.watch && path !== undefined ? resolve(io.cwd, path) : undefined;
  const since = watched === undefined ? undefined : look(watched);
  const { mock, server, seedName, read } = await startMock(args, io, DEFAULT_PORT);
  if (flags.json) {
    const say = jsonLines(io);
    say(readyLine(mock, server, flags['no-control'] === true));
    mock.onRequest((request, world) => say(requestLine(request, world)));
  } else
    io.out(
      `${banner(mock, server, { version: await packageVersion(), seed: seedName, colour: io.colour, noControl: flags['no-control'] === true, addresses: addressesOf(flags.host) })}\n`,
    );
  if (flags.open) (await import('./open-browser.ts')).openBrowser(dashboardLink(mock, server), io);
  const reload = async () => {
    try {
      mock.reset(await read());
      io.err(`wm-mock: reloaded ${seedName}\n`);
    } catch (error) {
      if (!(error instanceof SeedError || error instanceof UsageError)) throw error;
      io.err(`wm-mock: still serving the old seed, the new one is broken:\n${error.message}\n`);
    }
  };
  const unwatch = watched === undefined ? () => {} : onChange(watched, reload, since);
  await stopped(io.stop);
  unwatch();
  await mock.close();
  return 0;
};

/** What nobody has read of standard output may hold so many bytes: lines beyond are dropped, and counted when somebody reads again. */
const MOST_UNREAD = 1_000_000;

/** Lines of one turn are written at once. */
const jsonLines = ({ out, unread }: Io): ((line: object) => void) => {
  let [dropped, said] = [0, ''];
  const write = () => {
    out(said);
    said = '';
  };
  return (line) => {
    if ((unread?.() ?? 0) + said.length > MOST_UNREAD) {
      dropped += 1;
      return;
    }
    if (said === '') setImmediate(write);
    if (dropped > 0) said += `${JSON.stringify({ event: 'dropped', lines: dropped })}\n`;
    dropped = 0;
    said += `${JSON.stringify(line)}\n`;
  };
};

const requestLine = ({ method, path, status, operation, key_id, duration_ms }: RequestSummary, world: string) => ({
  event: 'request',
  method,
  path,
  status,
  operation,
  key_id,
  world,
  duration_ms,
});

const readyLine = ({ keys, guard }: Mock, { baseUrl, origin }: Server, noControl: boolean) => ({
  event: 'ready',
  base_url: baseUrl,
  ...(noControl ? {} : { control_url: `${origin}/_mock`, dashboard_url: `${origin}/` }),
  keys,
  ...(noControl || guard.token === undefined ? {} : { control_token: guard.token }),
});

/** The address of the dashboard; with a token, one that signs in. */
const dashboardLink = ({ guard: { token } }: Mock, { origin }: Server): string =>
  `${origin}/${token === undefined ? '' : `?token=${encodeURIComponent(token)}`}`;

const stopped = (signal: AbortSignal): Promise<void> =>
  signal.aborted ? Promise.resolve() : new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
