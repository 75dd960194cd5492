// `wm-mock serve`: from flags to a mock on a socket, until told to stop.
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { resolve } from 'node:path';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { startOf, toSeed } from '../../mock/api/create.ts';
import type { MockOptions } from '../../mock/api/options.ts';
import { several } from '../../mock/api/report.ts';
import { SeedError } from '../../mock/seed/read.ts';
import { errorMessage } from '../../service/contract/errors.ts';
import { realNow } from '../../service/world/time.ts';
import { type CommandLine, toServeOptions } from '../command-line/args.ts';
import { formatBanner, quoteText } from '../command-line/banner.ts';
import { readChoices } from '../command-line/choice-flags.ts';
import { type Io, Stopped, UsageError, waitForAbort } from '../command-line/io.ts';
import { createNodeMock, type NodeMock } from '../create-mock.ts';
import { demoForPort, readText } from '../files/files.ts';
import { readFileState, watchFile } from '../files/watch-file.ts';
import { packageVersion } from '../package-folder.ts';
import { type ListenOptions, LOOPBACK, type Server } from '../server/listen.ts';
import { findFreePort } from '../server/ports.ts';

const DEFAULT_PORT = 4700;

/** The `--save` file wins once it exists. */
const chooseSeedFile = ({ flags: { seed, save } }: CommandLine, { cwd }: Io): string | undefined => {
  if (typeof save === 'string' && existsSync(resolve(cwd, save))) return save;
  if (/\.wm\.json$/.test(`${seed}`)) throw new UsageError(`--seed: ${seed} is a repro file: wm-mock replay --open shows it.`);
  return seed === 'demo' ? undefined : (seed as string | undefined);
};

/** @throws UsageError */
export const readMockOptions = async ({ flags }: CommandLine, io: Io): Promise<Omit<MockOptions, 'seed'>> => {
  const { seed: _, port, host, choice, strictWebhooks, worldIdleMs, ...rest } = toServeOptions(flags);
  const { watch, open, json, record, save, quiet, verbose, exitWithParent, ...given } = rest;
  try {
    if (given.now !== undefined) startOf(given.now as string);
  } catch (error) {
    throw new UsageError(`--${(error as Error).message}.`);
  }
  const strict = strictWebhooks ? { 'webhook-url': 'public-https' } : {};
  return {
    ...(given as MockOptions),
    ...(record !== undefined && { record: true }),
    ...(worldIdleMs === undefined ? {} : { worldIdleMs: Number(worldIdleMs) * MINUTE_MS }),
    choices: { ...(await readChoices(flags, io)), ...strict },
  };
};

const MINUTE_MS = 60_000;

export const bindSocket = async (mock: NodeMock, port: number, host: string): Promise<Server> => {
  try {
    return await mock.listen({ port, host });
  } catch (error) {
    throw new UsageError(errorMessage(error).replace(/^listen: /, ''), 1);
  }
};

const HEAP_GROWTH_BYTES = 30_000_000;
/** Beyond this growth since the start the heap is kept small, for texts of requests leave holes in it. */
const MAX_FAST_GROWTH_BYTES = 100_000_000;
const HEAP_POLL_MS = 1000;

/** By default a heap grows to several times its live content. */
const boundHeapGrowth = (): void => {
  const atStart = getHeapStatistics().used_heap_size;
  const bound = () => {
    const used = getHeapStatistics().used_heap_size;
    const large = used - atStart > MAX_FAST_GROWTH_BYTES;
    const percent = Math.max(20, Math.min(100, Math.round((100 * HEAP_GROWTH_BYTES) / used)));
    setFlagsFromString(`--heap-growing-percent=${large ? 10 : percent}`);
    setFlagsFromString(large ? '--optimize-for-size' : '--no-optimize-for-size');
  };
  // A first bound at once would make Node compile its modules again.
  setInterval(bound, HEAP_POLL_MS).unref();
};

