// A mock on a socket with a real Chromium before it; a page that fails or asks for something from elsewhere fails its test.
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Mock } from '../node/index.ts';
import { launchChromium } from './pages.ts';

/** One browser for all tests of a file, which closes it behind them. */
let launched: Promise<Browser> | undefined;
/** Pages that no test is on, by the options of their contexts: to open one takes longer than most tests stay on it. */
const free = new Map<string, Page[]>();
export const closeBrowser = async (): Promise<void> => {
  const browser = await launched;
  launched = undefined;
  free.clear();
  await browser?.close();
};

/** Waits until a page listens to its world. */
export const live = (page: Page): Promise<void> => page.locator('[data-live-state="live"]').waitFor();
/** Presses keys, one after the other: `j j Enter`. */
export const press = async ({ keyboard }: Page, keys: string): Promise<void> => {
  for (const key of keys.split(' ')) await keyboard.press(key);
};

const viewport = { width: 1280, height: 860 };
const openPage = async (options: BrowserContextOptions): Promise<Page> => {
  launched ??= launchChromium();
  return (await (await launched).newContext({ viewport, ...options })).newPage();
};
/** A page that is nowhere. */
export const freePage = async (options: BrowserContextOptions = {}): Promise<Page> =>
  free.get(JSON.stringify(options))?.pop() ?? openPage(options);
/** Gives a page back, with nothing on it, or around it, of what a test did there; other pages that it opened are closed. */
export const leavePage = async (page: Page, options: BrowserContextOptions = {}): Promise<void> => {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate('try { sessionStorage.clear(); localStorage.clear(); } catch {}');
  await page.goto('about:blank');
  for (const event of ['console', 'weberror', 'request'] as const) context.removeAllListeners(event);
  await context.clearCookies();
  await page.mouse.move(0, 0);
  await page.emulateMedia({ colorScheme: options.colorScheme ?? null });
  await page.setViewportSize(options.viewport ?? viewport);
  const alike = JSON.stringify(options);
  free.set(alike, [...(free.get(alike) ?? []), page]);
};

/** Serves a mock and opens a page for it. */
export const browse = async (mock: Mock, options: BrowserContextOptions = {}) => {
  const server = await mock.listen({ port: 0 });
  const page = await freePage(options);
  /** Errors of scripts, refusals of the policy, requests to elsewhere. */
  const complaints: string[] = [];
  const context = page.context();
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('request', (request) => {
    if (!request.url().startsWith(server.origin)) complaints.push(`asked for ${request.url()}`);
  });
  return {
    mock,
    server,
    complaints,
    /** Opens a path of the mock and looks at it. */
    visit: async <T>(path: string, look: (page: Page) => Promise<T>): Promise<T> => {
      await page.goto(server.origin + path);
      return look(page);
    },
    close: async () => {
      await leavePage(page, options);
      await mock.close();
    },
  };
};

export type Browsing = Awaited<ReturnType<typeof browse>>;

/** In the page: each rule that is broken, with where and how. */
const runAxe = async (rules: object): Promise<string[]> => {
  interface Axe {
    run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
  }
  const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'], ...rules });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`));
};

/** Each rule of axe that a page breaks. */
export const axeIn = async (page: Page, rules: object = {}): Promise<string[]> => {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  return page.evaluate(runAxe, rules);
};
