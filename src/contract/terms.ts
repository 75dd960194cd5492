// The terms on which a service answers: its release, its answers to the open points, and how far it is ahead of its clients.
import { type Contract, contractAt } from './at-release.ts';
import { type Choices, choose, OURS } from './choices.ts';
import type { Forward } from './forward.ts';
import { LATEST, type Release } from './releases.ts';

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

/** Terms as plain data. */
export interface SavedTerms {
  readonly release: Release;
  /** The answers to the open points that are not ours. */
  readonly choices: Partial<Choices>;
  readonly forward: Forward;
}

export const saveTerms = ({ contract, choices, forward }: Terms): SavedTerms => {
  const others = Object.entries(choices).filter(([id, answer]) => OURS[id as keyof Choices] !== answer);
  return { release: contract.release, choices: Object.fromEntries(others), forward };
};

export const termsFrom = ({ choices, ...saved }: SavedTerms): Terms => termsOf({ ...saved, choices: choose(choices) });