/** @throws UsageError, SeedError */
export const startMock = async (args: CommandLine, io: Io, defaultPort: number, given: MockOptions = {}) => {
  const { flags } = args;
  const path = chooseSeedFile(args, io);
  const seedName = path ?? 'the built-in demo';
  const { host = LOOPBACK, port: asked } = toServeOptions(flags) as ListenOptions;
  const port = asked ?? (defaultPort === 0 ? 0 : await findFreePort(defaultPort, host));
  const options = { ...given, ...(await readMockOptions(args, io)), seedName };
  const read = async () =>
    toSeed({ ...options, seed: await (path === undefined ? demoForPort(port) : readText(path, 'seed file', io.cwd, io.stop)) });
  const mock = await createNodeMock({ ...options, seed: await read() });
  const server = await bindSocket(mock, port, host);
  boundHeapGrowth();
  return { mock, server, seedName, read };
};

type StartedMock = Awaited<ReturnType<typeof startMock>>;

/** Addresses that reach a server bound to every address. */
const listAddresses = (host: unknown): readonly string[] =>
  host === '0.0.0.0' || host === '::'
    ? Object.values(networkInterfaces()).flatMap((all = []) =>
        all.flatMap(({ address, family, internal }) => (internal || family !== 'IPv4' ? [] : [address])),
      )
    : [];

const PARENT_POLL_MS = 500;

const waitForOrphaned = (parent = process.ppid): Promise<void> =>
  new Promise((done) => {
    const isGone = () => {
      try {
        return process.ppid !== parent || !process.kill(parent, 0);
      } catch (error) {
        return (error as NodeJS.ErrnoException).code === 'ESRCH';
      }
    };
    const timer = setInterval(() => {
      if (!isGone()) return;
      clearInterval(timer);
      done();
    }, PARENT_POLL_MS).unref();
  });

const announceMock = async ({ flags }: CommandLine, io: Io, { mock, server, seedName }: StartedMock) => {
  const noControl = flags['no-control'] === true;
  if (flags.json) {
    const say = writeUnlessUnread(io, (lines) => `${JSON.stringify({ event: 'dropped', lines })}\n`);
    say(`${JSON.stringify(readyEvent(mock, server, noControl))}\n`);
    mock.onRequest(({ method, path, status, operation, key_id, duration_ms }, world) => {
      say(`${JSON.stringify({ event: 'request', method, path, status, operation, key_id, world, duration_ms })}\n`);
    });
    return;
  }
  const { save, record } = flags;
  const facts = { version: await packageVersion(), seed: seedName, colour: io.colour, noControl, save, record };
  const logs = !flags.quiet && (io.screen || io.piped || flags.verbose);
  const line = logs ? (await import('../command-line/request-log.ts')).formatRequestLog(io, flags.verbose === true) : undefined;
  // Await nothing from here on: a reader of the address may send a request at once.
  io.raw(`${formatBanner(mock, server, { ...facts, addresses: listAddresses(flags.host) })}\n`);
  if (!line) return;
  const say = writeUnlessUnread(io, (lines) => `  ${lines} requests are not shown: nobody read them\n`);
  const sayLine = io.piped && !flags.verbose ? limitLines(say) : (format: () => string) => say(format());
  mock.onRequest((...told) => sayLine(() => line(...told)));
};

/** Lines a second to a pipe: a log that costs more than the requests would slow a load test. */
const MAX_PIPED_LINES = 50;

export const limitLines = (say: (text: string) => void, clock = realNow) => {
  let [begun, lines] = [0, 0];
  return (format: () => string): void => {
    const now = clock();
    if (now - begun > 1000) {
      if (lines > MAX_PIPED_LINES) say(`  ${lines - MAX_PIPED_LINES} more requests\n`);
      [begun, lines] = [now, 0];
    }
    lines += 1;
    if (lines <= MAX_PIPED_LINES) say(format());
  };
};

