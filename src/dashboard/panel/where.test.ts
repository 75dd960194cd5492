// Which control API a page is shown, and its message where that one does not respond.
import { expect, test } from 'vitest';
import { findPanelProblem, locateMock, type PanelOptions } from './where.ts';

const MOCK = 'http://127.0.0.1:4700';

test.each<[PanelOptions, string]>([
  [{}, `${MOCK}/_mock`],
  [{ controlUrl: `${MOCK}/v1/` }, `${MOCK}/_mock`],
  [{ controlUrl: new URL(`${MOCK}/_mock?x=1#y`) }, `${MOCK}/_mock`],
  [{ controlUrl: '/_mock' }, 'http://localhost:5173/_mock'],
  [{ controlUrl: `${MOCK}/worlds/one/_mock` }, `${MOCK}/worlds/one/_mock`],
  [{ controlUrl: `${MOCK}/worlds/one/_mock`, world: 'two' }, `${MOCK}/worlds/two/_mock`],
  [{ controlUrl: `${MOCK}/worlds/one/_mock`, world: 'default' }, `${MOCK}/_mock`],
])('%j is at %s', (options, url) => {
  const where = locateMock(options, 'http://localhost:5173/board');
  expect(where.url()).toBe(url);
  if (options.world !== undefined || url.includes('/worlds/')) {
    where.follow([`${MOCK}/worlds/other/v1/tasks`]);
    expect(where.url()).toBe(url);
  }
});

test.each([
  ['/worlds/a.b/v1/tasks?limit=1', '/worlds/a.b'],
  ['/v1/tasks', ''],
  ['/worlds/b/_mock/clock', '/worlds/before'],
  ['/worlds/b/v1', '/worlds/before'],
  ['/api/v1/tasks', '/worlds/before'],
  [':5173/worlds/b/v1/tasks', '/worlds/before'],
])('a page that has asked %s means the world at %j', (asked, world) => {
  for (const root of [MOCK, `${MOCK}/mounted`]) {
    const where = locateMock({ controlUrl: `${root}/_mock` }, 'http://localhost:5173/');
    const localhost = root.replace('127.0.0.1', 'localhost');
    where.follow([`${localhost}/worlds/before/v1/tasks`, asked.startsWith(':') ? `http://localhost${asked}` : localhost + asked]);
    expect(where.url()).toBe(`${root}${world}/_mock`);
  }
});

/** A mock at `/clock`, with the status that the page can read, if it can; and whether anything is there at all. */
const responding = (status: number | undefined, responds: boolean) =>
  (async (url: string) => {
    if (url.includes('/clock') ? status === undefined : !responds) throw new TypeError('Failed to fetch');
    return new Response(null, { status: status ?? 200 });
  }) as typeof fetch;

test.each([
  [200, true, 'http://app.test', undefined],
  [401, true, 'http://app.test', 'The mock asks for its control token. Give it as data-token="…" on the script tag'],
  [404, true, 'http://app.test', `The mock refuses ${MOCK}/_mock with 404.`],
  [undefined, false, 'http://app.test', `No mock responds at ${MOCK}/_mock. Start one with npx wm-mock`],
  [undefined, true, 'null', 'This page has no origin that the mock could allow. Serve it over http.'],
  [undefined, true, 'http://app.test', 'does not let pages of http://app.test use its control API. Start it with --allow-origin'],
])('the page is told why there is no panel: status %s, responding %s, at %s', async (status, responds, origin, says) => {
  const why = await findPanelProblem(`${MOCK}/_mock`, 'sesame', { origin }, responding(status, responds));
  if (says === undefined) expect(why).toBeUndefined();
  else expect(why).toContain(says);
});
