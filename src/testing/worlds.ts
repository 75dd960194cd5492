// A world of its own for each test: an isolated copy of one mock, with keys that lead to it alone.
import { bearer, chooseKey } from '../mock/api/members.ts';
import type { ForkOptions, Mock } from '../mock/api/mock.ts';
import { IN_PROCESS } from '../mock/control/guard.ts';

/** The members of both, its own replacing others; getters stay getters. */
export const overridden = <T extends object, O extends object>(whole: T, own: O): T & O =>
  Object.defineProperties({} as T & O, { ...Object.getOwnPropertyDescriptors(whole), ...Object.getOwnPropertyDescriptors(own) });

/** A fork with keys of its own that sees its own requests alone; its forks and listeners end with it. */
export const openWorld = <M extends Mock>(mock: M, options: ForkOptions): M => {
  const shared = new Set(mock.keys.map(({ value }) => value));
  const world = mock.fork({ ...options, mintKeys: true }) as M;
  const keys = () => world.keys.filter(({ value }) => !shared.has(value));
  const choose = (member: 'auth' | 'key', scope: string, workspace?: string) =>
    chooseKey(member, [...keys(), ...world.keys], scope, workspace);
  const forks: Mock[] = [];
  const hearing: (() => void)[] = [];
  const own: Pick<Mock, 'keys' | 'auth' | 'key' | 'fork' | 'onRequest' | 'close'> = {
    get keys() {
      return keys();
    },
    auth: (scope, workspace) => bearer(choose('auth', scope, workspace)),
    key: (scope, workspace) => choose('key', scope, workspace),
    fork: (more = {}) => {
      const fork = openWorld(world, more);
      forks.push(fork);
      return fork;
    },
    onRequest: (call) => {
      const end = world.onRequest((request, id, entry) => void (id === world.id && call(request, id, entry)));
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

export interface TestEnd {
  readonly world: string;
  readonly test: string;
  readonly passed: boolean;
}

/** The list of worlds shows it. */
export const tellOutcome = async (world: Mock, passed: boolean): Promise<void> => {
  const body = JSON.stringify({ outcome: passed ? 'passed' : 'failed' });
  await world.fetch(`http://${IN_PROCESS}/_mock/worlds/${world.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body,
  });
};

/** Equal for a test in every run. */
export const toWorldId = (...parts: readonly (string | number)[]): string =>
  parts
    .join('-')
    .replace(/[^A-Za-z0-9_-]/g, '_')
    .replace(/^[^A-Za-z0-9]/, 'w');
