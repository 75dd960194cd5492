// Opens the dashboard without a browser: gets pages, posts forms as a browser without scripts would, and knows every page.
import { PAGES } from '../dashboard/pages.ts';
import { createMock, type Mock, type MockOptions } from '../node/index.ts';
import { keep } from './closing.ts';
import { type ApiResponse, type Form, formText, initOf, readResponse } from './sending.ts';
import { type Stirred, stir } from './traffic.mjs';

export interface Address {
  readonly name: string;
  readonly path: string;
}

/** Every example of every page: what tests of all pages, screenshots and the bench go through. */
export const ADDRESSES: readonly Address[] = PAGES.flatMap(({ examples }) =>
  Object.entries(examples).map(([name, path]) => ({ name, path })),
);

const ORIGIN = 'http://127.0.0.1:4700';
/** Every page of these tests stands still. */
export const DEMO_AT = { seed: 'fixtures/demo.yaml', now: '2025-01-20T09:00:00Z' } as const;
/** This demo, with receivers that acknowledge at once, with no socket. */
export const ACKNOWLEDGED = { ...DEMO_AT, sender: async () => ({ kind: 'response', status: 204, took: 0 }) as const };

/** Asks anything of a mock over HTTP; a body is sent as JSON. */
export const send = async ({ app }: Pick<Mock, 'app'>, path: string, method = 'GET', body?: unknown, headers = {}) =>
  app.fetch(new Request(ORIGIN + path, initOf(method, body, headers)));

/** Gives a world of a mock the traffic that the examples of pages speak of. @param base such as `/worlds/other` */
export const stirred = (mock: Mock, base = ''): Promise<Stirred> =>
  stir(async (path, init) => mock.app.fetch(new Request(ORIGIN + base + path, init)));

/** A mock whose dashboard is used in process. */
export const dashboardBench = async (options: MockOptions = DEMO_AT) => {
  const mock = await createMock(options);
  const ask = async (path: string, init: RequestInit) => readResponse(await mock.app.fetch(new Request(ORIGIN + path, init)));
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(path, { headers: { accept: 'text/html', ...headers } });
  /** Posts a form to a page. */
  const post = (path: string, fields: Form, headers: Readonly<Record<string, string>> = {}) => {
    const type = 'application/x-www-form-urlencoded;charset=UTF-8';
    const own = { accept: 'text/html', origin: ORIGIN, 'content-type': type, ...headers };
    return ask(path, { method: 'POST', body: formText(fields), headers: own });
  };
  /** Posts, and gets the page that the response redirects to. @throws Error unless it is 303 */
  const act = async (path: string, fields: Form): Promise<ApiResponse & { readonly to: string }> => {
    const { status, headers, text } = await post(path, fields);
    const to = headers.get('location');
    if (status === 303 && to !== null) return { ...(await get(to)), to };
    const problems = /<div class="notice bad"[\s\S]*?<\/div>|<p class="issue"[\s\S]*?<\/p>/g;
    const why = text.match(problems)?.join(' ') ?? text.slice(0, 300);
    throw new Error(`POST ${path} ${JSON.stringify(fields)} got ${status}: ${why}`);
  };
  return { mock, get, post, act };
};

export type DashboardBench = Awaited<ReturnType<typeof dashboardBench>>;

/** Ends with its test. */
export const startDashboard = async (options?: MockOptions): Promise<DashboardBench> => {
  const bench = await dashboardBench(options);
  keep(bench.mock);
  return bench;
};
export const startAcknowledged = (more: MockOptions = {}) => startDashboard({ ...ACKNOWLEDGED, ...more });
