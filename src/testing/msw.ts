// The door `wm-mock/msw`: request handlers for MSW that carry the whole mock, in Node and in a browser.
import { type HttpHandler, HttpResponse, http } from 'msw';
import { mountedAt, moved } from '../http/mounted.ts';
import { ConnectionClosed } from '../http/strike.ts';
import type { Mock } from '../mock/mock.ts';

export interface HandlersOptions {
  /**
   * The base URL that the app calls; ends in `/v1`. Control API, worlds and OpenAPI document stand beside it.
   * Absent: `/v1` of the page, and where there is no page `http://127.0.0.1:4700/v1`, which is where `npx wm-mock` listens.
   */
  readonly baseUrl?: string;
}

const NO_PAGE = 'http://127.0.0.1:4700';

const ownOrigin = (): string => {
  const { location } = globalThis as { location?: { origin?: string } };
  return location?.origin?.startsWith('http') ? location.origin : NO_PAGE;
};

const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Handlers for `setupServer` or `setupWorker`: every request below the base URL is answered by the mock, faults included;
 * a closed connection is a network error. Given a world (`mock.fork()`), they answer with that world.
 * @throws TypeError when the base URL does not end in `/v1`.
 */
export const handlers = (
  mock: Pick<Mock, 'app' | 'guard' | 'baseUrl'>,
  { baseUrl = `${ownOrigin()}/v1` }: HandlersOptions = {},
): readonly HttpHandler[] => {
  const inside = mountedAt(baseUrl);
  const { origin, hostname } = new URL(baseUrl);
  const world = new URL(mock.baseUrl).pathname.replace(/\/v1$/, '');
  mock.guard.allow(hostname);
  /** The world's own paths, seen from the origin. */
  const within = (url: string): string =>
    url.startsWith(`${origin}/worlds/`) || url.startsWith(`${origin}/openapi.`) ? url : origin + world + url.slice(origin.length);
  return [
    http.all(new RegExp(`^${literally(origin)}/`), async ({ request }) => {
      const url = inside(request.url);
      if (url === undefined) return undefined;
      try {
        return await mock.app.fetch(await moved(request, within(url)));
      } catch (error) {
        if (error instanceof ConnectionClosed) return HttpResponse.error();
        throw error;
      }
    }),
  ];
};
