// Runs the same tests in memory and over a socket, every response checked against the contract.
import { afterAll, afterEach, describe } from 'vitest';
import { createMock, type Mock, type MockOptions } from '../node/index.ts';
import { contractAt } from '../service/contract/at-release.ts';
import type { OperationId } from '../service/contract/operations.ts';
import { LATEST, type Release } from '../service/contract/releases.ts';
import { pathFits } from '../service/http/paths.ts';
import { checkResponse } from './response-check.ts';
import { type ApiResponse, initOf, readResponse } from './sending.ts';

export interface Call {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The operation that a method and path below the base URL belong to. */
export const operationOf = (method: string, path: string, release: Release = LATEST): OperationId | undefined => {
  const pathname = path.replace(/\?.*$/s, '');
  const found = Object.entries(contractAt(release).operations).find(
    ([, row]) => row.method === method && pathFits(row.path, pathname),
  );
  return found?.[0] as OperationId | undefined;
};

const REQUIRED = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

/** Violations in a response to any request. */
const lawsBroken = (id: OperationId | undefined, { status, headers, text, body }: ApiResponse, release: Release): string[] => [
  ...REQUIRED.filter((name) => !/^\d+$/.test(headers.get(name) ?? '')).map((name) => `${name} is no integer`),
  ...(status === 204
    ? [...(text === '' ? [] : ['204 with a body']), ...(headers.has('content-type') ? ['204 with a content type'] : [])]
    : /^application\/json/.test(headers.get('content-type') ?? '')
      ? []
      : ['not JSON']),
  ...(id === undefined ? [] : checkResponse(id, status, body, release)),
];

/** A mock to ask, in memory or behind a socket. */
export const openSession = async (options: MockOptions, socket: boolean, seen?: (id: OperationId, status: number) => void) => {
  const mock = await createMock({ seed: 'fixtures/tiny.yaml', ...options });
  const base = socket ? (await mock.listen({ port: 0 })).baseUrl : mock.baseUrl;
  return {
    mock,
    /** Makes a request below the base URL; a string body is sent as it is. */
    call: async (method: string, path: string, { key = 'wm_tiny_admin', body, headers = {} }: Call = {}) => {
      const init = initOf(method, body, { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...headers });
      const response = await readResponse(socket ? await fetch(base + path, init) : await mock.fetch(path, init));
      const id = operationOf(method, path, mock.release);
      const broken = lawsBroken(id, response, mock.release);
      if (broken.length > 0)
        throw new Error(`${method} ${path} ${response.status}: ${broken.join('; ')}\n${response.text.slice(0, 500)}`);
      if (id) seen?.(id, response.status);
      return response;
    },
  };
};

export type Session = Awaited<ReturnType<typeof openSession>>;

/** Describes rules that hold in memory and over a socket alike. */
export const describeMatrix = (
  name: string,
  rules: (start: (options?: MockOptions) => Promise<Session>, transport: string) => void,
): void => {
  describe.each(['in memory', 'over a socket'])(`${name}, %s`, (transport) => {
    const open: Mock[] = [];
    const close = async () => void (await Promise.all(open.splice(0).map((mock) => mock.close())));
    afterEach(close);
    afterAll(close);
    rules(async (options = {}) => {
      const session = await openSession(options, transport === 'over a socket');
      open.push(session.mock);
      return session;
    }, transport);
  });
};
