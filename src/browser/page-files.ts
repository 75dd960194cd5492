// What the worker asks the network for: seeds, and the page's own files, kept for when there is none.

/** @throws TypeError when there is no network, or nobody answers. */
export const fromNetwork = (what: string | Request): Promise<Response> => globalThis.fetch(what);

/** Keeps files that are not kept yet; what cannot be read is left out. */
export const keepFiles = async (name: string, addresses: readonly string[]): Promise<void> => {
  const cache = await caches.open(name);
  const keep = async (address: string) => {
    if (!(await cache.match(address))) await cache.add(address).catch(() => {});
  };
  await Promise.all(addresses.map(keep));
};

/** The answer of the network, which is kept, else what was kept before, else a network error. */
export const newestOrKept = async (name: string, request: Request): Promise<Response> => {
  const cache = await caches.open(name);
  try {
    const answer = await fromNetwork(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch {
    // A page is the same file whatever its query, and a kept file is the same whoever asks.
    const how = { ignoreVary: true, ignoreSearch: request.mode === 'navigate' };
    return (await cache.match(request, how)) ?? Response.error();
  }
};
