// The shelf of the browser: one object store of an IndexedDB database, a change a transaction.
import type { Shelf } from '../saving/shelf.ts';

const STORE = 'kept';

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((answer, fail) => {
    request.onsuccess = () => answer(request.result);
    request.onerror = () => fail(request.error);
  });

const open = (name: string): Promise<IDBDatabase> => {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return done(request);
};

/** @param name of the database; two mocks of one origin need two names. */
export const indexedDbShelf = async (name: string): Promise<Shelf> => {
  const database = await open(name);
  // Another context may delete the database; this one would keep it from doing so.
  database.onversionchange = () => database.close();
  return {
    read: async () => {
      const store = database.transaction(STORE).objectStore(STORE);
      const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
      return new Map(keys.map((key, i) => [String(key), values[i] as unknown]));
    },
    write: ({ put, remove, clear }) =>
      new Promise((written, fail) => {
        const transaction = database.transaction(STORE, 'readwrite', { durability: 'relaxed' });
        const store = transaction.objectStore(STORE);
        for (const start of clear) store.delete(IDBKeyRange.bound(start, `${start}\uffff`));
        for (const key of remove) store.delete(key);
        for (const [key, value] of put) store.put(value, key);
        transaction.oncomplete = () => written();
        transaction.onabort = () => fail(transaction.error ?? new Error('the transaction was given up'));
      }),
  };
};
