// Replaces globals, as another environment would have them, until they are restored.

/** @returns a function that restores them. */
export const withGlobals = (values: Readonly<Record<string, unknown>>): (() => void) => {
  const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else Reflect.deleteProperty(globalThis, name);
    }
  };
};

/** As much of `caches` as pages and workers need. */
export const cachesInMemory = () => {
  const stores = new Map<string, Map<string, Response>>();
  const urlOf = (what: Request | string): string => (typeof what === 'string' ? what : what.url);
  const bare = (url: string): string => url.replace(/\?.*/, '');
  return {
    opened: stores,
    caches: {
      open: async (name: string) => {
        const kept = stores.get(name) ?? new Map<string, Response>();
        stores.set(name, kept);
        return {
          match: async (what: Request | string, { ignoreSearch = false, ignoreVary = false } = {}) => {
            const found = [...kept].find(([url]) => (ignoreSearch ? bare(url) === bare(urlOf(what)) : url === urlOf(what)))?.[1];
            return found?.headers.has('vary') && !ignoreVary ? undefined : found?.clone();
          },
          add: async (url: string) => {
            const response = await fetch(url);
            if (!response.ok) throw new TypeError('not ok');
            kept.set(url, response);
          },
          put: async (what: Request | string, response: Response) => void kept.set(urlOf(what), response),
        };
      },
      delete: async (name: string) => stores.delete(name),
    },
  };
};