/** @throws UsageError, SeedError */
export const serve = async (args: CommandLine, io: Io): Promise<number> => {
  const { flags } = args;
  const path = chooseSeedFile(args, io);
  if (flags.watch && flags.save) throw new UsageError('--watch: what --save writes cannot be watched. Leave one of them out.');
  if (flags.watch && path === undefined) throw new UsageError('--watch: expected a seed file to watch. Pass --seed <file>.');
  const watched = flags.watch && path !== undefined ? resolve(io.cwd, path) : undefined;
  const since = watched === undefined ? undefined : readFileState(watched);
  const started = await startMock(args, io, DEFAULT_PORT, flags['no-control'] ? {} : { record: 'recent' });
  const { mock, server, seedName, read } = started;
  if (flags.port === undefined && server.port !== DEFAULT_PORT)
    io.err(`wm-mock: port ${DEFAULT_PORT} is busy, so this is port ${server.port}. Pass --port to choose one.\n`);
  const close = await keepFiles(mock, flags, io).catch(async (error) => {
    await mock.close();
    throw error;
  });
  await announceMock(args, io, started);
  if (flags.open) (await import('./open-browser.ts')).openBrowser(dashboardLink(mock, server), io);
  const reload = async () => {
    try {
      mock.reset(await read());
      io.err(`wm-mock: reloaded ${seedName}\n`);
    } catch (error) {
      if (error instanceof Stopped) return;
      if (!(error instanceof SeedError || error instanceof UsageError)) throw error;
      io.err(`wm-mock: still serving the old seed, the new one is broken:\n${error.message}\n`);
    }
  };
  const unwatch = watched === undefined ? () => {} : watchFile(watched, reload, since);
  await (flags['exit-with-parent'] ? Promise.race([waitForAbort(io.stop), waitForOrphaned()]) : waitForAbort(io.stop));
  unwatch();
  return (await close()) ? 0 : 1;
};

/** @returns what closes the mock, and tells whether its files have all of it @throws UsageError */
const keepFiles = async (mock: NodeMock, flags: CommandLine['flags'], { cwd, err }: Io): Promise<() => Promise<boolean>> => {
  const { save, record } = flags as Readonly<Record<'save' | 'record', string | undefined>>;
  if (save === undefined && record === undefined) return () => mock.close().then(() => true);
  const { keepFile, recordedContent, seedContent } = await import('../files/keep-file.ts');
  const saved = save === undefined ? undefined : await keepFile(resolve(cwd, save), seedContent(mock, save), err);
  const recording = recordedContent(mock);
  const recorded = record === undefined ? undefined : await keepFile(resolve(cwd, record), recording, err);
  return async () => {
    const isRecorded = (await recorded?.end()) ?? true;
    if (record !== undefined && isRecorded) {
      const word = /^[\w./-]+$/.test(record) ? record : quoteText(record);
      err(`wm-mock: ${several(recording.steps(), 'step')} written to ${record}. `);
      err(`Repeat them: npx wm-mock replay ${word}\n`);
    }
    await saved?.write();
    // Requests that were accepted before may still change something.
    await mock.close();
    return ((await saved?.end()) ?? true) && isRecorded;
  };
};

/** Limit of unread standard output; lines beyond it are dropped and counted. */
const MAX_UNREAD_BYTES = 1_000_000;

/** Lines of one turn are written at once. */
const writeUnlessUnread = ({ raw, unread }: Io, formatDropped: (lines: number) => string) => {
  let [dropped, queued] = [0, ''];
  const write = () => {
    raw(queued);
    queued = '';
  };
  return (text: string): void => {
    if (unread() + queued.length > MAX_UNREAD_BYTES) {
      dropped += 1;
      return;
    }
    if (queued === '') setImmediate(write);
    queued += (dropped > 0 ? formatDropped(dropped) : '') + text;
    dropped = 0;
  };
};

const readyEvent = ({ keys, guard }: NodeMock, { baseUrl, origin }: Server, noControl: boolean) => ({
  event: 'ready',
  base_url: baseUrl,
  ...(noControl ? {} : { control_url: `${origin}/_mock`, dashboard_url: `${origin}/` }),
  keys,
  ...(noControl || guard.token === undefined ? {} : { control_token: guard.token }),
});

export const dashboardLink = ({ guard: { token } }: NodeMock, { origin }: Server, page = '/'): string =>
  `${origin}${page}${token === undefined ? '' : `?token=${encodeURIComponent(token)}`}`;
