// The shelf in IndexedDB: values by key, each change whole or not at all, and owned by who read it last.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Shelf, ShelfTaken } from '../saving/shelf.ts';
import { withGlobals } from '../test/globals.ts';
import { indexedDbInMemory } from '../test/indexed-db.ts';
import { soon } from '../test/soon.ts';
import { indexedDbShelf as openShelf } from './indexed-db.ts';

const indexedDbShelf = async (name: string): Promise<Shelf> => {
  const shelf = await soon(openShelf(name));
  return { read: () => soon(shelf.read()), write: (change) => soon(shelf.write(change)) };
};

const CHANGE = { put: [], remove: [], clear: [] } as const;

describe('The shelf', () => {
  let fake: ReturnType<typeof indexedDbInMemory>;
  let back: () => void;
  beforeEach(() => {
    fake = indexedDbInMemory();
    back = withGlobals({ indexedDB: fake.indexedDB, IDBKeyRange: fake.IDBKeyRange });
  });
  afterEach(() => back());
  const valuesOf = (name: string) => [...fake.databases.get(name)!.stores.get('kept')!];

  test('keeps values in a database of its name and gives them back', async () => {
    const shelf = await indexedDbShelf('one');
    await shelf.read();
    await shelf.write({
      ...CHANGE,
      put: [
        ['a', { n: [1] }],
        ['b', 'text'],
      ],
    });
    const again = await (await indexedDbShelf('one')).read();
    expect([again.get('a'), again.get('b')]).toEqual([{ n: [1] }, 'text']);
    expect([...(await (await indexedDbShelf('two')).read()).keys()].filter((key) => key !== ' readers')).toEqual([]);
  });

  test('clears by the starts of keys, then removes, then puts, and keeps who has it', async () => {
    const shelf = await indexedDbShelf('one');
    await shelf.read();
    await shelf.write({
      ...CHANGE,
      put: [
        ['a/1', 1],
        ['a/2', 2],
        ['b/1', 3],
        ['b/2', 4],
        ['c', 5],
      ],
    });
    await shelf.write({ put: [['a/2', 7]], remove: ['b/1'], clear: ['a/'] });
    expect(valuesOf('one').sort()).toEqual([
      [' readers', 1],
      ['a/2', 7],
      ['b/2', 4],
      ['c', 5],
    ]);
    await shelf.write({ ...CHANGE, clear: [''] });
    expect(valuesOf('one')).toEqual([[' readers', 1]]);
  });

  test('belongs to who read it last: the changes of others are refused whole', async () => {
    const [one, two] = [await indexedDbShelf('one'), await indexedDbShelf('one')];
    await one.read();
    await two.read();
    expect(valuesOf('one')).toEqual([[' readers', 2]]);
    await expect(one.write({ ...CHANGE, put: [['a', 1]] })).rejects.toEqual(new ShelfTaken());
    await two.write({ ...CHANGE, put: [['a', 2]] });
    expect(valuesOf('one')).toEqual([
      [' readers', 2],
      ['a', 2],
    ]);
    await one.read();
    await one.write({ ...CHANGE, put: [['a', 1]] });
    await expect(two.write({ ...CHANGE, put: [['a', 2]] })).rejects.toThrow(ShelfTaken);
  });

  test('of who has not read it yet takes nothing', async () => {
    const one = await indexedDbShelf('one');
    await one.read();
    const unread = await indexedDbShelf('one');
    await expect(unread.write({ ...CHANGE, put: [['a', 1]] })).rejects.toThrow(ShelfTaken);
  });

  test('says why a change was given up', async () => {
    const shelf = await indexedDbShelf('one');
    await shelf.read();
    const database = fake.databases.get('one')!;
    const failing = async (error: Error | null) => {
      const written = shelf.write({ ...CHANGE, put: [['a', 1]] });
      database.begun.at(-1)!.transaction.fail(error);
      return written;
    };
    await expect(failing(new Error('the quota is used up'))).rejects.toEqual(new Error('the quota is used up'));
    await expect(failing(null)).rejects.toEqual(new Error('the transaction was given up'));
  });

  test('asks for writing, with the durability of a power cut that is none', async () => {
    const shelf = await indexedDbShelf('one');
    await shelf.read();
    await shelf.write(CHANGE);
    expect(fake.databases.get('one')!.begun.map(({ names, mode, options }) => [names, mode, options])).toEqual([
      ['kept', 'readwrite', { durability: 'relaxed' }],
      ['kept', 'readwrite', { durability: 'relaxed' }],
    ]);
  });

  test('that cannot be opened says why', async () => {
    fake.wrong.error = new Error('a private window');
    await expect(indexedDbShelf('one')).rejects.toEqual(new Error('a private window'));
  });

  test('stands in nobody’s way who deletes the database', async () => {
    await indexedDbShelf('one');
    const request = fake.indexedDB.deleteDatabase('one');
    await new Promise<void>((done, fail) => {
      request.onsuccess = done;
      request.onblocked = () => fail(new Error('blocked'));
    });
    expect(fake.databases.has('one')).toBe(false);
  });
});
