// A mock on a socket with a real Chromium before it; a page that fails or asks for something from elsewhere fails its test.
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Mock, Server } from '../node/index.ts';
import { launchChromium } from './pages.ts';

export interface Browsing {
  readonly mock: Mock;
  readonly server: Server;
  /** Opens a path of the mock, looks at it, and closes it: open pages hold a stream each, and a browser has six for a host. */
  visit<T>(path: string, look: (page: Page) => Promise<T>): Promise<T>;
  /** What pages have complained of so far: errors of scripts, refusals of the policy, requests to elsewhere. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** One browser for all tests of a file, which closes it behind them: each has a context of its own in it. */
let launched: Promise<Browser> | undefined;
export const closeBrowser = async (): Promise<void> => {
  const browser = await launched;
  launched = undefined;
  await browser?.close();
};

/** Serves a mock and opens a browser's context for it. */
export const browse = async (mock: Mock, options: BrowserContextOptions = {}): Promise<Browsing> => {
  const server = await mock.listen({ port: 0 });
  launched ??= launchChromium();
  const context = await (await launched).newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const complaints: string[] = [];
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
    visit: async (path, look) => {
      const page = await context.newPage();
      try {
        await page.goto(server.origin + path);
        return await look(page);
      } finally {
        await page.close();
      }
    },
    close: async () => {
      await context.close();
      await mock.close();
    },
  };
};

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
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'));
  return page.evaluate(runAxe, rules);
};
