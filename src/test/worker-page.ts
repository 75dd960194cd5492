// A page of a real Chromium with the mock in its service worker, and the browser's power over that worker.
import { readFile } from 'node:fs/promises';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { RegisteredMock, RegisterOptions } from '../browser/register.ts';
import { launchChromium, servePages } from './pages.ts';
import type { RecordedResponse } from './transcript.ts';

declare global {
  interface Window {
    mock: RegisteredMock;
    ask(method: string, path: string, body?: object, key?: string): Promise<RecordedResponse>;
    begin(options: RegisterOptions): Promise<void>;
  }
}

const HTML = `<!doctype html><title>page</title><script type="module">
  import { register } from '/wm-mock-register.js';
  window.ask = async (method, path, body, key = 'wm_acme_admin') => {
    const headers = { authorization: 'Bearer ' + key, ...(body ? { 'content-type': 'application/json' } : {}) };
    const own = path.startsWith('/_mock') ? window.mock.controlUrl + path.slice(6) : window.mock.baseUrl + path;
    const url = path.startsWith('/worlds') ? path : own;
    const response = await fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return { status: response.status, headers: [...response.headers], text: await response.text() };
  };
  window.begin = async (options) => {
    window.mock = await register(options);
  };
</script>`;

/** The options of the session of 300 requests. */
export const OPTIONS: RegisterOptions = { seed: '/demo.yaml', now: '2025-01-20T09:00:00Z' };

export class WorkerPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly #session: CDPSession;
  #stopped = () => {};

  constructor(page: Page, session: CDPSession) {
    this.page = page;
    this.context = page.context();
    this.#session = session;
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      if (versions.some(({ runningStatus }) => runningStatus === 'stopped')) this.#stopped();
    });
  }

  /** Loads the page's scripts and registers the worker. */
  async begin(options: RegisterOptions = OPTIONS): Promise<void> {
    await this.page.waitForFunction(() => 'begin' in window);
    await this.page.evaluate((given) => window.begin(given), options);
  }

  ask(method: string, path: string, body?: object, key?: string): Promise<RecordedResponse> {
    return this.page.evaluate(([m, p, b, k]) => window.ask(m, p, b, k), [method, path, body, key] as const);
  }

  async json(method: string, path: string, body?: object, key?: string) {
    return JSON.parse((await this.ask(method, path, body, key)).text);
  }

  /** Ends the worker, as the browser does when it likes; resolves when it has ended. */
  async kill(): Promise<void> {
    const stopped = new Promise<void>((done) => {
      this.#stopped = done;
    });
    await this.#session.send('ServiceWorker.stopAllWorkers');
    await stopped;
  }
}

/** @param more texts to serve, by their paths. */
export const workerPages = async (more: Readonly<Record<string, string>> = {}) => {
  const browser = await launchChromium();
  const served = await servePages({
    '/': HTML,
    '/demo.yaml': await readFile('fixtures/demo.yaml', 'utf8'),
    '/wm-mock-worker.js': await readFile('dist/assets/wm-mock-worker.js', 'utf8'),
    '/wm-mock-register.js': await readFile('dist/assets/wm-mock-register.js', 'utf8'),
    ...more,
  });
  return {
    served,
    /** Opens a page in a fresh profile. */
    open: async (options?: RegisterOptions): Promise<WorkerPage> => {
      const page = await (await browser.newContext()).newPage();
      const session = await page.context().newCDPSession(page);
      const workerPage = new WorkerPage(page, session);
      await session.send('ServiceWorker.enable');
      await page.goto(`${served.origin}/`);
      await workerPage.begin(options);
      return workerPage;
    },
    close: async () => {
      await browser.close();
      await served.close();
    },
  };
};
