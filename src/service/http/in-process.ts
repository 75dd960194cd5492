// Requests to a mock in process: they end with their AbortSignal, and come from under any base URL.

interface Fetching {
  fetch(request: Request): Response | Promise<Response>;
}

const isStream = ({ headers }: Response): boolean => headers.get('content-type') === 'text/event-stream';

const abortStream = (source: Response, signal: AbortSignal): Response =>
  source.body && isStream(source) ? new Response(source.body.pipeThrough(new TransformStream(), { signal }), source) : source;

/** Fetches a response. Aborted before, it is not performed. @throws the reason of the signal as soon as it is aborted. */
const fetchAbortable = (app: Fetching, request: Request, signal: AbortSignal): Promise<Response> =>
  new Promise((done, fail) => {
    if (signal.aborted) return fail(signal.reason);
    const abort = () => fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    new Promise<Response>((resolve) => resolve(app.fetch(request)))
      .then((response) => done(abortStream(response, signal)), fail)
      .finally(() => signal.removeEventListener('abort', abort));
  });

/** Does what fetch does with these arguments, by an application in place of a network. */
export const fetchFrom = async (app: Fetching, input: string | URL | Request, init?: RequestInit): Promise<Response> => {
  const signal = init?.signal === undefined ? (input as Partial<Request>).signal : init.signal;
  if (typeof signal?.addEventListener !== 'function') return app.fetch(new Request(input, init));
  // A request that follows the signal would keep a listener on it.
  return fetchAbortable(app, new Request(input, { ...init, signal: null }), signal);
};

const MOCK_PATHS = /^\/(v1|_mock|worlds)(?=[/?#]|$)|^\/openapi\.(json|yaml)(?=[?#]|$)/;

/** From the URL of a request to that in the mock. @param baseUrl ends in `/v1`. @throws TypeError when it does not */
export const unmountUrl = (baseUrl: string): ((url: string) => string | undefined) => {
  const { origin, pathname } = new URL(baseUrl);
  const root = /^(.*)\/v1\/?$/.exec(pathname)?.[1];
  if (root === undefined)
    throw new TypeError(`the base URL ${baseUrl} does not end in /v1. Give the one that your app calls, such as ${origin}/v1`);
  return (url) => {
    if (!url.startsWith(`${origin}/`)) return undefined;
    const path = url.slice(origin.length);
    if (path.startsWith(root) && MOCK_PATHS.test(path.slice(root.length))) return origin + path.slice(root.length);
    // Worlds tell their addresses from the origin on.
    return path.startsWith('/worlds/') ? url : undefined;
  };
};

/** A copy of a request under another URL, its body read: not every browser passes one on unread. */
export const withUrl = async (request: Request, url: string): Promise<Request> => {
  const { method, headers } = request;
  const bytes = method === 'GET' || method === 'HEAD' ? undefined : await request.arrayBuffer();
  return new Request(url, { method, headers, ...(bytes && bytes.byteLength > 0 ? { body: bytes } : {}) });
};
