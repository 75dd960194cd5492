// The terms on which a service answers: its release, its answers to the open points, and how far it is ahead of its clients.
import { type Contract, contractAt } from './at-release.ts';
import { type Choices, choose, OURS } from './choices.ts';
import { type Forward, forwardNamed } from './forward.ts';
import { LATEST, RELEASE_NAMES, RELEASES, type Release, releaseNamed } from './releases.ts';
import type { Schema } from './schema.ts';

export interface Terms {
  readonly contract: Contract;
  readonly choices: Choices;
  /** The changes of a later release that it makes already. */
  readonly forward: Forward;
}

export interface TermsDraft {
  readonly release?: Release | undefined;
  readonly choices?: Choices | undefined;
  readonly forward?: Forward | undefined;
}

/** Terms never change: a world that answers otherwise has others. */
export const termsOf = ({ release = LATEST, choices = OURS, forward = [] }: TermsDraft = {}): Terms => ({
  contract: contractAt(release),
  choices,
  forward,
});

/** How a release is named, from 1.0 to v1.3.0. */
export const ReleaseName: Schema<Release> = {
  enum: RELEASE_NAMES.flatMap((name) => [Number(name), ...[name, RELEASES[name].version].flatMap((one) => [one, `v${one}`])]),
  'x-says': `one of ${RELEASE_NAMES.join(', ')}`,
};

/** What terms are asked for, as people write it. */
interface Asked {
  readonly release?: unknown;
  readonly choices?: Readonly<Record<string, unknown>> | undefined;
  readonly forward_compat?: unknown;
}

/** What is asked for, and for the rest what was. @throws RangeError naming each unknown answer or kind of change */
export const readTerms = ({ release, choices, forward_compat }: Asked, was: TermsDraft = {}) => ({
  release: releaseNamed(release) ?? was.release ?? LATEST,
  choices: choose(choices, was.choices),
  forward: forward_compat === undefined ? (was.forward ?? []) : forwardNamed(forward_compat),
});

const notOurs = (choices: Choices): Partial<Choices> =>
  Object.fromEntries(Object.entries(choices).filter(([id, answer]) => OURS[id as keyof Choices] !== answer));

/** The way back: what is not as in every other service. */
export const writeTerms = ({ release = LATEST, choices = OURS, forward = [] }: TermsDraft) => {
  const answers = notOurs(choices);
  return {
    ...(release === LATEST ? {} : { release }),
    ...(forward.length > 0 && { forward_compat: forward }),
    ...(Object.keys(answers).length > 0 && { choices: answers }),
  };
};

export interface SavedTerms {
  readonly release: Release;
  /** The answers to the open points that are not ours. */
  readonly choices: Partial<Choices>;
  readonly forward: Forward;
}

const saved = new WeakMap<Terms, SavedTerms>();

export const saveTerms = (terms: Terms): SavedTerms => {
  const { contract, choices, forward } = terms;
  const known = saved.get(terms) ?? { release: contract.release, choices: notOurs(choices), forward };
  saved.set(terms, known);
  return known;
};

export const termsFrom = ({ choices, ...saved }: SavedTerms): Terms => termsOf({ ...saved, choices: choose(choices) });
