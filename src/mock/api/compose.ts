// Objects composed of parts, some with computed members.

/** The members of all, later ones replacing earlier ones; getters stay getters. */
export const overridden = <T extends object[]>(...parts: T): Joined<T> => {
  const whole = {} as Joined<T>;
  for (const part of parts) Object.defineProperties(whole, Object.getOwnPropertyDescriptors(part));
  return whole;
};

type Joined<T extends object[]> = T extends [infer First, ...infer Others extends object[]] ? First & Joined<Others> : unknown;

/** The same members as getters, computed on each read. */
export const live = <T extends object>(members: { readonly [K in keyof T]: () => T[K] }): T =>
  Object.defineProperties(
    {} as T,
    Object.fromEntries(
      Object.entries<() => unknown>(members).map(([name, get]) => [name, { get, enumerable: true, configurable: true }]),
    ),
  );

/** A value that is created on first use. */
export const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
