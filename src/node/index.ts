// The front door in Node: the mock, with seeds from files and a socket to listen on.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMock as createPureMock, type Mock as PureMock, type MockOptions as PureOptions } from '../mock.ts';
import { type ListenOptions, listen, type Server } from './listen.ts';

export * from '../index.ts';
export type { ListenOptions, Server } from './listen.ts';

export interface MockOptions extends Omit<PureOptions, 'seed'> {
  /** Path of a YAML or JSON file, or a parsed seed; absent: an empty workspace with a key of each scope. */
  readonly seed?: string | object;
}

export interface Mock extends PureMock {
  /** Serves the mock on a socket; port 0 takes any free one. @throws Error when the port is busy. */
  listen(options?: ListenOptions): Promise<Server>;
}

const SCALAR = fileURLToPath(new URL('../assets/scalar.js', import.meta.url));

const docsScript = () => readFile(SCALAR, 'utf8').catch(() => undefined);

const fromFile = async ({ seed, ...options }: MockOptions): Promise<PureOptions> => {
  if (seed === undefined) return options;
  if (typeof seed !== 'string') return { ...options, seed };
  return { seedName: seed, ...options, seed: await readFile(resolve(seed), 'utf8') };
};

/** Starts a mock in this process. @throws SeedError when the seed breaks a rule. */
export const createMock = async (options: MockOptions = {}): Promise<Mock> => {
  const mock = await createPureMock({ docsScript, ...(await fromFile(options)) });
  const servers = new Set<Server>();
  const { close } = mock;
  return Object.defineProperties({} as Mock, {
    ...Object.getOwnPropertyDescriptors(mock),
    listen: {
      enumerable: true,
      value: async (where: ListenOptions = {}) => {
        const server = await listen(mock.app, where);
        servers.add(server);
        return server;
      },
    },
    close: {
      enumerable: true,
      value: async () => {
        await Promise.all([...servers].map((server) => server.close()));
        await close();
      },
    },
  });
};
