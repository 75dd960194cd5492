// Leads requests of pages to a mock in this process, in place of the address that the app was built for.
import type { BrowserContext, Page, Route } from '@playwright/test';
import type { Mock } from '../../mock/api/mock.ts';
import { fetchUnlessClosed } from '../../service/http/respond-with-fault.ts';

export const trimSlashes = (url: string): string => url.replace(/\/+$/, '');

/** @returns undefined for another address */
export const pathBelow = (url: string, address: string): string | undefined => {
  const rest = url.startsWith(address) ? url.slice(address.length) : undefined;
  return rest === undefined || (rest !== '' && !/^[/?]/.test(rest)) ? undefined : rest;
};

/** @returns undefined when a fault closes the connection */
export const fetchFromWorld = (mock: Mock, route: Route, rest: string): Promise<Response | undefined> => {
  const request = route.request();
  const body = request.postDataBuffer();
  const headers = Object.entries(request.headers()).filter(([name]) => !name.startsWith(':'));
  const init = { method: request.method(), headers, ...(body ? { body: new Uint8Array(body) } : {}) };
  return fetchUnlessClosed(mock.app, new Request(mock.baseUrl + rest, init), () => undefined);
};

/** A closed page needs no response. */
export const ignoreIfGone = (page: Page | undefined) => (error: unknown) => {
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
export const routeApi = async (mock: Mock, target: BrowserContext | Page, apiUrl: string): Promise<() => Promise<void>> => {
  const address = trimSlashes(apiUrl);
  const isApi = (url: URL) => pathBelow(url.href, address) !== undefined;
  const handle = async (route: Route): Promise<void> => {
    const ignore = ignoreIfGone(pageOfRoute(route));
    const rest = pathBelow(route.request().url(), address) ?? '';
    const response = await fetchFromWorld(mock, route, rest);
    if (!response) return route.abort('connectionreset').catch(ignore);
    const body = Buffer.from(await response.arrayBuffer());
    return route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body }).catch(ignore);
  };
  await target.route(isApi, handle);
  return () => target.unroute(isApi, handle);
};
