// The one place where the worker asks the network: for a seed, and for the page's own files.

/** @throws TypeError when there is no network, or nobody answers. */
export const fromNetwork = (what: string | Request): Promise<Response> => globalThis.fetch(what);
