// Which of several generated validators judges: a schema has one for each form that it had over the releases.
import { RELEASE_NAMES, type Release } from '../contract/releases.ts';

/** The name of the form of a schema that a release was the last to have. */
export const formName = (name: string, release: Release): string => `${name}_${release.replace('.', '_')}`;

/** Finds the form that a release has: that of the first release from it on which was the last of its form, else today's. */
export const formFor = <V>(validators: Readonly<Record<string, V>>) => {
  const found = new Map<string, V | undefined>();
  return (name: string, release: Release): V | undefined => {
    const key = `${name} ${release}`;
    if (found.has(key)) return found.get(key);
    const from = RELEASE_NAMES.slice(RELEASE_NAMES.indexOf(release));
    const last = from.map((one) => formName(name, one)).find((form) => form in validators);
    found.set(key, validators[last ?? name]);
    return found.get(key);
  };
};
