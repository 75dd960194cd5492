// Objects put together of parts, some of whose members are worked out when they are read.

/** The members of all, later ones in place of earlier ones; getters stay getters. */
export const overridden = <T extends object[]>(...parts: T): Joined<T> => {
  const whole = {} as Joined<T>;
  for (const part of parts) Object.defineProperties(whole, Object.getOwnPropertyDescriptors(part));
  return whole;
};

type Joined<T extends object[]> = T extends [infer First, ...infer Others extends object[]] ? First & Joined<Others> : unknown;

/** The same members as getters: each is worked out when it is read. */
export const live = <T extends object>(members: { readonly [K in keyof T]: () => T[K] }): T =>
  Object.defineProperties(
    {} as T,
    Object.fromEntries(
      Object.entries<() => unknown>(members).map(([name, get]) => [name, { get, enumerable: true, configurable: true }]),
    ),
  );

/** What is made when it is first asked for. */
export const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
