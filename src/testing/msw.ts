// The entry point `wm-mock/msw`: request handlers for MSW in front of the whole mock, in Node and in a browser.
import { type HttpHandler, HttpResponse, http } from 'msw';
import type { Mock } from '../mock/api/mock.ts';
import { handlers as validate } from '../mock/api/more-options.generated.ts';
import type { HANDLERS, Options } from '../mock/api/options.ts';
import { unmountUrl, withUrl } from '../service/http/in-process.ts';
import { escapeRegExp } from '../service/http/redact.ts';
import { fetchUnlessClosed } from '../service/http/respond-with-fault.ts';
import { checkOptions } from '../service/validation/check.ts';

export type HandlersOptions = Options<typeof HANDLERS>;

const FALLBACK_ORIGIN = 'http://127.0.0.1:4700';

const ownOrigin = (): string => {
  const { location } = globalThis as { location?: { origin?: string } };
  return location?.origin?.startsWith('http') ? location.origin : FALLBACK_ORIGIN;
};

/**
 * Handlers for `setupServer` or `setupWorker`: the mock handles every request below the base URL, including faults;
 * a closed connection is a network error. Given a world (`mock.fork()`), they use that world.
 * @throws RangeError when an option is unknown, or the base URL does not end in `/v1`.
 */
export const handlers = (
  mock: Pick<Mock, 'app' | 'guard' | 'baseUrl'>,
  options: HandlersOptions = {},
): readonly HttpHandler[] => {
  checkOptions('handlers', validate, options);
  const { baseUrl = `${ownOrigin()}/v1` } = options;
  const inside = unmountUrl(baseUrl);
  const { origin, hostname } = new URL(baseUrl);
  const world = new URL(mock.baseUrl).pathname.replace(/\/v1$/, '');
  mock.guard.allow(hostname);
  /** Maps a URL of the origin to the world. */
  const within = (url: string): string =>
    url.startsWith(`${origin}/worlds/`) || url.startsWith(`${origin}/openapi.`) ? url : origin + world + url.slice(origin.length);
  return [
    http.all(new RegExp(`^${escapeRegExp(origin)}/`), async ({ request }) => {
      const url = inside(request.url);
      return url === undefined
        ? undefined
        : fetchUnlessClosed(mock.app, await withUrl(request, within(url)), () => HttpResponse.error());
    }),
  ];
};
