// Collections by key: values made once, groups, objects made of others entry by entry.

interface MapLike<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): unknown;
}

/** The value of a key, made when it is first asked for. */
export const getOrMake = <K, V>(kept: MapLike<K, V>, key: K, make: () => V): V => {
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key)!;
};

export const groupBy = <K, T>(all: Iterable<T>, keyOf: (one: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
};

export const mapValues = <O extends object, W>(object: O, make: (value: O[keyof O], name: string) => W) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, make(value, name)])) as { [K in keyof O]: W };
