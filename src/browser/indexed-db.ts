// The shelf of the browser: one object store of an IndexedDB database, a change a transaction.
import { type Shelf, ShelfTaken } from '../mock/saving/shelf.ts';

const STORE = 'kept';

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, fail) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => fail(request.error);
  });

const openDatabase = (name: string): Promise<IDBDatabase> => {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return done(request);
};

/** The key of how often the state was taken over; no key that is kept sorts before it. */
const READERS = ' readers';

/** @param name of the database; two mocks of one origin need two names. */
export const indexedDbShelf = async (name: string): Promise<Shelf> => {
  const database = await openDatabase(name);
  // Another context may delete the database; this one would keep it from doing so.
  database.onversionchange = () => database.close();
  const begin = () => database.transaction(STORE, 'readwrite', { durability: 'relaxed' });
  let mine = 0;
  return {
    read: async () => {
      const store = begin().objectStore(STORE);
      mine = (((await done(store.get(READERS))) as number | undefined) ?? 0) + 1;
      store.put(mine, READERS);
      const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
      return new Map(keys.map((key, i) => [String(key), values[i] as unknown]));
    },
    write: ({ put, remove, clear }) =>
      new Promise((written, fail) => {
        const transaction = begin();
        const store = transaction.objectStore(STORE);
        let why: Error | undefined;
        transaction.oncomplete = () => written();
        transaction.onabort = () => fail(why ?? transaction.error ?? new Error('the transaction was given up'));
        const owner = store.get(READERS);
        owner.onsuccess = () => {
          if (owner.result !== mine) {
            why = new ShelfTaken();
            return transaction.abort();
          }
          for (const start of clear) store.delete(IDBKeyRange.bound(start || '!', `${start}\uffff`));
          for (const key of remove) store.delete(key);
          for (const [key, value] of put) store.put(value, key);
        };
      }),
  };
};
