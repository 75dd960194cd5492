// The front door in Node: the mock, with seeds from files and a socket to listen on.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../contract/errors.ts';
import { refuse } from '../http/respond.ts';
import { checkOptions } from '../mock/check-options.ts';
import { createMock as createPureMock } from '../mock/create.ts';
import type { ForkOptions, Mock as PureMock } from '../mock/mock.ts';
import { listen as listenOptions, nodeMock } from '../mock/options.generated.ts';
import { NODE_MOCK, type Options, type MockOptions as PureOptions } from '../mock/options.ts';
import { unread } from './files.ts';
import { type ListenOptions, LOOPBACK, listen, type Server } from './listen.ts';

export * from '../index.ts';
export type { ListenOptions, Server } from './listen.ts';

export type MockOptions = Options<typeof NODE_MOCK>;

export interface Mock extends PureMock {
  /** Serves the mock on a socket; port 0 takes any free one. @throws RangeError when port or host is none, Error with the code EADDRINUSE when the port is busy. */
  listen(options?: ListenOptions): Promise<Server>;
  fork(options?: ForkOptions): Mock;
}

const SCALAR = fileURLToPath(new URL('../assets/scalar.js', import.meta.url));

const docsScript = () => readFile(SCALAR, 'utf8').catch(() => undefined);

const fromFile = async ({ seed, ...options }: MockOptions): Promise<PureOptions> => {
  if (seed === undefined) return options;
  if (typeof seed !== 'string') return { ...options, seed };
  return { seedName: seed, ...options, seed: await textOf(resolve(seed)) };
};

const textOf = (absolute: string): Promise<string> =>
  readFile(absolute, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const message = `createMock: ${unread(absolute, 'seed file', error)} Give ${NODE_MOCK.seed.schema['x-says']}.`;
    throw Object.assign(new Error(message, { cause: error }), { code: error.code });
  });

const THIS_MACHINE = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

/** Beyond this machine the control API asks for a token; one is made when none was given. */
const secure = ({ guard }: PureMock, host: string): void => {
  guard.allow(host);
  if (!THIS_MACHINE.test(host)) guard.token ??= randomBytes(18).toString('base64url');
};

const withSockets = (mock: PureMock): Mock => {
  const servers = new Set<Server>();
  const { close, fork, baseUrl } = mock;
  const own: Pick<Mock, 'listen' | 'fork' | 'close'> = {
    listen: async (where = {}) => {
      // What is refused opens nothing.
      checkOptions('listen', listenOptions, where);
      secure(mock, where.host ?? LOOPBACK);
      const served = { fetch: mock.app.fetch, refuse: (problem: Problem) => refuse(mock.world, problem) };
      const server = await listen(served, where);
      servers.add(server);
      return { ...server, baseUrl: server.origin + new URL(baseUrl).pathname };
    },
    fork: (options) => withSockets(fork(options)),
    close: async () => {
      // Streams and answers that are kept back would keep their sockets open.
      await close();
      await Promise.all([...servers].map((server) => server.close()));
    },
  };
  return Object.defineProperties({} as Mock, {
    ...Object.getOwnPropertyDescriptors(mock),
    ...Object.getOwnPropertyDescriptors(own),
  });
};

/**
 * Starts a mock in this process. @throws SeedError when the seed breaks a rule, RangeError when an option is unknown or impossible,
 * Error with the code of the system when the file of the seed cannot be read.
 */
export const createMock = async (options: MockOptions = {}): Promise<Mock> => {
  checkOptions('createMock', nodeMock, options);
  return withSockets(await createPureMock({ docsScript, ...(await fromFile(options)) }));
};
