// The shelf in IndexedDB: values by key, each change whole or not at all, and owned by who read it last.
import { IDBDatabase, IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Shelf, ShelfTaken } from '../mock/saving/shelf.ts';
import { withGlobals } from '../test/globals.ts';
import { soon } from '../test/within.ts';
import { indexedDbShelf as openShelf } from './indexed-db.ts';

const indexedDbShelf = async (name: string): Promise<Shelf> => {
  const shelf = await soon(openShelf(name));
  return { read: () => soon(shelf.read()), write: (change) => soon(shelf.write(change)) };
};
const ended = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((done, fail) =>
    Object.assign(request, { onsuccess: () => done(request.result), onerror: fail, onblocked: () => fail(new Error('blocked')) }),
  );

const CHANGE = { put: [], remove: [], clear: [] } as const;
const puts = (values: Readonly<Record<string, unknown>>) => ({ ...CHANGE, put: Object.entries(values) });

describe('The shelf', () => {
  const { transaction } = IDBDatabase.prototype;
  let begun: IDBTransaction[];
  let back: () => void;
  beforeEach(() => {
    begun = [];
    back = withGlobals({ indexedDB: new IDBFactory(), IDBKeyRange });
    IDBDatabase.prototype.transaction = function (...how: Parameters<typeof transaction>) {
      begun.push(transaction.apply(this, how));
      return begun.at(-1)!;
    };
  });
  afterEach(() => {
    IDBDatabase.prototype.transaction = transaction;
    back();
  });
  const valuesOf = async (name: string) => {
    const database = await ended(indexedDB.open(name));
    const store = database.transaction('kept').objectStore('kept');
    const [keys, values] = await Promise.all([ended(store.getAllKeys()), ended(store.getAll())]);
    database.close();
    return Object.fromEntries(keys.map((key, at) => [String(key), values[at]]));
  };

  test('keeps values in a database of its name and gives them back', async () => {
    const shelf = await indexedDbShelf('one');
    await shelf.read();
    await shelf.write(puts({ a: { n: [1] }, b: 'text' }));
    const again = await (await indexedDbShelf('one')).read();
    expect([again.get('a'), again.get('b')]).toEqual([{ n: [1] }, 'text']);
    expect([...(await (await indexedDbShelf('two')).read()).keys()].filter((key) => key !== ' readers')).toEqual([]);
  });

  test('clears by the starts of keys, then removes, then puts, and keeps who has it', async () => {
    const shelf = await indexedDbShelf('one');
    await shelf.read();
    await shelf.write(puts({ 'a/1': 1, 'a/2': 2, 'b/1': 3, 'b/2': 4, c: 5 }));
    await shelf.write({ put: [['a/2', 7]], remove: ['b/1'], clear: ['a/'] });
    expect(await valuesOf('one')).toEqual({ ' readers': 1, 'a/2': 7, 'b/2': 4, c: 5 });
    await shelf.write({ ...CHANGE, clear: [''] });
    expect(await valuesOf('one')).toEqual({ ' readers': 1 });
  });

  test('belongs to who read it last: the changes of others are refused whole', async () => {
    const [one, two] = [await indexedDbShelf('one'), await indexedDbShelf('one')];
    await one.read();
    await two.read();
    expect(await valuesOf('one')).toEqual({ ' readers': 2 });
    await expect(one.write(puts({ a: 1 }))).rejects.toEqual(new ShelfTaken());
    await two.write(puts({ a: 2 }));
    expect(await valuesOf('one')).toEqual({ ' readers': 2, a: 2 });
    await one.read();
    await one.write(puts({ a: 1 }));
    await expect(two.write(puts({ a: 2 }))).rejects.toThrow(ShelfTaken);
    const unread = await indexedDbShelf('one');
    await expect(unread.write(puts({ a: 3 }))).rejects.toThrow(ShelfTaken);
  });

  test('says why a change was given up', async () => {
    const shelf = await indexedDbShelf('one');
    await shelf.read();
    const failing = (name: string | null) => {
      const written = shelf.write(puts({ a: 1 }));
      (begun.at(-1) as unknown as { _abort(name: string | null): void })._abort(name);
      return written;
    };
    await expect(failing('QuotaExceededError')).rejects.toMatchObject({ name: 'QuotaExceededError' });
    await expect(failing(null)).rejects.toEqual(new Error('the transaction was given up'));
  });

  test('asks for writing, with the durability of a power cut that is none', async () => {
    const shelf = await indexedDbShelf('one');
    await shelf.read();
    await shelf.write(CHANGE);
    expect(begun.slice(1).map(({ mode, durability }) => [mode, durability])).toEqual(Array(2).fill(['readwrite', 'relaxed']));
  });

  test('names the reason when it cannot be opened', async () => {
    (await ended(indexedDB.open('one', 2))).close();
    await expect(indexedDbShelf('one')).rejects.toMatchObject({ name: 'VersionError' });
  });

  test('does not block the deletion of the database', async () => {
    await indexedDbShelf('one');
    await soon(ended(indexedDB.deleteDatabase('one')));
    expect(await indexedDB.databases()).toEqual([]);
  });
});
