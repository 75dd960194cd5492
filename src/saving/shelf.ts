// Where saved state is kept: values by key, each change of them whole or not at all. A port; the browser's is IndexedDB.

export interface ShelfChange {
  readonly put: readonly (readonly [string, unknown])[];
  readonly remove: readonly string[];
  /** Every key that begins so goes, before anything is put. */
  readonly clear: readonly string[];
}

export interface Shelf {
  /** Everything that is kept. */
  read(): Promise<ReadonlyMap<string, unknown>>;
  /** Makes a change; resolves when it will survive the process. @throws when it was not made: then nothing of it was. */
  write(change: ShelfChange): Promise<void>;
}

/** A shelf that lasts as long as the program. Values go through JSON, as a shelf may do. */
export const memoryShelf = (): Shelf => {
  const kept = new Map<string, string>();
  return {
    read: async () => new Map([...kept].sort().map(([key, text]) => [key, JSON.parse(text) as unknown])),
    write: async ({ put, remove, clear }) => {
      for (const key of [...kept.keys()]) if (clear.some((start) => key.startsWith(start))) kept.delete(key);
      for (const key of remove) kept.delete(key);
      for (const [key, value] of put) kept.set(key, JSON.stringify(value));
    },
  };
};
