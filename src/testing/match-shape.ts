// Whether a value has the shape that a test expects: omitted parts may be anything.
import { isObject } from '../service/contract/schema.ts';

/** The asymmetric matchers of test runners: `expect.any(String)`, `expect.stringContaining('x')`. */
interface Asymmetric {
  asymmetricMatch(value: unknown): boolean;
}

const isAsymmetric = (value: unknown): value is Asymmetric =>
  typeof value === 'object' && value !== null && typeof (value as Partial<Asymmetric>).asymmetricMatch === 'function';

/** Objects may have other members; lists must have the same length. */
export const matchesShape = (expected: unknown, found: unknown): boolean => {
  if (isAsymmetric(expected)) return expected.asymmetricMatch(found);
  if (expected instanceof RegExp) return typeof found === 'string' && found.search(expected) >= 0;
  if (Array.isArray(expected))
    return Array.isArray(found) && found.length === expected.length && expected.every((one, i) => matchesShape(one, found[i]));
  if (isObject(expected))
    return isObject(found) && Object.entries(expected).every(([name, one]) => matchesShape(one, found[name]));
  return Object.is(expected, found);
};

export const showValue = (value: unknown): string => {
  if (value instanceof RegExp) return String(value);
  if (isAsymmetric(value)) return String(value);
  return JSON.stringify(value, (_name, one) => (one instanceof RegExp || isAsymmetric(one) ? String(one) : one)) ?? 'nothing';
};
