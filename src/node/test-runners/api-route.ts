// Routes a browser's requests to the real service's address into a world of this process.
import type { BrowserContext, Page, Route } from '@playwright/test';
import { ConnectionClosed } from '../../service/http/respond-with-fault.ts';
import type { TestWorld } from './test-worlds.ts';

const trimSlashes = (url: string): string => url.replace(/\/+$/, '');

/** @returns undefined for another address */
const pathBelow = (url: string, address: string): string | undefined => {
  const rest = url.startsWith(address) ? url.slice(address.length) : undefined;
  return rest === undefined || (rest !== '' && !/^[/?]/.test(rest)) ? undefined : rest;
};

const fetchFromWorld = async (mock: TestWorld, route: Route, rest: string): Promise<Response> => {
  const request = route.request();
  const body = request.postDataBuffer();
  const headers = Object.entries(request.headers()).filter(([name]) => !name.startsWith(':'));
  return mock.app.fetch(
    new Request(mock.baseUrl + rest, { method: request.method(), headers, ...(body ? { body: new Uint8Array(body) } : {}) }),
  );
};

/** A closed page needs no response. */
const ignoreIfGone = (page: Page | undefined) => (error: unknown) => {
  if (!page?.isClosed() && !/closed|disposed|already handled/i.test(String(error))) throw error;
};

const pageOfRoute = (route: Route): Page | undefined => {
  try {
    return route.request().frame().page();
  } catch {
    return undefined;
  }
};

/** @returns a function that ends it */
export const routeApi = async (mock: TestWorld, target: BrowserContext | Page, apiUrl: string): Promise<() => Promise<void>> => {
  const address = trimSlashes(apiUrl);
  const isApi = (url: URL) => pathBelow(url.href, address) !== undefined;
  const handle = async (route: Route): Promise<void> => {
    const ignore = ignoreIfGone(pageOfRoute(route));
    const rest = pathBelow(route.request().url(), address) ?? '';
    const response = await fetchFromWorld(mock, route, rest).catch((error: unknown) => {
      if (error instanceof ConnectionClosed) return undefined;
      throw error;
    });
    if (!response) return route.abort('connectionreset').catch(ignore);
    const body = Buffer.from(await response.arrayBuffer());
    return route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body }).catch(ignore);
  };
  await target.route(isApi, handle);
  return () => target.unroute(isApi, handle);
};
