// The terms on which a service answers: its release, and its answers to the open points.
import { type Contract, contractAt } from './at-release.ts';
import { type Choices, OURS } from './choices.ts';
import { LATEST, type Release } from './releases.ts';

export interface Terms {
  readonly contract: Contract;
  readonly choices: Choices;
}

/** Terms never change: a world that answers otherwise has others. */
export const termsOf = ({ release = LATEST, choices = OURS }: { release?: Release; choices?: Choices } = {}): Terms => ({
  contract: contractAt(release),
  choices,
});
