// Terms of a world: its release, its choices at the open points, and its forward-compat changes.
import { type Contract, contractAt } from './at-release.ts';
import { type Choices, choose, DEFAULT_CHOICES } from './choices.ts';
import { type Forward, forwardNamed } from './forward.ts';
import { getOrMake } from './keyed.ts';
import { ALL_RELEASES, LATEST, NEXT, RELEASE_NAMES, RELEASES, type Release, releaseNamed } from './releases.ts';
import { oneOf, type Schema } from './schema.ts';

export interface Terms {
  readonly contract: Contract;
  readonly choices: Choices;
  /** Forward-compat changes that are on. */
  readonly forward: Forward;
}

export interface TermsDraft {
  readonly release?: Release | undefined;
  readonly choices?: Choices | undefined;
  readonly forward?: Forward | undefined;
}

/** Terms are immutable: to change one, give the world new terms. */
export const termsOf = ({ release = LATEST, choices = DEFAULT_CHOICES, forward = [] }: TermsDraft = {}): Terms => ({
  contract: contractAt(release),
  choices,
  forward,
});

const RELEASE_WORDS = { 'x-says': `one of ${RELEASE_NAMES.join(', ')}` };

/** A release by its plain name; `next`, for maintainers, is not offered. */
export const ReleaseWord: Schema<Release> = oneOf(ALL_RELEASES, RELEASE_WORDS);

/** Spellings of a release, such as 1.3, v1.3 and 1.3.0. */
export const ReleaseName: Schema<Release> = {
  enum: [
    ...RELEASE_NAMES.flatMap((name) => [Number(name), ...[name, RELEASES[name].version].flatMap((one) => [one, `v${one}`])]),
    NEXT,
  ],
  ...RELEASE_WORDS,
};

/** Terms as users write them. */
interface TermsInput {
  readonly release?: unknown;
  readonly choices?: Readonly<Record<string, unknown>> | undefined;
  readonly forward_compat?: unknown;
}

/** Parses terms; a missing part stays as it was. @throws RangeError naming each unknown choice or kind of change */
export const readTerms = ({ release, choices, forward_compat }: TermsInput, was: TermsDraft = {}) => ({
  release: releaseNamed(release) ?? was.release ?? LATEST,
  choices: choose(choices, was.choices),
  forward: forward_compat === undefined ? (was.forward ?? []) : forwardNamed(forward_compat),
});

const nonDefaultChoices = (choices: Choices): Partial<Choices> =>
  Object.fromEntries(Object.entries(choices).filter(([id, choice]) => DEFAULT_CHOICES[id as keyof Choices] !== choice));

/** Writes terms as users write them, without defaults. */
export const writeTerms = ({ release = LATEST, choices = DEFAULT_CHOICES, forward = [] }: TermsDraft) => {
  const changed = nonDefaultChoices(choices);
  return {
    ...(release === LATEST ? {} : { release }),
    ...(forward.length > 0 && { forward_compat: forward }),
    ...(Object.keys(changed).length > 0 && { choices: changed }),
  };
};

export interface SavedTerms {
  readonly release: Release;
  /** Choices other than the default. */
  readonly choices: Partial<Choices>;
  readonly forward: Forward;
}

const saved = new WeakMap<Terms, SavedTerms>();

export const saveTerms = (terms: Terms): SavedTerms => {
  const { contract, choices, forward } = terms;
  return getOrMake(saved, terms, () => ({ release: contract.release, choices: nonDefaultChoices(choices), forward }));
};

export const termsFrom = ({ choices, ...saved }: SavedTerms): Terms => termsOf({ ...saved, choices: choose(choices) });
