// Fetches of the worker from the network: seeds, and the page's own files, kept for when there is none.

/** @throws TypeError when there is no network, or no server responds. */
export const fromNetwork = (what: string | Request): Promise<Response> => globalThis.fetch(what);

/** Keeps files that are not kept yet; what cannot be read is left out. */
export const keepFiles = async (name: string, addresses: readonly string[]): Promise<void> => {
  const cache = await caches.open(name);
  const keep = async (address: string) => {
    if (!(await cache.match(address))) await cache.add(address).catch(() => {});
  };
  await Promise.all(addresses.map(keep));
};

/** The response of the network, which is kept, else the one kept before, else a network error. */
export const newestOrKept = async (name: string, request: Request): Promise<Response> => {
  const cache = await caches.open(name);
  try {
    const response = await fromNetwork(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch {
    // A page is the same file whatever its query, and a kept file is the same for every caller.
    const how = { ignoreVary: true, ignoreSearch: request.mode === 'navigate' };
    return (await cache.match(request, how)) ?? Response.error();
  }
};
