// A mock in Node: seeds come from files, and it listens on a socket.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { continueRepro, createMock as createPureMock, createRecorder, type Trial } from '../create-mock.ts';
import type { ForkOptions, Mock as PureMock } from '../mock/api/mock.ts';
import { listen as listenOptions, nodeMock } from '../mock/api/options.generated.ts';
import { NODE_MOCK, type Options, type MockOptions as PureOptions } from '../mock/api/options.ts';
import type { Recording } from '../mock/control/recorder.ts';
import type { Repro } from '../mock/recording/steps.ts';
import type { Problem } from '../service/contract/errors.ts';
import { writeProblem } from '../service/http/respond.ts';
import { checkOptions } from '../service/validation/check.ts';
import type { Sender } from '../service/webhooks/sender.ts';
import { describeReadError, readUtf8 } from './files/files.ts';
import { writeWhole } from './files/write-file.ts';
import { ASSETS_FOLDER, packageVersion } from './package-folder.ts';
import { type ListenOptions, LOOPBACK, listen, type Server } from './server/listen.ts';
import { nodeSender } from './server/sender.ts';

export type NodeMockOptions = Options<typeof NODE_MOCK>;

export interface NodeMock extends PureMock {
  /** Serves the mock on a socket; port 0 takes any free one. @throws RangeError when port or host is none, Error with the code EADDRINUSE when the port is busy. */
  listen(options?: ListenOptions): Promise<Server>;
  fork(options?: ForkOptions): NodeMock;
  rewind(...given: Parameters<PureMock['rewind']>): Promise<NodeMock>;
  /** The recording as a repro file. @throws Error that says how to record, or why the file cannot be written */
  save(file?: string, title?: string): Promise<Repro>;
}

const readAsset = (name: string) => () => readFile(join(ASSETS_FOLDER, name), 'utf8').catch(() => undefined);
const PAGE_SCRIPTS = { docsScript: readAsset('scalar.js'), panelScript: readAsset('panel.js') };

/** Otherwise a path. */
const isText = (seed: string): boolean => seed === 'demo' || /^\s*\{|\n/.test(seed);

export const loadSeed = async ({ seed, ...options }: NodeMockOptions): Promise<PureOptions> => {
  if (seed === undefined) return options;
  if (typeof seed !== 'string' || isText(seed)) return { ...options, seed };
  return { seedName: seed, ...options, seed: await readSeedFileText(resolve(seed)) };
};

const readSeedFileText = (absolute: string): Promise<string> =>
  readUtf8(absolute).catch((error: NodeJS.ErrnoException) => {
    const message = `createMock: ${describeReadError(absolute, 'seed file', error)} Give ${NODE_MOCK.seed.schema['x-says']}.`;
    throw Object.assign(new Error(message, { cause: error }), { code: error.code });
  });

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

const requireTokenBeyondLoopback = async ({ guard }: PureMock, host: string): Promise<void> => {
  guard.allow(host);
  if (!LOOPBACK_HOST.test(host)) guard.token ??= (await import('node:crypto')).randomBytes(18).toString('base64url');
};

/** Node never retries a failed import, such as one without free file descriptors. */
const preloadRest = () =>
  Promise.allSettled([
    import('../mock/control/routes.ts'),
    import('../dashboard/dashboard.tsx'),
    import('../service/openapi/openapi.ts'),
    import('../service/openapi/docs-page.ts'),
  ]);
const PRELOAD_DELAY_MS = 1000;

/** The recordings of mocks that have one. */
export const recordings = new WeakMap<PureMock, { readonly revision: number }>();

export const addSockets = (mock: PureMock): NodeMock => {
  const servers = new Set<Server>();
  const { close, fork, rewind, save, baseUrl } = mock;
  const own: Pick<NodeMock, 'listen' | 'fork' | 'rewind' | 'save' | 'close'> = {
    save: async (file, title) => {
      const repro = await save(title);
      if (file !== undefined) await writeWhole(resolve(file), JSON.stringify(repro, null, 1));
      return repro;
    },
    listen: async (where = {}) => {
      // Check before any socket opens.
      checkOptions('listen', listenOptions, where);
      await requireTokenBeyondLoopback(mock, where.host ?? LOOPBACK);
      const served = { fetch: mock.app.fetch, refuse: (problem: Problem) => writeProblem(mock.world, problem) };
      const bound = await listen(served, where);
      let preloaded: Promise<unknown> | undefined;
      const load = setTimeout(() => (preloaded = preloadRest()), PRELOAD_DELAY_MS).unref();
      const close = async () => {
        clearTimeout(load);
        // An import that outlives its program fails for good, and with it each later one of that module.
        await Promise.all([bound.close(), preloaded]);
      };
      const server = { ...bound, baseUrl: bound.origin + new URL(baseUrl).pathname, close };
      servers.add(server);
      return server;
    },
    fork: (options) => addSockets(fork(options)),
    rewind: async (...given) => addSockets(await rewind(...given)),
    close: async () => {
      // Open streams and held responses would block the sockets.
      await close();
      await Promise.all([...servers].map((server) => server.close()));
    },
  };
  return Object.assign(mock, own);
};

/** A quarter of a small heap, megabytes. */
const defaultMemoryMb = (): number => Math.max(8, Math.min(256, Math.floor(getHeapStatistics().heap_size_limit / 4_000_000)));

/** Carries the plan of a trial to the processes of a command. */
export const TRIAL_VARIABLE = 'WM_MOCK_TRIAL';

/**
 * Starts a mock in this process. @throws SeedError when the seed breaks a rule, RangeError when an option is unknown or impossible,
 * Error with the code of the system when the file of the seed cannot be read.
 */
export const createNodeMock = (options: NodeMockOptions = {}): Promise<NodeMock> =>
  buildMock(options, process.env[TRIAL_VARIABLE]);

interface MakeOptions {
  readonly played?: Recording | undefined;
  readonly trial?: Trial;
  readonly disturb?: (sender: Sender) => Sender;
}

export const makeMock = async (given: NodeMockOptions, { played, trial, disturb = (sender) => sender }: MakeOptions = {}) => {
  const sender = disturb(nodeSender(given.allowReceivers));
  const recording = given.record ? await createRecorder(given, await packageVersion()) : undefined;
  const pureOptions = { ...PAGE_SCRIPTS, sender, memory: defaultMemoryMb(), ...(await loadSeed(given)) };
  const mock = await createPureMock(pureOptions, played ?? recording, packageVersion, trial);
  if (recording) recordings.set(mock, recording);
  return mock;
};

/** @param told value of TRIAL_VARIABLE @param played a recording to replay */
export const buildMock = async (options: NodeMockOptions, told: string | undefined, played?: Recording): Promise<NodeMock> => {
  checkOptions('createMock', nodeMock, options);
  if (told === undefined) return addSockets(await makeMock(options, { played }));
  const { createTrialMock } = await import('./client/trial-mock.ts');
  const { decodeTrial, openNotes } = await import('./client/trial-notes.ts');
  const { folder, ...plan } = decodeTrial(told);
  const make = (trial: Trial, disturb: (sender: Sender) => Sender) => makeMock(options, { played, trial, disturb });
  return addSockets(await createTrialMock(plan, openNotes(folder), make));
};

/** Serves the world of a repro file as it was after the last step. */
export const openRepro = async (repro: Repro): Promise<NodeMock> => addSockets(await continueRepro(repro, PAGE_SCRIPTS));
