// Where a mock without a socket stands: which URLs are its own under a base URL that an app already uses.

const MOCK_PATHS = /^\/(v1|_mock|worlds)(?=[/?#]|$)|^\/openapi\.(json|yaml)(?=[?#]|$)/;

/**
 * A function from the URL of a request to its URL in the mock; undefined when the mock does not serve it.
 * @param baseUrl ends in `/v1`; control API and worlds stand beside it. @throws TypeError when it does not.
 */
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
