// The Playwright entry point, without Playwright: what each fixture adds to a test, and what it ends.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Route, TestInfo } from '@playwright/test';
import { afterAll, describe, expect, test } from 'vitest';
import { replay } from '../../replay.ts';
import { makeFileFolder } from '../../test/temp-folder.ts';
import { within } from '../../test/within.ts';
import { fixtures, type PlaywrightMock, waitingMatchers } from './playwright-fixtures.ts';
import { SharedMocks } from './test-worlds.ts';

const mocks = new SharedMocks();
const output = makeFileFolder();
afterAll(() => mocks.close());

type Attached = [name: string, given: { readonly body?: string; readonly path?: string; readonly contentType?: string }];

/** A world as a test with this id has it, for as long as the body takes. @returns what was attached */
const inWorld = async (
  body: (mock: PlaywrightMock) => Promise<void>,
  {
    testId = 'a test',
    retry = 0,
    status = 'passed',
    expectedStatus = 'passed',
    apiUrl = undefined as string | undefined,
    whileAttaching = async () => {},
  } = {},
): Promise<Attached[]> => {
  const attached: Attached[] = [];
  const project = { use: {} };
  const info = {
    testId,
    retry,
    status,
    expectedStatus,
    error: { message: 'it took too long', stack: 'Error: it took too long\n    at a.spec.ts:7:1' },
    project,
    titlePath: ['a.spec.ts', 'a test'],
    outputPath: (name: string) => join(output, name),
    attach: async (...given: Attached) => {
      attached.push(given);
      await whileAttaching();
    },
  };
  const given = { wmMocks: mocks, mockOptions: { randomSeed: 7, apiUrl } };
  await fixtures.mock(given as never, body, info as unknown as TestInfo);
  return attached;
};

/** A context that keeps what is routed to it. */
const contextOf = () => {
  const routes: [fits: (url: URL) => boolean, handle: (route: Route) => Promise<void>][] = [];
  const context = {
    route: async (...route: (typeof routes)[number]) => void routes.push(route),
    unroute: async (fits: unknown) => void routes.splice(routes.findIndex(([own]) => own === fits) >>> 0, 1),
    // Screens are watched in a browser alone.
    addInitScript: async () => {},
    on: () => {},
  };
  /** Opens the context of a test. @returns how many routes it has in use */
  const use = async (mock: PlaywrightMock, mockOptions: object, project: object = { use: {} }) => {
    let count = 0;
    const see = async (one: unknown) => {
      count = one === context ? routes.length : Number.NaN;
    };
    await fixtures.context({ context, mock, mockOptions } as never, see, { project } as never);
    return count;
  };
  return { context: context as unknown as BrowserContext, routes, use };
};

