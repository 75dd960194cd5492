// Requests of a browser to the real service's address, answered by a world in this process.
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
  const asked = route.request();
  const body = asked.postDataBuffer();
  const headers = Object.entries(asked.headers()).filter(([name]) => !name.startsWith(':'));
  return mock.app.fetch(
    new Request(mock.baseUrl + rest, { method: asked.method(), headers, ...(body ? { body: new Uint8Array(body) } : {}) }),
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
    const gone = ignoreIfGone(pageOfRoute(route));
    const rest = pathBelow(route.request().url(), address) ?? '';
    const answer = await fetchFromWorld(mock, route, rest).catch((error: unknown) => {
      if (error instanceof ConnectionClosed) return undefined;
      throw error;
    });
    if (!answer) return route.abort('connectionreset').catch(gone);
    const body = Buffer.from(await answer.arrayBuffer());
    return route.fulfill({ status: answer.status, headers: Object.fromEntries(answer.headers), body }).catch(gone);
  };
  await target.route(isApi, handle);
  return () => target.unroute(isApi, handle);
};
