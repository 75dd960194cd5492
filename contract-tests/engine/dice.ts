// Chance that is the same for the same number: dice, and what is drawn with them.
export type Roll = () => number;

/** A small generator, so that the same number gives the same variants. */
export const dice = (seed: number): Roll => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
};

/** A die of its own for each thing, so that one thing less leaves the others as they are. */
export const dieOf = (seed: number, name: string): Roll =>
  dice([...name].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 16_777_619) >>> 0, seed ^ 2_166_136_261));

export const pick = <T>(list: readonly T[], roll: Roll): T => list[Math.floor(roll() * list.length)]!;

/** One of those between, both included. */
export const between = (low: number, high: number, roll: Roll): number => low + Math.floor(roll() * (high - low + 1));
