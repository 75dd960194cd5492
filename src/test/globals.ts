// Puts values in the place of globals, as another surroundings would have them, until they are put back.

/** @returns what puts back what was there before. */
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
  const opened = new Map<string, Map<string, Response>>();
  const urlOf = (what: Request | string): string => (typeof what === 'string' ? what : what.url);
  const bare = (url: string): string => url.replace(/\?.*/, '');
  return {
    opened,
    caches: {
      open: async (name: string) => {
        const kept = opened.get(name) ?? new Map<string, Response>();
        opened.set(name, kept);
        return {
          match: async (what: Request | string, { ignoreSearch = false, ignoreVary = false } = {}) => {
            const found = [...kept].find(([url]) => (ignoreSearch ? bare(url) === bare(urlOf(what)) : url === urlOf(what)))?.[1];
            return found?.headers.has('vary') && !ignoreVary ? undefined : found?.clone();
          },
          add: async (url: string) => {
            const answer = await fetch(url);
            if (!answer.ok) throw new TypeError('not ok');
            kept.set(url, answer);
          },
          put: async (what: Request | string, answer: Response) => void kept.set(urlOf(what), answer),
        };
      },
      delete: async (name: string) => opened.delete(name),
    },
  };
};
