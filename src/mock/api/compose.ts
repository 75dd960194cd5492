// Objects composed of parts, some with computed members.

/** The members of all, later ones replacing earlier ones; getters stay getters. */
export const overridden = <T extends object[]>(...parts: T): Joined<T> => {
  const whole = {} as Joined<T>;
  for (const part of parts) Object.defineProperties(whole, Object.getOwnPropertyDescriptors(part));
  return whole;
};

type Joined<T extends object[]> = T extends [infer First, ...infer Others extends object[]] ? First & Joined<Others> : unknown;

const STATE = Symbol('state');

/**
 * A function that adds computed members to an object: each is computed on each read, from the object's state.
 * All objects share the getters, because V8 keeps those of each object, with all that they reach, until a full collection.
 */
export const gettersFrom = <S extends object, T extends object>(members: { readonly [K in keyof T]: (state: S) => T[K] }) => {
  const getters = Object.fromEntries(
    Object.entries<(state: S) => unknown>(members).map(([name, compute]) => {
      const get = function (this: { readonly [STATE]: S }) {
        return compute(this[STATE]);
      };
      return [name, { get, enumerable: true, configurable: true }];
    }),
  );
  return <Base extends object>(base: Base, state: S): Base & T => {
    Object.defineProperty(base, STATE, { value: state });
    return Object.defineProperties(base, getters) as Base & T;
  };
};
