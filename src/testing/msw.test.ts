// MSW's handlers carry the whole mock: data, faults, control API, worlds; in Node and in a page.
import { readFile } from 'node:fs/promises';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createMock } from '../node/index.ts';
import { launchChromium, servePages } from '../test/pages.ts';
import { type RecordedResponse, transcriptOf, transcriptOfNode } from '../test/transcript.ts';
import { handlers } from './msw.ts';

const NOW = '2025-01-20T09:00:00Z';
const BASE = 'https://api.example.com/v1';

const asker =
  (base: string) =>
  async (method: string, path: string, body?: object, key = 'wm_acme_admin'): Promise<RecordedResponse> => {
    const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
    const response = await fetch(base + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: response.status, headers: [...response.headers], text: await response.text() };
  };

describe('in Node', async () => {
  const mock = await createMock({ seed: 'fixtures/demo.yaml', now: NOW });
  const received: string[] = [];
  const receiver = http.post('http://127.0.0.1:9999/hooks', ({ request }) => {
    received.push(request.headers.get('x-service-signature') ?? '');
    return new HttpResponse(null, { status: 204 });
  });
  const server = setupServer(...handlers(mock, { baseUrl: BASE }), receiver);
  const ask = asker(BASE);
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
  afterEach(() => mock.reset());
  afterAll(async () => {
    server.close();
    await mock.close();
  });

  test('the session of 300 requests gets the same bytes as over a socket', async () => {
    expect(await transcriptOf(ask)).toEqual(await transcriptOfNode());
  }, 60_000);

  test('a webhook reaches a handler of MSW, signed', async () => {
    await ask('POST', '/webhooks', { url: 'http://127.0.0.1:9999/hooks', events: ['project.created'] });
    await ask('POST', '/projects', { name: 'Announced' });
    await mock.webhooks.settled();
    expect(mock.deliveries.at(-1)?.state).toBe('delivered');
    expect(received.at(-1)).toMatch(/^[0-9a-f]{64}$/);
  });

  test('faults apply: a status, a closed connection as a network error, a broken body, a held response', async () => {
    mock.faults.add({ effect: { status: 503 }, times: 1 });
    expect((await ask('GET', '/tasks')).status).toBe(503);
    mock.faults.add({ effect: { abort: true }, times: 1 });
    await expect(ask('GET', '/tasks')).rejects.toThrow(TypeError);
    mock.faults.add({ effect: { body: 'truncated' }, times: 1 });
    const cut = await ask('GET', '/tasks');
    expect(() => JSON.parse(cut.text)).toThrow();
    const { id } = mock.faults.add({ effect: { hold: true }, times: 1 });
    let isDone = false;
    const pending = ask('GET', '/tasks').then((response) => {
      isDone = true;
      return response;
    });
    while (mock.faults.list().find((fault) => fault.id === id)?.held === 0) await new Promise((turn) => setImmediate(turn));
    expect(isDone).toBe(false);
    mock.faults.release(id);
    expect((await pending).status).toBe(200);
  });
});

const PAGE = `
import { setupWorker } from 'msw/browser';
import { createMock } from './src/index.ts';
import { handlers } from './src/testing/msw.ts';
window.begin = async (seed, now) => {
  const mock = await createMock({ seed, now });
  await setupWorker(...handlers(mock)).start({ quiet: true });
  window.mock = mock;
};
window.ask = async (method, path, body, key) => {
  const headers = { authorization: 'Bearer ' + key, ...(body ? { 'content-type': 'application/json' } : {}) };
  const response = await fetch('/v1' + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  return { status: response.status, headers: [...response.headers], text: await response.text() };
};`;

const bundled = async (): Promise<string> => {
  const bundle = await rolldown({
    input: 'page-of-msw',
    platform: 'browser',
    tsconfig: 'tsconfig.json',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page-of-msw' ? `${process.cwd()}/page-of-msw.js` : undefined),
        load: (id) => (id.endsWith('page-of-msw.js') ? PAGE : undefined),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return output[0].code;
};

test('in a page of a real Chromium the session gets the same bytes, and a closed connection is a network error', async () => {
  const pages = await servePages({
    '/': '<!doctype html><title>msw</title><script type="module" src="/page.js"></script>',
    '/page.js': await bundled(),
    '/mockServiceWorker.js': await readFile('node_modules/msw/lib/mockServiceWorker.js', 'utf8'),
  });
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`${pages.origin}/`);
    await page.waitForFunction(() => 'begin' in window);
    const seed = await readFile('fixtures/demo.yaml', 'utf8');
    await page.evaluate(
      ([text, now]) => (window as unknown as { begin(...words: unknown[]): Promise<void> }).begin(text, now),
      [seed, NOW],
    );
    const ask = (...words: unknown[]) =>
      page.evaluate((given) => (window as unknown as { ask(...w: unknown[]): Promise<RecordedResponse> }).ask(...given), words);
    expect(await transcriptOf(ask)).toEqual(await transcriptOfNode());
    await page.evaluate(() =>
      (window as unknown as { mock: { faults: { add(fault: object): void } } }).mock.faults.add({ effect: { abort: true } }),
    );
    await expect(ask('GET', '/tasks', undefined, 'wm_acme_read')).rejects.toThrow('Failed to fetch');
    expect(pages.paths.some((path) => path.startsWith('/v1'))).toBe(false);
  } finally {
    await browser.close();
    await pages.close();
  }
}, 120_000);