describe('the fixtures', () => {
  test('have options that a project sets, and mocks that a worker shares and closes', async () => {
    expect(fixtures.mockOptions).toEqual([{}, { option: true }]);
    const [open, scope] = fixtures.wmMocks;
    expect(scope).toEqual({ scope: 'worker' });
    let address = '';
    await open({} as never, async (shared: SharedMocks) => {
      const { baseUrl } = await (await shared.get({})).server;
      address = baseUrl;
      expect((await fetch(address)).status).toBe(401);
    });
    await expect(fetch(address)).rejects.toThrow('fetch failed');
  });

  test('give a test a world of its own on the socket of its worker, named after it and its repetition', async () => {
    const ids: string[] = [];
    for (const retry of [0, 1]) {
      await inWorld(
        async (mock) => {
          ids.push(mock.id);
          const { status } = await fetch(`${mock.baseUrl}/users/me`, { headers: mock.auth('read') });
          expect([status, mock.requests.map(({ path }) => path)]).toEqual([200, ['/v1/users/me']]);
        },
        { testId: 'abc def', retry },
      );
    }
    expect(ids).toEqual(['abc_def-0', 'abc_def-1']);
    let baseUrl = '';
    await inWorld(async (mock) => {
      baseUrl = mock.baseUrl;
    });
    expect((await fetch(`${baseUrl}/users/me`)).status).toBe(404);
  });

  test('refuse an apiUrl that names no address', async () => {
    const refused = (apiUrl: string) =>
      inWorld(async (mock) => expect(contextOf().use(mock, { apiUrl })).rejects.toThrow(`baseURL does not complete`));
    for (const apiUrl of ['/api', 'localhost:5173/api', '']) await refused(apiUrl);
  });

  test('attach what happened to a test that did not end as it should, and to no other', async () => {
    const asks = async (mock: PlaywrightMock) => void (await fetch(`${mock.baseUrl}/users/me`, { headers: mock.auth('read') }));
    expect(await inWorld(asks)).toEqual([]);
    expect(await inWorld(asks, { status: 'failed', expectedStatus: 'failed' })).toEqual([]);
    expect(await inWorld(asks, { status: 'timedOut' })).toEqual([
      ['wm-mock', { body: expect.stringContaining('GET /v1/users/me → 200'), contentType: 'text/plain' }],
      ['wm-mock repro', { path: join(output, 'wm-mock.wm.json'), contentType: 'application/json' }],
      ['wm-mock page', { path: join(output, 'wm-mock.html'), contentType: 'text/html' }],
    ]);
    const repro = readFileSync(join(output, 'wm-mock.wm.json'), 'utf8');
    expect((await replay(repro)).difference).toBeUndefined();
    const page = readFileSync(join(output, 'wm-mock.html'), 'utf8');
    expect(page).not.toMatch(/wm_[0-9a-z]{24}/);
    for (const text of ['GET /v1/users/me → 200', 'npx wm-mock replay', 'too long\nat a.spec.ts:7:1', 'The state as a seed'])
      expect(page).toContain(text);
  });

  test('tell the world of a test how that ended, as the list of worlds shows while it is there', async () => {
    const seen: unknown[] = [];
    let list = async (): Promise<void> => {};
    const asks = async (mock: PlaywrightMock) => {
      list = async () => {
        const response = await mock.fetch('http://wm-mock.test/_mock/worlds');
        const { items } = (await response.json()) as { items: { id: string; title: string; outcome?: string }[] };
        seen.push(items.filter(({ id }) => id === mock.id).map(({ title, outcome }) => [title, outcome]));
      };
      await list();
    };
    await inWorld(asks, { status: 'failed', whileAttaching: () => list() });
    expect([seen[0], seen[1]]).toEqual([[['a test', undefined]], [['a test', 'failed']]]);
  });

  test('respond for the real address in the context of a test, and no longer than it lasts', async () => {
    const [{ routes, use }, other] = [contextOf(), contextOf()];
    await inWorld(async (mock) => {
      expect(await use(mock, { apiUrl: 'https://api.example.com/v1/' })).toBe(1);
      await mock.route(other.context, 'https://other.example.com');
      const takes = ([route]: typeof routes) => route![0](new URL('https://api.example.com/v1/tasks'));
      expect([takes(routes), takes(other.routes)]).toEqual([true, false]);
    });
    expect([routes, other.routes]).toEqual([[], []]);
    await inWorld(async (mock) => expect(await use(mock, { now: '2025-01-20' })).toBe(0));
  });

  test('add to the options of the project, and win over them', async () => {
    const project = { use: { mockOptions: { apiUrl: 'https://api.example.com/v1', now: '2024-01-01' } } };
    await inWorld(async (mock) => expect(await contextOf().use(mock, { now: '2025-01-20' }, project)).toBe(1));
  });

  test('have the address of the world for relative ones, unless the project has another', async () => {
    await inWorld(async (mock) => {
      const used: unknown[] = [];
      for (const baseURL of [undefined, 'https://app.example.com'])
        await fixtures.baseURL({ baseURL, mock } as never, async (one) => void used.push(one));
      expect(used).toEqual([`${mock.baseUrl}/`, 'https://app.example.com']);
    });
  });
});

describe('a matcher that waits', () => {
  const runner = (more: { isNot?: boolean; timeout?: number } = {}) => ({ isNot: false, timeout: 20_000, ...more });
  const posts = (mock: PlaywrightMock, path: string, body: unknown) =>
    fetch(mock.baseUrl + path, {
      method: 'POST',
      headers: { ...mock.auth('admin'), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('passes at once when it can, and as soon as the request comes', async () => {
    await inWorld(async (mock) => {
      const waits = waitingMatchers.toHaveReceived.call(runner(), mock, 'getMe');
      await fetch(`${mock.baseUrl}/users/me`, { headers: mock.auth('read') });
      expect((await within(waits, 5000)).pass).toBe(true);
      const again = waitingMatchers.toHaveReceived.call(runner(), mock, { path: '/users/me' });
      expect((await within(again, 5000)).pass).toBe(true);
    });
  });

  test('passes as soon as the delivery comes', async () => {
    await inWorld(async (mock) => {
      const hook = { url: `${mock.controlUrl}/inbox/app`, events: ['project.created'], secret: 'whsec_0123456789abcdef' };
      expect((await posts(mock, '/webhooks', hook)).status).toBe(201);
      const waits = waitingMatchers.toHaveDelivered.call(runner(), mock, 'project.created');
      await posts(mock, '/projects', { name: 'Launch' });
      expect((await within(waits, 5000)).pass).toBe(true);
    });
  });

  test('fails when its time is over, and at once where the test wants none', async () => {
    await inWorld(async (mock) => {
      expect((await waitingMatchers.toHaveReceived.call(runner({ timeout: 5 }), mock, 'listTasks')).pass).toBe(false);
      const none = waitingMatchers.toHaveReceived.call(runner({ isNot: true }), mock, 'listTasks');
      expect((await within(none, 5000)).pass).toBe(false);
      const witness = { requests: [], deliveries: [] } as never;
      const blind = waitingMatchers.toHaveReceived.call(runner(), witness, 'listTasks');
      expect((await within(blind, 5000)).pass).toBe(false);
    });
  });
});
