// The shelf of an object: values as JSON, each change a transaction. The engine guarantees a single writer.
import type { Shelf } from '../mock/saving/shelf.ts';
import type { Storage } from './engine.ts';

/** A value has at most two megabytes, a character up to four bytes: longer texts are split. */
export const MAX_VALUE_CHARS = 450_000;

/** Longer texts go into a table by number: SQLite would read them whole when searching the keys beside them. */
export const SHORT = 900;

/** A text in parts, at least one. */
export const splitValue = (text: string): string[] => {
  const parts: string[] = [];
  for (let from = 0; from < text.length || from === 0; from += MAX_VALUE_CHARS)
    parts.push(text.slice(from, from + MAX_VALUE_CHARS));
  return parts;
};

export const kvShelf = (storage: Storage): Shelf => {
  const { kv, sql } = storage;
  sql.exec('CREATE TABLE IF NOT EXISTS long (n INTEGER PRIMARY KEY, key TEXT, text TEXT)');
  /** The numbers of the parts of each long text, in order. */
  const long = new Map<string, number[]>();
  let last = 0;
  const drop = (n: number) => void sql.exec('DELETE FROM long WHERE n = ?', n);
  const remove = (key: string) => {
    if (!long.has(key)) kv.delete(`kept/${key}`);
    long.get(key)?.forEach(drop);
    long.delete(key);
  };
  const put = (key: string, value: unknown) => {
    const text = JSON.stringify(value);
    const isLong = text.length > SHORT;
    if (isLong !== long.has(key)) remove(key);
    if (!isLong) {
      kv.put(`kept/${key}`, text);
      return;
    }
    const known = long.get(key) ?? [];
    const parts = splitValue(text);
    const numbers = parts.map((_, i) => known[i] ?? ++last);
    parts.forEach((part, i) => void sql.exec('INSERT OR REPLACE INTO long VALUES (?, ?, ?)', numbers[i], key, part));
    known.slice(parts.length).forEach(drop);
    long.set(key, numbers);
  };
  return {
    read: async () => {
      long.clear();
      const texts = new Map([...kv.list({ prefix: 'kept/' })].map(([key, text]) => [key.slice('kept/'.length), String(text)]));
      const stored = sql.exec<{ n: number; key: string; text: string }>('SELECT n, key, text FROM long ORDER BY n');
      for (const { n, key, text } of stored) {
        long.set(key, [...(long.get(key) ?? []), n]);
        texts.set(key, (texts.get(key) ?? '') + text);
        last = n;
      }
      return new Map([...texts.keys()].sort().map((key) => [key, JSON.parse(texts.get(key)!)]));
    },
    write: async (change) =>
      storage.transactionSync(() => {
        for (const start of change.clear) {
          for (const [key] of [...kv.list({ prefix: `kept/${start}` })]) kv.delete(key);
          for (const key of [...long.keys()]) if (key.startsWith(start)) remove(key);
        }
        for (const key of change.remove) remove(key);
        for (const [key, value] of change.put) put(key, value);
      }),
  };
};
