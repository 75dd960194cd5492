// The worlds of tests: mocks by their options, started once a process, and an isolated copy for each test.
import type { ForkOptions } from '../mock/mock.ts';
import { overridden } from '../mock/of-instance.ts';
import { createMock, type Mock, type MockOptions } from './index.ts';
import type { Server } from './listen.ts';

/** A world on a socket, as a test holds it. Its `auth` and `keys` are of its own: they lead to it at `sharedUrl` too. */
export interface TestWorld extends Mock {
  /** Base URL of this world; ends in `/v1`. */
  readonly baseUrl: string;
  /** Base URL at which a key of this world's own leads to it, for apps that can only be given another key. */
  readonly sharedUrl: string;
  /** The control API of this world. */
  readonly controlUrl: string;
  /** A second world on the same socket, with keys of its own; it ends with this one. */
  fork(options?: ForkOptions): TestWorld;
}

/** A copy of a mock as it began or stands, with keys of its own. It hears its own requests alone, and its copies and listeners end with it. */
export const openWorld = (mock: Mock, options: ForkOptions): Mock => {
  const shared = new Set(mock.keys.map(({ value }) => value));
  const world = mock.fork({ ...options, mintKeys: true });
  const keys = () => world.keys.filter(({ value }) => !shared.has(value));
  const forks: Mock[] = [];
  const hearing: (() => void)[] = [];
  const own: Pick<Mock, 'keys' | 'auth' | 'fork' | 'onRequest' | 'close'> = {
    get keys() {
      return keys();
    },
    auth: (scope, workspace) => {
      const key = keys().find((one) => one.scope === scope && (workspace === undefined || one.workspace_id === workspace));
      return key ? { authorization: `Bearer ${key.value}` } : world.auth(scope, workspace);
    },
    fork: (more = {}) => {
      const fork = openWorld(world, more);
      forks.push(fork);
      return fork;
    },
    onRequest: (call) => {
      const end = world.onRequest((request, id) => void (id === world.id && call(request, id)));
      hearing.push(end);
      return end;
    },
    close: async () => {
      for (const end of hearing) end();
      await Promise.all([...forks, world].map((one) => one.close()));
    },
  };
  return overridden(world, own);
};

/** A world of a mock that listens, with the addresses by which others reach it. */
export const onSocket = (world: Mock, server: Server): TestWorld => {
  const at = `${server.origin}/worlds/${world.id}`;
  return overridden(world, {
    baseUrl: `${at}/v1`,
    sharedUrl: server.baseUrl,
    controlUrl: `${at}/_mock`,
    fork: (options?: ForkOptions) => onSocket(world.fork(options), server),
  });
};

/** An id that a world may have, the same for a test in every run. */
export const worldId = (...parts: readonly (string | number)[]): string =>
  parts
    .join('-')
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^[^A-Za-z0-9]/, 'w');

export class Started {
  readonly mock: Mock;
  #server: Promise<Server> | undefined;

  constructor(mock: Mock) {
    this.mock = mock;
  }

  get server(): Promise<Server> {
    this.#server ??= this.mock.listen({ port: 0 });
    return this.#server;
  }

  /** @throws SeedError when the seed breaks a rule. */
  static async with(options: MockOptions): Promise<Started> {
    // Time passes while somebody looks at a halted test: worlds end with their tests alone.
    return new Started(await createMock({ worldIdleMs: 0, ...options }));
  }
}

/** Mocks by their options: tests with the same options share one, and each has a world of its own in it. */
export class Mocks {
  readonly #started = new Map<unknown, Promise<Started>>();

  /** @throws SeedError when the seed breaks a rule. */
  get(options: MockOptions): Promise<Started> {
    const name = Object.values(options).some((value) => typeof value === 'function') ? options : JSON.stringify(options);
    const known = this.#started.get(name) ?? Started.with(options);
    this.#started.set(name, known);
    return known;
  }

  async close(): Promise<void> {
    const all = await Promise.allSettled(this.#started.values());
    this.#started.clear();
    await Promise.all(all.map((one) => (one.status === 'fulfilled' ? one.value.mock.close() : undefined)));
  }
}
