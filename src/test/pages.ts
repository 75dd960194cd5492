// A web server for pages of tests that can be cut off, and a real Chromium to open them in.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type Browser, chromium } from 'playwright-core';
// @ts-expect-error a script of the build, without types
import { chromiumOptions } from '../../.ci/browser.mjs';
import { openServer } from './receiver.ts';

export const launchChromium = (): Promise<Browser> => chromium.launch(chromiumOptions());

const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', mjs: 'text/javascript' };

/** Serves texts by their paths, and below `/dist/` and `/src/test/` the files of the repository. */
export const servePages = async (texts: Readonly<Record<string, string>>) => {
  /** Requested paths. */
  const paths: string[] = [];
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    paths.push(path);
    const text =
      texts[path] ?? (/^\/(dist|src\/test)\//.test(path) ? await readFile(`.${path}`).catch(() => undefined) : undefined);
    if (text === undefined) return void response.writeHead(404).end();
    response.setHeader('content-type', TYPES[path.split('.').pop() ?? ''] ?? 'text/html');
    response.end(text);
  });
  const { host, close } = await openServer(server);
  return { origin: `http://${host}`, paths, close };
};

export type Pages = Awaited<ReturnType<typeof servePages>>;
