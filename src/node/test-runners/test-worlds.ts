// The worlds of tests: mocks by their options, started once a process, an isolated copy for each test, and the files of one that failed.
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { ForkOptions } from '../../mock/api/mock.ts';
import { createFailureFiles } from '../../testing/failure-files.ts';
import { openWorld, overridden } from '../../testing/worlds.ts';
import { createNodeMock, type NodeMock, type NodeMockOptions } from '../create-mock.ts';
import { writeFiles } from '../files/write-file.ts';
import type { Server } from '../server/listen.ts';

/** A world on a socket, as a test holds it. Its `auth` and `keys` are of its own: they lead to it at `sharedUrl` too. */
export interface TestWorld extends NodeMock {
  /** Base URL of this world; ends in `/v1`. */
  readonly baseUrl: string;
  /** Base URL at which a key of this world's own leads to it, for apps that can only be given another key. */
  readonly sharedUrl: string;
  /** The control API of this world. */
  readonly controlUrl: string;
  /** A second world on the same socket, with keys of its own; it ends with this one. */
  fork(options?: ForkOptions): TestWorld;
}

export const addAddresses = (world: NodeMock, server: Server): TestWorld => {
  const at = `${server.origin}/worlds/${world.id}`;
  return overridden(world, {
    baseUrl: `${at}/v1`,
    sharedUrl: server.baseUrl,
    controlUrl: `${at}/_mock`,
    fork: (options?: ForkOptions) => addAddresses(world.fork(options), server),
  });
};

/** Starts a mock for tests; it listens once an address is needed. */
export const startShared = async (options: NodeMockOptions) => {
  // Worlds end with their tests, even if a debugger halts one.
  const mock = await createNodeMock({ worldIdleMs: 0, ...options });
  mock.world.refuses = 'This address is shared by tests: send a key of `mock.auth(scope)`, which leads to the world of its test.';
  let server: Promise<Server> | undefined;
  return {
    mock,
    get server(): Promise<Server> {
      server ??= mock.listen({ port: 0 });
      return server;
    },
  };
};
export type SharedMock = Awaited<ReturnType<typeof startShared>>;

export type WorldBody = (mock: TestWorld) => unknown;

export type CallResult = { readonly passed: true } | { readonly passed: false; readonly says: string; readonly error: unknown };

export const callWithWorld = async ({ mock, server }: SharedMock, id: string, body: WorldBody): Promise<CallResult> => {
  const world = addAddresses(openWorld(mock, { id }), await server);
  try {
    await body(world);
    return { passed: true };
  } catch (error) {
    return { passed: false, says: String(error).split('\n', 1)[0]!, error };
  } finally {
    await world.close();
  }
};

export class SharedMocks {
  readonly #started = new Map<unknown, Promise<SharedMock>>();

  get(options: NodeMockOptions): Promise<SharedMock> {
    const name = Object.values(options).some((value) => typeof value === 'function') ? options : JSON.stringify(options);
    const known = this.#started.get(name) ?? startShared(options);
    this.#started.set(name, known);
    return known;
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.#started.values());
    this.#started.clear();
    await Promise.all(all.map((one) => (one.status === 'fulfilled' ? one.value.mock.close() : undefined)));
  }
}

export const { writeFailureFiles, reportFailure, removeFailureFiles } = createFailureFiles<NodeMock>({
  save: (world, title) => world.save(undefined, title),
  write: (path, text) => writeFiles(dirname(path), { [basename(path)]: text }, 0o600),
  remove: (path) => rm(path, { force: true }),
  here: () => `${process.cwd()}/`,
});
