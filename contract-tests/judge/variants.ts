// Conforming variants: sets of choices for the open points, as a covering array of pairs and at random.
import { openPointsOf } from '../engine/choices.ts';
import { dice, pick } from '../engine/dice.ts';
import { readShippedDocument } from '../engine/register.ts';

const OPEN_POINTS = openPointsOf(readShippedDocument());

export type Variant = Readonly<Record<string, string>>;

export const randomVariant = (seed: number): Variant => {
  const roll = dice(seed);
  return Object.fromEntries(Object.entries(OPEN_POINTS).map(([name, options]) => [name, pick(options, roll)]));
};

/** Greedy: every pair of choices of every two open points is in some variant, then more until there are enough. */
export const coveringArray = (atLeast: number): Variant[] => {
  const names = Object.keys(OPEN_POINTS);
  const missing = new Set<string>();
  names.forEach((a, i) => {
    for (const b of names.slice(i + 1))
      for (const x of OPEN_POINTS[a]!) for (const y of OPEN_POINTS[b]!) missing.add(`${a}=${x}|${b}=${y}`);
  });
  const pairs = (variant: Variant) =>
    names.flatMap((a, i) => names.slice(i + 1).map((b) => `${a}=${variant[a]}|${b}=${variant[b]}`));
  const found: Variant[] = [];
  for (let seed = 1; missing.size > 0 || found.length < atLeast; seed++) {
    const candidates = [0, 1, 2, 3].map((n) => {
      const wanted = [...missing][Math.floor(dice(seed * 7 + n)() * missing.size)];
      const fixed = wanted ? Object.fromEntries(wanted.split('|').map((part) => part.split('='))) : {};
      return { ...randomVariant(seed * 4 + n), ...fixed } as Variant;
    });
    const scored = candidates.map((variant) => ({ variant, score: pairs(variant).filter((pair) => missing.has(pair)).length }));
    const best = scored.sort((a, b) => b.score - a.score)[0]!.variant;
    for (const pair of pairs(best)) missing.delete(pair);
    found.push(best);
  }
  return found;
};
