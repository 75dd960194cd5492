// A value that lives outside React and tells its readers when it changes.
import { useSyncExternalStore } from 'react';

export const createStore = <T>(initial: T) => {
  let value = initial;
  const readers = new Set<() => void>();
  const subscribe = (reader: () => void) => {
    readers.add(reader);
    return () => void readers.delete(reader);
  };
  return {
    get: () => value,
    set: (next: T) => {
      value = next;
      for (const reader of readers) reader();
    },
    use: () => useSyncExternalStore(subscribe, () => value),
  };
};
