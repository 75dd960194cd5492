// The shelf of an object: values as JSON, each change a transaction. The engine lets nobody else write.
import type { Shelf } from '../saving/shelf.ts';
import type { Storage } from './engine.ts';

/** A value may have two megabytes, and a character up to four bytes: longer texts stand in parts. */
export const LONGEST = 450_000;

/** A text in parts, of which there is always one. */
export const partsOf = (text: string): string[] => {
  const parts: string[] = [];
  for (let from = 0; from < text.length || from === 0; from += LONGEST) parts.push(text.slice(from, from + LONGEST));
  return parts;
};

export const kvShelf = (storage: Storage): Shelf => {
  const { kv } = storage;
  /** How many parts a value has beyond its first. */
  const more = new Map<string, number>();
  const remove = (key: string) => {
    kv.delete(`kept/${key}`);
    for (let part = more.get(key) ?? 0; part > 0; part--) kv.delete(`part/${key}/${part}`);
    more.delete(key);
  };
  const put = (key: string, value: unknown) => {
    if (more.has(key)) remove(key);
    const [first, ...others] = partsOf(JSON.stringify(value));
    kv.put(`kept/${key}`, others.length === 0 ? first : [first, others.length]);
    others.forEach((text, i) => void kv.put(`part/${key}/${i + 1}`, text));
    if (others.length > 0) more.set(key, others.length);
  };
  const read = ([stored, value]: [string, unknown]): [string, unknown] => {
    const key = stored.slice('kept/'.length);
    if (typeof value === 'string') return [key, JSON.parse(value)];
    const [first, others] = value as [string, number];
    more.set(key, others);
    const texts = Array.from({ length: others }, (_, i) => kv.get(`part/${key}/${i + 1}`));
    return [key, JSON.parse(first + texts.join(''))];
  };
  return {
    read: async () => new Map([...kv.list({ prefix: 'kept/' })].map(read)),
    write: async (change) =>
      storage.transactionSync(() => {
        for (const start of change.clear)
          for (const [key] of [...kv.list({ prefix: `kept/${start}` })]) remove(key.slice('kept/'.length));
        for (const key of change.remove) remove(key);
        for (const [key, value] of change.put) put(key, value);
      }),
  };
};
